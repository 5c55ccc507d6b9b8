"""Code actions that are about no single message: for editors without a plugin, the way to filter, run and compare."""

from __future__ import annotations

from collections.abc import Sequence

from lsprotocol import types

from escapelens.lsp.protocol import ACTION_KIND
from escapelens.lsp.session import Session


def general_actions(
    session: Session, uri: str, wanted: types.Range, only: Sequence[types.CodeActionKind | str] | None
) -> list[types.CodeAction]:
    """The actions on lines of which the compiler said anything, whatever is shown; anywhere if asked by kind.

    What is hidden must not hide the way back to it.
    """
    document = session.documents.get(uri)
    if document is None:
        return []
    kinds = [str(getattr(kind, "value", kind)) for kind in only or ()]
    asked = any(kind == ACTION_KIND or ACTION_KIND.startswith(f"{kind}.") for kind in kinds if kind)
    if not asked and not any(
        placed.range.start.line <= wanted.end.line and wanted.start.line <= placed.range.end.line
        for placed in session.view.placed(document.path, lambda message: True)
    ):
        return []
    return [
        _action("Choose the message types", "escapelens.chooseFilter", {}),
        _action("Compare with the run before", "escapelens.showComparison", {"uri": uri}),
        _action("Analyse this package now", "escapelens.analyze", {"uri": uri, "wait": False}),
    ]


def _action(title: str, command: str, argument: dict[str, object]) -> types.CodeAction:
    return types.CodeAction(title, ACTION_KIND, command=types.Command(title, command, arguments=[argument]))
