"""Code lenses: what a function puts on the heap, above it. Off by default."""

from __future__ import annotations

from lsprotocol import types

from escapelens.core.model import Span
from escapelens.core.syntax import SourceFile, declared_name
from escapelens.lsp.session import Session
from escapelens.lsp.to_lsp import Area


def code_lenses(session: Session, uri: str) -> list[types.CodeLens]:
    """A lens above each function that has heap values or leaks, whether or not lenses are shown."""
    document = session.documents.get(uri)
    if document is None:
        return []
    counts: dict[str, list[int]] = {}
    for placed in session.view.placed(document.path, session.show):
        message = placed.message
        if message.type in ("escape", "moved", "leak") and message.function:
            pair = counts.setdefault(declared_name(message.function), [0, 0])
            pair[message.type == "leak"] += 1
    lenses: list[types.CodeLens] = []
    for found, _ in session.store.messages_of(document.path)[:1]:
        file = SourceFile(found.source)
        mapper = session.view.mapper_for_path(document.path)
        for function in file.functions:
            heap, leaks = counts.get(function.name, (0, 0))
            if mapper is None or not (heap or leaks) or function.literal:
                continue
            line, column = file.place(function.name_offset)
            where = mapper.range(Span(line, column, line, column + 1))
            if where is not None:
                lenses.append(types.CodeLens(where.lsp(), _command(uri, where, heap, leaks)))
    return lenses


def _command(uri: str, where: Area, heap: int, leaks: int) -> types.Command:
    parts = [f"{heap} on heap" if heap else "", f"{leaks} leak{'s' if leaks > 1 else ''}" if leaks else ""]
    position = {"line": where.start.line, "character": where.start.character}
    return types.Command(
        " · ".join(part for part in parts if part),
        "escapelens.explain",
        arguments=[{"uri": uri, "position": position, "show": True}],
    )
