"""Inlay hints: two words behind a line that puts values on the heap."""

from __future__ import annotations

from lsprotocol import types

from escapelens.core.render import hint_label, message_markdown
from escapelens.lsp.session import Session
from escapelens.lsp.to_lsp import Placed


def inlay_hints(session: Session, uri: str, wanted: types.Range) -> list[types.InlayHint]:
    """One hint a place that holds heap values, inside the wanted range."""
    document = session.documents.get(uri)
    if document is None or not session.settings.inlay_hints.enable:
        return []
    by_end: dict[tuple[int, int], list[Placed]] = {}
    for placed in session.view.placed(document.path, session.show):
        start, end = placed.range.start, placed.range.end
        if placed.message.type not in ("escape", "moved") or placed.message.free:
            continue
        if wanted.start.line <= start.line <= wanted.end.line:
            # A value over several lines is marked where it begins.
            at = (end.line, end.character) if end.line == start.line else (start.line, start.character)
            by_end.setdefault(at, []).append(placed)
    return [_hint(session, at, found) for at, found in sorted(by_end.items())]


def _hint(session: Session, at: tuple[int, int], found: list[Placed]) -> types.InlayHint:
    label = hint_label(found[0].message)
    if len(found) > 1:
        label = f"{label} ×{len(found)}"
    texts = [message_markdown(p.message, session.view.link, session.view.source_line) for p in found[:3]]
    return types.InlayHint(
        position=types.Position(*at),
        label=label,
        padding_left=True,
        padding_right=found[0].range.start.line != found[0].range.end.line,
        tooltip=types.MarkupContent(types.MarkupKind.Markdown, "\n\n---\n\n".join(texts)),
    )
