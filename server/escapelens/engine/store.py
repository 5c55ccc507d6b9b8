"""Immutable snapshots per package folder; a result is taken only if it is newer."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from escapelens.core.model import BuildError, Message, PackageReport
from escapelens.core.packed import PackedText
from escapelens.core.report import sort_key
from escapelens.engine.result import Analysed, AnalysedFile, RunResult


@dataclass(frozen=True, slots=True)
class FileMessages:
    """The messages of one file with the text they were computed from; ``identity`` is equal for equal ones."""

    path: str
    text: PackedText
    messages: tuple[Message, ...]
    identity: bytes

    @property
    def source(self) -> bytes:
        """The text that the messages were computed from."""
        return self.text.bytes


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The newest result of one package folder, its test variants included.

    ``stale`` marks the last good result of a package that does not build now; ``errors`` say why.
    """

    key: str
    generation: int
    packages: tuple[Analysed, ...]
    files: Mapping[str, FileMessages] = field(default_factory=dict)
    own_files: frozenset[str] = frozenset()
    stale: bool = False
    errors: tuple[BuildError, ...] = ()
    repeat: str = ""

    @property
    def reports(self) -> tuple[PackageReport, ...]:
        """The reports of the package and its test variants."""
        return tuple(package.report for package in self.packages)

    @property
    def name(self) -> str:
        """The import path of the package."""
        return self.reports[0].import_path if self.reports else ""


class Store:
    """All snapshots. Generations count runs; an older run never replaces a newer one."""

    def __init__(self) -> None:
        self._snapshots: dict[str, Snapshot] = {}
        #: The keys of the snapshots that speak of a file, and of those that it belongs to.
        self._speaking: dict[str, dict[str, None]] = {}
        self._owning: dict[str, dict[str, None]] = {}
        self._numbers = itertools.count(1)

    def next_generation(self) -> int:
        """A number for a run that begins now."""
        return next(self._numbers)

    def get(self, key: str) -> Snapshot | None:
        """The snapshot of a package folder (or of a script's path)."""
        return self._snapshots.get(key)

    def all(self) -> Iterator[Snapshot]:
        """All snapshots, in the order of their first results."""
        return iter(tuple(self._snapshots.values()))

    def clear(self) -> set[str]:
        """Forget everything; the files that had messages or errors."""
        touched = {path for snapshot in self._snapshots.values() for path in paths_of(snapshot)}
        self._snapshots.clear()
        self._speaking.clear()
        self._owning.clear()
        return touched

    def forget_file(self, path: str) -> None:
        """Drop the messages of a file that is gone."""
        for snapshot in self.all():
            if path in snapshot.files or path in snapshot.own_files:
                files = {name: found for name, found in snapshot.files.items() if name != path}
                own = snapshot.own_files - {path}
                self._put(replace(snapshot, files=files, own_files=own))

    def commit(self, snapshot: Snapshot) -> set[str] | None:
        """Take a result. Returns the files whose messages may have changed; None if it came too late.

        A run may come more than once: with the plain package, then with its test variants.
        """
        before = self._snapshots.get(snapshot.key)
        if before is not None and before.generation > snapshot.generation:
            return None
        if snapshot.errors and before is not None:
            # What was good stays, marked old, until the package builds again.
            kept = {**before.files, **snapshot.files}
            snapshot = replace(snapshot, files=kept, own_files=before.own_files | snapshot.own_files)
        self._put(snapshot)
        touched = paths_of(snapshot)
        return touched | (paths_of(before) if before else set())

    def _put(self, snapshot: Snapshot) -> None:
        before = self._snapshots.get(snapshot.key)
        for index, names in ((self._speaking, "files"), (self._owning, "own_files")):
            now = getattr(snapshot, names)
            for path in getattr(before, names, ()):
                if path not in now:
                    index[path].pop(snapshot.key, None)
            for path in now:
                index.setdefault(path, {})[snapshot.key] = None
        self._snapshots[snapshot.key] = snapshot

    def messages_of(self, path: str) -> list[tuple[FileMessages, bool]]:
        """The messages of a file from every package that speaks of it, each with whether it is old."""
        found = [self._snapshots[key] for key in self._speaking.get(path, ())]
        return [(snapshot.files[path], snapshot.stale) for snapshot in found]

    def is_own(self, path: str) -> bool:
        """Tell whether a file belongs to a package that was analysed."""
        return bool(self._owning.get(path))

    def failing(self) -> list[Snapshot]:
        """The snapshots of packages that do not build."""
        return [snapshot for snapshot in self._snapshots.values() if snapshot.errors]


def paths_of(snapshot: Snapshot) -> set[str]:
    """The files that a snapshot speaks of."""
    errors = {e.place.file for e in snapshot.errors if e.place and e.place.file}
    return set(snapshot.files) | errors | set(snapshot.own_files)


def snapshots_of(result: RunResult, generation: int, key: str | None = None) -> list[Snapshot]:
    """The snapshots of a run, one a package folder; ``key`` overrides the folder (scripts)."""
    by_folder: dict[str, list[Analysed]] = {}
    for package in result.packages:
        by_folder.setdefault(key or package.report.dir, []).append(package)
    return [snapshot_of(packages, generation, folder, result.repeat) for folder, packages in by_folder.items()]


def snapshot_of(packages: Sequence[Analysed], generation: int, key: str, repeat: str = "") -> Snapshot:
    """The snapshot of one package folder: the plain package and its variants."""
    reports = [package.report for package in packages]
    by_file: dict[str, list[AnalysedFile]] = {}
    for package in packages:
        for path, file in package.files.items():
            by_file.setdefault(path, []).append(file)
    errors = tuple(e for r in reports if r.status == "failed" for e in r.errors)
    return Snapshot(
        key=key,
        generation=generation,
        packages=tuple(packages),
        files={path: _joined(path, found) for path, found in by_file.items()},
        own_files=frozenset(path for report in reports for path in report.files),
        stale=bool(errors),
        errors=tuple(dict.fromkeys(errors)),
        repeat=repeat,
    )


def _joined(path: str, found: Sequence[AnalysedFile]) -> FileMessages:
    """What a package and its variants say of one file."""
    first = found[0]
    if len(found) == 1:
        return FileMessages(path, first.text, first.messages, first.identity)
    messages = sorted((message for file in found for message in file.messages), key=sort_key)
    return FileMessages(path, first.text, tuple(messages), b"".join(file.identity for file in found))
