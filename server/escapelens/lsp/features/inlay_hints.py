"""Inlay hints: two words behind what goes to the heap, and at the line that decides it.

Shown by default are values that stand in a loop, cost something and are on no path that is rare; how many
others there are stands behind the package clause, and one command shows them.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Literal

from lsprotocol import types
from pydantic import BaseModel, ConfigDict

from escapelens.core.function_hover import is_heap
from escapelens.core.model import Message, Span
from escapelens.core.render import hint_label, message_markdown
from escapelens.core.words import counted
from escapelens.lsp.session import Session
from escapelens.lsp.to_lsp import Placed

Which = Literal["loops", "all"]
COMMAND = "escapelens.hints"


class SetHints(BaseModel):
    """``escapelens.hints``: which heap values have hints; null goes back to the settings."""

    model_config = ConfigDict(extra="ignore")

    which: Which | None = None


@dataclass(frozen=True, slots=True)
class Hidden:
    """Heap values of a file that have no hint, and why."""

    outside: int = 0
    cold: int = 0
    free: int = 0

    @property
    def total(self) -> int:
        """All of them."""
        return self.outside + self.cold + self.free

    @property
    def words(self) -> str:
        """``9 outside loops, 2 on cold paths, 1 free``."""
        parts = ((self.outside, "outside loops"), (self.cold, "on cold paths"), (self.free, "free"))
        return ", ".join(f"{number} {words}" for number, words in parts if number)


class Hints:
    """The hints of a session, and which of them are wanted."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._which: Which | None = None

    @property
    def which(self) -> Which:
        """Which heap values have hints: by command, or else by the settings."""
        return self._which or self._session.settings.inlay_hints.which

    def set(self, which: Which | None) -> None:
        """Change it; the client is asked to fetch the hints again."""
        self._which = which
        self._session.refresh()

    def hidden(self, path: str) -> Hidden:
        """What the file has beside the values that have a hint."""
        outside = cold = free = 0
        for placed in self._heap(path):
            message = placed.message
            if message.free:
                free += 1
            elif self._has_hint(message):
                continue
            elif message.cold is not None:
                cold += 1
            else:
                outside += 1
        return Hidden(outside, cold, free)

    def hints(self, uri: str, wanted: types.Range) -> list[types.InlayHint]:
        """The hints inside the wanted range: one a place, however many values stand there."""
        document = self._session.documents.get(uri)
        if document is None or not self._session.settings.inlay_hints.enable:
            return []
        by_end: dict[tuple[int, int], list[Placed]] = {}
        for placed in self._heap(document.path):
            if self._has_hint(placed.message):
                for at in self._places(placed, document.path):
                    if wanted.start.line <= at[0] <= wanted.end.line:
                        by_end.setdefault(at, []).append(placed)
        hints = [self._hint(at, found) for at, found in sorted(by_end.items())]
        return [*self._count(document.path, document.text, wanted), *hints]

    def _heap(self, path: str) -> list[Placed]:
        types_ = self._session.show.types
        return self._session.view.placed(path, lambda m: m.type in ("escape", "moved") and m.type in types_)

    def _has_hint(self, message: Message) -> bool:
        if not is_heap(message):
            return False
        return self.which == "all" or (message.loop and message.cold is None)

    def _places(self, placed: Placed, path: str) -> list[tuple[int, int]]:
        """Behind the value, and at the end of the line that decides if that is another one."""
        start, end = placed.range.start, placed.range.end
        # A value over several lines is marked where it begins.
        places = [(end.line, end.character) if end.line == start.line else (start.line, start.character)]
        decides = placed.message.decides
        if decides is not None and decides.file == path and not placed.stale:
            mapper = self._session.view.mapper_for_path(path)
            column = decides.column or 1
            span = Span(decides.line, column, decides.line, sys.maxsize)
            found = mapper.range(span) if mapper is not None else None
            if found is not None and found.end.line != start.line:
                places.append((found.end.line, found.end.character))
        return places

    def _hint(self, at: tuple[int, int], found: list[Placed]) -> types.InlayHint:
        in_loop = next((p for p in found if p.message.loop), found[0])
        label = hint_label(in_loop.message)
        if len(found) > 1:
            label = f"{label} ×{len(found)}"
        view = self._session.view
        texts = [message_markdown(p.message, view.link, view.source_line) for p in found[:3]]
        return types.InlayHint(
            position=types.Position(*at),
            label=label,
            padding_left=True,
            padding_right=found[0].range.start.line != found[0].range.end.line,
            tooltip=types.MarkupContent(types.MarkupKind.Markdown, "\n\n---\n\n".join(texts)),
        )

    def _count(self, path: str, text: bytes, wanted: types.Range) -> list[types.InlayHint]:
        """How many heap values have no hint, behind the package clause."""
        hidden = self.hidden(path)
        lines = text.split(b"\n", 400)[:400]
        line = next((number for number, found in enumerate(lines) if found.startswith(b"package ")), None)
        if not hidden.total or line is None or not wanted.start.line <= line <= wanted.end.line:
            return []
        more = types.Command("Show hints for all", COMMAND, arguments=[{"which": "all"}])
        part = types.InlayHintLabelPart(
            f"{hidden.total} more on heap",
            tooltip=f"Without a hint: {hidden.words}.",
            command=more if hidden.outside or hidden.cold else None,
        )
        end = types.Position(line, len(lines[line].rstrip(b"\r")))
        return [types.InlayHint(position=end, label=[part], padding_left=True)]


def action_title(hidden: Hidden) -> str:
    """The title of the action that shows what has no hint."""
    return f"Show hints for {counted(hidden.outside + hidden.cold, 'more heap value')} ({hidden.words})"
