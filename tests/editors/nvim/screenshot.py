"""A picture of the plugin in a real terminal: xterm on a virtual screen.

Run as ``python -m tests.editors.nvim.screenshot``. The PNG goes to the folder that
``ESCAPELENS_SCREENSHOTS`` names. Needs xterm, Xvfb and ImageMagick.
"""

from __future__ import annotations

import os
import select
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.editors.nvim import editor

PROGRAMS = ("Xvfb", "xterm", "import")
FONT = "DejaVu Sans Mono"
NAME = "neovim-hover.png"
TIME_LIMIT = 120


@contextmanager
def _virtual_screen() -> Iterator[str]:
    """An X display of our own; gives its name."""
    reader, writer = os.pipe()
    command = ["Xvfb", "-displayfd", str(writer), "-screen", "0", "1600x1200x24"]
    with subprocess.Popen(command, pass_fds=[writer], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        os.close(writer)
        try:
            with os.fdopen(reader) as lines:
                yield f":{lines.readline().strip()}"
        finally:
            process.terminate()


def _capture(display: str, path: Path) -> None:
    """Picture the terminal's window, once two pictures in a row are the same."""
    command = ["import", "-display", display, "-window", "EscapeLens"]
    last = b""
    for _ in range(50):
        subprocess.run([*command, str(path)], check=True)
        picture = subprocess.run(["convert", str(path), "rgb:-"], check=True, capture_output=True).stdout
        if picture == last:
            return
        last = picture
    raise RuntimeError("the terminal does not come to rest")


def _wait_until_written(fifo: Path) -> None:
    """Wait for the editor's word that it has drawn everything."""
    descriptor = os.open(fifo, os.O_RDWR | os.O_NONBLOCK)
    try:
        if not select.select([descriptor], [], [], TIME_LIMIT)[0]:
            raise RuntimeError("the editor did not get as far as the hover")
    finally:
        os.close(descriptor)


def take(neovim: Path, folder: Path) -> Path:
    """Write the picture to ``folder`` and return its path."""
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / NAME
    with tempfile.TemporaryDirectory() as scratch, _virtual_screen() as display:
        sample = editor.copy_sample(Path(scratch))
        ready = Path(scratch) / "ready"
        os.mkfifo(ready)
        environment = editor.environment(Path(scratch) / "home") | {
            "DISPLAY": display,
            "ESCAPELENS_READY": str(ready),
        }
        command = [
            "xterm", "-title", "EscapeLens", "-fa", FONT, "-fs", "13", "-geometry", "112x34",
            "-bg", "#14161b", "-fg", "#e0e2ea", "-b", "0", "+sb",
            "-e", str(neovim), "--clean", "-u", str(editor.HERE / "init.lua"),
            "-S", str(editor.HERE / "scene.lua"),
        ]  # fmt: skip
        with subprocess.Popen(command, cwd=sample, env=environment) as terminal:
            try:
                _wait_until_written(ready)
                _capture(display, target)
            finally:
                terminal.terminate()
    return target


def main() -> int:
    """Take the picture, or say what is missing."""
    folder = os.environ.get("ESCAPELENS_SCREENSHOTS")
    if not folder:
        sys.exit("ESCAPELENS_SCREENSHOTS names no folder")
    missing = [program for program in PROGRAMS if shutil.which(program) is None]
    neovim = editor.find_neovim()
    if missing or neovim is None:
        sys.exit(f"not found: {', '.join(missing) or 'Neovim 0.11 or later'}")
    print(take(neovim, Path(folder)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
