"""What to underline for a message: the range that a person would mark.

The compiler names a point, and three times in four it is not where the expression starts:
it is the ``(`` of a call, the ``{`` of a literal, the ``.`` of a selector, an operator.
The range is always a whole node of the syntax that contains the point, where there is one.
"""

from __future__ import annotations

import re

from tree_sitter import Node

from escapelens.core.model import Place, Span
from escapelens.core.syntax import SourceFile

#: Where the compiler puts an expression of this node type: the first token of these types
#: (None: at its start).
_POINT_TOKENS: dict[str, tuple[str, ...]] = {
    "call_expression": ("argument_list",),
    "type_conversion_expression": ("(",),
    "composite_literal": ("literal_value",),
    "selector_expression": (".",),
    "index_expression": ("[",),
    "slice_expression": ("[",),
    "type_assertion_expression": (".",),
    "type_instantiation_expression": ("[", "type_arguments"),
}

_KEYWORDS = frozenset({"func", "go", "defer", "for"})
_ATOMS = frozenset({"nil", "true", "false", "iota"})

#: No expression reaches over these.
_WALLS = frozenset({"block", "source_file", "statement_list", "function_declaration", "method_declaration"})

_NAME_KINDS = frozenset(
    {
        "moved-to-heap", "leaking-param", "leaking-param-content", "leaking-param-to-result",
        "captured", "can-inline", "cannot-inline", "big-function", "loop-variable",
        "unsafe-uintptr", "escaping-uintptr", "dead-closure", "mutates-param", "calls-param",
    }
)  # fmt: skip
_CALL_KINDS = frozenset(
    {"inlining-call", "devirtualized", "cannot-devirtualize", "cannot-inline-call", "imprecise-call"}
)
_WORD = re.compile(rb"[\w\x80-\xff]+|\S")
#: The compiler prints a conversion's type in parentheses: ``([]byte)(s)``.
_CONVERSION = re.compile(r"^\(([^()]+|func\(.*?\))\)\(")
_IDENTIFIER = re.compile(r"[\w.]+")


def find_span(file: SourceFile, place: Place, kind: str, subject: str) -> Span:
    """The range for a message of ``kind`` about ``subject`` at ``place``. Never empty."""
    if place.column is None:
        return _span_without_column(file, place.line, subject)
    offset = file.offset(place.line, place.column)
    leaf = file.node_at(offset) if offset is not None else None
    if offset is None or leaf is None or leaf.type == "comment":
        return word_span(file.line_text(place.line), place.line, place.column)
    node = _choose(file, leaf, offset, kind, subject)
    if not node.start_byte <= offset < node.end_byte:
        node = leaf
    return node_span(node)


def node_span(node: Node) -> Span:
    """The span of a node."""
    start, end = node.start_point, node.end_point
    return Span(start.row + 1, start.column + 1, end.row + 1, end.column + 1)


def word_span(text: bytes, line: int, column: int) -> Span:
    """The word at a byte column of a line that has no syntax of ours (``//line`` to a foreign
    file, a comment, a place outside the text): at least one column wide.
    """
    match = _WORD.match(text, max(0, column - 1))
    return Span(line, column, line, column + max(1, match.end() - match.start() if match else 1))


def _choose(file: SourceFile, leaf: Node, offset: int, kind: str, subject: str) -> Node:
    if leaf.parent is not None and leaf.parent.type == "parameter_list" and leaf.type == "(":
        # A method's point is its receiver's parenthesis, for itself and for its wrappers.
        return leaf.parent
    if leaf.type in _KEYWORDS:
        # A literal is marked at its `func`, else whole screens would be underlined; a closure
        # that the compiler made of a go, defer or range-over-func statement at the keyword.
        return leaf
    chain = _expressions(leaf)
    if kind in _NAME_KINDS:
        # A name that the compiler made, or one of an inlined callee, stands at a call or a selector.
        if leaf.is_named:
            return leaf
        return _at_point(chain, offset, None) or leaf
    if kind in _CALL_KINDS:
        return _at_point(chain, offset, None) or leaf
    if kind in ("bounds-check-elided", "bounds-check", "slice-bounds-check"):
        return _at_point(chain, offset, ("index_expression", "slice_expression")) or leaf
    if kind == "self-assignment":
        for node in _ancestors(leaf):
            if node.type in ("assignment_statement", "short_var_declaration"):
                return node
        return leaf
    return _choose_value(leaf, chain, offset, subject)


def _choose_value(leaf: Node, chain: list[Node], offset: int, subject: str) -> Node:
    """The node of a value that escapes or does not."""
    parent = leaf.parent
    if subject == "... argument" and parent is not None and leaf.type == "(":
        # The slice of variadic arguments stands nowhere in the source: its arguments are nearest.
        return parent
    wanted = {_squeeze(subject), _squeeze(_CONVERSION.sub(r"\1(", subject))}
    for node in chain:
        if _squeeze((node.text or b"").decode("utf-8", "replace")) in wanted:
            return node
    if parent is not None and leaf.type == "{" and parent.type == "literal_value":
        # A literal without its type, inside another: `{...}` is all that is written.
        outer = parent.parent
        return outer if outer is not None and outer.type == "composite_literal" else parent
    if subject.startswith("&"):
        for node in chain:
            if node.type == "unary_expression" and node.start_byte == offset:
                return node
    at_point = _at_point(chain, offset, None)
    return at_point or leaf


def _at_point(chain: list[Node], offset: int, types: tuple[str, ...] | None) -> Node | None:
    """The smallest expression whose point, by the compiler's rule, is ``offset``."""
    for node in chain:
        if node.type not in types if types is not None else not _is_expression(node):
            continue
        if compiler_point(node) == offset:
            return node
    return None


def _is_expression(node: Node) -> bool:
    return node.is_named and (node.type.endswith(("_expression", "_literal", "identifier")) or node.type in _ATOMS)


def compiler_point(node: Node) -> int:
    """The byte offset at which the compiler reports an expression."""
    tokens = _POINT_TOKENS.get(node.type)
    if tokens is not None:
        for child in reversed(node.children) if node.type == "selector_expression" else node.children:
            if child.type in tokens:
                return child.start_byte
    if node.type == "binary_expression":
        operator = node.child_by_field_name("operator")
        if operator is not None:
            return operator.start_byte
    return node.start_byte


def _ancestors(node: Node) -> list[Node]:
    found = [node]
    parent = node.parent
    while parent is not None:
        found.append(parent)
        parent = parent.parent
    return found


def _expressions(leaf: Node) -> list[Node]:
    """The leaf and its ancestors, up to the statement that holds them."""
    found: list[Node] = []
    node: Node | None = leaf
    while node is not None and node.type not in _WALLS:
        found.append(node)
        if node.type.endswith("_statement"):
            break
        node = node.parent
    return found


def _squeeze(text: str) -> str:
    """Text without white space; printed and written expressions differ in it."""
    return "".join(text.split())


def _span_without_column(file: SourceFile, line: int, subject: str) -> Span:
    """Beyond column 254 the text log has no column (src.XPos has eight bits for it): take the
    subject where it stands once in that part of the line, else that whole part.
    """
    text = file.line_text(line)
    beyond = text[254:]
    words = _IDENTIFIER.findall(subject)
    wanted = (subject if subject.encode() in beyond else words[0] if words else "").encode()
    if wanted and beyond.count(wanted) == 1:
        offset = file.line_starts[line - 1] + 254 + beyond.index(wanted)
        node = file.root.descendant_for_byte_range(offset, offset + len(wanted))
        if node is not None and node.start_byte >= file.line_starts[line - 1]:
            return node_span(node)
    if beyond:
        return Span(line, 255, line, len(text) + 1)
    return Span(line, 1, line, max(2, len(text) + 1))
