"""What a leak header without a verdict means, read from the source it points at.

``paramTag`` (escape/escape.go) prints no verdict for generic code (dupok functions; their closures
too from 1.23 on), for wrappers that the compiler made, and for parameters without pointers. So in
ordinary code a missing verdict always means: no pointers, no leak. In generic code the type of
the parameter decides.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import lru_cache

import tree_sitter_go
from tree_sitter import Language, Node, Parser, Tree

from tests.fidelity.oracle import Record
from tests.fidelity.values import bare

_LANGUAGE = Language(tree_sitter_go.language())
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
_POINTERS = frozenset(
    [
        "pointer_type",
        "slice_type",
        "map_type",
        "channel_type",
        "function_type",
        "interface_type",
    ]
)
_DECLARATIONS = ("function_declaration", "method_declaration")
_MADE_UP = re.compile(r"~p\d+|\.this|this")


@lru_cache(maxsize=256)
def parse(path: str) -> Tree | None:
    """The syntax of a file, None if there is no such file."""
    try:
        with open(path, "rb") as file:
            return Parser(_LANGUAGE).parse(file.read())
    except OSError:
        return None


def node_at(tree: Tree, line: int, column: int) -> Node | None:
    """The smallest node that begins at or holds a 1-based line and byte column."""
    point = (line - 1, column - 1)
    return tree.root_node.descendant_for_point_range(point, point)


def ancestors(node: Node | None) -> Iterator[Node]:
    """The node and all above it, innermost first."""
    while node is not None:
        yield node
        node = node.parent


def is_leak(header: Record) -> bool | None:
    """Tell whether a leak header without a verdict is a leak; None if the source does not tell."""
    file, line, column = header.point
    name = header.function
    if name and not _generic(name):
        return False
    if file is None:
        return False if not name or _MADE_UP.fullmatch(bare(header.subject)) else None
    tree = parse(file)
    if tree is None or column is None:
        return None
    chain = list(ancestors(node_at(tree, line, column)))
    declaration = next((n for n in chain if n.type in _DECLARATIONS), None)
    if declaration is None or not is_generic(declaration):
        return False
    if name.startswith(("struct {", "(*struct {")):
        return None
    parameter = next((n for n in chain if n.type.endswith("parameter_declaration")), None)
    if parameter is None:
        return None
    if parameter.type.startswith("variadic"):
        return True
    kind = parameter.child_by_field_name("type")
    parameters = dict.fromkeys(_type_parameters(declaration), "")
    parameters.update(zip(parameters, _arguments(name), strict=False))
    return _has_pointers(kind, file, parameters, 0)


def _generic(name: str) -> bool:
    """Whether a function's name in a header has type arguments of its own."""
    return "[" in name and not name.startswith(("interface {", ".eq.", ".hash."))


def is_generic(declaration: Node) -> bool:
    """Whether a function has type parameters or a receiver that has."""
    if declaration.child_by_field_name("type_parameters") is not None:
        return True
    receiver = declaration.child_by_field_name("receiver")
    return receiver is not None and any(n.type == "generic_type" for n in _walk(receiver))


def _arguments(name: str) -> list[str]:
    """The type arguments in a function's name: ``F[go.shape.int,[]string].func1``."""
    begin = name.find("[")
    found, depth = [""], 0
    for char in name[begin + 1 :] if begin >= 0 else "":
        depth += (char in "[{(") - (char in "]})")
        if depth < 0:
            break
        if char == "," and depth == 0:
            found.append("")
        else:
            found[-1] += char
    return [argument.strip().removeprefix("go.shape.") for argument in found]


def _type_parameters(declaration: Node) -> list[bytes]:
    names: list[bytes] = []
    own = declaration.child_by_field_name("type_parameters")
    if own is not None:
        for child in own.named_children:
            names.extend(n.text or b"" for n in child.children_by_field_name("name"))
    receiver = declaration.child_by_field_name("receiver")
    if receiver is not None:
        for node in _walk(receiver):
            if node.type == "type_arguments":
                names.extend(n.text or b"" for n in _walk(node) if n.type == "type_identifier")
    return names


def _walk(node: Node) -> Iterator[Node]:
    yield node
    for child in node.named_children:
        yield from _walk(child)


def _has_pointers(kind: Node | None, file: str, parameters: dict[bytes, str], depth: int) -> bool | None:
    if kind is None or depth > 8:
        return None
    if kind.type in _POINTERS:
        return True
    if kind.type == "parenthesized_type":
        return _has_pointers(kind.named_children[0], file, parameters, depth + 1)
    if kind.type == "array_type":
        return _has_pointers(kind.child_by_field_name("element"), file, parameters, depth + 1)
    if kind.type == "struct_type":
        return _any_pointers(kind, file, parameters, depth)
    if kind.type == "generic_type":
        base = _has_pointers(kind.child_by_field_name("type"), file, parameters, depth + 1)
        return base if base else None
    if kind.type == "qualified_type":
        return True if kind.text == b"unsafe.Pointer" else None
    if kind.type == "type_identifier":
        return _named(kind.text or b"", file, parameters, depth)
    return None


def _any_pointers(kind: Node, file: str, parameters: dict[bytes, str], depth: int) -> bool | None:
    found = [
        _has_pointers(n.child_by_field_name("type"), file, parameters, depth + 1)
        for n in _walk(kind)
        if n.type == "field_declaration"
    ]
    if True in found:
        return True
    return None if None in found else False


def _named(name: bytes, file: str, parameters: dict[bytes, str], depth: int) -> bool | None:
    if name in parameters:
        return _argument_has_pointers(parameters[name])
    for path in _folder(os.path.dirname(file)):
        node = _types(path).get(name)
        if node is not None:
            return _has_pointers(node, path, {}, depth + 1)
    text = name.decode("utf-8", "replace")
    if text in _SCALARS:
        return False
    return True if text in ("string", "error", "any") else None


def _argument_has_pointers(argument: str) -> bool | None:
    if argument.startswith(("*", "[]", "map[", "func(", "chan ", "interface {", "unsafe.Pointer")):
        return True
    if argument in ("string", "error", "any"):
        return True
    return False if argument in _SCALARS else None


@lru_cache(maxsize=512)
def _folder(folder: str) -> tuple[str, ...]:
    names = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
    return tuple(os.path.join(folder, name) for name in names if name.endswith(".go"))


@lru_cache(maxsize=2048)
def _types(path: str) -> dict[bytes, Node]:
    """The package-level type declarations of a file."""
    tree = parse(path)
    found: dict[bytes, Node] = {}
    for declaration in tree.root_node.named_children if tree else ():
        if declaration.type == "type_declaration":
            for spec in declaration.named_children:
                name, kind = (
                    spec.child_by_field_name("name"),
                    spec.child_by_field_name("type"),
                )
                if name is not None and kind is not None:
                    found[name.text or b""] = kind
    return found
