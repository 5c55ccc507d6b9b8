"""The last runs, kept to be compared."""

from __future__ import annotations

import itertools
import time
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from escapelens.core.compare import Comparison, compare
from escapelens.core.model import Message
from escapelens.core.report import message_json
from escapelens.errors import UsageError

#: Older runs are forgotten.
KEPT = 10


@dataclass(frozen=True, slots=True)
class KeptRun:
    """One run; ``label`` names an environment of its own, ``time`` is seconds since the epoch."""

    id: str
    scope: str
    label: str
    time: float
    messages: tuple[Message, ...]


class Runs:
    """A bounded list of runs, newest last."""

    def __init__(self) -> None:
        self._numbers = itertools.count(1)
        self._runs: OrderedDict[str, KeptRun] = OrderedDict()

    def add(self, scope: str, label: str, messages: Sequence[Message]) -> str:
        """Keep a run; its id."""
        run = KeptRun(str(next(self._numbers)), scope, label, time.time(), tuple(messages))
        self._runs[run.id] = run
        while len(self._runs) > KEPT:
            self._runs.popitem(last=False)
        return run.id

    def list(self) -> list[dict[str, Any]]:
        """All kept runs, newest first, without their messages."""
        return [
            {"id": r.id, "scope": r.scope, "label": r.label, "time": r.time, "messages": len(r.messages)}
            for r in reversed(self._runs.values())
        ]

    def compare(self, before: str, after: str) -> Comparison:
        """Compare two kept runs. Raises UsageError for an id that is not kept."""
        runs = []
        for number in (before, after):
            if number not in self._runs:
                raise UsageError(f"There is no run {number!r}; escapelens.runs lists those that are kept.")
            runs.append([message_json(m) for m in self._runs[number].messages])
        return compare(*runs)
