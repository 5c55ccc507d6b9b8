"""Code actions: everything an editor without a plugin needs, where the cursor is."""

from __future__ import annotations

from lsprotocol import types

from escapelens.core.model import TYPE_LABELS
from escapelens.core.words import shorten
from escapelens.lsp.features.code_lens import code_lenses
from escapelens.lsp.features.inlay_hints import COMMAND, Hints, action_title
from escapelens.lsp.protocol import ACTION_KIND
from escapelens.lsp.session import Session
from escapelens.lsp.to_lsp import Placed


def code_actions(session: Session, hints: Hints, uri: str, wanted: types.Range) -> list[types.CodeAction]:
    """Explain, show the flow, filter, raw text and hints for the messages on the wanted lines."""
    document = session.documents.get(uri)
    if document is None:
        return []
    found = [
        placed
        for placed in session.view.placed(document.path, session.show)
        if placed.range.start.line <= wanted.end.line and wanted.start.line <= placed.range.end.line
    ]
    actions = [
        types.CodeAction(f"Explain this function in full: {lens.command.title}", ACTION_KIND, command=lens.command)
        for lens in code_lenses(session, uri)
        if lens.command is not None and wanted.start.line <= lens.range.start.line <= wanted.end.line
    ]
    if not found:
        return actions
    actions += [_explain(uri, placed) for placed in found[:3]]
    actions += [_flow(uri, placed) for placed in found[:3] if any(placed.message.flows)]
    for kind in dict.fromkeys(placed.message.type for placed in found):
        others = [t for t in TYPE_LABELS if t in session.show.types and t != kind]
        if others:
            actions.append(_action(f"Show only {TYPE_LABELS[kind]}", "escapelens.setFilter", {"types": [kind]}))
        actions.append(_action(f"Hide {TYPE_LABELS[kind]}", "escapelens.setFilter", {"types": others}))
    actions.append(_action("Show the compiler's raw text", "escapelens.showRaw", {"uri": uri, "show": True}))
    hidden = hints.hidden(document.path)
    if hints.which == "all":
        actions.append(_action("Show hints for values in loops only", COMMAND, {"which": "loops"}))
    elif hidden.outside or hidden.cold:
        actions.append(_action(action_title(hidden), COMMAND, {"which": "all"}))
    return actions


def _explain(uri: str, placed: Placed) -> types.CodeAction:
    title = f"Explain: {shorten(placed.message.text, 60)}"
    return _action(title, "escapelens.explain", {"uri": uri, "position": _position(placed), "show": True})


def _flow(uri: str, placed: Placed) -> types.CodeAction:
    title = f"List the way of {shorten(placed.message.subject, 50)}"
    return _action(title, "escapelens.flow", {"uri": uri, "position": _position(placed), "show": True})


def _position(placed: Placed) -> dict[str, int]:
    start = placed.range.start
    return {"line": start.line, "character": start.character}


def _action(title: str, command: str, argument: dict[str, object]) -> types.CodeAction:
    return types.CodeAction(title, ACTION_KIND, command=types.Command(title, command, arguments=[argument]))
