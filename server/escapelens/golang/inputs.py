"""What a compile depends on, remembered as stamps: has anything changed since, without reading it?"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import blake2b

from escapelens.core.syntax import parse_go

#: Modification time, change time (both in nanoseconds), size, inode.
Stamp = tuple[int, int, int, int]

#: Files whose coming and going changes what the go command compiles (cmd/go/internal/load, go/build).
_COUNTED = (
    ".go", ".c", ".cc", ".cpp", ".cxx", ".m", ".h", ".hh", ".hpp", ".hxx", ".f", ".F", ".for", ".f90",
    ".s", ".S", ".sx", ".swig", ".swigcxx", ".syso", ".pgo",
)  # fmt: skip
_IMPORT = re.compile(rb"\bimport\b")
_DIRECTIVES = re.compile(rb"^//(?:go:build|go:embed|go:debug|go:linkname| ?\+build)[^\n]*", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class FileStamp:
    """A file as it was; ``stamp`` None: it was not there."""

    path: str
    stamp: Stamp | None


@dataclass(frozen=True, slots=True)
class FolderStamp:
    """A folder as it was; ``names`` tells the sets of its counted files apart."""

    path: str
    stamp: Stamp | None
    names: bytes


class Stamps:
    """Reads stamps, each once: for one look at many plans that share their inputs."""

    def __init__(self) -> None:
        self._known: dict[str, Stamp | None] = {}

    def of(self, path: str) -> Stamp | None:
        """The stamp of a file or folder, None if it is not there."""
        if path not in self._known:
            self._known[path] = read_stamp(path)
        return self._known[path]

    def file(self, path: str) -> FileStamp:
        """A file as it is now."""
        return FileStamp(path, self.of(path))

    def folder(self, path: str) -> FolderStamp:
        """A folder as it is now."""
        return FolderStamp(path, self.of(path), names_in(path))

    def read(self) -> Iterable[Stamp | None]:
        """All stamps that were read so far."""
        return self._known.values()

    def changed(
        self, files: Iterable[FileStamp], folders: Iterable[FolderStamp], there: Iterable[str] = ()
    ) -> str | None:
        """The first path that is not as it was, or that is not ``there``; None if everything is."""
        for path in there:
            if self.of(path) is None:
                return path
        for file in files:
            if self.of(file.path) != file.stamp:
                return file.path
        for folder in folders:
            # Editors write beside a file and rename: the folder changes, its Go files do not.
            if self.of(folder.path) != folder.stamp and names_in(folder.path) != folder.names:
                return folder.path
        return None


def read_stamp(path: str) -> Stamp | None:
    """The stamp of a file or folder, None if it is not there."""
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return None
    return found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino


def is_fresh(stamp: Stamp | None, since: int) -> bool:
    """Tell whether something was written after ``since`` (nanoseconds since the epoch, less the clock's grain):
    what was read meanwhile may have been an older text.
    """
    return stamp is not None and max(stamp[0], stamp[1]) >= since - 20_000_000


def names_in(folder: str) -> bytes:
    """A digest of the names of a folder's counted files; empty if it cannot be listed."""
    try:
        names = sorted(name for name in os.listdir(folder) if name.endswith(_COUNTED))
    except (OSError, ValueError):
        return b""
    return blake2b("\0".join(names).encode("utf-8", "surrogateescape"), digest_size=16).digest()


@dataclass(frozen=True, slots=True)
class Head:
    """What in a Go file decides how its package is compiled: package clause, imports and directives. Two texts with
    equal ``digest`` are compiled with the same command. ``end`` is the byte offset after the last import, ``start``
    the digest of the text before it.
    """

    digest: bytes
    end: int
    start: bytes


def head_of(source: bytes, before: Head | None = None) -> Head:
    """The head of a Go file. Where the text up to the last import is as it was ``before`` and no import can have
    come after it, nothing is parsed.
    """
    directives = b"\n".join(line.strip() for line in _DIRECTIVES.findall(source))
    if (
        before is not None
        and _digest(source[: before.end], directives) == before.start
        and _IMPORT.search(source, before.end) is None
    ):
        return before
    parts: list[bytes] = []
    end = 0
    for node in parse_go(source).named_children:
        if node.type in ("package_clause", "import_declaration"):
            parts.append(b" ".join((node.text or b"").split()))
            end = node.end_byte
    return Head(_digest(b"\n".join(parts), directives), end, _digest(source[:end], directives))


def _digest(*parts: bytes) -> bytes:
    digest = blake2b(digest_size=16)
    for part in parts:
        digest.update(len(part).to_bytes(8, "big"))
        digest.update(part)
    return digest.digest()
