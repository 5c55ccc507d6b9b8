"""Code lenses: what a function puts on the heap, above it. Off by default."""

from __future__ import annotations

from lsprotocol import types

from escapelens.core.function_hover import counts_words
from escapelens.lsp.features.functions import functions_of
from escapelens.lsp.session import Session


def code_lenses(session: Session, uri: str) -> list[types.CodeLens]:
    """A lens above each function that has heap values or leaks, whether or not lenses are shown."""
    document = session.documents.get(uri)
    if document is None:
        return []
    lenses: list[types.CodeLens] = []
    for found, where in functions_of(session, document.path):
        shown = [m for m in found.messages if session.show(m) or m.type == "can-inline"]
        words = counts_words(shown)
        # That a function inlines is worth a lens only beside something else.
        if words and words != "inlines":
            position = {"line": where.start.line, "character": where.start.character}
            argument = {"uri": uri, "position": position, "show": True}
            lenses.append(types.CodeLens(where.lsp(), types.Command(words, "escapelens.explain", arguments=[argument])))
    return lenses
