"""Whether an expression that escapes is a value put into an interface, and whether it is a method value.

The compiler prints a box as the value inside it, so that ``x escapes to heap`` is all there is to see. Where
the value has storage of its own (a concatenation, a slice literal), it prints two values at one point, and
the inner one flows into the box with ``interface-converted`` as its second step.
"""

from __future__ import annotations

import re

from escapelens.core.callee import printed_callee
from escapelens.core.compiled import Compiled
from escapelens.core.join import Value
from escapelens.core.model import FlowStep
from escapelens.core.scope import Scope, text_of
from escapelens.core.syntax import Function
from escapelens.core.types import variable_type

_ALLOCATED = re.compile(r"(?:make|new|append)\(")
_LITERAL = re.compile(r"(?:go\.shape\.)?(?:\[\]|map\[)")
_NAMED_LITERAL = re.compile(r"([\w.]+)\{")
_CONVERSION = re.compile(r"\(?(?:string|\[\]byte|\[\]rune|\[\]uint8|\[\]int32)\)?\(")
#: Strings, alone or joined (Go 1.21 prints constants as they are written).
_CONSTANT = re.compile(r'"(?:[^"\\]|\\.)*"(?: \+ "(?:[^"\\]|\\.)*")*', re.DOTALL)
#: Operands that only a sum of numbers has.
_NUMERIC = re.compile(r"\b(?:len|cap)\(| \+ \d|^\d+ \+ ")
_SELECTOR = re.compile(r"[\w.()*\[\]~]+\.(\w+)")
#: Functions that take values of any type, by the habits of their names.
_ANY_VARIADIC = re.compile(
    r"(?:.*\.)?(?:\w*[a-z]f|[FS]?[Pp]rint(?:ln)?|(?:Fatal|Panic)(?:ln)?|Log|Error|Skip|Append(?:ln)?"
    r"|Info|Warn|Debug|With|Args|Exec|Query|QueryRow)",
    re.DOTALL,
)
#: Methods of Go's own library that are mostly kept as values.
_KEPT_METHODS = frozenset(
    {"Done", "Unlock", "RUnlock", "Lock", "Close", "Stop", "ServeHTTP", "Cancel", "Wait", "Flush"}
)


def is_boxed(value: Value, compiled: Compiled) -> bool:
    """Tell whether an ``escapes-to-heap`` value is one that was put into an interface."""
    spill = spilled(value)
    if spill is None:
        return False
    expression = spill.expression
    if expression.startswith("&") or expression in ("func literal", "... argument"):
        return False
    if _goes_into(value, expression):
        # The storage of what is put into the box, not the box.
        return False
    if not _has_storage(expression, compiled):
        return not is_method_value(value, compiled)
    # Two values at one point with the same words: the one that does not flow into the other is the box.
    if any(v is not value and _goes_into(v, expression) for v in compiled.at(value.place)):
        return True
    if _ALLOCATED.match(expression) or expression.endswith("}"):
        return False
    # One value alone: a sum of numbers or a conversion that copies nothing, if an interface is wanted.
    if '"' in expression:
        return False
    return bool(_NUMERIC.search(expression)) or _for_any(value) or _into_interface(value, compiled)


def _goes_into(value: Value, expression: str) -> bool:
    """Tell whether a value is what is put into the box of an expression."""
    way = next((way for way in value.ways if way), ())
    return second_reason(value) == "interface-converted" and way[0].to == f"{{storage for {expression}}}"


def spilled(value: Value) -> FlowStep | None:
    """The step in which the value gets storage; None for variables."""
    way = next((way for way in value.ways if way), ())
    first = way[0].steps[0] if way and way[0].steps else None
    return first if first is not None and first.reason == "spill" else None


def second_reason(value: Value) -> str:
    """The reason of the step after the spill."""
    way = next((way for way in value.ways if way), ())
    return way[0].steps[1].reason if way and len(way[0].steps) > 1 else ""


def is_method_value(value: Value, compiled: Compiled) -> bool:
    """Tell whether the expression is a method kept as a func value."""
    spill = spilled(value)
    match = _SELECTOR.fullmatch(spill.expression) if spill is not None else None
    if match is None:
        return False
    name = match[1]
    scope = compiled.scope(value.place.file)
    if scope is None or not _is_selector(scope, value, name) or _for_any(value):
        return False
    head = spill.expression.partition(".")[0] if spill is not None else ""
    function = scope.declaration_of(value.place)
    if head in scope.imports and not (function is not None and scope.declares(function, head)):
        # A package's variable: its functions have no storage.
        return False
    owner = _type_name(scope, function, spill.expression) if function is not None and spill is not None else None
    if owner is not None and compiled.functions & {f"(*{owner}).{name}", f"{owner}.{name}"}:
        return True
    if name in compiled.methods:
        return name not in compiled.fields
    return name in _KEPT_METHODS and name not in compiled.fields


def _type_name(scope: Scope, function: Function, expression: str) -> str | None:
    """The name of the type of ``x`` in ``x.M``, where ``x`` is declared once with it: ``T`` or ``*T``."""
    head, _, rest = expression.partition(".")
    node = variable_type(scope, function, head) if "." not in rest else None
    if node is not None and node.type == "pointer_type" and node.named_children:
        node = node.named_children[0]
    return text_of(node) if node is not None and node.type == "type_identifier" else None


def _is_selector(scope: Scope, value: Value, name: str) -> bool:
    """Tell whether a selector with this name, not called, stands at the value's place."""
    path = scope.path_of(value.place)
    for index in range(len(path) - 1, -1, -1):
        node = path[index]
        if node.type == "selector_expression" and text_of(node.child_by_field_name("field")) == name:
            parent = path[index - 1] if index else None
            function = parent.child_by_field_name("function") if parent is not None else None
            return not (function is not None and function.start_byte == node.start_byte)
    return False


def _has_storage(expression: str, compiled: Compiled) -> bool:
    """Tell whether evaluating an expression may allocate on its own."""
    if expression.endswith("}"):
        named = _NAMED_LITERAL.match(expression)
        return bool(_LITERAL.match(expression)) or (named is not None and compiled.shape(named[1]) in ("map", "slice"))
    return bool(
        _ALLOCATED.match(expression)
        or _CONVERSION.match(expression)
        or (" + " in expression and not _is_constant(expression))
    )


def _is_constant(expression: str) -> bool:
    return _CONSTANT.fullmatch(expression) is not None


def _into_interface(value: Value, compiled: Compiled) -> bool:
    """Tell whether the first variable that takes the value is declared as an interface."""
    way = next((way for way in value.ways if way), ())
    scope = compiled.scope(value.place.file)
    function = scope.declaration_of(value.place) if scope is not None else None
    if scope is None or function is None or not way:
        return False
    declared = variable_type(scope, function, way[0].to)
    return declared is not None and (declared.type == "interface_type" or text_of(declared) in ("any", "error"))


def _for_any(value: Value) -> bool:
    """Tell whether the value goes into the variadic slice of a function that takes values of any type."""
    way = next((way for way in value.ways if way), ())
    if not any(step.reason == "slice-literal-element" for step in way[0].steps) if way else True:
        return False
    calls = [s.expression for hop in way for s in hop.steps if s.reason == "call parameter"]
    if not calls:
        return "{storage for ... argument}" in way[-1].to
    return any(_ANY_VARIADIC.fullmatch(printed_callee(call)[0]) for call in calls)
