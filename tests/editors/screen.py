"""A virtual screen for editors with windows: keys, clicks and pictures."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

#: What must be on PATH: Debian's xvfb and xdotool; for pictures ImageMagick.
PROGRAMS = ("Xvfb", "xdotool")
PICTURES = ("import", "convert")


def missing(programs: tuple[str, ...]) -> list[str]:
    """The programs that are not there."""
    return [program for program in programs if shutil.which(program) is None]


class Screen:
    """One X display; ``name`` is the value of DISPLAY."""

    def __init__(self, name: str) -> None:
        self.name = name

    def _run(self, *words: str) -> str:
        variables = {**os.environ, "DISPLAY": self.name}
        result = subprocess.run(words, env=variables, capture_output=True, text=True, timeout=30, check=False)
        return result.stdout

    def window(self, title: str) -> str | None:
        """The number of a visible window by a part of its title."""
        return next(iter(self._run("xdotool", "search", "--onlyvisible", "--name", title).split()), None)

    def keys(self, *names: str) -> None:
        """Press keys, one after the other."""
        self._run("xdotool", "key", "--delay", "50", *names)

    def type(self, text: str) -> None:
        """Type a text."""
        self._run("xdotool", "type", "--delay", "30", text)

    def click(self, x: int, y: int) -> None:
        """Click at a place of the screen."""
        self._run("xdotool", "mousemove", str(x), str(y), "click", "1")

    def move(self, x: int, y: int) -> None:
        """Move the mouse."""
        self._run("xdotool", "mousemove", str(x), str(y))

    def picture(self, path: Path, window: str = "root") -> None:
        """Picture a window, once two pictures in a row are the same."""
        last = b""
        for _ in range(50):
            self._run("import", "-window", window, str(path))
            pixels = subprocess.run(["convert", str(path), "rgb:-"], check=True, capture_output=True).stdout
            if pixels == last:
                return
            last = pixels
        raise RuntimeError("the window does not come to rest")


@contextmanager
def virtual_screen(size: str = "1600x1200") -> Iterator[Screen]:
    """An X display of our own."""
    reader, writer = os.pipe()
    command = ["Xvfb", "-displayfd", str(writer), "-screen", "0", f"{size}x24"]
    with subprocess.Popen(command, pass_fds=[writer], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        os.close(writer)
        try:
            with os.fdopen(reader) as lines:
                yield Screen(f":{lines.readline().strip()}")
        finally:
            process.terminate()
