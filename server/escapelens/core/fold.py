"""Shapes and wrappers of generic code become one message a source place.

The compiler reports a generic function once per shape (at the source), once per wrapper (at the
function's name) and once per inlined copy (at the call site). Shapes and wrappers of the same kind
are folded into one ``Value`` that lists every raw line; inlined copies stay messages of their own.
Two variables of one name at one point stay two: a shape's lines are counted against the number of
shapes, never dropped because their words are equal.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from escapelens.core.join import Value
from escapelens.core.model import Instantiation
from escapelens.core.syntax import Function, SourceFile, strip_type_arguments

_CALL_HEAD = re.compile(r"(make|new|append)\b")
_NAME = re.compile(r"[\w.#~]+")
_SCALARS = frozenset(
    [
        "bool",
        "byte",
        "rune",
        "int",
        "int8",
        "int16",
        "int32",
        "int64",
        "uint",
        "uint8",
        "uint16",
        "uint32",
        "uint64",
        "uintptr",
        "float32",
        "float64",
        "complex64",
        "complex128",
    ]
)


@dataclass(frozen=True, slots=True)
class Folded:
    """A value with the raw lines that it stands for; ``instantiations`` is empty outside generic code,
    else it lists every line, the value's own included.
    """

    value: Value
    instantiations: tuple[Instantiation, ...] = ()


def head_of(subject: str) -> str:
    """What stays equal over all shapes of a subject that contains type arguments."""
    match = _CALL_HEAD.match(subject)
    if match is not None:
        return match[1]
    if subject in ("func literal", "... argument"):
        return subject
    if subject.startswith("&"):
        return "&"
    if subject.endswith("}"):
        return "literal"
    if _NAME.fullmatch(subject):
        return subject.rpartition(".")[2]
    return "expression"


def is_meaningless(value: Value, file: SourceFile | None) -> bool:
    """Tell whether a header without a verdict says nothing.

    Leaks have a verdict everywhere but in generic code and in wrappers that the compiler made
    (``paramTag`` in escape/escape.go: ``!(fn.Wrapper() || fn.Dupok())``, and never for scalars).
    What is left are integers and interface wrappers.
    """
    if not value.header_only or value.destination is None:
        return False
    if file is None or value.place.column is None:
        return True
    offset = file.offset(value.place.line, value.place.column)
    function = file.declaration_at(offset) if offset is not None else None
    if offset is None or function is None or not function.generic:
        return True
    if value.function is not None and "[" not in value.function:
        return True
    declared = _parameter_type(file, offset)
    if value.function is not None:
        declared = _type_arguments(file, function, value.function).get(declared, declared)
    return declared in _SCALARS


def _type_arguments(file: SourceFile, function: Function, printed: str) -> dict[str, str]:
    """The type parameters of a declaration with the arguments in its printed name, without
    ``go.shape.``: ``rangeNum[go.shape.uint8,go.shape.uint64]`` → {"T": "uint8", "N": "uint64"}.
    """
    names = file.type_parameters(function)
    inside = printed[printed.index("[") + 1 :]
    arguments = [""]
    depth = 0
    for char in inside:
        if char == "]" and depth == 0:
            break
        depth += (char in "[({") - (char in "])}")
        if char == "," and depth == 0:
            arguments.append("")
        else:
            arguments[-1] += char
    return dict(zip(names, (a.removeprefix("go.shape.") for a in arguments), strict=False))


def _parameter_type(file: SourceFile, offset: int) -> str:
    """The written type of the parameter declared at a byte offset."""
    node = file.node_at(offset)
    if node is None or node.parent is None or node.parent.type == "variadic_parameter_declaration":
        # `v ...int` is a slice.
        return ""
    declared = node.parent.child_by_field_name("type")
    return (declared.text or b"").decode("utf-8", "replace") if declared else ""


def fold(values: Iterable[Value], files: Mapping[str, SourceFile | None]) -> list[Folded]:
    """Fold the values of one compile; ``files`` maps the values' files to their syntax.

    The order of the input is kept (a folded value stands where its first line stood).
    """
    plain: list[tuple[int, Folded]] = []
    generic: dict[tuple[str, int], list[tuple[int, Value]]] = {}
    for index, value in enumerate(values):
        file = files.get(value.place.file) if value.place.file else None
        function = _generic_function(file, value)
        if value.header_only and is_meaningless(value, file):
            continue
        if function is None:
            plain.append((index, Folded(value)))
        else:
            key = (value.place.file or "", function.start)
            generic.setdefault(key, []).append((index, value))
    for (path, start), members in generic.items():
        file = files[path]
        function = file.declaration_at(start) if file else None
        if file is not None and function is not None:
            plain.extend(_fold_function(members, file, function))
    plain.sort(key=lambda item: item[0])
    return [folded for _, folded in plain]


def _generic_function(file: SourceFile | None, value: Value) -> Function | None:
    """The generic declaration around a value, None if there is none."""
    if file is None or not file.has_generics:
        return None
    offset = file.offset(value.place.line, value.place.column or 1)
    function = file.declaration_at(offset) if offset is not None else None
    return function if function is not None and function.generic else None


_Group = list[tuple[int, Value]]


def _fold_function(members: _Group, file: SourceFile, function: Function) -> list[tuple[int, Folded]]:
    """Fold everything that was said inside one generic declaration."""
    point = file.place(function.point)
    at_source: dict[tuple[tuple[int, int | None], str, str], _Group] = {}
    at_name: dict[tuple[str, str], _Group] = {}
    shapes = set()
    for index, value in members:
        place = (value.place.line, value.place.column)
        head = _head(value)
        if place == point:
            at_name.setdefault((value.kind, head), []).append((index, value))
            if value.kind in ("can-inline", "cannot-inline") and "go.shape." in value.subject:
                shapes.add(value.subject)
        else:
            at_source.setdefault((place, value.kind, head), []).append((index, value))
    groups: list[_Group] = []
    for group in at_source.values():
        groups.extend(_split(group, len(shapes)))
    for (kind, name_head), group in at_name.items():
        home = None if kind in ("can-inline", "cannot-inline") else _home(groups, kind, name_head)
        if home is not None:
            home.extend(group)
        else:
            groups.append(group)
    return [_one(group) for group in groups]


def _head(value: Value) -> str:
    if value.kind in ("can-inline", "cannot-inline"):
        return ""
    if value.kind in ("inlining-call", "devirtualized", "cannot-devirtualize", "cannot-inline-call"):
        return strip_type_arguments(value.subject)
    if value.kind == "leaking-param-to-result":
        return f"{head_of(value.subject)} {value.destination or value.text.rpartition(' to result ')[2]}"
    return head_of(value.subject)


def _split(group: _Group, shapes: int) -> list[_Group]:
    """Split the lines of one place, kind and head into variables.

    Each shape says a variable's line once. Names of shapes tell exactly (Go 1.25 and later, where a
    header has one); otherwise the lines are dealt out by the number of shapes.
    """
    names = [value.function or _own_name(value) for _, value in group]
    if all(names):
        count = max(names.count(name) for name in set(names))
    else:
        count = -(-len(group) // max(shapes, 1)) if shapes else 1
    if count == 1 or group[0][1].kind in ("can-inline", "cannot-inline"):
        return [group]
    if all(names):
        dealt: list[_Group] = [[] for _ in range(count)]
        seen: dict[str | None, int] = {}
        for item, name in zip(group, names, strict=True):
            dealt[seen.get(name, 0)].append(item)
            seen[name] = seen.get(name, 0) + 1
        return dealt
    return [group[order::count] for order in range(count)]


def _own_name(value: Value) -> str | None:
    return value.subject if value.kind in ("can-inline", "cannot-inline") else None


def _home(groups: list[_Group], kind: str, head: str) -> _Group | None:
    """The one expression in the body that a wrapper's line repeats, if only one can be meant."""
    found = [g for g in groups if g[0][1].kind == kind and _head(g[0][1]) == head]
    return found[0] if len(found) == 1 else None


def _one(group: _Group) -> tuple[int, Folded]:
    """One folded value. A shape's line represents the group, a wrapper's only if there is no other."""
    index, value = group[0]
    lines = tuple(Instantiation(v.function or _own_name(v), v.text, v.place.line, v.place.column) for _, v in group)
    return index, Folded(value, lines)
