"""Why a value escapes or leaks: one of a closed list of causes, or None.

The notes of a flow are read from cmd/compile/internal/escape (Go 1.21 to 1.27). A flow is followed to its
end: its last note decides, and a flow that ends at another heap value has that one's reason. What the notes
do not tell (which call it is, goroutine or deferred call, loop or closure) the syntax does.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from tree_sitter import Node

from escapelens.core.boxes import is_boxed, is_method_value
from escapelens.core.callee import callee_of
from escapelens.core.compiled import Compiled
from escapelens.core.join import Value
from escapelens.core.model import FlowHop, FlowStep, Place, Way
from escapelens.core.scope import Scope
from escapelens.core.syntax import RANGE_BODY, Function

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
    "//go:uintptrescapes": "unsafe",
}
_SIZES: dict[str, str] = {
    "too large for stack": "too-large",
    "too aligned for stack": "too-large",
    "non-constant size": "size-unknown",
}
_CALLS = frozenset({"call parameter", "receiver", "callee operand"})
_CALLEES = {
    "append": "in-container",
    "copy": "in-container",
    "panic": "panic",
    "c": "passed-to-c",
    "known": "leaking-callee",
    "unknown": "unknown-callee",
}
_STORES = frozenset(
    {"assign", "assign-pair", "assign-pair-dot-type", "assign-pair-mapr", "assign-pair-receive", "range"}
)
#: A store into an element: ``m[k] = v``, ``x.table[i] = v``.
_INDEXED = re.compile(r"[^=\"`]*\] (?:=|:=) .*", re.DOTALL)
#: A result without a name; 1.27 puts the package of an inlined closure before it.
#: How the body of a range-over-func loop hands out what its function returns.
_LOOP_RESULT = re.compile(r"#rv\d+")
_RESULT = re.compile(r"(?:[\w.]+\.)?~[rR]\d+")
#: How many heap values a reason is followed through; longer chains exist in generated code only.
_DEPTH = 8
_STATEMENTS = {"go_statement": "goroutine", "defer_statement": "deferred-in-loop"}


@dataclass(frozen=True, slots=True)
class Decision:
    """Why, and which step decides.

    ``callee`` is the function, as printed, whose parameter takes the value away; ``through`` names the heap
    value whose reason this is, if the flow ends at one.
    """

    cause: str | None = None
    place: Place | None = None
    callee: str | None = None
    through: str | None = None


NOTHING = Decision()


def decide(value: Value, compiled: Compiled) -> Decision:
    """The reason of a heap value or a leak."""
    if value.kind == "escapes-to-heap" and value.ways:
        found = _follow(value, compiled, 0)
        if found.cause not in ("panic", "too-large", "size-unknown"):
            # What is put into an interface is that first, whatever becomes of the interface.
            if is_method_value(value, compiled):
                return replace(found, cause="method-value")
            if is_boxed(value, compiled):
                return replace(found, cause="boxed")
        return found
    if value.kind == "escapes-to-heap":
        # A box and what is in it may share one verdict's words: the box's neighbour has both ways.
        twins = (v for v in compiled.at(value.place) if v is not value and len(v.ways) > 1)
        twin = next(twins, None)
        return _follow(replace(value, ways=twin.ways[-1:]), compiled, 0) if twin is not None else NOTHING
    if value.ways:
        return _follow(value, compiled, 0)
    if value.kind == "leaking-param" and _has_no_body(value, compiled):
        return Decision("unknown-callee")
    return NOTHING


def _follow(value: Value, compiled: Compiled, depth: int) -> Decision:
    way = next((w for w in value.ways if any(hop.steps for hop in w)), None)
    if way is None:
        bare = next((w for w in value.ways if w), None)
        return _without_steps(value, bare, compiled, depth) if bare is not None else NOTHING
    for step in (step for hop in way for step in hop.steps):
        if step.reason in _SIZES:
            return Decision(_SIZES[step.reason], step.place)
    left = _leaves(value, way, compiled)
    if left is not None:
        return left
    capture = next((s for hop in way for s in hop.steps if s.reason == "captured by a closure"), None)
    if capture is not None:
        return _captured(value, way, capture, compiled, depth)
    end = way[-1]
    last = next(step for hop in reversed(way) for step in reversed(hop.steps))
    if end.to == "{heap}":
        return _last_note(way, last, compiled)
    if _is_result(end, last, compiled):
        return Decision("returned", last.place)
    name = end.to.removeprefix("{storage for ").removesuffix("}")
    holder = compiled.holder(value, name, last.place) if depth < _DEPTH else None
    if holder is not None:
        found = _of_holder(holder, last, compiled, depth)
        if found.cause in _SIZES.values():
            # The holder is on the heap for its own sake; what it holds follows it.
            return Decision("stored", last.place, through=name)
        if found.cause is not None:
            return replace(found, through=found.through or name)
    return _outlives(value, end, last, compiled)


def _leaves(value: Value, way: Way, compiled: Compiled) -> Decision | None:
    """Where a way leaves the value's function for another that was analysed with it (functions that call each
    other): that line is the reader's reason, whatever becomes of it there. None if it does not.
    """
    steps = [step for hop in way for step in hop.steps]
    home = _home(value.place, compiled)
    if home is None or _home(steps[-1].place, compiled) == home:
        return None
    before: FlowStep | None = None
    for step in steps:
        if _home(step.place, compiled) != home:
            break
        before = step
    if before is None:
        return None
    if before.reason == "return":
        return Decision("returned", before.place)
    if before.reason in _CALLS:
        callee = callee_of(before, compiled.functions, compiled.packages, compiled.scope(before.place.file))
        return Decision("leaking-callee", before.place, callee.name) if callee.sort == "known" else None
    return None


def _home(place: Place, compiled: Compiled) -> tuple[str | None, int] | None:
    """The declared function around a place, by file and offset."""
    scope = compiled.scope(place.file)
    function = scope.declaration_of(place) if scope is not None else None
    return (place.file, function.start) if function is not None else None


def _of_holder(holder: Value, last: FlowStep, compiled: Compiled, depth: int) -> Decision:
    """The reason of the heap value at which a flow ends."""
    if last.reason == "interface-converted" or holder.kind != "escapes-to-heap":
        return _follow(holder, compiled, depth + 1)
    if is_method_value(holder, compiled):
        return Decision("method-value", last.place)
    return _follow(holder, compiled, depth + 1)


def _without_steps(value: Value, way: Way, compiled: Compiled, depth: int) -> Decision:
    """A flow without notes: a receiver into a method value's closure, or a value kept by a statement."""
    end = way[-1]
    if end.to.startswith("{storage for ") and depth < _DEPTH:
        name = end.to.removeprefix("{storage for ").removesuffix("}")
        holder = compiled.holder(value, name, value.place)
        if holder is not None and holder.kind == "escapes-to-heap" and is_method_value(holder, compiled):
            return Decision("method-value", holder.place)
        if holder is not None:
            return replace(_follow(holder, compiled, depth + 1), through=name)
    if _is_unspoken(way) or (value.kind == "escapes-to-heap" and is_method_value(value, compiled)):
        return Decision("method-value", value.place)
    return NOTHING


def _captured(value: Value, way: Way, capture: FlowStep, compiled: Compiled, depth: int) -> Decision:
    """What a closure keeps: for the closure of a go or defer statement, that statement is the reason.

    A value that is made inside the closure and stored in a captured variable outlives the closure's call.
    """
    last = next(step for hop in reversed(way) for step in reversed(hop.steps))
    end = way[-1]
    if end.to == "{heap}" and last.expression == "func literal":
        cause = _statement(last.place, compiled)
        if cause is not None:
            return Decision(cause, last.place)
    body = _body_around(capture, compiled)
    if body is None:
        return Decision("captured", capture.place)
    closure, statement = body
    place_of = compiled.scope(capture.place.file)
    scope = compiled.scope(value.place.file)
    offset = scope.offset(value.place) if scope is not None else None
    inside = value.place.file == capture.place.file and offset is not None
    # The variable that is captured is declared outside, or is a parameter of an inlined body.
    made = value.kind in ("escapes-to-heap", "moved-to-heap") and value.subject != capture.expression
    if made and inside and closure.start_byte < (offset or 0) < closure.end_byte:
        if _LOOP_RESULT.fullmatch(capture.expression):
            return Decision("returned", capture.place)
        return Decision("outlives-loop" if closure.type == "for_statement" else "outlives-call", capture.place)
    if statement is not None and place_of is not None:
        return Decision(
            _STATEMENTS[statement.type], Place(capture.place.file, *place_of.file.place(statement.start_byte))
        )
    if scope is not None and closure.type == "func_literal" and depth < _DEPTH:
        place = Place(capture.place.file, *scope.file.place(closure.start_byte))
        holder = next((v for v in compiled.at(place) if v.ways), None)
        found = _follow(holder, compiled, depth + 1) if holder is not None else NOTHING
        if found.cause in _STATEMENTS.values():
            return replace(found, through="func literal")
        if holder is not None:
            return Decision("captured", capture.place, through="func literal")
    return Decision("captured", capture.place)


def _body_around(capture: FlowStep, compiled: Compiled) -> tuple[Node, Node | None] | None:
    """The closure (or range-over-func loop) whose body uses a captured variable, and the go or defer statement
    that calls it later."""
    scope = compiled.scope(capture.place.file)
    path = scope.path_of(capture.place) if scope is not None else ()
    for index in range(len(path) - 1, -1, -1):
        if path[index].type == "func_literal":
            called = index > 1 and path[index - 1].type == "call_expression"
            outer = path[index - 2] if called and path[index - 2].type in _STATEMENTS else None
            if outer is not None and outer.type == "defer_statement" and not _in_loop(path[:index]):
                # Deferred once, a closure stays on the stack.
                outer = None
            return path[index], outer
        if path[index].type == "for_statement" and scope is not None:
            place = scope.file.place(path[index].start_byte)
            if RANGE_BODY.search(scope.file.hints.get(place, "")):
                return path[index], None
    return None


def _in_loop(outer: Sequence[Node]) -> bool:
    """Tell whether a loop holds the end of a path of nodes, inside the same function."""
    for node in reversed(outer):
        if node.type == "for_statement":
            return True
        if node.type in ("func_literal", "function_declaration", "method_declaration"):
            return False
    return False


def _is_result(end: FlowHop, last: FlowStep, compiled: Compiled) -> bool:
    """Tell whether a flow ends at a result, named or not."""
    if _RESULT.fullmatch(end.to) or last.reason == "return":
        return True
    scope = compiled.scope(last.place.file)
    return scope is not None and end.to in scope.file.result_names(last.place.line, last.place.column)


def _last_note(way: Way, last: FlowStep, compiled: Compiled) -> Decision:
    """The meaning of the note with which a flow reaches the heap."""
    if last.reason in _REASONS:
        return Decision(_REASONS[last.reason], last.place)
    if last.reason in _CALLS:
        callee = callee_of(last, compiled.functions, compiled.packages, compiled.scope(last.place.file))
        return Decision(_CALLEES[callee.sort], last.place, callee.name)
    if last.reason in _STORES:
        return Decision("in-container" if _INDEXED.fullmatch(last.expression) else "stored", last.place)
    cause = _statement(last.place, compiled)
    if cause is not None:
        return Decision(cause, last.place)
    for step in (step for hop in reversed(way) for step in reversed(hop.steps)):
        if step.reason in _STORES:
            return Decision("stored", step.place)
    # A receiver flows into the hidden closure of a method value without a word (escape/expr.go, OMETHVALUE).
    return Decision("method-value", last.place) if _is_unspoken(way) else NOTHING


def _is_unspoken(way: Way) -> bool:
    """Tell whether a way ends with a step from a temporary that has no note."""
    return way[-1].to == "{heap}" and not way[-1].steps and way[-1].source.lstrip("*") == "{temp}"


def _statement(place: Place, compiled: Compiled) -> str | None:
    """Goroutine or deferred call, where a go or defer statement holds a place."""
    scope = compiled.scope(place.file)
    statement = scope.statement_at(place, *_STATEMENTS) if scope is not None else None
    return _STATEMENTS[statement.type] if statement is not None else None


def _outlives(value: Value, end: FlowHop, last: FlowStep, compiled: Compiled) -> Decision:
    """A flow that ends at a variable on the stack, which lives longer than the value (``outlives``, solve.go).

    The variable is declared outside the closure that holds the value, or outside the value's loop.
    """
    if value.kind not in ("moved-to-heap", "escapes-to-heap", "leaking-param", "leaking-param-content"):
        return NOTHING
    scope = compiled.scope(value.place.file)
    function = scope.function_of(value.place) if scope is not None else None
    if scope is None or function is None:
        return NOTHING
    if function.literal and not _declared_inside(end.to, last, scope, function):
        return Decision("outlives-call", last.place)
    if value.kind not in ("moved-to-heap", "escapes-to-heap"):
        return NOTHING
    return Decision("outlives-loop", last.place)


def _declared_inside(name: str, last: FlowStep, scope: Scope, function: Function) -> bool:
    if name == "{temp}" or name.startswith("{storage"):
        offset = scope.offset(last.place)
        return offset is not None and function.start <= offset < function.end
    return scope.declares(function, name)


def _has_no_body(value: Value, compiled: Compiled) -> bool:
    """Tell whether a parameter's function is written in another language: everything leaks there."""
    scope = compiled.scope(value.place.file)
    path = scope.path_of(value.place) if scope is not None else ()
    declaration = path[0] if path else None
    return (
        declaration is not None
        and declaration.type in ("function_declaration", "method_declaration")
        and declaration.child_by_field_name("body") is None
    )
