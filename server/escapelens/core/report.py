"""The JSON report (schema ``escapelens/1``) and the text lines of ``check``."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Any

from escapelens.core.model import MESSAGE_TYPES, FlowHop, Message, PackageReport, Place, Span

SCHEMA = "escapelens/1"

#: Shown unless told otherwise. Leaks to results are harmless while the caller keeps the result, so
#: they wait in the hovers, and so do values that certainly cost nothing.
DEFAULT_TYPES: tuple[str, ...] = ("escape", "moved", "leak")
QUIET_KINDS: frozenset[str] = frozenset({"leaking-param-to-result"})


class Show:
    """Which messages are shown. ``types`` None means the default, without what is free or harmless."""

    def __init__(self, types: Collection[str] | None = None) -> None:
        self.types = frozenset(types if types is not None else DEFAULT_TYPES)
        self._all = types is not None

    def __call__(self, message: Message) -> bool:
        """Tell whether a message is shown."""
        if message.type not in self.types:
            return False
        return self._all or not (message.free or message.kind in QUIET_KINDS)

    def hides_free(self, message: Message) -> bool:
        """Tell whether a message of a type that is shown is hidden because it certainly costs nothing."""
        return bool(message.free) and not self._all and message.type in self.types


def parse_types(text: str) -> list[str]:
    """Read ``escape,moved`` or ``all``. Raises ValueError with the words that are no type."""
    words = [word.strip() for word in text.split(",") if word.strip()]
    if "all" in words:
        return list(MESSAGE_TYPES)
    unknown = [word for word in words if word not in MESSAGE_TYPES]
    if unknown or not words:
        known = ", ".join(MESSAGE_TYPES)
        raise ValueError(f"{', '.join(unknown) or 'nothing'} is no message type; there are {known}, all")
    return words


def sort_key(message: Message) -> tuple[str, int, int]:
    """Order of messages: by file, line and column; those without a place come last."""
    place = message.place
    return place.file or "\U0010ffff", place.line, place.column or 0


def report_lines(
    go: dict[str, Any], packages: Iterable[PackageReport], show: Callable[[Message], bool], hidden_free: int = 0
) -> Iterator[str]:
    """The whole report, one JSON object, in pieces: all of Go's own library is 170 MB of it.

    ``hidden_free`` is how many values are left out because they certainly cost nothing.
    """
    reports = list(packages)
    messages = [m for package in reports for m in package.messages if show(m)]
    messages.sort(key=sort_key)
    yield f'{{"schema":"{SCHEMA}","go":{_dump(go)},"hiddenFree":{hidden_free},'
    yield f'"packages":{_dump([package_json(package) for package in reports])},"messages":['
    for number, message in enumerate(messages):
        yield f"{',' if number else ''}\n{_dump(message_json(message))}"
    yield "]}\n"


def _dump(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def package_json(package: PackageReport) -> dict[str, Any]:
    """One entry of ``packages``."""
    return {
        "importPath": package.import_path,
        "dir": package.dir,
        "variant": package.variant,
        "status": package.status,
        "error": package.error,
        "seconds": package.seconds,
        "unparsed": list(package.unparsed),
    }


def message_json(message: Message) -> dict[str, Any]:
    """One entry of ``messages``."""
    place = message.place
    return {
        "type": message.type,
        "kind": message.kind,
        "message": message.text,
        "file": place.file,
        "line": place.line if place.file else None,
        "column": place.column,
        "range": span_json(message.span),
        "package": message.package,
        "variant": message.variant,
        "function": message.function if place.file else None,
        "subject": message.subject,
        "cause": message.cause,
        "free": message.free,
        "freeReason": message.free_reason,
        "mayAllocate": message.may_allocate,
        "decides": place_json(message.decides) if message.decides is not None else None,
        "callee": message.callee,
        "through": message.through,
        "loop": message.loop,
        "cold": message.cold,
        "origin": message.origin,
        "flows": [[hop_json(hop) for hop in way] for way in message.flows],
        "inlinedFrom": [place_json(origin) for origin in message.inlined_from],
        "instantiations": [
            {"name": i.name, "message": i.message, "line": i.line, "column": i.column} for i in message.instantiations
        ],
    }


def hop_json(hop: FlowHop) -> dict[str, Any]:
    """One hop of a flow; ``note`` only where the compiler warned that the way is cut short."""
    steps = [{"expression": s.expression, "reason": s.reason, **place_json(s.place)} for s in hop.steps]
    found: dict[str, Any] = {"to": hop.to, "from": hop.source, "steps": steps}
    return {**found, "note": hop.note} if hop.note else found


def place_json(place: Place) -> dict[str, Any]:
    """A place; all three null where the compiler gave none."""
    line = place.line if place.file else None
    return {"file": place.file, "line": line, "column": place.column}


def span_json(span: Span | None) -> dict[str, int] | None:
    """A range: 1-based lines and byte columns, the end exclusive."""
    if span is None:
        return None
    return {
        "line": span.line,
        "column": span.column,
        "endLine": span.end_line,
        "endColumn": span.end_column,
    }
