"""One ``compile`` for its text alone, ended when the front end is done.

Escape analysis, inlining and walk of the whole package end before the first function reaches the back end,
whose first line (``plan.MARKER``) is where the reader ends the process. There is no archive then.
"""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO

from escapelens.golang import process
from escapelens.golang.plan import MARKER
from escapelens.golang.script import WORK

_CHUNK = 1 << 16
_MARKER = MARKER.encode()


class FrontEnd:
    """A compile whose lines are read as they come. ``kill`` may be called from another thread.

    After the last line ``failed`` tells whether the compiler reported errors, ``said`` what it
    wrote to its error stream.
    """

    def __init__(self, words: Sequence[str], *, folder: Path, cwd: Path, env: Mapping[str, str]) -> None:
        """Start ``words``, in which ``$WORK`` stands for ``folder``. Raises GoFailedError."""
        self.failed = False
        self._said: list[bytes] = []
        self._child = process.start([word.replace(WORK, str(folder)) for word in words], cwd, env, own_group=False)
        assert self._child.stderr is not None
        self._reader = threading.Thread(target=self._drain, args=(self._child.stderr,), daemon=True)
        self._reader.start()

    @property
    def said(self) -> str:
        """What the compiler wrote to its error stream."""
        return b"".join(self._said).decode("utf-8", "replace")

    def kill(self) -> None:
        """End the compile: its lines end."""
        with contextlib.suppress(OSError):
            self._child.kill()

    def _drain(self, stream: IO[bytes]) -> None:
        with stream:
            while chunk := os.read(stream.fileno(), _CHUNK):
                self._said.append(chunk)

    def lines(self) -> Iterator[str]:
        """The lines up to the marker or the end, without their ends."""
        assert self._child.stdout is not None
        rest = b""
        cut = False
        with self._child.stdout as stream:
            while not cut and (chunk := os.read(stream.fileno(), _CHUNK)):
                *lines, rest = (rest + chunk).split(b"\n")
                for line in lines:
                    if _MARKER in line:
                        cut = True
                        break
                    yield line.decode("utf-8", "surrogateescape").removesuffix("\r")
            if cut:
                self.kill()
        status = self._child.wait()
        self._reader.join()
        self.failed = not cut and status != 0
        if not cut and rest:
            yield rest.decode("utf-8", "surrogateescape")
