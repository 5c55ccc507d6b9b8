"""The JSON report of the contract, field by field."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Check = Callable[[Any], bool]

TYPES = ("escape", "moved", "leak", "can-inline", "inline-call", "other")
CAUSES = (
    "returned", "stored", "outlives-loop", "outlives-call", "unknown-callee", "leaking-callee", "boxed", "captured",
    "goroutine", "deferred-in-loop", "in-container", "sent", "too-large", "size-unknown", "panic", "method-value",
    "passed-to-c", "unsafe",
)  # fmt: skip
KINDS = {
    "escapes-to-heap": "escape",
    "moved-to-heap": "moved",
    "leaking-param": "leak",
    "leaking-param-content": "leak",
    "leaking-param-to-result": "leak",
    "can-inline": "can-inline",
    "inlining-call": "inline-call",
}


def text(value: Any) -> bool:
    """A string."""
    return isinstance(value, str)


def count(value: Any) -> bool:
    """A number that counts from 1."""
    return isinstance(value, int) and not isinstance(value, bool) and value >= 1


def number(value: Any) -> bool:
    """A number of seconds."""
    return isinstance(value, int | float) and not isinstance(value, bool) and value >= 0


def absolute(value: Any) -> bool:
    """An absolute path."""
    return text(value) and value.startswith("/")


def maybe(check: Check) -> Check:
    """The value, or null."""
    return lambda value: value is None or check(value)


def one_of(*values: Any) -> Check:
    """One of some values; True and 1 are not the same here."""
    return lambda value: any(value is known or (type(value) is type(known) and value == known) for known in values)


def list_of(check: Check) -> Check:
    """A list."""
    return lambda value: isinstance(value, list) and all(map(check, value))


def object_of(fields: dict[str, Check], optional: frozenset[str] = frozenset()) -> Check:
    """An object with exactly these fields. Raises AssertionError that names the field."""

    def check(value: Any) -> bool:
        assert isinstance(value, dict), value
        missing = set(fields) - set(value) - optional
        assert not missing and set(value) <= set(fields), (sorted(missing), sorted(set(value) - set(fields)))
        for name, inner in value.items():
            assert fields[name](inner), f"{name}: {inner!r} in {value}"
        return True

    return check


PLACE: dict[str, Check] = {"file": maybe(absolute), "line": maybe(count), "column": maybe(count)}
STEP = object_of({"expression": text, "reason": text, **PLACE})
HOP = object_of({"to": text, "from": text, "steps": list_of(STEP), "note": text}, frozenset({"note"}))
RANGE = object_of({"line": count, "column": count, "endLine": count, "endColumn": count})
INSTANTIATION = object_of({"name": maybe(text), "message": text, "line": count, "column": maybe(count)})
MESSAGE = object_of(
    {
        "type": one_of(*TYPES),
        "kind": text,
        "message": text,
        **PLACE,
        "range": maybe(RANGE),
        "package": text,
        "variant": one_of(None, "test", "xtest"),
        "function": maybe(text),
        "subject": text,
        "cause": one_of(None, *CAUSES),
        "free": one_of(True, None),
        "freeReason": one_of(None, "constant", "zero-size", "single-byte", "no-captures"),
        "mayAllocate": one_of(None, "size", "buffer", "map", "append"),
        "decides": maybe(object_of(PLACE)),
        "callee": maybe(text),
        "through": maybe(text),
        "loop": one_of(True, False),
        "cold": one_of(None, "init", "main", "error", "panic"),
        "origin": one_of(None, "test", "generated"),
        "flows": list_of(list_of(HOP)),
        "inlinedFrom": list_of(object_of(PLACE)),
        "instantiations": list_of(INSTANTIATION),
    }
)
PACKAGE = object_of(
    {
        "importPath": text,
        "dir": absolute,
        "variant": one_of(None, "test", "xtest"),
        "status": one_of("ok", "failed", "skipped"),
        "error": maybe(text),
        "seconds": number,
        "unparsed": list_of(text),
    }
)
GO = object_of({"version": text, "goos": text, "goarch": text, "gcflags": list_of(text)})
REPORT = object_of(
    {
        "schema": one_of("escapelens/1"),
        "go": GO,
        "hiddenFree": lambda value: isinstance(value, int) and value >= 0,
        "packages": list_of(PACKAGE),
        "messages": list_of(MESSAGE),
    }
)


def check_report(report: Any) -> None:
    """Assert everything the contract says of every report."""
    assert REPORT(report)
    for message in report["messages"]:
        assert KINDS.get(message["kind"], "other") == message["type"], message
        assert (message["file"] is None) == (message["range"] is None) == (message["line"] is None), message
        if message["file"] is None:
            assert message["function"] is None and message["column"] is None, message
            continue
        assert message["function"], message
        where = message["range"]
        start, end = (where["line"], where["column"]), (where["endLine"], where["endColumn"])
        assert start < end, message
        if message["column"] is not None:
            assert start <= (message["line"], message["column"]) < end, message
        if message["instantiations"]:
            assert message["message"] in [raw["message"] for raw in message["instantiations"]], message
