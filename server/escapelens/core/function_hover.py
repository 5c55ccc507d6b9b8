"""The hover on a function's name, and the whole function in one document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

import tree_sitter_go
from tree_sitter import Language, Node, Query, QueryCursor

from escapelens.core.inlining import BIG_BUDGET, BUDGET, inlining_of
from escapelens.core.model import Message, Place
from escapelens.core.render import Link, SourceLine, message_markdown, signal_words
from escapelens.core.scope import Scope, text_of
from escapelens.core.syntax import Function, SourceFile, strip_type_arguments
from escapelens.core.words import code, counted, shorten

#: Lines of a list in a hover.
_MOST = 12
_LANGUAGE = Language(tree_sitter_go.language())
_CHANNELS = Query(_LANGUAGE, '(call_expression function: (identifier) @make (#eq? @make "make")) @call')
_FATES: dict[str, str] = {
    "leaking-param": "leaks, callers pay",
    "leaking-param-content": "what the value behind it points to leaks, callers pay",
    "leaking-param-to-result": "comes back in a result",
    "moved-to-heap": "moved to the heap",
    "does-not-escape": "stays",
}


def is_heap(message: Message) -> bool:
    """Tell whether a message is about a heap value that is not known to be free."""
    return message.type in ("escape", "moved") and not message.free


def counts_words(messages: Sequence[Message]) -> str:
    """``3 on heap · 1 leak · inlines``: what a lens says; without the parts that are none."""
    heap = sum(map(is_heap, messages))
    leaks = len({m.place for m in messages if m.type == "leak" and m.kind != "leaking-param-to-result"})
    inlining = inlining_of(messages)
    parts = [f"{heap} on heap" if heap else "", counted(leaks, "leak") if leaks else ""]
    return " · ".join(part for part in (*parts, "inlines" if inlining is not None and inlining.can else "") if part)


def function_markdown(function: Function, messages: Sequence[Message], link: Link, file: SourceFile, path: str) -> str:
    """Numbers first, then what is on the heap, what happens to the parameters, and what is inlined."""
    own = _at_name(function, messages, file)
    heap = order([m for m in messages if is_heap(m)])
    free = sum(1 for m in messages if m.type in ("escape", "moved") and m.free)
    leaks = {m.place for m in messages if m.type == "leak" and m.kind != "leaking-param-to-result"}
    inlining = inlining_of(own)
    head = [f"{len(heap)} on the heap" + (f" ({free} more free)" if free else ""), f"{len(leaks)} leaking"]
    head.append(inlining.words if inlining is not None else "inlining not known")
    parts = [f"**{code(function.name)}**: {' · '.join(head)}"]
    parts.extend(_heap_list(heap, link))
    parts.extend(_channel_list(function, file, link, path))
    parts.extend(_parameter_list(function, messages, file))
    parts.extend(_inlined_list(messages))
    if inlining is not None and inlining.can:
        parts.append("Can inline is not is inlined: each call decides, by its own budget.")
    if any(m.kind == "big-function" for m in messages):
        parts.append(f"It is so big that only calls up to cost {BIG_BUDGET} inline into it, not {BUDGET}.")
    return "\n\n".join(parts)


def function_document(
    function: Function,
    messages: Sequence[Message],
    link: Link,
    source_line: SourceLine,
    file: SourceFile,
    path: str,
    payers: Callable[[Message], Sequence[str]],
) -> str:
    """Everything about a function as one markdown document: the hover, then each heap value and leak in full."""
    wanted = [m for m in messages if m.type in ("escape", "moved", "leak") or m.may_allocate is not None]
    parts = [f"# {function.name}", function_markdown(function, messages, link, file, path)]
    for message in order(wanted):
        parts.append(f"## {link(message.place)}")
        parts.append(message_markdown(message, link, source_line, payers(message)))
    return "\n\n".join(parts) + "\n"


def order(messages: Iterable[Message]) -> list[Message]:
    """The default order: what is made in loops first, then by place; cold paths and free values last."""
    return sorted(
        messages,
        key=lambda m: (
            bool(m.free),
            m.cold is not None,
            not m.loop,
            m.place.file or "",
            m.place.line,
            m.place.column or 0,
        ),
    )


def _at_name(function: Function, messages: Sequence[Message], file: SourceFile) -> list[Message]:
    point = file.place(function.point)
    name = file.place(function.name_offset)
    return [m for m in messages if (m.place.line, m.place.column) in (point, name)]


def _heap_list(heap: Sequence[Message], link: Link) -> list[str]:
    if not heap:
        return []
    lines = []
    for message in heap[:_MOST]:
        words = " · ".join([*([message.cause.replace("-", " ")] if message.cause else []), *signal_words(message)])
        lines.append(f"- {link(message.place)} {code(shorten(message.text, 60))} {words}".rstrip())
    if len(heap) > _MOST:
        lines.append(f"- … and {len(heap) - _MOST} more")
    return ["On the heap, loops first:\n\n" + "\n".join(lines)]


def _channel_list(function: Function, file: SourceFile, link: Link, path: str) -> list[str]:
    """Channels: the compiler never says a word of them, and they are always allocated."""
    node = file.root.descendant_for_byte_range(function.start, function.end)
    calls = QueryCursor(_CHANNELS).captures(node).get("call", []) if node is not None else []
    found = [c for c in calls if function.start <= c.start_byte < function.end and _makes_channel(c)]
    lines = [f"- {link(Place(path, *file.place(c.start_byte)))} {code(shorten(text_of(c), 60))}" for c in found[:_MOST]]
    return (
        ["Not counted above, for the compiler never says it: channels are always allocated:\n\n" + "\n".join(lines)]
        if lines
        else []
    )


def _makes_channel(call: Node) -> bool:
    arguments = call.child_by_field_name("arguments")
    first = arguments.named_children[0] if arguments is not None and arguments.named_children else None
    return first is not None and first.type == "channel_type"


def _parameter_list(function: Function, messages: Sequence[Message], file: SourceFile) -> list[str]:
    """Each receiver, parameter and named result that the compiler speaks of, with what happens to it."""
    scope = Scope(file)
    node = file.root.descendant_for_byte_range(function.start, function.end)
    by_place: dict[tuple[int, int | None], list[str]] = {}
    for message in messages:
        fate = _FATES.get(message.kind)
        if fate is not None:
            by_place.setdefault((message.place.line, message.place.column), []).append(fate)
    lines: list[str] = []
    for name, nodes in scope.declarations(function).items():
        for declared in nodes:
            body = node.child_by_field_name("body") if node is not None else None
            fates = by_place.get(file.place(declared.start_byte))
            if fates and (body is None or declared.start_byte < body.start_byte):
                lines.append(f"- {code(name)} {'; '.join(dict.fromkeys(fates))}")
    return ["Parameters:\n\n" + "\n".join(lines)] if lines else []


def _inlined_list(messages: Sequence[Message]) -> list[str]:
    """The calls that were inlined into the function, most frequent first."""
    counts = Counter(strip_type_arguments(m.subject) for m in messages if m.kind == "inlining-call")
    if not counts:
        return []
    names = [f"{code(shorten(n, 40))}{f' ×{c}' if c > 1 else ''}" for n, c in counts.most_common(_MOST)]
    more = f", and {len(counts) - _MOST} more" if len(counts) > _MOST else ""
    return [f"Inlined into it: {', '.join(names)}{more}"]
