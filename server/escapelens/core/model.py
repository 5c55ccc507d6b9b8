"""The values that travel through every room: places, flow steps, messages and reports.

Positions are the compiler's: lines count from 1, columns count bytes from 1. A column
is ``None`` where the compiler printed none (it has eight bits for columns, so places
beyond column 254 have no column in the text log).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

MessageType = Literal["escape", "moved", "leak", "can-inline", "inline-call", "other"]
Variant = Literal["test", "xtest"]
#: A plain package comes before its test variants.
VARIANTS: tuple[Variant | None, ...] = (None, "test", "xtest")
Status = Literal["ok", "failed", "skipped"]

MESSAGE_TYPES: tuple[MessageType, ...] = (
    "escape",
    "moved",
    "leak",
    "can-inline",
    "inline-call",
    "other",
)

TYPE_LABELS: dict[MessageType, str] = {
    "escape": "Escape to Heap",
    "moved": "Moved to Heap",
    "leak": "Leak Param",
    "can-inline": "Can Inline",
    "inline-call": "Inlining Call",
    "other": "Other",
}

#: Kinds that do not have the type ``other``.
KIND_TYPES: dict[str, MessageType] = {
    "escapes-to-heap": "escape",
    "moved-to-heap": "moved",
    "leaking-param": "leak",
    "leaking-param-content": "leak",
    "leaking-param-to-result": "leak",
    "can-inline": "can-inline",
    "inlining-call": "inline-call",
}


def type_of_kind(kind: str) -> MessageType:
    """Return the message type of a kind; kinds without one of their own are ``other``."""
    return KIND_TYPES.get(kind, "other")


@dataclass(frozen=True, slots=True)
class Place:
    """A point as the compiler names it. ``file`` is absolute, or None where it gave none."""

    file: str | None
    line: int = 0
    column: int | None = None


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of source text: 1-based lines, 1-based byte columns, the end exclusive."""

    line: int
    column: int
    end_line: int
    end_column: int

    def contains(self, line: int, column: int) -> bool:
        """Tell whether a 1-based (line, byte column) lies inside."""
        return (self.line, self.column) <= (line, column) < (self.end_line, self.end_column)


@dataclass(frozen=True, slots=True)
class FlowStep:
    """One ``from EXPRESSION (REASON) at PLACE`` line."""

    expression: str
    reason: str
    place: Place


@dataclass(frozen=True, slots=True)
class FlowHop:
    """One ``flow: TO ← FROM:`` line with the steps under it. ``note`` keeps a warning line."""

    to: str
    source: str
    steps: tuple[FlowStep, ...] = ()
    note: str | None = None


#: One way a value takes: the hops under one header of the log.
Way = tuple[FlowHop, ...]


@dataclass(frozen=True, slots=True)
class Instantiation:
    """One raw verdict line folded into a message about generic code.

    ``name`` is the compiler's name of the shape or wrapper, None where the log does not tell.
    """

    name: str | None
    message: str
    line: int
    column: int | None


@dataclass(frozen=True, slots=True)
class Message:
    """One thing the compiler says about one place.

    ``text`` is the compiler's verdict line to the letter, without its position.
    ``function`` is the function that contains the place, spelled as Go 1.25 prints it.
    ``span`` is what is underlined; None only where the place has no file.

    ``decides`` is the step that makes ``cause`` hold, ``callee`` the function (as printed) that takes the value
    away there, ``through`` the heap value whose cause this one shares. ``loop``, ``cold`` (a path taken rarely or
    once) and ``origin`` are told of heap values only. ``free_reason`` says why ``free``, ``may_allocate`` why a
    value that does not escape may allocate.
    """

    kind: str
    text: str
    place: Place
    subject: str
    span: Span | None = None
    package: str = ""
    variant: Variant | None = None
    function: str | None = None
    cause: str | None = None
    free: bool | None = None
    flows: Sequence[Way] = ()
    inlined_from: tuple[Place, ...] = ()
    instantiations: tuple[Instantiation, ...] = ()
    decides: Place | None = None
    callee: str | None = None
    through: str | None = None
    loop: bool = False
    cold: Literal["init", "main", "error", "panic"] | None = None
    origin: Literal["test", "generated"] | None = None
    free_reason: Literal["constant", "zero-size", "single-byte", "no-captures"] | None = None
    may_allocate: Literal["size", "buffer", "map", "append"] | None = None

    @property
    def type(self) -> MessageType:
        """The message type, one of six."""
        return type_of_kind(self.kind)


@dataclass(frozen=True, slots=True)
class BuildError:
    """Why a package did not build: the go command's or the compiler's own words."""

    text: str
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class PackageReport:
    """Everything known of one package (or one test variant of it) after one run."""

    import_path: str
    dir: str
    variant: Variant | None
    status: Status
    error: str | None = None
    errors: tuple[BuildError, ...] = ()
    seconds: float = 0.0
    messages: tuple[Message, ...] = ()
    unparsed: tuple[str, ...] = ()
    files: tuple[str, ...] = field(default=())
