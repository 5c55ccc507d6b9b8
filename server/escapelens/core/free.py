"""Heap values that cost nothing at run time, and values on the stack that may allocate all the same.

Read from cmd/compile/internal/walk (dataWord in convert.go, addrTemp in order.go) and the runtime (mallocgc of
nothing gives ``zerobase``), and measured with testing.AllocsPerRun. Only what is certain is claimed.
"""

from __future__ import annotations

import re
from typing import Literal

from tree_sitter import Node

from escapelens.core.compiled import Compiled
from escapelens.core.join import Value
from escapelens.core.scope import text_of
from escapelens.core.types import is_bool, shape_of_node, variable_type

Free = Literal["constant", "zero-size", "single-byte", "no-captures"]
MayAllocate = Literal["size", "buffer", "map", "append"]

#: A constant as printed; long strings are cut without their closing quote (Go 1.22 and later).
_CONSTANT = re.compile(r'"(?:[^"\\]|\\.)*"?(?: \+ "(?:[^"\\]|\\.)*")*|-?\d[\w.+-]*|\'.*\'|true|false', re.DOTALL)
_TYPED_CONSTANT = re.compile(r'\(?[\w.]+\)?\((?:-?\d[\w.+-]*|"(?:[^"\\]|\\.)*")\)', re.DOTALL)
_EMPTY = re.compile(r"&?struct \{\}\{\}|new\(struct \{\}\)|\[\][^{}]+\{\}|make\(\[\][^,]+, 0\)|\[0\][^{}]+\{\}")
_NAMED_EMPTY = re.compile(r"(?:&(\w+)\{\}|(\w+)\{\}|new\((\w+)\))")
_VARIABLE_MAKE = re.compile(r"make\(\[\].*, (.+)\)")
_NUMBER = re.compile(r"\d+")
_STRING = re.compile(r"\(?(?:string|\[\]byte|\[\]rune)\)?\((.+)\)", re.DOTALL)
#: Constants in these packages are never read-only data (order.go, addrTemp).
_FIPS = "/crypto/internal/fips140/"


def free_reason(value: Value, compiled: Compiled, boxed: bool) -> Free | None:
    """Why a value that the log says escapes certainly costs nothing; None where that is not certain.

    ``boxed`` tells that it was put into an interface.
    """
    if value.kind == "escapes-to-heap":
        if value.subject == "func literal":
            return "no-captures" if _captures_nothing(value, compiled) else None
        if _EMPTY.fullmatch(value.subject) or _is_named_empty(value, compiled):
            return "zero-size"
        if _CONSTANT.fullmatch(value.subject) or _is_typed_constant(value, compiled):
            return None if _FIPS in (value.place.file or "") else "constant"
        return _of_type(value, compiled) if boxed else None
    return _of_type(value, compiled) if value.kind == "moved-to-heap" else None


def may_allocate(value: Value, compiled: Compiled) -> MayAllocate | None:
    """Why a value that does not escape may allocate all the same; None if nothing says so."""
    if value.kind != "does-not-escape":
        return None
    subject = value.subject
    if subject != "append" and "(" not in subject and "{" not in subject and " + " not in subject:
        return None
    if subject.startswith("make(map[") or (subject.startswith("map[") and subject.endswith("}")):
        return "map"
    match = _VARIABLE_MAKE.fullmatch(subject)
    if match is not None:
        return None if all(_NUMBER.fullmatch(n) for n in match[1].split(", ")) else "size"
    if subject == "append":
        return "append"
    copied = _STRING.fullmatch(subject)
    if copied is None and not (" + " in subject and '"' in subject):
        return None
    node = _written(value, compiled)
    if node is None or value.place in compiled.zero_copies:
        # An inlined copy may be a comparison, which copies nothing.
        return None
    if copied is None:
        return "buffer" if node.type == "binary_expression" else None
    return None if _CONSTANT.fullmatch(copied[1]) or _copies_nothing(value, compiled) else "buffer"


def _written(value: Value, compiled: Compiled) -> Node | None:
    """The expression at a value's point, if it is written there as it is printed."""
    scope = compiled.scope(value.place.file)
    wanted = _squeeze(value.subject)
    for node in reversed(scope.path_of(value.place) if scope is not None else ()):
        if node.type in ("call_expression", "type_conversion_expression", "binary_expression"):
            return node if _squeeze(text_of(node)) == wanted else None
    return None


def _squeeze(text: str) -> str:
    return "".join(text.replace("(", "").replace(")", "").split())


def _is_typed_constant(value: Value, compiled: Compiled) -> bool:
    """A named constant of a named type, printed as ``Errno(22)``: the source has a name there, no call."""
    if not _TYPED_CONSTANT.fullmatch(value.subject):
        return False
    node = _node(value, compiled)
    return node is not None and node.type in ("identifier", "selector_expression", "field_identifier")


def _is_named_empty(value: Value, compiled: Compiled) -> bool:
    match = _NAMED_EMPTY.fullmatch(value.subject)
    name = next((group for group in match.groups() if group), "") if match is not None else ""
    return compiled.shape(name) == "empty" if name else False


def _of_type(value: Value, compiled: Compiled) -> Free | None:
    """Free by its type: nothing, or one byte that the runtime has a table for (boxes only)."""
    node = _node(value, compiled)
    scope = compiled.scope(value.place.file)
    if node is None or scope is None or value.inlined:
        return None
    function = scope.declaration_of(value.place)
    if function is None or function.generic:
        return None
    told: Node | None = node
    if node.type == "identifier":
        if text_of(node) != value.subject.rpartition(".")[2]:
            return None
        told = variable_type(scope, function, text_of(node))
    if told is None:
        return None
    boxed = value.kind == "escapes-to-heap"
    if is_bool(told):
        return "single-byte" if boxed and value.subject != "append" else None
    if not told.type.endswith("_type") and told.type != "type_identifier":
        return None
    shape = compiled.shape(text_of(told)) if told.type == "type_identifier" else shape_of_node(told)
    if shape == "empty":
        return "zero-size"
    return "single-byte" if shape == "byte" and boxed else None


def _captures_nothing(value: Value, compiled: Compiled) -> bool:
    """Tell whether a closure uses no name that the functions around it declare."""
    scope = compiled.scope(value.place.file)
    offset = scope.offset(value.place) if scope is not None else None
    if scope is None or offset is None:
        return False
    literal = next((n for n in scope.path(offset) if n.type == "func_literal" and n.start_byte == offset), None)
    if literal is None:
        return False
    function = scope.declaration_of(value.place)
    if function is None:
        return True
    if function.generic:
        # Its closure holds the dictionary of the type arguments.
        return False
    outside = {
        name
        for name, nodes in scope.declarations(function).items()
        if any(not literal.start_byte <= n.start_byte < literal.end_byte for n in nodes)
    }
    return not outside & scope.used(literal)


def _copies_nothing(value: Value, compiled: Compiled) -> bool:
    """A conversion whose bytes are only looked at: a map's key, a comparison, what is ranged over."""
    scope = compiled.scope(value.place.file)
    path = scope.path_of(value.place) if scope is not None else ()
    for index in range(len(path) - 1, 0, -1):
        if path[index].type in ("call_expression", "type_conversion_expression"):
            parent = path[index - 1]
            if parent.type == "binary_expression":
                return text_of(parent.child_by_field_name("operator")) in ("==", "!=", "<", "<=", ">", ">=")
            return parent.type in ("index_expression", "range_clause", "expression_switch_statement")
    return False


def _node(value: Value, compiled: Compiled) -> Node | None:
    """The smallest expression around a value's point that is no token."""
    scope = compiled.scope(value.place.file)
    path: tuple[Node, ...] = scope.path_of(value.place) if scope is not None else ()
    offset = scope.offset(value.place) if scope is not None else None
    for node in reversed(path):
        if node.is_named:
            if node.type == "field_identifier":
                continue
            if node.type == "binary_expression":
                operator = node.child_by_field_name("operator")
                return node if operator is not None and operator.start_byte == offset else None
            return node
    return None
