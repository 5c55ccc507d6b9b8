"""Words for people: labels, one-line texts and markdown. Strings only."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from escapelens.core.model import TYPE_LABELS, FlowHop, Message, MessageType, Place

Link = Callable[[Place], str]
SourceLine = Callable[[Place], str | None]

#: Two lines at most: what the cause means, and what usually helps or when to leave it.
CAUSE_TEXTS: dict[str, tuple[str, str]] = {
    "returned": (
        "Its address is handed to the caller, so it must outlive this function.",
        "Return the value itself, or let the caller pass a buffer. Leave it in constructors and for big structs.",
    ),
    "stored": (
        "A pointer to it is kept in something that lives longer.",
        "Copy the value, or shorten the holder's life. Leave it where keeping it is the purpose.",
    ),
    "outlives-loop": (
        "A pointer declared outside the loop keeps a variable of its body.",
        "Declare the pointer inside, or index a slice. Leave it when the loop is short or cold.",
    ),
    "outlives-call": (
        "A closure that may run at any time writes it to a variable outside.",
        "Return it from the closure. Leave it where the closure is the design.",
    ),
    "unknown-callee": (
        "It is passed to a call whose target the compiler cannot see, so it assumes the worst.",
        "A concrete type or a reused buffer helps. Leave it when the call does I/O.",
    ),
    "leaking-callee": (
        "It is passed to a function whose own parameter leaks.",
        "Look at that function's parameter. Leave it where it is a library's API.",
    ),
    "boxed": (
        "The value becomes an interface (any, error, Stringer …), which holds a pointer to a copy.",
        "A typed API, or a guard around the call. Leave it on error paths; constants and small integers cost nothing.",
    ),
    "captured": (
        "A closure keeps it.",
        "Pass it as an argument, or do not reassign it after capture. Leave it when the closure is inlined.",
    ),
    "goroutine": (
        "It is used by a goroutine or a deferred call, which may run after this function returned.",
        "Pass values. Leave it: starting the goroutine costs more.",
    ),
    "deferred-in-loop": (
        "A defer in a loop runs when the function returns, so each round keeps its own.",
        "Move the loop's body into a helper. Leave it when the loop is short.",
    ),
    "in-container": (
        "What a map or a growing slice holds lives on the heap.",
        "Store values or indices. Leave it where the container lives long anyway.",
    ),
    "sent": (
        "What goes through a channel lives on the heap.",
        "Send values. Leave it where the hand-over is the design.",
    ),
    "too-large": (
        "It is too large for the stack.",
        "A smaller piece, or one reused buffer. Leave it when it is made once at start.",
    ),
    "size-unknown": (
        "Its size is known only at run time.",
        "A constant capacity, or the caller's buffer; Go 1.25 puts small ones on the stack.",
    ),
    "panic": (
        "What is panicked with lives on the heap.",
        "Leave it: the program is ending.",
    ),
    "method-value": (
        "A method kept as a func value hides a closure that holds the receiver.",
        "Call the method directly. Leave it when it is called rarely.",
    ),
    "passed-to-c": (
        "It is passed to C, which the compiler cannot see into.",
        "#cgo noescape (Go 1.24), where it is true. Leave it when the C call costs more.",
    ),
    "unsafe": (
        "The rules of unsafe keep it on the heap.",
        "Leave it, nearly always.",
    ),
}

_LEAK_NOTES: dict[str, str] = {
    "leaking-param": "Not a memory leak, and no allocation here: what callers pass for it goes to the heap.",
    "leaking-param-content": "Not a memory leak, and no allocation here: what it points to goes to the heap.",
    "leaking-param-to-result": "It comes back in a result: harmless while the caller keeps the result local.",
}

_COMPILER_NAMES: tuple[tuple[str, str], ...] = (
    ("{heap}", "the heap"),
    ("{temp}", "a temporary"),
    ("{storage for ... argument}", "the variadic slice"),
)


def label(kind: MessageType) -> str:
    """The label of a message type, as in every filter."""
    return TYPE_LABELS[kind]


def plain_name(name: str) -> str:
    """A location of a flow in plain words: ``{heap}`` → the heap, ``~r0`` → the result."""
    stripped = name.lstrip("*&")
    marks = name[: len(name) - len(stripped)]
    for printed, words in _COMPILER_NAMES:
        if stripped == printed:
            return words
    if stripped.startswith("{storage for ") and stripped.endswith("}"):
        # "The address of the storage for &T{…}" is what the expression says already.
        value = stripped[len("{storage for ") : -1]
        return value if marks == "&" else f"{marks}{value}"
    result = stripped.rpartition(".")[2]
    if result[:2] in ("~r", "~R") and result[2:].isdigit():
        number = int(result[2:])
        return f"{marks}the result" if number == 0 else f"{marks}result {number + 1}"
    return name


def code(text: str) -> str:
    """Text as inline markdown code, whatever backquotes it holds."""
    text = " ".join(text.split())
    fence = "`"
    while fence in text:
        fence += "`"
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def shorten(text: str, width: int = 80) -> str:
    """One line of at most ``width`` characters."""
    text = " ".join(text.split())
    return text if len(text) <= width else text[: width - 1] + "…"


def hint_label(message: Message) -> str:
    """Two words for an inlay hint."""
    return "→ heap" if message.type in ("escape", "moved") else "leaks"


def message_markdown(message: Message, link: Link, source_line: SourceLine) -> str:
    """One message as hover markdown: what, why, the way, what helps."""
    parts = [f"**{label(message.type)}**: {code(shorten(message.text, 160))}"]
    why = ["Free: a constant in an interface points to read-only data."] if message.free else cause_lines(message)
    if why:
        parts.append("  \n".join(why))
    ways = [way_markdown(way, link, source_line) for way in message.flows[:3] if way]
    parts.extend(ways)
    if len(message.flows) > 3:
        parts.append(f"… and {len(message.flows) - 3} more ways")
    if len(message.instantiations) > 1:
        parts.append(f"Said of {len(message.instantiations)} instantiations of this generic code.")
    if message.inlined_from:
        origin = message.inlined_from[0]
        parts.append(f"An inlined copy of the value at {link(origin)}.")
    return "\n\n".join(parts)


def cause_lines(message: Message) -> list[str]:
    """The cause and the advice in plain words; a leak says first what it is."""
    lines = [_LEAK_NOTES[message.kind]] if message.kind in _LEAK_NOTES else []
    if message.cause is not None:
        lines.extend(CAUSE_TEXTS[message.cause])
    elif message.flows and message.type in ("escape", "moved"):
        lines.append("The compiler gives no reason.")
    return lines


def way_markdown(way: Sequence[FlowHop], link: Link, source_line: SourceLine) -> str:
    """One way as a numbered list of steps, each linked to its place."""
    lines: list[str] = []
    for hop in way:
        for step in hop.steps:
            text = source_line(step.place)
            shown = f" — {code(shorten(text))}" if text else ""
            lines.append(
                f"{len(lines) + 1}. {code(shorten(step.expression, 60))} ({step.reason}) at {link(step.place)}{shown}"
            )
        if hop.note:
            lines.append(f"{len(lines) + 1}. {hop.note}")
    end = f"{plain_name(way[0].source)} → {plain_name(way[-1].to)}"
    return "\n".join([f"Way: {code(end)}", "", *lines] if lines else [f"Way: {code(end)}"])


def function_markdown(name: str, messages: Sequence[Message], link: Link) -> str:
    """The hover on a function's name: numbers first, then its heap values, parameters, inlining."""
    heap = [m for m in messages if m.type in ("escape", "moved")]
    leaks = [m for m in messages if m.type == "leak"]
    parts = [f"**{code(name)}**: {len(heap)} on the heap · {len(leaks)} leaking · {_inlining(messages)}"]
    parts.extend(_listing("On the heap", heap, link))
    parts.extend(_listing("Parameters", leaks, link))
    return "\n\n".join(parts)


def _inlining(messages: Sequence[Message]) -> str:
    for message in messages:
        if message.kind == "can-inline":
            cost = message.text.partition(" with cost ")[2].partition(" ")[0]
            return f"can inline (cost {cost})" if cost else "can inline"
        if message.kind == "cannot-inline":
            return f"does not inline: {shorten(message.text.partition(': ')[2], 100)}"
    return "inlining not known"


def _listing(title: str, messages: Sequence[Message], link: Link) -> list[str]:
    if not messages:
        return []
    lines = [f"- {link(m.place)} {code(shorten(m.text, 90))}" for m in messages[:20]]
    if len(messages) > 20:
        lines.append(f"- … and {len(messages) - 20} more")
    return [f"{title}:\n\n" + "\n".join(lines)]
