"""What the server or the command asks of its worker processes, and what they answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import IO

import msgspec

from escapelens.core.model import BuildError, Variant
from escapelens.core.packed import PackedFile
from escapelens.golang.build import ListedPackage

_LENGTH = 4


def write_frame(stream: IO[bytes], value: Job | Answer) -> None:
    """Send a job or an answer: four bytes of length, then msgpack."""
    content = msgspec.msgpack.encode(value)
    stream.write(len(content).to_bytes(_LENGTH, "big") + content)
    stream.flush()


def read_frame(stream: IO[bytes]) -> bytes | None:
    """What the other side sent next; None where the stream ends."""
    head = stream.read(_LENGTH)
    return stream.read(int.from_bytes(head, "big")) if len(head) == _LENGTH else None


#: The word that starts a worker for many packages, each another: it keeps little from one to the next.
MANY = "many"


class Reading(msgspec.Struct, frozen=True):
    """How a text is read: ``cwd`` is where the go command stands, ``paths`` maps import paths to folders for
    ``-trimpath`` builds, ``overlay`` has texts that stand for those on disk, ``records`` is the folder of the
    back end's records.
    """

    cwd: str
    goroot: str
    multiline: bool
    tests: bool = False
    paths: Mapping[str, str] = {}
    overlay: Mapping[str, bytes] = {}
    records: str | None = None


class PackageText(msgspec.Struct, frozen=True):
    """A package's text as the go command prints it, and the errors that it lists."""

    package: ListedPackage
    text: bytes
    seconds: float = 0.0


class CompileJob(msgspec.Struct, frozen=True, tag="compile"):
    """Compile one package for its text. ``words`` hold ``$WORK`` for ``folder``, which has everything that
    the command needs.
    """

    words: tuple[str, ...]
    folder: str
    cwd: str
    env: Mapping[str, str]
    package: ListedPackage
    reading: Reading


class TextJob(msgspec.Struct, frozen=True, tag="text"):
    """Understand the texts of one package and its test variants: the plain package first."""

    texts: tuple[PackageText, ...]
    reading: Reading


class Cancel(msgspec.Struct, frozen=True, tag="cancel"):
    """Let the job at hand go."""


Job = CompileJob | TextJob | Cancel


class PackedReport(msgspec.Struct, frozen=True):
    """Everything known of one package or variant after one compile, packed file by file."""

    package: ListedPackage
    variant: Variant | None
    files: tuple[PackedFile, ...]
    unparsed: tuple[str, ...] = ()
    errors: tuple[BuildError, ...] = ()
    seconds: float = 0.0


class Understood(msgspec.Struct, frozen=True, tag="understood"):
    """The reports of a job, in the order of its texts."""

    reports: tuple[PackedReport, ...]


class Rejected(msgspec.Struct, frozen=True, tag="rejected"):
    """The compiler did not take the package; ``said`` is its text."""

    said: str


class Broken(msgspec.Struct, frozen=True, tag="broken"):
    """The worker failed; ``traceback`` says where. A cancelled job is answered with an empty one."""

    traceback: str


Answer = Understood | Rejected | Broken
