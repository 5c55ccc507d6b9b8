"""Everything known about one place, as plain text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from escapelens.core.model import Message, Place
from escapelens.core.price import Price
from escapelens.core.render import message_markdown
from escapelens.core.report import sort_key
from escapelens.core.words import CAUSE_TEXTS, label


def messages_at(messages: Iterable[Message], source: bytes, line: int, column: int | None) -> list[Message]:
    """The messages of a line, or of those whose range or point holds a column (1-based bytes)."""
    on_line = [m for m in messages if _touches(m, line)]
    if column is not None:
        narrow = [m for m in on_line if m.span is not None and m.span.contains(line, column)]
        on_line = narrow or [m for m in on_line if m.place.column == column]
    else:
        on_line = [m for m in on_line if m.place.line == line]
    return sorted(on_line, key=lambda m: (_rank(m), *sort_key(m)))


def _touches(message: Message, line: int) -> bool:
    span = message.span
    return message.place.line == line or (span is not None and span.line <= line <= span.end_line)


def _rank(message: Message) -> int:
    return ("moved", "escape", "leak", "other", "can-inline", "inline-call").index(message.type)


def explain_text(
    messages: Sequence[Message], read: Callable[[str], bytes | None], known: Sequence[Message] = ()
) -> str:
    """The texts of messages, the strongest first, as ``explain`` prints them.

    ``known`` are all messages of the analysed packages: they tell who pays.
    """
    price = Price(known, read)
    lines: dict[str, list[str]] = {}

    def source_line(place: Place) -> str | None:
        if place.file is None:
            return None
        if place.file not in lines:
            source = read(place.file) or b""
            lines[place.file] = source.decode("utf-8", "replace").split("\n")
        found = lines[place.file]
        return found[place.line - 1].strip() if 0 < place.line <= len(found) else None

    return "\n\n".join(_one(message, source_line, price) for message in messages)


def _one(message: Message, source_line: Callable[[Place], str | None], price: Price) -> str:
    head = f"{show_place(message.place)}: {label(message.type)}: {message.text}"
    text = message_markdown(message, show_place, source_line, price.lines(message, show_place))
    body = text.partition("\n\n")[2]
    where = f"in {message.function}" if message.function else ""
    cause = f"cause: {message.cause}" if message.cause in CAUSE_TEXTS else ""
    details = ", ".join(part for part in (where, cause) if part)
    parts = [head, f"  {details}" if details else "", _plain(body)]
    return "\n".join(part for part in parts if part)


def _plain(markdown: str) -> str:
    """Markdown without its marks, indented."""
    plain = markdown.replace("**", "").replace("  \n", "\n").replace("`", "")
    return "\n".join(f"  {line}" if line else "" for line in plain.split("\n"))


def show_place(place: Place) -> str:
    """``file:line:col``, or words where the compiler gave no place."""
    if place.file is None:
        return "generated code"
    return f"{place.file}:{place.line}:{place.column}" if place.column else f"{place.file}:{place.line}"
