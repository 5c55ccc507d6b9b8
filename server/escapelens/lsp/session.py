"""One client's session: documents, settings, runs, and what is shown."""

from __future__ import annotations

import asyncio
import logging
import os
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from escapelens.core.difference import difference
from escapelens.core.model import TYPE_LABELS, Message
from escapelens.core.report import Show
from escapelens.engine.analyzer import Analyzer
from escapelens.engine.cache import user_cache
from escapelens.engine.files import read_source
from escapelens.engine.result import Analysed, RunResult
from escapelens.engine.runs import Runs
from escapelens.engine.scheduler import Scheduler
from escapelens.engine.store import Snapshot, Store, snapshot_of, snapshots_of
from escapelens.engine.target import Target, is_script, target_for_file
from escapelens.engine.workers import Workers
from escapelens.errors import EscapeLensError
from escapelens.golang.build import BuildOptions
from escapelens.lsp.documents import Document, Documents
from escapelens.lsp.progress import Progress
from escapelens.lsp.publisher import Publisher
from escapelens.lsp.view import View
from escapelens.settings import Settings, load

logger = logging.getLogger(__name__)

#: Seconds without a key before unsaved text is analysed.
TYPING_DEBOUNCE = 0.3


class Client(Protocol):
    """What the session asks of the client."""

    def publish(self, params: str) -> None:
        """Send diagnostics; the parameters are JSON text."""

    def status(self, state: str, package: str, generation: int, message: str) -> None:
        """Send ``escapelens/status``."""

    def refresh(self, everything: bool = False) -> None:
        """Ask for inlay hints and lenses again, where the client can; ``everything`` also what is off."""

    def warn(self, text: str) -> None:
        """Show a sentence to the user."""

    def begin_progress(self, title: str, cancel: Any) -> Progress:
        """A progress display that appears after half a second."""


@dataclass(frozen=True, slots=True)
class Run:
    """What a run found: the status of the package and how many messages are shown."""

    status: str
    messages: int
    run: str | None = None


class Session:
    """Holds everything between two messages of the client; every method returns at once, but ``analyze``."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self.settings = Settings()
        self.show = Show()
        self.store = Store()
        self.documents = Documents()
        self.view = View(self.store, self.documents)
        self.publisher = Publisher(self.store, self.documents, self.view, client.publish)
        self.scheduler = Scheduler()
        self.runs = Runs()
        self._reported: set[str] = set()
        #: What the last run of each package showed, for the difference that a save made.
        self._before: dict[str, list[Message]] = {}
        self._last = ("idle", "", 0, "")
        self._unshown: dict[str, None] = {}
        self._showing: asyncio.Task[None] | None = None
        self._workers = Workers()
        self._cache = user_cache()
        self._analyzer = self._new_analyzer()

    def _new_analyzer(self) -> Analyzer:
        go = self.settings.go.path or None
        return Analyzer(os.environ, go, workers=self._workers, cache=self._cache)

    def warm(self) -> None:
        """The client is ready: prepare what the first run needs."""
        self._workers.warm()

    # -- settings -------------------------------------------------------------

    def configure(self, raw: object) -> None:
        """Take settings as the client sends them; each problem is said once."""
        settings, problems = load(raw)
        for problem in problems:
            if problem not in self._reported:
                self._reported.add(problem)
                self._client.warn(problem)
        if settings == self.settings:
            return
        before, self.settings = self.settings, settings
        if settings.show != before.show:
            self.show = Show(settings.show)
        if settings.go != before.go:
            self._analyzer = self._new_analyzer()
        if (settings.go, settings.tests) != (before.go, before.tests):
            self.analyze_open()
        self.refresh()
        self._client.refresh(everything=True)

    def set_filter(self, types_: Sequence[str] | None) -> None:
        """Change what is shown, without a compile; None goes back to the settings."""
        self.show = Show(types_ if types_ is not None else self.settings.show)
        self.refresh()

    def refresh(self) -> None:
        """Show again what is known."""
        paths = {path for s in self.store.all() for path in (*s.files, *s.own_files)}
        self._shown(paths | self.publisher.published())
        self._again()

    # -- documents ------------------------------------------------------------

    def opened(self, document: Document) -> None:
        """A document was opened: show what is known of it, or analyse its package."""
        self.documents.open(document)
        if self.settings.run != "manual" and not self._is_known(document.path):
            self.analyze_soon(document.path)
            return
        self._shown({document.path})
        self._again()

    def _is_known(self, path: str) -> bool:
        snapshots = [s for s in self.store.all() if path in s.own_files]
        tested = path.endswith("_test.go") and self.settings.tests == "auto"
        return bool(snapshots) and not tested

    def changed(self, document: Document) -> None:
        """A document was edited: messages move with the text, and are renewed where that is wanted.

        Hints and lenses are not refreshed: a client asks for those of a text that it changed by itself.
        """
        self.publisher.update({document.path}, self.settings, self.show)
        if self.settings.run == "onType":
            self.analyze_soon(document.path, typing=True)

    def saved(self, document: Document) -> None:
        """A document was saved: analyse its package."""
        document.save()
        if self.settings.diagnostics == "new":
            self.publisher.remember(document.path)
        if self.settings.run != "manual":
            self.analyze_soon(document.path)

    def closed(self, uri: str) -> None:
        """A document was closed."""
        document = self.documents.close(uri)
        if document is None:
            return
        if not Path(document.path).exists():
            self.removed(document.path)
        self._shown({document.path})

    def removed(self, path: str) -> None:
        """A file is gone: its messages go, its package is analysed again."""
        owners = [s.key for s in self.store.all() if path in s.own_files]
        self.store.forget_file(path)
        self._shown({path})
        self._again()
        for key in owners:
            open_file = next((d.path for d in self.documents if str(Path(d.path).parent) == key), None)
            if open_file is not None and self.settings.run != "manual":
                self.analyze_soon(open_file)

    def changed_outside(self, path: str) -> None:
        """A file that is not open was written or came: its package is analysed if it is watched."""
        folder = str(Path(path).parent)
        watched = any(str(Path(d.path).parent) == folder for d in self.documents)
        if watched and self.settings.run != "manual":
            self.analyze_soon(path)

    def environment_changed(self) -> None:
        """go.mod, go.work or go.sum changed: Go is asked again."""
        self._analyzer.forget_toolchains()
        self.analyze_open()

    def clear(self) -> None:
        """Remove everything shown."""
        touched = self.store.clear()
        self._shown(touched | self.publisher.published())
        self._again()

    def _shown(self, paths: Iterable[str]) -> None:
        """Show what is known of some files: open ones now, the others one after the other."""
        paths = set(paths)
        opened = {path for path in paths if self.documents.at(path) is not None}
        self.publisher.update(opened, self.settings, self.show)
        self._unshown.update(dict.fromkeys(sorted(paths - opened)))
        if self._unshown and (self._showing is None or self._showing.done()):
            self._showing = asyncio.ensure_future(self._show_others())
        self._client.refresh()

    async def _show_others(self) -> None:
        while self._unshown:
            path = next(iter(self._unshown))
            del self._unshown[path]
            await self.publisher.update_in_slices(path, self.settings, self.show)

    async def _all_shown(self) -> None:
        """Wait until nothing is left to be shown."""
        if self._showing is not None:
            await asyncio.shield(self._showing)

    def _status(self, state: str, package: str, generation: int, message: str) -> None:
        if state != "running":
            self._last = (state, package, generation, message)
        self._client.status(state, package, generation, message)

    def _again(self) -> None:
        """What is shown changed without a run: the last status once more."""
        self._client.status(*self._last)

    # -- runs -----------------------------------------------------------------

    def options(self, folder: str) -> BuildOptions:
        """Build options for a folder, from the settings and the open documents."""
        tests = self.settings.tests == "on" or (
            self.settings.tests == "auto"
            and any(d.path.endswith("_test.go") and str(Path(d.path).parent) == folder for d in self.documents)
        )
        go = self.settings.go
        return BuildOptions(tests=tests, tags=go.tags, gcflags=go.gcflags, env=go.env)

    def analyze_open(self) -> None:
        """Analyse the packages of all open documents."""
        if self.settings.run == "manual":
            return
        for document in self.documents:
            self.analyze_soon(document.path)

    def analyze_soon(self, path: str, typing: bool = False) -> asyncio.Task[None] | None:
        """Start a run for the package of a file; a run of it that is under way ends first.

        While ``typing`` the open texts stand for the files on disk, and it waits a little longer.
        """
        if not path.endswith(".go") or not Path(path).is_file():
            return None
        source = read_source(path) or b""
        key = path if is_script(source) else str(Path(path).parent)
        delay = TYPING_DEBOUNCE if typing else None
        return self.scheduler.submit(key, lambda: self._run(key, self._target(path, typing)), delay)

    def _target(self, path: str, typing: bool) -> Target:
        target = target_for_file(Path(path), self.options(str(Path(path).parent)))
        if typing:
            edited = {d.path: d.text for d in self.documents if d.edited and d.path.endswith(".go")}
            target = replace(target, overlay=edited)
        if self.settings.scope == "module":
            return replace(target, cwd=module_root(target.cwd), patterns=("./...",))
        return target

    def _near(self) -> list[str]:
        """The folders of the open documents: what is near them is analysed first."""
        return [str(Path(document.path).parent) for document in self.documents]

    async def analyze(self, path: str, scope: str, options: BuildOptions | None, label: str) -> Run:
        """A run that was asked for. With options of its own its result is kept apart, labelled.

        Raises UsageError for a file that does not exist.
        """
        folder = str(Path(path).parent)
        target = target_for_file(Path(path), options or self.options(folder))
        key = folder
        if scope == "module":
            root = module_root(target.cwd)
            target, key = replace(target, cwd=root, patterns=("./...",)), str(root)
        elif is_script(read_source(path) or b""):
            key = path
        if options is None:
            await self.scheduler.settled(key, self.scheduler.submit(key, lambda: self._run(key, target, scope), 0.0))
            snapshot = self.store.get(key) or self.store.get(folder)
            status = "failed" if snapshot is None or snapshot.stale else "ok"
            return Run(status, len(self.messages(scope, path)))
        result = await self._analyzer.run(target)
        found = [m for r in result.reports for m in r.messages if scope != "file" or m.place.file == path]
        run = self.runs.add(scope, label, found, key, environment_of(result, target.options))
        messages = [m for m in found if self.show(m)]
        failed = any(r.status == "failed" for r in result.reports)
        return Run("failed" if failed else "ok", len(messages), run)

    async def _run(self, key: str, target: Target, scope: str = "package") -> None:
        generation = self.store.next_generation()
        name = self._name(key)
        self._status("running", name, generation, "")
        progress = self._client.begin_progress(f"Escape analysis of {name}", lambda: self.scheduler.cancel(key))
        try:
            result = await self._analyzer.run(
                target,
                lambda package: self._came([package], generation, target),
                on_first=lambda first: self._came(first.packages, generation, target),
                near=self._near(),
                urgent=target.patterns == (".",) and not target.options.back_end,
            )
        except asyncio.CancelledError:
            if not self.scheduler.is_superseded(key):
                self._status("idle", name, generation, "cancelled")
            raise
        except EscapeLensError as error:
            self._failed(name, generation, str(error))
            return
        finally:
            progress.end()
        script = target.only == key
        snapshots = snapshots_of(result, generation, key if script else None)
        if not snapshots:
            self._failed(name, generation, result.said or "The go command listed no package.")
            return
        if target.overlay and any(snapshot.errors for snapshot in snapshots):
            # Unfinished text: quiet until it compiles, the last good result stays.
            self._status("idle", name, generation, "")
            return
        touched: set[str] = set()
        for snapshot in snapshots:
            touched |= self._commit(snapshot)
        self._log_unparsed(snapshots)
        shown = self.messages(scope, target.only or "")
        comes_again = self.settings.back_end and not target.options.back_end
        if not comes_again and not any(snapshot.errors for snapshot in snapshots):
            found = [m for r in result.reports for m in r.messages if scope != "file" or m.place.file == target.only]
            self.runs.add(scope, "", found, key, environment_of(result, target.options))
        self._shown(touched)
        await self._all_shown()
        self._report(snapshots, generation, shown)
        if self.settings.back_end and not target.options.back_end:
            # The back end's facts come second: nobody waits for them.
            await self._run(key, replace(target, options=replace(target.options, back_end=True)), scope)

    def _came(self, packages: Sequence[Analysed], generation: int, target: Target) -> None:
        """A package is understood, the run goes on: show it, and what is known of its test variants as it was."""
        key = packages[0].report.dir
        before = self.store.get(key)
        variants = [p for p in before.packages if p.report.variant] if before and target.options.tests else []
        snapshot = snapshot_of([*packages, *variants], generation, key)
        if not (target.overlay and snapshot.errors):
            self._shown(self._commit(snapshot))

    def _commit(self, snapshot: Snapshot) -> set[str]:
        skipped = all(report.status == "skipped" for report in snapshot.reports)
        if skipped and self.store.get(snapshot.key) is not None:
            # Nothing was compiled: what is known of the folder's other files stays.
            return set()
        return self.store.commit(snapshot) or set()

    def _report(self, snapshots: list[Snapshot], generation: int, shown: list[Message]) -> None:
        errors = [error for snapshot in snapshots for error in snapshot.errors]
        skipped = [r for s in snapshots for r in s.reports if r.status == "skipped"]
        name = snapshots[0].name
        if errors:
            self._status("failed", name, generation, errors[0].text)
        elif skipped and len(skipped) == sum(len(s.reports) for s in snapshots):
            self._status("idle", name, generation, skipped[0].error or "")
        else:
            counts = Counter(message.type for message in shown)
            parts = [f"{counts[t]} {label}" for t, label in TYPE_LABELS.items() if counts[t]]
            free = sum(self.show.hides_free(m) for s in snapshots for r in s.reports for m in r.messages)
            changed = difference(self._before[name], shown) if name in self._before else ""
            self._before[name] = shown
            text = " · ".join([*parts, *([f"{free} free"] if free else []), *([changed] if changed else [])])
            self._status("idle", name, generation, text)

    def _failed(self, name: str, generation: int, text: str) -> None:
        self._analyzer.forget_toolchains()
        if text not in self._reported:
            self._reported.add(text)
            self._client.warn(text)
        self._status("failed", name, generation, text)

    def _log_unparsed(self, snapshots: list[Snapshot]) -> None:
        for report in (r for s in snapshots for r in s.reports):
            for line in report.unparsed:
                if line not in self._reported:
                    self._reported.add(line)
                    logger.warning("%s: a line was not understood: %s", report.import_path, line)

    def _name(self, key: str) -> str:
        snapshot = self.store.get(key)
        return (snapshot.name if snapshot else "") or Path(key).name

    # -- reading --------------------------------------------------------------

    def messages(self, scope: str, path: str) -> list[Message]:
        """The messages that are shown in a scope around a file, without regard to edits."""
        if scope == "file":
            return [m for f, _ in self.store.messages_of(path) for m in f.messages if self.show(m)]
        return [
            m
            for snapshot in self.snapshots(scope, path)
            for report in snapshot.reports
            for m in report.messages
            if self.show(m)
        ]

    def snapshots(self, scope: str, path: str) -> list[Snapshot]:
        """The snapshots in a scope around a file: its package's, or all."""
        if scope == "module":
            root = module_root(Path(path).parent) if path else Path("/")
            return [s for s in self.store.all() if not path or Path(s.key).is_relative_to(root)]
        folder = str(Path(path).parent)
        found = [s for s in self.store.all() if path in s.own_files or s.key in (path, folder)]
        return found[:1] if found else []

    async def close(self) -> None:
        """End all runs and workers."""
        await self.scheduler.close()
        self._workers.close()


def environment_of(result: RunResult, options: BuildOptions) -> dict[str, Any]:
    """What a run was compiled with: release, target, tags and flags."""
    toolchain = result.toolchain
    return {
        "go": toolchain.version,
        "goos": toolchain.variables.get("GOOS", ""),
        "goarch": toolchain.variables.get("GOARCH", ""),
        "tags": list(options.tags),
        "gcflags": list(options.gcflags),
    }


def module_root(folder: Path) -> Path:
    """The nearest folder upwards that has a go.mod; the folder itself without one."""
    for candidate in (folder, *folder.parents):
        if (candidate / "go.mod").is_file():
            return candidate
    return folder
