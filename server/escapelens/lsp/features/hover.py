"""Hover: the messages at a position, or everything about the function whose name is hovered."""

from __future__ import annotations

import sys

from lsprotocol import types

from escapelens.core.function_hover import function_document, function_markdown
from escapelens.core.model import Message
from escapelens.core.price import Price
from escapelens.core.render import message_markdown
from escapelens.engine.files import read_source
from escapelens.golang.paths import from_uri
from escapelens.lsp.features.functions import function_named_at
from escapelens.lsp.session import Session
from escapelens.lsp.to_lsp import Area, Placed
from escapelens.lsp.view import Keep

#: Messages in one hover; the rest is counted.
MOST = 6


def hover(session: Session, uri: str, position: types.Position, keep: Keep | None = None) -> types.Hover | None:
    """The hover at a position, None where there is nothing to say; ``keep`` in place of what is shown."""
    document = session.documents.get(uri)
    # Trees preview messages of files that are not open.
    path = document.path if document is not None else from_uri(uri, windows=sys.platform == "win32")
    if path is None:
        return None
    found = function_named_at(session, uri, position)
    if found is not None and found.messages:
        text = function_markdown(found.function, found.messages, session.view.link, found.file, found.path)
        return _markdown(text, None)
    shown = keep or session.show
    placed = session.view.placed(path, lambda m: shown(m) or _is_quiet(m, session))
    here = [p for p in placed if contains(p.range, position)]
    if not here:
        here = [p for p in placed if p.range.start.line == position.line and shown(p.message)]
    if not here:
        return None
    return _markdown(_messages(session, here), here[0].range.lsp())


def document(session: Session, uri: str, position: types.Position) -> str | None:
    """Everything about the function whose name is at a position, as one markdown document."""
    found = function_named_at(session, uri, position)
    if found is None or not found.messages:
        return None
    view, price = session.view, price_of(session)
    return function_document(
        found.function, found.messages, view.link, view.source_line, found.file, found.path,
        lambda message: price.lines(message, view.link),
    )  # fmt: skip


def price_of(session: Session) -> Price:
    """Who pays, over all packages that are known."""
    messages = [m for s in session.store.all() for report in s.reports for m in report.messages]

    def read(path: str) -> bytes | None:
        for found, _ in session.store.messages_of(path):
            return found.source
        return read_source(path)

    return Price(messages, read)


def _is_quiet(message: Message, session: Session) -> bool:
    """What only a hover on its very place tells: why something is free, what may allocate, leaks to results."""
    if message.may_allocate is not None:
        return True
    return message.type in session.show.types and bool(message.free or message.kind == "leaking-param-to-result")


def _messages(session: Session, here: list[Placed]) -> str:
    here = sorted(here, key=lambda p: _size(p.range))
    price = price_of(session) if any(_has_price(p.message) for p in here[:MOST]) else None
    parts = []
    for placed in here[:MOST]:
        view = session.view
        payers = price.lines(placed.message, view.link) if price is not None else []
        text = message_markdown(placed.message, view.link, view.source_line, payers)
        parts.append(f"{text}\n\n*From before your last edit or build error.*" if placed.stale else text)
    if len(here) > MOST:
        parts.append(f"… and {len(here) - MOST} more messages here.")
    return "\n\n---\n\n".join(parts)


def _has_price(message: Message) -> bool:
    return message.callee is not None or message.type in ("leak", "escape", "moved")


def contains(found: Area, position: types.Position) -> bool:
    """Tell whether a range holds a position; its end counts, the cursor stands there after a word."""
    at = (position.line, position.character)
    return (found.start.line, found.start.character) <= at <= (found.end.line, found.end.character)


def _size(found: Area) -> tuple[int, int]:
    return found.end.line - found.start.line, found.end.character - found.start.character


def _markdown(text: str, found: types.Range | None) -> types.Hover:
    return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, text), found)
