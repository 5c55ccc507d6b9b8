"""The last runs, kept to be looked at and compared."""

from __future__ import annotations

import itertools
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from escapelens.core.compare import Comparison, compare_messages
from escapelens.core.model import Message
from escapelens.errors import UsageError

#: Older runs of one root are forgotten, and the oldest of all beyond this many messages.
KEPT = 10
KEPT_MESSAGES = 250_000


@dataclass(frozen=True, slots=True)
class KeptRun:
    """One run with all its messages, whatever was shown.

    ``root`` is the folder of the package or module, or a script's path. ``label`` names an environment of its own,
    empty for the settings'. ``environment`` has go, goos, goarch, tags and gcflags. ``time`` is seconds since the
    epoch.
    """

    id: str
    scope: str
    label: str
    time: float
    messages: tuple[Message, ...]
    root: str = ""
    environment: Mapping[str, Any] = field(default_factory=dict)

    @property
    def series(self) -> tuple[str, str, str]:
        """What runs have in common that follow each other."""
        return self.root, self.scope, self.label


class Runs:
    """A bounded list of runs, newest last."""

    def __init__(self) -> None:
        self._numbers = itertools.count(1)
        self._runs: OrderedDict[str, KeptRun] = OrderedDict()

    def add(
        self,
        scope: str,
        label: str,
        messages: Sequence[Message],
        root: str = "",
        environment: Mapping[str, Any] | None = None,
    ) -> str:
        """Keep a run; its id. A run that found what the one before it found takes that one's place."""
        run = KeptRun("", scope, label, time.time(), tuple(messages), root, environment or {})
        before = next((r for r in reversed(self._runs.values()) if r.series == run.series), None)
        if before is not None and before.environment == run.environment and before.messages == run.messages:
            self._runs[before.id] = replace(run, id=before.id)
            self._runs.move_to_end(before.id)
            return before.id
        run = replace(run, id=str(next(self._numbers)))
        self._runs[run.id] = run
        self._forget()
        return run.id

    def _forget(self) -> None:
        by_root: dict[str, list[str]] = {}
        for run in self._runs.values():
            by_root.setdefault(run.root, []).append(run.id)
        for ids in by_root.values():
            for old in ids[:-KEPT]:
                del self._runs[old]
        while len(self._runs) > 2 and sum(len(r.messages) for r in self._runs.values()) > KEPT_MESSAGES:
            self._runs.popitem(last=False)

    def get(self, number: str) -> KeptRun:
        """A kept run. Raises UsageError for an id that is not kept."""
        if number not in self._runs:
            raise UsageError(f"There is no run {number!r}; escapelens.runs lists those that are kept.")
        return self._runs[number]

    def list(self) -> list[dict[str, Any]]:
        """All kept runs, newest first, without their messages; ``previous`` is the run before of the same series."""
        found = []
        last: dict[tuple[str, str, str], str] = {}
        for run in self._runs.values():
            found.append(
                {
                    "id": run.id,
                    "scope": run.scope,
                    "label": run.label,
                    "root": run.root,
                    "environment": dict(run.environment),
                    "time": run.time,
                    "messages": len(run.messages),
                    "previous": last.get(run.series),
                }
            )
            last[run.series] = run.id
        return found[::-1]

    def compare(
        self, before: str, after: str, keep: Callable[[Message], bool] = lambda message: True
    ) -> Comparison[Message]:
        """Compare the messages of two kept runs that pass ``keep``. Raises UsageError for an id that is not kept."""
        old, new = self.get(before), self.get(after)
        versions = (str(old.environment.get("go", "")), str(new.environment.get("go", "")))
        return compare_messages(filter(keep, old.messages), filter(keep, new.messages), versions)
