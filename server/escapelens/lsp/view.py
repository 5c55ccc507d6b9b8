"""What the client sees of the snapshots: messages placed in its texts. Reads, never waits."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import TypeVar

from escapelens.core.model import Message, Place
from escapelens.core.positions import Encoding, LineIndex
from escapelens.core.report import sort_key
from escapelens.engine.files import modified, read_source
from escapelens.engine.store import FileMessages, Store
from escapelens.lsp.documents import Document, Documents
from escapelens.lsp.to_lsp import Locate, Mapper, Placed, link, uri_of

Keep = Callable[[Message], bool]

#: Open files whose placed messages are held, and files whose mappers are: a mapper holds its whole text.
_PLACED, _MAPPED = 8, 64

Held = TypeVar("Held")


def _hold(held: OrderedDict[str, Held], path: str, value: Held, most: int) -> None:
    """Hold the newest value of a file, and let the oldest go."""
    held.pop(path, None)
    held[path] = value
    while len(held) > most:
        held.popitem(last=False)


def _every(message: Message) -> bool:
    return True


class View:
    """Joins the store with the open documents."""

    def __init__(self, store: Store, documents: Documents) -> None:
        self._store = store
        self._documents = documents
        self.encoding: Encoding = "utf-16"
        self.locate = Locate(self.mapper_for_path)
        self._mappers: OrderedDict[str, tuple[bytes, tuple[object, ...], Mapper]] = OrderedDict()
        self._read: dict[str, tuple[int, bytes | None]] = {}
        self._placed: OrderedDict[str, tuple[tuple[object, ...], list[Placed]]] = OrderedDict()

    def placed(self, path: str, keep: Keep) -> list[Placed]:
        """The messages of a file that pass ``keep``, in the order of their positions.

        Those of an open file are placed once until something changes: one look at it is several requests.
        """
        document = self._documents.at(path)
        files = self._store.messages_of(path)
        if document is None:
            return self._place(path, keep, None, files)
        state = (tuple((file.identity, stale) for file, stale in files), document, document.changes, self.encoding)
        known = self._placed.get(path)
        if known is None or known[0] != state:
            known = (state, self._place(path, _every, document, files))
            _hold(self._placed, path, known, _PLACED)
        return [placed for placed in known[1] if keep(placed.message)]

    def _place(
        self, path: str, keep: Keep, document: Document | None, files: Sequence[tuple[FileMessages, bool]]
    ) -> list[Placed]:
        uri = document.uri if document is not None else uri_of(path)
        found: list[Placed] = []
        seen: set[tuple[object, ...]] = set()
        for file, stale in files:
            mapper = self._mapper(file.path, file.source)
            edited = document is not None and not document.equals(file.source)
            for message in file.messages:
                if message.span is None or not keep(message) or (seen and _identity(message) in seen):
                    continue
                where = mapper.range(message.span)
                if where is not None:
                    found.append(Placed(message, where, uri, stale or edited))
            if len(files) > 1:
                seen |= {_identity(m) for m in file.messages}
        if len(files) > 1:
            found.sort(key=lambda placed: sort_key(placed.message))
        return found

    def mapper_for_path(self, path: str) -> Mapper | None:
        """The mapper of a file, from its analysed text or else the text on disk."""
        for file, _ in self._store.messages_of(path):
            return self._mapper(path, file.source)
        source = self._on_disk(path)
        return self._mapper(path, source) if source is not None else None

    def link(self, place: Place) -> str:
        """A markdown link to a place."""
        return link(place, self.locate(place))

    def compiled_text(self, path: str) -> tuple[bytes | None, Mapper | None]:
        """The text that the compiler read last (what was saved), which build errors speak of, and its mapper."""
        document = self._documents.at(path)
        source = document.saved if document is not None else self._on_disk(path)
        return source, self._mapper(path, source) if source is not None else None

    def _mapper(self, path: str, source: bytes) -> Mapper:
        """The mapper of a text of a file, made once until the document is edited: flows ask for it step by step."""
        document = self._documents.at(path)
        state = (document, document.changes if document is not None else 0, self.encoding)
        known = self._mappers.get(path)
        if known is None or known[0] != source or known[1] != state:
            index = document.index if document is not None else LineIndex(source)
            targets = document.targets(source) if document is not None else None
            known = (source, state, Mapper(source, index, targets, self.encoding))
            _hold(self._mappers, path, known, _MAPPED)
        return known[2]

    def _on_disk(self, path: str) -> bytes | None:
        """The text of a file that nobody has opened or analysed, read again when it changes."""
        stamp = modified(path)
        known = self._read.get(path)
        if known is None or known[0] != stamp:
            known = self._read[path] = (stamp, read_source(path))
        return known[1]

    def compiler_place(self, uri: str, line: int, character: int) -> tuple[str, bytes, int, int] | None:
        """A client's position in the analysed text: path, that text, 1-based line and byte column.

        None where the document is not open or the line has changed since.
        """
        document = self._documents.get(uri)
        if document is None:
            return None
        offset = document.index.from_client(line, character, self.encoding)
        current, column = document.index.compiler_place(offset)
        for file, _ in self._store.messages_of(document.path):
            origins = {new: old for old, new in document.targets(file.source).items()}
            base = origins.get(current - 1)
            if base is not None:
                return document.path, file.source, base + 1, column
        return None

    def source_line(self, place: Place) -> str | None:
        """The text of a place's line, without indentation."""
        if place.file is None:
            return None
        document = self._documents.at(place.file)
        files = self._store.messages_of(place.file)
        source = files[0][0].source if files else document.text if document else None
        source = source if source is not None else self._on_disk(place.file)
        lines = source.split(b"\n", place.line) if source is not None else []
        if len(lines) < place.line or place.line < 1:
            return None
        return lines[place.line - 1].decode("utf-8", "replace").strip()


def _identity(message: Message) -> tuple[object, ...]:
    return message.place, message.kind, message.text
