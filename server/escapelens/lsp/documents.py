"""The open documents: their text as bytes, and how their lines moved since the last save.

pygls keeps documents too, but splits lines at \\f and U+2028; ours end at \\n, \\r\\n and \\r as the
specification says, so edits land where the editor meant them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lsprotocol import types

from escapelens.core.edits import BOM, LineTracker, match_lines
from escapelens.core.positions import Encoding, LineIndex


def to_bytes(text: str) -> bytes:
    """Text as UTF-8; a lone surrogate, which JSON can carry, becomes a question mark."""
    return text.encode("utf-8", "replace")


class Document:
    """One open document. ``saved`` is the text at the last open or save."""

    def __init__(self, uri: str, path: str, version: int, text: str) -> None:
        self.uri = uri
        self.path = path
        self.version = version
        self.text = to_bytes(text)
        self.saved = self.text
        self.changes = 0
        self._tracker = LineTracker(self.text)
        self._index: LineIndex | None = None
        self._matched: tuple[bytes, int, dict[int, int]] | None = None

    @property
    def index(self) -> LineIndex:
        """The line index of the current text."""
        if self._index is None:
            self._index = LineIndex(self.text)
        return self._index

    @property
    def edited(self) -> bool:
        """Tell whether the text differs from the saved one."""
        return self.text != self.saved

    def equals(self, source: bytes) -> bool:
        """Tell whether a text read from disk is the current one; editors take the byte order mark away."""
        return self.text.removeprefix(BOM) == source.removeprefix(BOM)

    def change(self, changes: Sequence[types.TextDocumentContentChangeEvent], encoding: Encoding, version: int) -> None:
        """Apply the client's changes in their order."""
        for change in changes:
            new = to_bytes(change.text)
            start, end = 0, len(self.text)
            if isinstance(change, types.TextDocumentContentChangePartial):
                start = self._offset(change.range.start, encoding)
                end = self._offset(change.range.end, encoding)
            self.text = self._tracker.edit(self.text, start, end, new)
            self._index = None
        if self.text == self.saved:
            # Undone: every line is what it was.
            self._tracker = LineTracker(self.text)
        self.version = version
        self.changes += 1

    def _offset(self, position: types.Position, encoding: Encoding) -> int:
        return self.index.from_client(position.line, position.character, encoding)

    def save(self) -> None:
        """The current text is what is on disk now."""
        self.saved = self.text
        self.changes += 1
        self._tracker = LineTracker(self.text)

    def targets(self, base: bytes) -> dict[int, int]:
        """0-based lines of ``base`` to lines of the current text, for lines that did not change."""
        if base is self.saved or base.removeprefix(BOM) == self.saved.removeprefix(BOM):
            return self._tracker.targets()
        if self._matched is None or self._matched[0] is not base or self._matched[1] != self.changes:
            self._matched = (base, self.changes, match_lines(base, self.text))
        return self._matched[2]


class Documents:
    """All open documents, by URI and by path."""

    def __init__(self) -> None:
        self._by_uri: dict[str, Document] = {}
        self._by_path: dict[str, Document] = {}

    def open(self, document: Document) -> None:
        """A client opened a document."""
        self._by_uri[document.uri] = document
        self._by_path[document.path] = document

    def close(self, uri: str) -> Document | None:
        """A client closed a document."""
        document = self._by_uri.pop(uri, None)
        if document is not None and self._by_path.get(document.path) is document:
            del self._by_path[document.path]
        return document

    def get(self, uri: str) -> Document | None:
        """The document of a URI."""
        return self._by_uri.get(uri)

    def at(self, path: str) -> Document | None:
        """The document of a path."""
        return self._by_path.get(path)

    def __iter__(self) -> Iterator[Document]:
        return iter(tuple(self._by_uri.values()))
