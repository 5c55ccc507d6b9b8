"""What is kept between two starts: bytes by key, in the user's cache folder.

Several servers may use one folder: an entry is written beside and renamed, so it is whole or not there. What
cannot be read is as good as absent; nothing here ever fails a run.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import threading
import zlib
from collections.abc import Iterable
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path

import platformdirs

from escapelens import __version__, core

#: Bytes of all entries together, and what is left after the oldest were removed.
_MOST = 400_000_000
_LEFT = 300_000_000
#: Entries written between two looks at the size.
_BETWEEN = 50


class Cache:
    """Entries of two sorts, ``plan`` and ``result``. ``folder`` None keeps nothing."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._written = 0

    def get(self, sort: str, key: str) -> bytes | None:
        """An entry, None if it is not there, not whole or not readable."""
        if self._folder is None:
            return None
        path = self._path(sort, key)
        try:
            packed = path.read_bytes()
            os.utime(path)
        except OSError:
            return None
        content, check = packed[4:], packed[:4]
        return content if zlib.crc32(content).to_bytes(4, "big") == check else None

    def put(self, sort: str, key: str, content: bytes) -> None:
        """Keep an entry, where the folder can be written."""
        if self._folder is None:
            return
        path = self._path(sort, key)
        beside = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
        try:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            beside.write_bytes(zlib.crc32(content).to_bytes(4, "big") + content)
            beside.replace(path)
        except OSError:
            with contextlib.suppress(OSError):
                beside.unlink()
            return
        self._written += 1
        if self._written % _BETWEEN == 1:
            threading.Thread(target=self._prune, daemon=True).start()

    def _path(self, sort: str, key: str) -> Path:
        assert self._folder is not None
        return self._folder / sort / key[:2] / key

    def _prune(self) -> None:
        """Remove the entries that nobody has used for the longest time."""
        assert self._folder is not None
        found: list[tuple[float, int, Path]] = []
        with contextlib.suppress(OSError):
            for path in self._folder.rglob("*"):
                with contextlib.suppress(OSError):
                    state = path.stat()
                    if path.is_file():
                        found.append((state.st_mtime, state.st_size, path))
        total = sum(size for _, size, _ in found)
        if total <= _MOST:
            return
        for _, size, path in sorted(found):
            with contextlib.suppress(OSError):
                path.unlink()
            total -= size
            if total <= _LEFT:
                return


def user_cache() -> Cache:
    """The cache in the user's folder for such things (``ESCAPELENS_CACHE`` names another, empty: none)."""
    named = os.environ.get("ESCAPELENS_CACHE")
    if named is not None:
        return Cache(Path(named) if named else None)
    return Cache(platformdirs.user_cache_path("escapelens", appauthor=False))


def key_of(parts: Iterable[bytes | str]) -> str:
    """A key for everything that decides a result, our own code included."""
    digest = blake2b(_code(), digest_size=20)
    for part in parts:
        content = part.encode("utf-8", "surrogateescape") if isinstance(part, str) else part
        digest.update(len(content).to_bytes(8, "big"))
        digest.update(content)
    return digest.hexdigest()


@lru_cache(maxsize=1)
def _code() -> bytes:
    """What tells one state of our own code from another, so that its results are never mixed."""
    parts = [__version__]
    for folder in core.__path__:
        with contextlib.suppress(OSError):
            for entry in sorted(os.scandir(folder), key=lambda entry: entry.name):
                state = entry.stat()
                if entry.name.endswith(".py"):
                    parts.append(f"{entry.name} {state.st_size} {state.st_mtime_ns}")
    return "\n".join(parts).encode()
