"""Whether a heap value deserves a look, told without a profile: is it made in a loop, or on a path that is rare?

Read from the syntax around the value's place, inside the function that holds it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from tree_sitter import Node

from escapelens.core.model import Place
from escapelens.core.scope import Scope, text_of
from escapelens.core.syntax import Function

Cold = Literal["init", "main", "error", "panic"]
Origin = Literal["test", "generated"]

#: How an error's variable is named.
_ERROR_NAME = re.compile(r"(?:.*\.)?(?:e|err\w*|\w*Err|\w*Error|ex)")
_ERROR_TYPE = re.compile(r"&?(?:\w+\.)?\w*(?:Error|Err)")
_ERROR_CALL = re.compile(
    r"(?:.*\.)?(?:Errorf?|errorf|Wrapf?|New\w*Error|new\w*Error)|errors\.\w+|\w*[eE]rrors?\.(?:New|Wrap)\w*"
)
_END_CALL = re.compile(r"panic|os\.Exit|log\.(?:Fatal|Panic)\w*|(?:t|b|tb|f)\.Fatal\w*|runtime\.Goexit|throw|fatal")
_ONCE = re.compile(r".*[oO]nce\.Do|sync\.Once(?:Func|Value|Values)")


@dataclass(frozen=True, slots=True)
class Signal:
    """Where a value stands: ``cold`` names a path that is taken rarely, or once."""

    loop: bool = False
    cold: Cold | None = None
    origin: Origin | None = None


def signal_of(scope: Scope, place: Place, variable: bool) -> Signal:
    """The signal of a heap value; ``variable`` for one that is reported at its declaration."""
    path = scope.path_of(place)
    offset = scope.offset(place)
    walk = _Walk(scope, variable)
    if offset is not None:
        for index in range(len(path) - 1, -1, -1):
            if not walk.step(path[index], path[index + 1] if index + 1 < len(path) else None, path[:index], offset):
                break
    function = scope.function_of(place)
    cold = walk.cold or _whole(scope, function, walk.loop)
    origin: Origin | None = None
    if place.file is not None and place.file.endswith("_test.go"):
        origin = "test"
    elif scope.generated:
        origin = "generated"
    return Signal(walk.loop, cold, origin)


def _whole(scope: Scope, function: Function | None, loop: bool) -> Cold | None:
    """What holds for a whole function: it runs once."""
    if function is None or (function.name.startswith("init.") and not function.literal):
        return "init"
    if function.name == "main" and scope.package == "main" and not loop:
        return "main"
    return None


class _Walk:
    """The way from a value outwards to its function."""

    def __init__(self, scope: Scope, variable: bool) -> None:
        self._scope = scope
        self.variable = variable
        self.loop = False
        self.cold: Cold | None = None
        #: How the statements around the value end: out of the function, or out of the nearest loop.
        self._leaves: Literal["function", "loop"] | None = None

    def step(self, node: Node, inner: Node | None, outer: tuple[Node, ...], offset: int) -> bool:
        """Take one node around the value; ``inner`` is its child on the way. False at the function's end."""
        kind = node.type
        if kind == "func_literal":
            if node.start_byte == offset:
                return True
            return self._literal(outer)
        if kind in ("function_declaration", "method_declaration"):
            return False
        if kind == "statement_list":
            self._statements(node, outer)
        elif kind == "for_statement":
            self._for(node, inner, offset)
        elif kind in ("expression_switch_statement", "type_switch_statement", "select_statement"):
            # A bare break inside ends the switch, not the loop.
            self._leaves = None if self._leaves == "loop" else self._leaves
        elif kind == "return_statement":
            self._leaves = "function"
        elif kind == "if_statement":
            self._if(node, inner)
        elif kind == "call_expression" and inner is not None:
            self._call(node, inner)
        elif kind == "composite_literal" and _ERROR_TYPE.fullmatch(text_of(node.child_by_field_name("type"))):
            self.cold = self.cold or "error"
        return True

    def _literal(self, outer: tuple[Node, ...]) -> bool:
        """Go on outwards from a closure that is called where it stands."""
        call = next((n for n in reversed(outer) if n.type not in ("argument_list", "parenthesized_expression")), None)
        if call is None or call.type != "call_expression":
            return False
        function = call.child_by_field_name("function")
        name = text_of(function)
        if _ONCE.fullmatch(name):
            self.cold = self.cold or "init"
            return False
        if function is not None and function.type == "func_literal":
            self._leaves = None
            return True
        return False

    def _statements(self, node: Node, outer: tuple[Node, ...]) -> None:
        last = self._scope.last_statement(node)
        if last is None:
            return
        body = len(outer) > 1 and outer[-1].type == "block" and outer[-2].type in _FUNCTIONS
        if last.type in ("return_statement", "goto_statement"):
            self._leaves = "function"
            if not body and last.type == "return_statement" and _returns_error(last):
                self.cold = self.cold or "error"
        elif last.type == "break_statement" and self._leaves is None:
            self._leaves = "loop"
        elif not body and _ends(last):
            self._leaves = "function"
            self.cold = "panic"

    def _for(self, node: Node, inner: Node | None, offset: int) -> None:
        leaves, self._leaves = self._leaves, None
        if leaves == "function":
            self._leaves = "function"
            return
        if leaves == "loop" or inner is None:
            return
        body = node.child_by_field_name("body")
        if body is not None and inner.start_byte == body.start_byte:
            self.loop = True
        elif inner.type == "for_clause":
            start = inner.child_by_field_name("initializer")
            first = start is not None and start.start_byte <= offset < start.end_byte
            # From Go 1.22 on each round has its own variable.
            self.loop = self.loop or not first or self.variable
        elif inner.type == "range_clause":
            ranged = inner.child_by_field_name("right")
            self.loop = self.loop or not (ranged is not None and ranged.start_byte <= offset < ranged.end_byte)
        else:
            # The condition is evaluated each round.
            self.loop = True

    def _if(self, node: Node, inner: Node | None) -> None:
        if inner is None or self.cold is not None:
            return
        condition = node.child_by_field_name("condition")
        consequence = node.child_by_field_name("consequence")
        tested = _tested_error(condition)
        if tested == "!=" and consequence is not None and inner.start_byte == consequence.start_byte:
            self.cold = "error"
        alternative = node.child_by_field_name("alternative")
        if tested == "==" and alternative is not None and inner.start_byte == alternative.start_byte:
            self.cold = "error"

    def _call(self, node: Node, inner: Node) -> None:
        if inner.type != "argument_list":
            return
        name = text_of(node.child_by_field_name("function"))
        if _END_CALL.fullmatch(name):
            self.cold = "panic"
            self._leaves = "function"
        elif self.cold is None and _ERROR_CALL.fullmatch(name):
            self.cold = "error"


_FUNCTIONS = frozenset({"function_declaration", "method_declaration", "func_literal"})


def _tested_error(condition: Node | None) -> str:
    """``!=`` or ``==`` where a condition compares an error with nil, alone or with ``&&``."""
    if condition is None:
        return ""
    if condition.type == "parenthesized_expression" and condition.named_children:
        return _tested_error(condition.named_children[0])
    if condition.type != "binary_expression":
        return ""
    operator = text_of(condition.child_by_field_name("operator"))
    left = condition.child_by_field_name("left")
    right = condition.child_by_field_name("right")
    if operator == "&&":
        return _tested_error(left) if _tested_error(left) == "!=" else ""
    if operator in ("!=", "==") and text_of(right) == "nil" and _ERROR_NAME.fullmatch(text_of(left)):
        return operator
    return ""


def _returns_error(statement: Node) -> bool:
    """Tell whether a return statement's last value is made to be an error."""
    values = statement.named_children[-1].named_children if statement.named_children else []
    if not values:
        return False
    last = values[-1]
    if last.type in ("identifier", "selector_expression"):
        name = text_of(last).rpartition(".")[2]
        return bool(re.fullmatch(r"err\w*|\w*Err|Err[A-Z]\w*", name))
    if last.type == "call_expression":
        return bool(_ERROR_CALL.fullmatch(text_of(last.child_by_field_name("function"))))
    text = text_of(last)
    return text.endswith("}") and bool(_ERROR_TYPE.fullmatch(text.partition("{")[0]))


def _ends(statement: Node) -> bool:
    """Tell whether a statement ends the program or the goroutine."""
    call = statement.named_children[0] if statement.type == "expression_statement" else None
    if call is None or call.type != "call_expression":
        return False
    return bool(_END_CALL.fullmatch(text_of(call.child_by_field_name("function"))))
