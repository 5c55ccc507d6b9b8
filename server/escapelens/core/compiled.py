"""What one compile says as a whole: its functions, its heap values by name, the syntax of its files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from escapelens.core.join import Value
from escapelens.core.model import Place
from escapelens.core.scope import Scope, scope_of
from escapelens.core.syntax import SourceFile, strip_type_arguments
from escapelens.core.types import KNOWN, Shape, declared_types

_HEAP = frozenset({"moved-to-heap", "escapes-to-heap"})
_FUNCTION_KINDS = frozenset({"can-inline", "cannot-inline"})
#: How many names a type is followed through.
_DEPTH = 8


class Compiled:
    """The values of one compile, found by name and by place."""

    def __init__(self, values: Sequence[Value], files: Mapping[str, SourceFile | None]) -> None:
        self._files = files
        self._scopes: dict[str, Scope | None] = {}
        self._by_name: dict[str, list[Value]] = {}
        self._by_line: dict[tuple[str, str | None, int], list[Value]] = {}
        self._at: dict[Place, list[Value]] = {}
        zero_copies: set[Place] = set()
        functions: set[str] = set()
        packages: set[str] = set()
        for value in values:
            if value.kind in _FUNCTION_KINDS:
                functions.add(strip_type_arguments(value.subject))
            elif value.kind == "inlining-call":
                packages.add(value.subject.lstrip("(*").partition(".")[0])
            elif value.kind == "zero-copy":
                zero_copies.add(value.place)
            elif value.kind in _HEAP:
                self._at.setdefault(value.place, []).append(value)
                if value.ways:
                    for name in {value.subject, *_spilled(value)}:
                        self._by_name.setdefault(name, []).append(value)
                        self._by_line.setdefault((name, value.place.file, value.place.line), []).append(value)
        #: Conversions that the compiler made without a copy.
        self.zero_copies = frozenset(zero_copies)
        self.functions = frozenset(functions)
        #: The methods of the package's types, without their receivers.
        self.methods = frozenset(name.rpartition(".")[2] for name in functions if "." in name)
        self.packages = frozenset(packages - {name.partition(".")[0] for name in functions})

    def scope(self, file: str | None) -> Scope | None:
        """The syntax of a file, None where it cannot be read or is not Go."""
        if file is None:
            return None
        if file not in self._scopes:
            found = self._files.get(file)
            self._scopes[file] = scope_of(found) if found is not None else None
        return self._scopes[file]

    @cached_property
    def fields(self) -> frozenset[str]:
        """The names of the struct fields in the files that the compile speaks of."""
        scopes = (self.scope(path) for path in self._files)
        return frozenset().union(*(scope.fields for scope in scopes if scope is not None))

    @cached_property
    def _types(self) -> dict[str, tuple[Shape, str]]:
        found: dict[str, tuple[Shape, str]] = {}
        for scope in map(self.scope, self._files):
            if scope is not None:
                found.update(declared_types(scope))
        return found

    def shape(self, name: str) -> Shape:
        """The shape of a type by its name; ``other`` where the package does not tell."""
        for _ in range(_DEPTH):
            if name in ("bool", "byte", "uint8", "int8") and name not in self._types:
                return "byte"
            shape, name = self._types.get(name, (KNOWN.get(name, "other"), ""))
            if not name:
                return shape
        return "other"

    def at(self, place: Place) -> list[Value]:
        """The heap values at a place."""
        return self._at.get(place, [])

    def holder(self, value: Value, name: str, near: Place) -> Value | None:
        """The heap value that a flow calls ``name``: a variable, or the storage of an expression.

        ``near`` is where the flow meets it: storage stands on that line, a variable is declared in the
        function around it, before it.
        """
        on_line = [v for v in self._by_line.get((name, near.file, near.line), ()) if v is not value]
        if on_line:
            return min(on_line, key=lambda v: abs((v.place.column or 0) - (near.column or 0)))
        candidates = [v for v in self._by_name.get(name, ()) if v is not value]
        same = [v for v in candidates if v.place.file == near.file]
        scope = self.scope(near.file)
        around = scope.declaration_of(near) if scope is not None else None
        if scope is not None and around is not None:
            inside = [v for v in same if scope.declaration_of(v.place) == around]
            before = [v for v in inside if (v.place.line, v.place.column or 0) <= (near.line, near.column or 0)]
            if before or inside:
                return max(before, key=lambda v: (v.place.line, v.place.column or 0)) if before else inside[0]
        named = [v for v in candidates if value.function is not None and v.function == value.function]
        return named[0] if named else None


def _spilled(value: Value) -> list[str]:
    """The names under which flows speak of a value: its header's words, which its verdict may not repeat."""
    names: list[str] = []
    for way in value.ways:
        source = way[0].source if way else ""
        if source.startswith("&{storage for ") and source.endswith("}"):
            names.append(source[len("&{storage for ") : -1])
        elif source.startswith("&"):
            names.append(source[1:])
    return names
