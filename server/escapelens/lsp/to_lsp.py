"""The one place that builds the protocol's values, and that applies the client's position encoding.

Diagnostics are thousands at a time: they are built as the JSON that the protocol wants, not as lsprotocol's objects,
which would be taken apart again one by one.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from lsprotocol import types

from escapelens.core.edits import BOM
from escapelens.core.model import BuildError, Message, Place, Span
from escapelens.core.plain import plain
from escapelens.core.positions import Encoding, LineIndex
from escapelens.core.ranges import word_span
from escapelens.golang.paths import to_uri

SOURCE = "escapelens"

#: A flow's steps in a diagnostic; the hover has them all (they cost a second a thousand diagnostics).
RELATED = 4

_SEVERITIES = {
    "hint": types.DiagnosticSeverity.Hint,
    "information": types.DiagnosticSeverity.Information,
    "warning": types.DiagnosticSeverity.Warning,
}


#: Parameters as the protocol writes them in JSON.
Params = dict[str, Any]

#: From a path to the mapper of its text; None where the text is not known.
MapperOf = Callable[[str], "Mapper | None"]


class Spot(NamedTuple):
    """A position of the client: 0-based line, 0-based character in the client's units."""

    line: int
    character: int


class Area(NamedTuple):
    """A range of the client, as light as it can be: every message has one, few are sent."""

    start: Spot
    end: Spot

    def lsp(self) -> types.Range:
        """The same as a value of the protocol."""
        return types.Range(types.Position(*self.start), types.Position(*self.end))


class Located(NamedTuple):
    """An area in a file."""

    uri: str
    range: Area


@dataclass(frozen=True, slots=True)
class Placed:
    """A message where it stands in the client's text. ``stale`` marks old results."""

    message: Message
    range: Area
    uri: str
    stale: bool


@lru_cache(maxsize=4096)
def uri_of(path: str) -> str:
    """The ``file:`` URI of a path on this machine."""
    return to_uri(path, windows=sys.platform == "win32")


class Mapper:
    """Maps places of the analysed text to positions of the client's text.

    ``targets`` (0-based lines) is None where both texts are the same.
    """

    def __init__(
        self,
        base: bytes,
        current: LineIndex,
        targets: Mapping[int, int] | None,
        encoding: Encoding,
    ) -> None:
        self._current = current
        self._targets = targets
        self._encoding = encoding
        # An editor takes the byte order mark away, the compiler counts it.
        bom = base.startswith(BOM) and not current.source.startswith(BOM)
        self._first_shift = len(BOM) if bom else 0

    def range(self, span: Span) -> Area | None:
        """The client's range of a span; None if its line changed since."""
        line = self._line(span.line)
        if line is None:
            return None
        end_line = self._line(span.end_line)
        start = self._position(line, span.column, span.line)
        if end_line is None or end_line - line != span.end_line - span.line:
            # Something changed inside: what is left is the first line.
            end = self._position(line, sys.maxsize, span.line)
        else:
            end = self._position(end_line, span.end_column, span.end_line)
        return Area(start, end)

    def _line(self, line: int) -> int | None:
        return line if self._targets is None else _shift(self._targets.get(line - 1))

    def _position(self, line: int, column: int, base_line: int) -> Spot:
        if base_line == 1 and column != sys.maxsize:
            column = max(1, column - self._first_shift)
        if column == sys.maxsize:
            offset = self._current.offset(line, 1)
            end = self._current.source.find(b"\n", offset)
            column = (len(self._current.source) if end < 0 else end) - offset + 1
        return Spot(*self._current.to_client(line, column, self._encoding))


def _shift(line: int | None) -> int | None:
    return None if line is None else line + 1


def diagnostic(placed: Placed, severity: str, locate: Locate, *, related: bool) -> Params:
    """One message as a diagnostic."""
    message = placed.message
    found = _diagnostic(
        placed.range,
        message.text if len(message.text) < 400 else message.text[:399] + "…",
        _SEVERITIES[severity],
        message.kind,
    )
    found["data"] = {"type": message.type, "kind": message.kind, "function": message.function}
    steps = _related(message, locate) if related and message.flows else []
    if steps:
        found["relatedInformation"] = steps
    return found


def _diagnostic(where: Area, text: str, severity: types.DiagnosticSeverity, code: str) -> Params:
    return {"range": _range(where), "message": text, "severity": severity.value, "code": code, "source": SOURCE}


def _range(found: Area) -> Params:
    start, end = found.start, found.end
    return {
        "start": {"line": start.line, "character": start.character},
        "end": {"line": end.line, "character": end.character},
    }


class Locate:
    """Finds the client's location of a place in any file."""

    def __init__(self, mapper_of: MapperOf) -> None:
        self._mapper_of = mapper_of

    def __call__(self, place: Place) -> Located | None:
        """The location of a place; None without a file or where its line changed."""
        if place.file is None:
            return None
        column = place.column or 1
        mapper = self._mapper_of(place.file)
        span = Span(place.line, column, place.line, column + 1)
        found = mapper.range(span) if mapper is not None else None
        if found is None:
            position = Spot(max(0, place.line - 1), max(0, column - 1))
            found = Area(position, position)
        return Located(uri_of(place.file), found)


def _related(message: Message, locate: Locate) -> list[Params]:
    found: list[Params] = []
    for hop in (hop for way in message.flows for hop in way):
        for step in hop.steps:
            location = locate(step.place)
            if location is not None:
                text = f"{' '.join(step.expression.split())[:120]} ({step.reason})"
                found.append({"location": {"uri": location.uri, "range": _range(location.range)}, "message": text})
            if len(found) == RELATED:
                return found
    return found


def more_diagnostic(hidden: int) -> Params:
    """Says that a file has more messages than are published."""
    where = Area(Spot(0, 0), Spot(0, 1))
    text = f"{hidden} more messages in this file; escapelens.messages lists them all."
    return _diagnostic(where, text, types.DiagnosticSeverity.Hint, "more")


def build_error(error: BuildError, source: bytes | None, mapper: Mapper | None) -> Params:
    """Why a package does not build, at its place in ``source``, which ``mapper`` maps."""
    where = None
    if error.place is not None and mapper is not None and source is not None:
        lines = source.split(b"\n", error.place.line)
        line_text = lines[error.place.line - 1] if error.place.line <= len(lines) else b""
        where = mapper.range(word_span(line_text, error.place.line, error.place.column or 1))
    if where is None:
        line = max(0, error.place.line - 1) if error.place else 0
        where = Area(Spot(line, 0), Spot(line, 1))
    text = error.text.partition(": ")[2] if error.place is not None else error.text
    words = f"This package does not build, the last good result stays: {text or error.text}"
    return _diagnostic(where, words, types.DiagnosticSeverity.Error, "build-failed")


def link(place: Place, location: Located | None) -> str:
    """A markdown link to a place: ``[user.go:12:9](file:///…/user.go#L12,9)``, in the client's columns."""
    if place.file is None or location is None:
        return "generated code"
    start = location.range.start
    line, column = start.line + 1, start.character + 1
    return f"[{Path(place.file).name}:{line}:{column}]({location.uri}#L{line},{column})"


def plain_hover(found: types.Hover | None) -> types.Hover | None:
    """A hover for a client that renders no markdown."""
    if found is None or not isinstance(found.contents, types.MarkupContent):
        return found
    return types.Hover(types.MarkupContent(types.MarkupKind.PlainText, plain(found.contents.value)), found.range)


def as_commands(actions: list[types.CodeAction]) -> list[types.Command]:
    """Code actions for a client that takes commands only; each of ours is one, under the action's title."""
    return [
        types.Command(action.title, action.command.command, arguments=action.command.arguments)
        for action in actions
        if action.command is not None
    ]
