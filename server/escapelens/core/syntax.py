"""A Go file's syntax as far as messages need it: its functions and the nodes at a point.

Lines count from 1 and end at ``\\n`` only, columns count bytes from 1: the compiler's way
(cmd/compile/internal/syntax/source.go) and tree-sitter's, shifted by one.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import tree_sitter_go
from tree_sitter import Language, Node, Parser, Query, QueryCursor

_LANGUAGE = Language(tree_sitter_go.language())
_FUNCTIONS = Query(
    _LANGUAGE,
    "[(function_declaration) (method_declaration) (func_literal)] @function",
)

#: How the compiler names the body of a range-over-func loop (ir/func.go, closureName).
RANGE_BODY = re.compile(r"-range\d+$")
_INNER = re.compile(r"\.func\d|-range\d")
_RECEIVER_ARGUMENTS = Query(_LANGUAGE, "(type_arguments (type_elem (type_identifier) @name))")


@dataclass(frozen=True, slots=True)
class Function:
    """A function declaration or literal.

    ``name`` is spelled as Go 1.25 prints it, without package and type arguments. ``start``,
    ``end`` and ``name_offset`` are byte offsets; ``point`` is where the compiler reports the
    function: the name, a method's receiver, a literal's ``func``. ``generic`` also holds inside
    generic functions. ``parent`` is an index into ``SourceFile.functions``.
    """

    name: str
    start: int
    end: int
    name_offset: int
    point: int
    literal: bool
    generic: bool
    parent: int | None


def parse_go(source: bytes) -> Node:
    """Parse Go source; the root node of the tree, with error nodes where it is broken."""
    return Parser(_LANGUAGE).parse(source).root_node


def strip_type_arguments(name: str) -> str:
    """Remove bracketed type arguments: ``(*L[go.shape.int]).Push`` → ``(*L).Push``."""
    if "[" not in name:
        return name
    out: list[str] = []
    depth = 0
    for char in name:
        if char == "[":
            depth += 1
        elif char == "]":
            depth -= 1
        elif depth == 0:
            out.append(char)
    return "".join(out)


def declared_name(name: str) -> str:
    """The declaration that a closure's or loop body's name belongs to: ``(*T).M.func1.2`` → ``(*T).M``."""
    return _INNER.split(name, maxsplit=1)[0]


class SourceFile:
    """One parsed Go file. ``hints`` maps (line, column) to names that the compiler's log gave
    functions there (only it knows the numbers of ``init`` functions and of package-level closures).

    ``memo`` is for facts that the text alone decides, by whoever finds them; it lives as long as the file.
    """

    def __init__(self, source: bytes, hints: Mapping[tuple[int, int], str] | None = None) -> None:
        self.source = source
        self.hints: Mapping[tuple[int, int], str] = dict(hints or {})
        self.memo: dict[object, object] = {}
        self._names: dict[tuple[int, int | None], str] = {}
        self.root = parse_go(source)
        self.line_starts = [0]
        start = source.find(b"\n")
        while start >= 0:
            self.line_starts.append(start + 1)
            start = source.find(b"\n", start + 1)

    def teach(self, hints: Mapping[tuple[int, int], str]) -> None:
        """Take the names that the log knows; what was named before is named again."""
        if hints != self.hints:
            self.hints = dict(hints)
            self._names.clear()
            for name in ("functions", "_starts", "_has_range_bodies"):
                self.__dict__.pop(name, None)

    # -- places ---------------------------------------------------------------

    def offset(self, line: int, column: int) -> int | None:
        """The byte offset of a 1-based line and byte column; None outside the text."""
        if not 1 <= line <= len(self.line_starts) or column < 1:
            return None
        offset = self.line_starts[line - 1] + column - 1
        end = self.line_starts[line] if line < len(self.line_starts) else len(self.source) + 1
        return offset if offset < end else None

    def place(self, offset: int) -> tuple[int, int]:
        """The 1-based line and byte column of a byte offset."""
        line = bisect_right(self.line_starts, offset)
        return line, offset - self.line_starts[line - 1] + 1

    def line_text(self, line: int) -> bytes:
        """The bytes of a 1-based line, without its end; empty outside the text."""
        if not 1 <= line <= len(self.line_starts):
            return b""
        end = self.source.find(b"\n", self.line_starts[line - 1])
        return self.source[self.line_starts[line - 1] : end if end >= 0 else None].rstrip(b"\r")

    def node_at(self, offset: int) -> Node | None:
        """The smallest node that covers the byte at ``offset``; the root never counts."""
        if offset >= len(self.source):
            return None
        node = self.root.descendant_for_byte_range(offset, offset + 1)
        return None if node is None or node.parent is None else node

    # -- functions ------------------------------------------------------------

    @cached_property
    def functions(self) -> list[Function]:
        """All functions, in the order of their starts; outer before inner."""
        nodes = QueryCursor(_FUNCTIONS).captures(self.root).get("function", [])
        nodes.sort(key=lambda node: (node.start_byte, -node.end_byte))
        found: list[Function] = []
        counters: dict[int | None, int] = {}
        stack: list[int] = []
        for node in nodes:
            while stack and found[stack[-1]].end <= node.start_byte:
                stack.pop()
            parent = stack[-1] if stack else None
            found.append(self._function(node, parent, found, counters))
            stack.append(len(found) - 1)
        return found

    def _function(
        self,
        node: Node,
        parent: int | None,
        found: list[Function],
        counters: dict[int | None, int],
    ) -> Function:
        outer = found[parent] if parent is not None else None
        if node.type == "func_literal":
            # ir/func.go closureName: `.func` after a declared function, `.` after a closure.
            number = counters[parent] = counters.get(parent, 0) + 1
            hint = self.hints.get(self.place(node.start_byte), "")
            if outer is None:
                name = hint if hint.startswith("init.func") else f"init.func{number}"
            elif outer.literal:
                name = f"{outer.name}.{number}"
            else:
                name = f"{outer.name}.func{number}"
            generic = outer is not None and outer.generic
            start = node.start_byte
            return Function(name, start, node.end_byte, start, start, True, generic, parent)
        name_node = node.child_by_field_name("name") or node
        name = _text(name_node)
        generic = node.child_by_field_name("type_parameters") is not None
        receiver = node.child_by_field_name("receiver")
        if receiver is not None:
            base, pointer, generic = _receiver(receiver)
            name = f"(*{base}).{name}" if pointer else f"{base}.{name}"
        elif name == "init":
            hint = self.hints.get(self.place(name_node.start_byte), "")
            number = sum(1 for f in found if f.name.startswith("init.") and not f.literal)
            name = hint if hint.startswith("init.") else f"init.{number}"
        point = (receiver or name_node).start_byte
        return Function(
            name, node.start_byte, node.end_byte, name_node.start_byte, point,
            False, generic, parent,
        )  # fmt: skip

    @cached_property
    def has_generics(self) -> bool:
        """Tell whether a function of the file is generic."""
        return any(function.generic for function in self.functions)

    @cached_property
    def _starts(self) -> list[int]:
        return [function.start for function in self.functions]

    def function_at(self, offset: int) -> Function | None:
        """The innermost function that contains a byte offset; None at package level."""
        index: int | None = bisect_right(self._starts, offset) - 1
        if index is not None and index < 0:
            return None
        while index is not None and self.functions[index].end <= offset:
            index = self.functions[index].parent
        return self.functions[index] if index is not None else None

    def declaration_at(self, offset: int) -> Function | None:
        """The outermost function that contains a byte offset."""
        function = self.function_at(offset)
        while function is not None and function.parent is not None:
            function = self.functions[function.parent]
        return function

    def function_name(self, line: int, column: int | None) -> str:
        """The name of the function that contains a place; ``init`` for package-level initialisers."""
        found = self._names.get((line, column))
        if found is None:
            found = self._names[line, column] = self._function_name(line, column)
        return found

    def _function_name(self, line: int, column: int | None) -> str:
        offset = self.offset(line, column or 1)
        if offset is None:
            return "init"
        if column is None:
            # The lost column lies beyond 254: the line's last byte is nearer than its first.
            offset += max(0, len(self.line_text(line)) - 1)
        function = self.function_at(offset)
        if function is not None and function.literal and function.point == offset:
            # The literal itself is a value of the function around it.
            return self.functions[function.parent].name if function.parent is not None else "init"
        if function is None:
            return "init"
        return function.name + self._range_body(offset, function)

    @cached_property
    def _has_range_bodies(self) -> bool:
        return any(RANGE_BODY.search(name) for name in self.hints.values())

    def _range_body(self, offset: int, function: Function) -> str:
        """``-range1`` inside the body of a range-over-func loop, else nothing. Only the log knows which loops are."""
        if not self._has_range_bodies:
            return ""
        node = self.node_at(offset)
        while node is not None and node.start_byte > function.start:
            name = self.hints.get(self.place(node.start_byte), "") if node.type == "for_statement" else ""
            found = RANGE_BODY.search(name)
            if node.type == "for_statement" and found is not None and offset != node.start_byte:
                clause = next((c for c in node.named_children if c.type == "range_clause"), None)
                ranged = clause.child_by_field_name("right") if clause is not None else None
                # What is ranged over is evaluated outside; the loop's variables are the body's parameters.
                if ranged is None or not ranged.start_byte <= offset < ranged.end_byte:
                    return found[0]
            node = node.parent
        return ""

    def type_parameters(self, function: Function) -> list[str]:
        """The names of a declaration's type parameters (of its receiver's, for a method)."""
        node: Node | None = self.root.descendant_for_byte_range(function.start, function.end)
        if node is None:
            return []
        declared = node.child_by_field_name("type_parameters")
        if declared is not None:
            return [_text(n) for p in declared.named_children for n in p.children_by_field_name("name")]
        receiver = node.child_by_field_name("receiver")
        found = QueryCursor(_RECEIVER_ARGUMENTS).captures(receiver) if receiver is not None else {}
        return [_text(name) for name in sorted(found.get("name", []), key=lambda n: n.start_byte)]

    def result_names(self, line: int, column: int | None) -> tuple[str, ...]:
        """The named results of the function that contains a place."""
        offset = self.offset(line, column or 1)
        function = self.function_at(offset) if offset is not None else None
        if function is None:
            return ()
        node: Node | None = self.root.descendant_for_byte_range(function.start, function.end)
        result = node.child_by_field_name("result") if node is not None else None
        if result is None or result.type != "parameter_list":
            return ()
        names = (n for p in result.named_children for n in p.children_by_field_name("name"))
        return tuple(_text(name) for name in names)


def _text(node: Node) -> str:
    return (node.text or b"").decode("utf-8", "replace")


def _receiver(receiver: Node) -> tuple[str, bool, bool]:
    """The base type of a method's receiver, whether it is a pointer, whether it is generic."""
    pointer = generic = False
    for parameter in receiver.named_children:
        node = parameter.child_by_field_name("type")
        while node is not None:
            if node.type == "pointer_type":
                pointer = True
            elif node.type == "generic_type":
                generic = True
            elif node.type != "parenthesized_type":
                return _text(node), pointer, generic
            node = node.child_by_field_name("type") or (node.named_children[0] if node.named_children else None)
    return "?", pointer, generic
