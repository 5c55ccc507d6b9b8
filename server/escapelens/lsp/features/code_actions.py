"""Code actions: everything an editor without a plugin needs, where the cursor is."""

from __future__ import annotations

from lsprotocol import types

from escapelens.core.model import TYPE_LABELS
from escapelens.core.render import shorten
from escapelens.lsp.features.code_lens import code_lenses
from escapelens.lsp.session import Session
from escapelens.lsp.to_lsp import Placed

KIND = "source.escapelens"


def code_actions(session: Session, uri: str, wanted: types.Range) -> list[types.CodeAction]:
    """Explain, filter and raw text for the messages on the wanted lines."""
    document = session.documents.get(uri)
    if document is None:
        return []
    found = [
        placed
        for placed in session.view.placed(document.path, session.show)
        if placed.range.start.line <= wanted.end.line and wanted.start.line <= placed.range.end.line
    ]
    actions = [
        types.CodeAction(f"Explain this function: {lens.command.title}", KIND, command=lens.command)
        for lens in code_lenses(session, uri)
        if lens.command is not None and wanted.start.line <= lens.range.start.line <= wanted.end.line
    ]
    if not found:
        return actions
    actions += [_explain(uri, placed) for placed in found[:3]]
    for kind in dict.fromkeys(placed.message.type for placed in found):
        others = [t for t in TYPE_LABELS if t in session.show.types and t != kind]
        actions.append(_action(f"Hide {TYPE_LABELS[kind]}", "escapelens.setFilter", {"types": others}))
    actions.append(_action("Show the compiler's raw text", "escapelens.showRaw", {"uri": uri, "show": True}))
    return actions


def _explain(uri: str, placed: Placed) -> types.CodeAction:
    start = placed.range.start
    position = {"line": start.line, "character": start.character}
    title = f"Explain: {shorten(placed.message.text, 60)}"
    return _action(title, "escapelens.explain", {"uri": uri, "position": position, "show": True})


def _action(title: str, command: str, argument: dict[str, object]) -> types.CodeAction:
    return types.CodeAction(title, KIND, command=types.Command(title, command, arguments=[argument]))
