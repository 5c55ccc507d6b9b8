"""How much of a Go type the syntax tells for certain: is it empty, one byte, a map, a slice?

Names are looked up in the package's own files and, for variables, in the function that declares them once.
Everything else is not known.
"""

from __future__ import annotations

from typing import Literal, cast

import tree_sitter_go
from tree_sitter import Language, Node, Query, QueryCursor

from escapelens.core.scope import Scope, text_of
from escapelens.core.syntax import Function

Shape = Literal["empty", "byte", "struct", "map", "slice", "array", "other"]

_LANGUAGE = Language(tree_sitter_go.language())
_TYPES = Query(_LANGUAGE, "(type_spec name: (type_identifier) @name type: (_) @type)")
_BYTES = frozenset({"bool", "byte", "uint8", "int8"})
_COMPARISONS = frozenset({"==", "!=", "<", "<=", ">", ">=", "&&", "||"})
_SHAPES: dict[str, Shape] = {"map_type": "map", "slice_type": "slice", "array_type": "array"}
#: Types of Go's own library whose literals are maps or slices.
KNOWN: dict[str, Shape] = {
    "http.Header": "map", "url.Values": "map", "textproto.MIMEHeader": "map", "mail.Header": "map",
    "net.IP": "slice", "net.IPMask": "slice", "json.RawMessage": "slice", "sort.StringSlice": "slice",
    "sort.IntSlice": "slice", "ast.CommentMap": "map", "template.FuncMap": "map", "expvar.Map": "struct",
    "asn1.ObjectIdentifier": "slice", "pkix.RDNSequence": "slice", "big.nat": "slice",
}  # fmt: skip


def declared_types(scope: Scope) -> dict[str, tuple[Shape, str]]:
    """The types that a file declares: their shape, and the name that they are declared as, if it is one."""
    known = scope.file.memo.get(declared_types)
    if known is not None:
        return cast("dict[str, tuple[Shape, str]]", known)
    found: dict[str, tuple[Shape, str]] = {}
    captures = QueryCursor(_TYPES).matches(scope.file.root)
    for _, nodes in captures:
        name, kind = nodes["name"][0], nodes["type"][0]
        found[text_of(name)] = (shape_of_node(kind), text_of(kind) if kind.type == "type_identifier" else "")
    scope.file.memo[declared_types] = found
    return found


def shape_of_node(node: Node) -> Shape:
    """The shape of a type as it is written; a name is ``other`` unless it is predeclared."""
    if node.type == "struct_type":
        fields = node.named_children[0].named_children if node.named_children else []
        return "struct" if any(field.type == "field_declaration" for field in fields) else "empty"
    if node.type == "array_type":
        return "empty" if text_of(node.child_by_field_name("length")) == "0" else "array"
    if node.type == "type_identifier" and text_of(node) in _BYTES:
        return "byte"
    return _SHAPES.get(node.type, "other")


def variable_type(scope: Scope, function: Function, name: str) -> Node | None:
    """The node that tells a variable's type: the type it is declared with, or the value it is given.

    None where the name is declared more than once in the function, or not in it.
    """
    declarations = scope.declarations(function).get(name, [])
    if len(declarations) != 1:
        return None
    node = declarations[0]
    parent = node.parent
    if parent is None:
        return None
    if parent.type in ("parameter_declaration", "var_spec"):
        declared = parent.child_by_field_name("type")
        if declared is not None:
            return declared
        values = parent.child_by_field_name("value")
        return _same_rank(parent.children_by_field_name("name"), node, values)
    if parent.type == "expression_list" and parent.parent is not None:
        statement = parent.parent
        if statement.type == "short_var_declaration":
            return _same_rank(parent.named_children, node, statement.child_by_field_name("right"))
    return None


def _same_rank(names: list[Node], node: Node, values: Node | None) -> Node | None:
    """The value that a name of a list gets; None unless there are as many values as names."""
    found = values.named_children if values is not None else []
    if len(found) != len(names):
        return None
    return next((v for n, v in zip(names, found, strict=True) if n.start_byte == node.start_byte), None)


def is_bool(node: Node) -> bool:
    """Tell whether an expression can only be a bool."""
    if node.type in ("true", "false"):
        return True
    if node.type == "parenthesized_expression" and node.named_children:
        return is_bool(node.named_children[0])
    if node.type == "unary_expression":
        return text_of(node.child_by_field_name("operator")) == "!"
    return node.type == "binary_expression" and text_of(node.child_by_field_name("operator")) in _COMPARISONS
