"""Why a value escapes or leaks: one of a closed list of causes, or None.

The notes of a flow are read from cmd/compile/internal/escape (Go 1.21 to 1.27). A flow is
followed to its end: the last note that means something decides, and a flow that ends at another
variable inherits that variable's cause.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection

from escapelens.core.fold import head_of
from escapelens.core.join import Value
from escapelens.core.model import FlowHop, FlowStep, Way

CAUSES: tuple[str, ...] = (
    "returned", "stored", "outlives-loop", "outlives-call", "unknown-callee", "leaking-callee",
    "boxed", "captured", "goroutine", "deferred-in-loop", "in-container", "sent", "too-large",
    "size-unknown", "panic", "method-value", "passed-to-c", "unsafe",
)  # fmt: skip

_REASONS: dict[str, str] = {
    "return": "returned",
    "send": "sent",
    "captured by a closure": "captured",
    "reference": "captured",
    "key of map put": "in-container",
    "map literal key": "in-container",
    "map literal value": "in-container",
    "appendee slice": "in-container",
    "appended slice...": "in-container",
    "copied slice": "in-container",
    "conversion to unsafe.Pointer": "unsafe",
    "reflect.Header.Data": "unsafe",
}
_SIZES: dict[str, str] = {
    "too large for stack": "too-large",
    "too aligned for stack": "too-large",
    "non-constant size": "size-unknown",
}
_STORES = frozenset({"assign", "assign-pair", "assign-pair-dot-type", "assign-pair-mapr"})
_INDEXED = re.compile(r".*\[.*\] (?:=|:=) .*", re.DOTALL)
_CALLEE = re.compile(r"(\(\*?[\w./·\[\]{},* ]+\)\.\w+|[\w./·]+(?:\[.*?\])?)\(", re.DOTALL)
_BOXED_HEADS = frozenset({"expression", "literal"})
_CONVERSION = re.compile(r"\(?(?:string|\[\]byte|\[\]rune)\)?\(")
_CONSTANT = re.compile(r'"(?:[^"\\]|\\.)*"|-?\d[\w.+-]*|true|false', re.DOTALL)
#: A result without a name; 1.27 puts the package of an inlined closure before it.
_RESULT = re.compile(r"(?:[\w.]+\.)?~[rR]\d+")

#: Finds the value that a flow ends at, by the compiler's name and the name of a variable.
Lookup = Callable[[str | None, str], Value | None]


def find_cause(value: Value, results: Collection[str], functions: Collection[str], lookup: Lookup) -> str | None:
    """The cause of a heap value or a leak.

    ``results`` are the names of the enclosing function's results, ``functions`` those of the
    package's own functions, which tell a known callee from a func value.
    """
    if not value.ways:
        return None
    if value.kind == "escapes-to-heap":
        if value.header_only and value.subject == "func literal":
            return "goroutine"
        if _is_boxed(value):
            return "boxed"
    return _follow(value, results, functions, lookup, 0)


def is_free(value: Value) -> bool:
    """Tell whether a value that the log says escapes certainly costs nothing at run time.

    A constant in an interface points to read-only data (walk/convert.go, dataWordFuncName and the
    ``Const`` case before it). Nothing else is claimed from the words alone.
    """
    return value.kind == "escapes-to-heap" and _CONSTANT.fullmatch(value.subject) is not None


def _is_boxed(value: Value) -> bool:
    """A plain value as the subject means that it was put into an interface."""
    subject = value.subject
    first = value.ways[0][0] if value.ways[0] else None
    if first is None or not first.steps or _CONVERSION.match(subject):
        return False
    if " + " in subject and not subject.startswith('"'):
        return False
    head = head_of(subject)
    return head in _BOXED_HEADS or bool(re.fullmatch(r"[\w.~]+", subject) and head != "append")


def _follow(
    value: Value, results: Collection[str], functions: Collection[str], lookup: Lookup, depth: int
) -> str | None:
    way = value.ways[0]
    for hop in way:
        for step in hop.steps:
            if step.reason in _SIZES:
                return _SIZES[step.reason]
    if not way:
        return None
    last = way[-1]
    if not any(hop.steps for hop in way):
        return "method-value" if value.kind == "escapes-to-heap" else None
    if _RESULT.fullmatch(last.to) or last.to in results:
        return "returned"
    if last.to != "{heap}" and depth < 8:
        name = last.to.removeprefix("{storage for ").removesuffix("}")
        holder = lookup(value.function, name)
        if holder is not None and holder is not value and holder.ways:
            return _follow(holder, results, functions, lookup, depth + 1)
        if value.kind in ("moved-to-heap", "escapes-to-heap") and not last.to.startswith("{"):
            return "outlives-loop"
    return _last_note(way, last, functions)


def _last_note(way: Way, last: FlowHop, functions: Collection[str]) -> str | None:
    for step in reversed(last.steps):
        if step.reason in _REASONS:
            return _REASONS[step.reason]
        if step.reason.startswith("call parameter") or step.reason in ("receiver", "callee operand"):
            return _callee_cause(step, functions)
        if step.reason in _STORES:
            return "in-container" if _INDEXED.fullmatch(step.expression) else "stored"
    if last.steps and last.steps[-1].expression == "func literal":
        return "goroutine"
    return None


def _callee_cause(step: FlowStep, functions: Collection[str]) -> str:
    """Tell the meanings of ``call parameter`` apart by the call as printed."""
    match = _CALLEE.match(step.expression)
    if match is None:
        return "unknown-callee"
    callee = match[1]
    if callee == "panic":
        return "panic"
    if callee in ("append", "copy"):
        return "in-container"
    if "_Cfunc_" in callee:
        return "passed-to-c"
    # A method of a known type is printed as (*T).M or T.M, one of an interface as x.M.
    if callee.startswith("(") or callee.partition("[")[0] in functions:
        return "leaking-callee"
    package, dot, name = callee.rpartition(".")
    return "leaking-callee" if dot and name[:1].isupper() and package.islower() else "unknown-callee"
