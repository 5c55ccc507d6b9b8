"""Hover: the messages at a position, or everything about the function whose name is hovered."""

from __future__ import annotations

import sys

from lsprotocol import types

from escapelens.core.model import Message
from escapelens.core.render import function_markdown, message_markdown
from escapelens.core.syntax import SourceFile, declared_name
from escapelens.golang.paths import from_uri
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
    placed = session.view.placed(path, keep or session.show)
    here = [p for p in placed if contains(p.range, position)]
    function = _function(session, uri, position)
    if function is not None and function[1]:
        text = function_markdown(function[0], function[1], session.view.link)
        return _markdown(text, None)
    if not here:
        here = [p for p in placed if p.range.start.line == position.line]
    if not here:
        return None
    return _markdown(_messages(session, here), here[0].range.lsp())


def _messages(session: Session, here: list[Placed]) -> str:
    here = sorted(here, key=lambda p: _size(p.range))
    parts = []
    for placed in here[:MOST]:
        text = message_markdown(placed.message, session.view.link, session.view.source_line)
        parts.append(f"{text}\n\n*From before your last edit or build error.*" if placed.stale else text)
    if len(here) > MOST:
        parts.append(f"… and {len(here) - MOST} more messages here.")
    return "\n\n---\n\n".join(parts)


def contains(found: Area, position: types.Position) -> bool:
    """Tell whether a range holds a position; its end counts, the cursor stands there after a word."""
    at = (position.line, position.character)
    return (found.start.line, found.start.character) <= at <= (found.end.line, found.end.character)


def _size(found: Area) -> tuple[int, int]:
    return found.end.line - found.start.line, found.end.character - found.start.character


def _function(session: Session, uri: str, position: types.Position) -> tuple[str, list[Message]] | None:
    """The function whose name is at a position, with all its messages, whatever is filtered."""
    place = session.view.compiler_place(uri, position.line, position.character)
    if place is None:
        return None
    path, source, line, column = place
    file = SourceFile(source)
    offset = file.offset(line, column)
    function = file.function_at(offset) if offset is not None else None
    if function is None or function.literal or offset is None:
        return None
    name_end = function.name_offset + len(function.name.rpartition(".")[2])
    if not function.name_offset <= offset <= name_end:
        return None
    messages = [
        m
        for found, _ in session.store.messages_of(path)
        for m in found.messages
        if m.function is not None and declared_name(m.function) == function.name
    ]
    return function.name, messages


def _markdown(text: str, found: types.Range | None) -> types.Hover:
    return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, text), found)
