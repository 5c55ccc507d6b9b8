"""Messages for people: titles, markdown, hints. Strings only."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from escapelens.core.model import FlowHop, FlowStep, Message, Place
from escapelens.core.words import (
    CAUSE_TEXTS,
    COLD_WORDS,
    FREE_TEXTS,
    MAY_ALLOCATE_TEXTS,
    ORIGIN_WORDS,
    REASON_WORDS,
    code,
    counted,
    label,
    plain_expression,
    plain_name,
    shorten,
)

Link = Callable[[Place], str]
SourceLine = Callable[[Place], str | None]

#: Ways of one value in a hover, and steps of one way; the raw text has all.
_WAYS = 3
_STEPS = 12

_LEAKS: dict[str, str] = {
    "leaking-param": "Not a memory leak, and nothing is allocated here: what callers pass for it goes to the heap.",
    "leaking-param-content": "Not a memory leak, and nothing is allocated here: what the value behind it points to "
    "goes to the heap, in the callers; that value itself may stay on the stack.",
    "leaking-param-to-result": "Not a memory leak: {what} comes back in {result}. Harmless while the caller keeps "
    "that result local.",
}
_TO_RESULT = re.compile(r"(?:leaking param: .* to result (\S+) level=(-?\d+)|parameter .* leaks to (\S+) .*=(\d+))")


def hint_label(message: Message) -> str:
    """Two words for an inlay hint."""
    if message.type not in ("escape", "moved"):
        return "leaks"
    return "→ heap · in loop" if message.loop else "→ heap"


def signal_words(message: Message) -> list[str]:
    """Where a value stands and what it costs, in a few words each."""
    words = ["in a loop"] if message.loop else []
    if message.cold is not None:
        words.append(COLD_WORDS[message.cold])
    if message.origin is not None:
        words.append(ORIGIN_WORDS[message.origin])
    if message.free:
        words.append("free")
    return words


def message_markdown(message: Message, link: Link, source_line: SourceLine, payers: Sequence[str] = ()) -> str:
    """One message as hover markdown: what, why and where, what helps, who pays, the way.

    ``payers`` are lines about callers or callees, which only somebody who knows several packages can tell.
    """
    title = " · ".join([f"**{label(message.type)}**: {code(shorten(message.text, 160))}", *signal_words(message)])
    parts = [title, *reasons(message, link, source_line)]
    parts.extend(payers)
    # What is free needs no way: there is nothing to change.
    ways = [way for way in message.flows if way] if not message.free else []
    # Instantiations of generic code take the same way.
    passed = [way for way in ways if any(step.place == message.decides for hop in way for step in hop.steps)]
    shown = [(way, message.decides if way in passed or (not passed and way is ways[0]) else None) for way in ways]
    texts = list(dict.fromkeys(way_markdown(w, link, source_line, decides) for w, decides in shown[: 4 * _WAYS]))
    parts.extend(texts[:_WAYS])
    more = max(len(texts) - _WAYS, 0) + max(len(ways) - 4 * _WAYS, 0)
    if more:
        parts.append(f"… and {counted(more, 'more way')}.")
    if len(message.instantiations) > 1:
        parts.append(_instantiations(message))
    if message.inlined_from:
        parts.append(f"An inlined copy of the value at {link(message.inlined_from[0])}.")
    return "\n\n".join(parts)


def _instantiations(message: Message) -> str:
    """How often generic code says it, and of which type arguments where the log has more than shapes."""
    named = [i.name for i in message.instantiations if i.name is not None and "[" in i.name]
    names = list(dict.fromkeys(name for name in named if "go.shape." not in name))
    shown = ", ".join(code(shorten(name, 60)) for name in names[:_WAYS])
    more = f" and {len(names) - _WAYS} more" if len(names) > _WAYS else ""
    count = len(message.instantiations)
    return f"Said of {count} instantiations of this generic code{f': {shown}{more}' if shown else ''}."


def reasons(message: Message, link: Link, source_line: SourceLine) -> list[str]:
    """Why, at which line, what helps and when to leave it: a paragraph each."""
    if message.free_reason is not None:
        return [FREE_TEXTS[message.free_reason]]
    if message.may_allocate is not None:
        return [MAY_ALLOCATE_TEXTS[message.may_allocate]]
    parts = [_leak_words(message)] if message.type == "leak" else []
    if message.kind == "leaking-param-to-result":
        return parts
    if message.cause is not None:
        why, helps, leave = CAUSE_TEXTS[message.cause]
        if message.type == "leak" and message.cause == "returned":
            why = "It becomes part of what is handed to the caller."
        if message.cause == "unknown-callee" and message.decides is None:
            why = "Its function has no Go body (assembly, another package's code), so the compiler assumes the worst."
        parts.append(_why(message, why, link, source_line))
        parts.append(f"Helps: {helps}  \nLeave it: {leave}" if helps != "nothing." else f"Leave it: {leave}")
    elif message.type in ("escape", "moved"):
        parts.append("The compiler gives no reason.")
    return parts


def _why(message: Message, why: str, link: Link, source_line: SourceLine) -> str:
    if message.callee is not None:
        name = code(shorten(plain_expression(message.callee), 40))
        if message.cause == "boxed":
            why = f"{why[:-1]}, and goes to {name}."
        why = why.replace("a call whose target", f"{name}, whose target", 1)
        why = why.replace("a function whose", f"{name}, whose", 1)
    if message.decides is None or message.decides.file is None:
        return why
    text = source_line(message.decides)
    line = f"  \n→ {link(message.decides)}" + (f" {code(shorten(text))}" if text else "")
    through = (
        f"  \nIts way ends at {_through(message.through)}, which is on the heap itself."
        if (message.through is not None)
        else ""
    )
    return f"{why}{line}{through}"


def _through(name: str) -> str:
    return "the closure" if name == "func literal" else code(shorten(plain_name(name), 60))


def _leak_words(message: Message) -> str:
    words = _LEAKS[message.kind]
    match = _TO_RESULT.fullmatch(message.text)
    if message.kind != "leaking-param-to-result" or match is None:
        return words.format(what="it", result="a result")
    level = int(match[2] or match[4])
    what = {0: "it", 1: "what the value behind it points to", -1: "its address"}.get(
        level, f"what the value {level} pointers behind it points to"
    )
    result = plain_name(match[1] or match[3])
    return words.format(what=what, result=result if result.startswith(("the ", "result ")) else code(result))


def way_markdown(way: Sequence[FlowHop], link: Link, source_line: SourceLine, decides: Place | None = None) -> str:
    """One way as a numbered list of steps, each with its line and a link; the step that decides is marked."""
    steps = [step for hop in way for step in hop.steps]
    cut = len(steps) - _STEPS
    deciding = max((i for i, step in enumerate(steps) if step.place == decides), default=-1)
    lines: list[str] = []
    line: tuple[str | None, int] | None = None
    for index, step in enumerate(steps):
        if cut > 0 and _STEPS // 2 <= index < _STEPS // 2 + cut:
            if index == _STEPS // 2:
                lines.append(f"{len(lines) + 1}. … {counted(cut, 'more step')}")
            line = None
            continue
        here = (step.place.file, step.place.line)
        text = source_line(step.place) if here != line else None
        mark = " **← decides**" if index == deciding else ""
        lines.append(f"{len(lines) + 1}. {_step(step, text, link)}{mark}")
        line = here
    for hop in way:
        if hop.note:
            lines.append(f"{len(lines) + 1}. {hop.note.removeprefix('warning: ')}")
    if decides is not None and decides.file is not None and deciding < 0:
        # The line that decides lies beyond: where the value that this one ends at goes, or a go statement.
        text = source_line(decides)
        lines.append(f"{len(lines) + 1}. … {link(decides)}{f' — {code(shorten(text))}' if text else ''} **← decides**")
    head = f"Way: {code(shorten(plain_name(way[0].source), 60))} → {shorten(plain_name(way[-1].to), 60)}"
    return "\n".join([head, "", *lines] if lines else [head])


def _step(step: FlowStep, text: str | None, link: Link) -> str:
    """One step; ``text`` is its source line where the reader has not just seen it."""
    expression = shorten(plain_expression(step.expression), 60)
    source = f" — {code(shorten(text))}" if text and shorten(text) != expression else ""
    words = REASON_WORDS.get(step.reason, step.reason)
    return f"{code(expression)} {words}, {link(step.place)}{source}"
