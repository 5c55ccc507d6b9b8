"""Diagnostics a file at a time: sorted, skipped when unchanged, capped."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from hashlib import blake2b
from pathlib import Path

from escapelens.core.model import BuildError
from escapelens.core.report import Show
from escapelens.engine.store import Store
from escapelens.lsp.documents import Documents
from escapelens.lsp.to_lsp import Locate, Params, build_error, diagnostic, more_diagnostic, uri_of
from escapelens.lsp.view import View
from escapelens.settings import Settings

#: Diagnostics of one file; beyond it editors grow slow. One more says how many are left out.
CAP = 10_000

#: Diagnostics that are made between two looks at what else there is to do.
_SLICE = 150

#: Sends parameters that are JSON text.
Publish = Callable[[str], None]


class Publisher:
    """Keeps the client's diagnostics equal to the snapshots."""

    def __init__(self, store: Store, documents: Documents, view: View, publish: Publish) -> None:
        self._store = store
        self._documents = documents
        self._view = view
        self._publish = publish
        self._sent: dict[str, tuple[str, bytes]] = {}
        self._seen: dict[str, tuple[object, ...]] = {}
        self._known: dict[str, frozenset[tuple[str, str, str | None]]] = {}
        self.related = True

    def update(self, paths: Iterable[str], settings: Settings, show: Show) -> None:
        """Publish what is new for these files, now."""
        for path in sorted(paths):
            state = self._state(path, settings, show)
            if self._seen.get(path) == state:
                continue
            self._seen[path] = state
            self._send(path, [found for slice_ in self._slices(path, settings, show) for found in slice_])

    async def update_in_slices(self, path: str, settings: Settings, show: Show) -> None:
        """Publish what is new for a file that nobody edits; requests are answered in between."""
        while self._seen.get(path) != (state := self._state(path, settings, show)):
            found: list[Params] = []
            for slice_ in self._slices(path, settings, show):
                found += slice_
                await asyncio.sleep(0)
            if self._state(path, settings, show) == state:
                self._seen[path] = state
                self._send(path, found)

    def _state(self, path: str, settings: Settings, show: Show) -> tuple[object, ...]:
        """Everything that a file's diagnostics are made of: where it is equal, they are."""
        document = self._documents.at(path)
        known = tuple((file.identity, stale) for file, stale in self._store.messages_of(path))
        drawn = (settings.diagnostics, settings.scope, tuple(sorted(settings.severity.items())), show)
        # A text that is what was saved has its messages where they were found, however it came to be so.
        edited = None
        if document is not None:
            edited = (document.uri, document.changes if document.edited else document.text)
        return known, drawn, edited, self._store.is_own(path), self._known.get(path), self._errors(path)

    def remember(self, path: str) -> None:
        """What a file shows now is known: with ``diagnostics: new`` only later messages are shown."""
        placed = self._view.placed(path, lambda message: True)
        self._known[path] = frozenset((p.message.kind, p.message.text, p.message.function) for p in placed)

    def published(self) -> set[str]:
        """The files that have diagnostics at the client."""
        return set(self._sent)

    def _slices(self, path: str, settings: Settings, show: Show) -> Iterator[list[Params]]:
        """A file's diagnostics, some at a time."""
        if settings.diagnostics != "off":
            yield from self._messages(path, settings, show)
        source, mapper = self._view.compiled_text(path) if (errors := self._errors(path)) else (None, None)
        yield [build_error(error, source, mapper) for error in errors]

    def _messages(self, path: str, settings: Settings, show: Show) -> Iterator[list[Params]]:
        if self._documents.at(path) is None and (settings.scope == "file" or not self._store.is_own(path)):
            # What a compile says about another package's file is shown when that file is open.
            return
        known = self._known.get(path, frozenset()) if settings.diagnostics == "new" else frozenset()
        wanted = []
        for placed in self._view.placed(path, show):
            message = placed.message
            severity = settings.severity.get(message.type, "hint")
            if severity != "off" and (message.kind, message.text, message.function) not in known:
                wanted.append((placed, severity))
        locate = Locate(cache(self._view.mapper_for_path))
        for start in range(0, min(len(wanted), CAP), _SLICE):
            yield [
                diagnostic(placed, severity, locate, related=self.related)
                for placed, severity in wanted[start : min(start + _SLICE, CAP)]
            ]
        if len(wanted) > CAP:
            yield [more_diagnostic(len(wanted) - CAP)]

    def _errors(self, path: str) -> tuple[BuildError, ...]:
        """The build errors that a file shows: its own, and those without a place that no other file of the package
        shows.
        """
        found: list[BuildError] = []
        for snapshot in self._store.failing():
            for error in snapshot.errors:
                own = error.place.file if error.place else None
                if own is None or not Path(own).is_file():
                    opened = (d.path for d in self._documents if d.path in snapshot.own_files)
                    own = next(opened, min(snapshot.own_files, default=None))
                if own == path:
                    found.append(error)
        return tuple(found)

    def _send(self, path: str, found: list[Params]) -> None:
        document = self._documents.at(path)
        uri = document.uri if document is not None else uri_of(path)
        version = {"version": document.version} if document is not None else {}
        body = json.dumps({"uri": uri, **version, "diagnostics": found}, separators=(",", ":"))
        content = blake2b(body.partition('"diagnostics":')[2].encode(), digest_size=16).digest()
        before = self._sent.get(path)
        if before == (uri, content) or (before is None and not found):
            return
        if before is not None and before[0] != uri:
            self._publish(json.dumps({"uri": before[0], "diagnostics": []}))
        if found:
            self._sent[path] = (uri, content)
        else:
            self._sent.pop(path, None)
        self._publish(body)
