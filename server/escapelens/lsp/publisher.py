"""Diagnostics a file at a time: sorted, skipped when unchanged, capped."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from lsprotocol import types

from escapelens.core.model import BuildError
from escapelens.core.report import Show
from escapelens.engine.store import Store
from escapelens.lsp.documents import Documents
from escapelens.lsp.to_lsp import build_error, diagnostic, more_diagnostic, uri_of
from escapelens.lsp.view import View
from escapelens.settings import Settings

#: Diagnostics of one file; beyond it editors grow slow. One more says how many are left out.
CAP = 10_000

Publish = Callable[[types.PublishDiagnosticsParams], None]


class Publisher:
    """Keeps the client's diagnostics equal to the snapshots."""

    def __init__(self, store: Store, documents: Documents, view: View, publish: Publish) -> None:
        self._store = store
        self._documents = documents
        self._view = view
        self._publish = publish
        self._sent: dict[str, tuple[str, str]] = {}
        self._seen: dict[str, tuple[object, ...]] = {}
        self._known: dict[str, frozenset[tuple[str, str, str | None]]] = {}
        self.related = True

    def update(self, paths: Iterable[str], settings: Settings, show: Show) -> None:
        """Publish what is new for these files."""
        errors = self._errors()
        for path in sorted(paths):
            state = self._state(path, settings, show, errors.get(path, ()))
            if self._seen.get(path) == state:
                continue
            self._seen[path] = state
            found = [] if settings.diagnostics == "off" else self._messages(path, settings, show)
            found += [build_error(e, *self._view.compiled_text(path)) for e in errors.get(path, ())]
            self._send(path, found)

    def _state(self, path: str, settings: Settings, show: Show, errors: Sequence[BuildError]) -> tuple[object, ...]:
        """Everything that a file's diagnostics are made of: where it is equal, they are."""
        document = self._documents.at(path)
        known = tuple((file.identity, stale) for file, stale in self._store.messages_of(path))
        drawn = (settings.diagnostics, settings.scope, tuple(sorted(settings.severity.items())), show)
        edited = (document.uri, document.changes) if document is not None else None
        return known, drawn, edited, self._is_own(path), self._known.get(path), tuple(errors)

    def remember(self, path: str) -> None:
        """What a file shows now is known: with ``diagnostics: new`` only later messages are shown."""
        placed = self._view.placed(path, lambda message: True)
        self._known[path] = frozenset((p.message.kind, p.message.text, p.message.function) for p in placed)

    def published(self) -> set[str]:
        """The files that have diagnostics at the client."""
        return set(self._sent)

    def _messages(self, path: str, settings: Settings, show: Show) -> list[types.Diagnostic]:
        if self._documents.at(path) is None and (settings.scope == "file" or not self._is_own(path)):
            # What a compile says about another package's file is shown when that file is open.
            return []
        known = self._known.get(path, frozenset()) if settings.diagnostics == "new" else frozenset()
        found: list[types.Diagnostic] = []
        for placed in self._view.placed(path, show):
            message = placed.message
            severity = settings.severity.get(message.type, "hint")
            if severity == "off" or (message.kind, message.text, message.function) in known:
                continue
            found.append(
                diagnostic(placed, severity, self._view.locate, related=self.related) if len(found) < CAP else found[-1]
            )
        if len(found) > CAP:
            found[CAP:] = [more_diagnostic(len(found) - CAP)]
        return found

    def _is_own(self, path: str) -> bool:
        return any(path in snapshot.own_files for snapshot in self._store.all())

    def _errors(self) -> dict[str, list[BuildError]]:
        """Build errors by the file that shows them; those without a place at a file of the package."""
        found: dict[str, list[BuildError]] = {}
        for snapshot in self._store.all():
            for error in snapshot.errors:
                path = error.place.file if error.place else None
                if path is None or not Path(path).is_file():
                    opened = (d.path for d in self._documents if d.path in snapshot.own_files)
                    path = next(opened, min(snapshot.own_files, default=None))
                if path is not None:
                    found.setdefault(path, []).append(error)
        return found

    def _send(self, path: str, found: list[types.Diagnostic]) -> None:
        document = self._documents.at(path)
        uri = document.uri if document is not None else uri_of(path)
        content = repr(found)
        before = self._sent.get(path)
        if before == (uri, content) or (before is None and not found):
            return
        if before is not None and before[0] != uri:
            self._publish(types.PublishDiagnosticsParams(before[0], []))
        if found:
            self._sent[path] = (uri, content)
        else:
            self._sent.pop(path, None)
        self._publish(types.PublishDiagnosticsParams(uri, found, version=document.version if document else None))
