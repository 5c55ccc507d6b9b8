"""What the syntax of one file says around a place: the nodes on the way down, calls, statements, names.

Everything is found once and kept: a file is asked for thousands of places.
"""

from __future__ import annotations

from functools import cached_property
from typing import cast

import tree_sitter_go
from tree_sitter import Language, Node, Query, QueryCursor

from escapelens.core.model import Place
from escapelens.core.syntax import Function, SourceFile

_LANGUAGE = Language(tree_sitter_go.language())
_IMPORTS = Query(_LANGUAGE, "(import_spec) @import")
_FIELDS = Query(_LANGUAGE, "(field_declaration name: (field_identifier) @name)")
_IDENTIFIERS = Query(_LANGUAGE, "(identifier) @name")
_NAMES = Query(
    _LANGUAGE,
    """
    (parameter_declaration name: (identifier) @name)
    (variadic_parameter_declaration name: (identifier) @name)
    (short_var_declaration left: (expression_list (identifier) @name))
    (range_clause left: (expression_list (identifier) @name))
    (receive_statement left: (expression_list (identifier) @name))
    (var_spec name: (identifier) @name)
    (const_spec name: (identifier) @name)
    (type_switch_statement alias: (expression_list (identifier) @name))
    """,
)
_GENERATED = b"// Code generated "


def text_of(node: Node | None) -> str:
    """The source text of a node; empty for none."""
    return (node.text or b"").decode("utf-8", "replace") if node is not None else ""


class Scope:
    """One file's syntax, asked by place. Places outside the file's text find nothing."""

    def __init__(self, file: SourceFile) -> None:
        self.file = file
        #: The last path that was asked for: a value asks for its own several times.
        self._path: tuple[int, tuple[Node, ...]] = (-1, ())
        self._last: dict[int, Node | None] = {}
        self._declarations: dict[int, dict[str, list[Node]]] = {}

    def offset(self, place: Place) -> int | None:
        """The byte offset of a place that has a column."""
        return self.file.offset(place.line, place.column) if place.column is not None else None

    def path(self, offset: int) -> tuple[Node, ...]:
        """The nodes that contain a byte offset, the outermost (a declaration) first."""
        if self._path[0] == offset:
            return self._path[1]
        cursor = self.file.root.walk()
        found: list[Node] = []
        while cursor.goto_first_child_for_byte(offset) is not None:
            node = cursor.node
            if node is None or node.start_byte > offset:
                break
            found.append(node)
        self._path = offset, tuple(found)
        return self._path[1]

    def path_of(self, place: Place) -> tuple[Node, ...]:
        """The nodes that contain a place."""
        offset = self.offset(place)
        return self.path(offset) if offset is not None else ()

    def function_of(self, place: Place) -> Function | None:
        """The innermost function around a place; a literal's own point belongs to the function around it."""
        offset = self.offset(place)
        if offset is None:
            offset = self.file.offset(place.line, 1)
        function = self.file.function_at(offset) if offset is not None else None
        if function is not None and function.literal and function.point == offset:
            return self.file.functions[function.parent] if function.parent is not None else None
        return function

    def declaration_of(self, place: Place) -> Function | None:
        """The declared function around a place."""
        offset = self.offset(place)
        if offset is None:
            offset = self.file.offset(place.line, 1)
        return self.file.declaration_at(offset) if offset is not None else None

    def call_at(self, place: Place) -> Node | None:
        """The call whose ``(`` stands at a place, the compiler's point for calls."""
        path = self.path_of(place)
        for node in reversed(path):
            if node.type in ("call_expression", "type_conversion_expression"):
                arguments = node.child_by_field_name("arguments")
                if arguments is not None and arguments.start_byte == self.offset(place):
                    return node
        return None

    def statement_at(self, place: Place, *types: str) -> Node | None:
        """The nearest statement of these types around a place, inside the function that holds it."""
        path = self.path_of(place)
        for index in range(len(path) - 1, -1, -1):
            node = path[index]
            if node.type in types:
                return node
            if node.type == "func_literal" and node.start_byte != self.offset(place):
                return None
        return None

    def last_statement(self, statements: Node) -> Node | None:
        """The last statement of a list; comments are none."""
        if statements.id not in self._last:
            found = statements.named_children
            self._last[statements.id] = next((n for n in reversed(found) if n.type != "comment"), None)
        return self._last[statements.id]

    def declarations(self, function: Function) -> dict[str, list[Node]]:
        """The places inside a function where variables and constants are declared (closures' included), by name."""
        known = self._declarations.get(function.start)
        if known is None:
            known = self._declarations[function.start] = {}
            node = self.file.root.descendant_for_byte_range(function.start, function.end)
            for name in QueryCursor(_NAMES).captures(node).get("name", []) if node is not None else []:
                if function.start <= name.start_byte < function.end:
                    known.setdefault(text_of(name), []).append(name)
        return known

    def declares(self, function: Function, name: str) -> bool:
        """Tell whether a name is declared somewhere inside a function (parameters and closures included)."""
        return name in self.declarations(function)

    def used(self, node: Node) -> frozenset[str]:
        """The identifiers inside a node."""
        found = QueryCursor(_IDENTIFIERS).captures(node).get("name", [])
        return frozenset(text_of(name) for name in found)

    @cached_property
    def imports(self) -> frozenset[str]:
        """The names under which packages are used: an alias, or what the path most likely declares."""
        found: set[str] = set()
        for spec in QueryCursor(_IMPORTS).captures(self.file.root).get("import", []):
            alias = spec.child_by_field_name("name")
            if alias is not None:
                found.add(text_of(alias))
            found |= package_names(text_of(spec.child_by_field_name("path")).strip('"`'))
        return frozenset(found)

    @cached_property
    def fields(self) -> frozenset[str]:
        """The names of all struct fields that the file declares."""
        found = QueryCursor(_FIELDS).captures(self.file.root).get("name", [])
        return frozenset(text_of(name) for name in found)

    @cached_property
    def generated(self) -> bool:
        """Whether the file says, above its package clause, that it is generated."""
        head = self.file.source[:4096]
        start = head.find(_GENERATED)
        if start < 0 or (start > 0 and head[start - 1 : start] != b"\n"):
            return False
        return head[start : head.find(b"\n", start)].rstrip().endswith(b"DO NOT EDIT.")

    @cached_property
    def package(self) -> str:
        """The name in the package clause."""
        clause = next((c for c in self.file.root.children if c.type == "package_clause"), None)
        return text_of(clause.named_children[0]) if clause is not None and clause.named_children else ""


def scope_of(file: SourceFile) -> Scope:
    """The scope of a file; the same as long as the file is kept."""
    found = file.memo.get(Scope)
    if found is None:
        found = file.memo[Scope] = Scope(file)
    return cast(Scope, found)


def package_names(path: str) -> set[str]:
    """The names that a package of this import path may have: ``gopkg.in/yaml.v3`` → yaml, ``x/go-y/v2`` → y."""
    parts = path.split("/")
    last = parts[-1]
    if len(parts) > 1 and last[:1] == "v" and last[1:].isdigit():
        last = parts[-2]
    name = last.partition(".v")[0]
    return {name, name.rpartition("-")[2], name.replace("-", ""), name.replace("-", "_"), last}
