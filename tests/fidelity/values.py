"""Which verdicts a header can belong to.

``escape.go`` prints a header with ``%v`` of the node while it solves the flow graph and the verdict
with ``%v`` of the same node when it is done. In between the node may have been rewritten: constants
are substituted, and 1.25 and later print every append as ``append``. Leaks are summed up: a result
has a verdict of its own unless a leak to the heap over as few dereferences says it all
(``leaks.Optimize``); a leak to the heap without a dereference is never one of content; and none at
all is printed for a parameter that moved to the heap.

Functions are analysed in batches (those that call each other; callees first), and a batch's headers
come before its verdicts. A header at the place of another batch's verdict is not its: it comes from
a method wrapper, or from another copy of a closure in generic code.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from tests.fidelity.oracle import Point, Record

_LEAKS = ("leak", "leak-content", "leak-result")


def bare(name: str) -> str:
    """A parameter's name without the package that headers of closures inlined from there have."""
    return name.rpartition(".")[2] or name


class Verdicts:
    """The verdicts of one compile about heap values and parameters, by place."""

    def __init__(self, records: Iterable[Record]) -> None:
        self._heap: dict[Point, list[Record]] = defaultdict(list)
        self._leaks: dict[Point, list[Record]] = defaultdict(list)
        self._moving: set[tuple[Point, str, int, str]] = set()
        for record in records:
            if record.what == "escape":
                self._moving.add((record.point, bare(record.subject), record.batch, record.function))
            if record.kind in ("moved", "escapes"):
                self._heap[record.point].append(record)
            elif record.kind in _LEAKS:
                self._leaks[record.point].append(record)

    def owners(self, header: Record) -> list[Record]:
        """The verdicts that may be about the header's value; empty for a header without one."""
        if header.what == "escape":
            return self._of_escape(header)
        return self._of_leak(header)

    def _of_escape(self, header: Record) -> list[Record]:
        here = [v for v in self._heap.get(header.point, ()) if v.batch == header.batch]
        same = [v for v in here if v.subject == header.subject]
        if same or header.subject == "func literal":
            return same
        if header.subject.startswith("append("):
            return [v for v in here if v.subject == "append"]
        return [v for v in here if v.kind == "escapes"]

    def _of_leak(self, header: Record) -> list[Record]:
        name = bare(header.subject)
        here = [
            verdict
            for verdict in self._leaks.get(header.point, ())
            if verdict.batch == header.batch and bare(verdict.subject) == name
        ]
        result = [v for v in here if v.target == header.target and v.kind == "leak-result"]
        heap = [v for v in here if v.kind != "leak-result"]
        if here and header.derefs == 0:
            heap = [v for v in heap if v.kind == "leak"] or heap
        if here:
            return result or heap or here
        # The parameter itself has moved if the same function has a header that says so.
        if (header.point, name, header.batch, header.function) not in self._moving:
            return []
        return [
            verdict
            for verdict in self._heap.get(header.point, ())
            if verdict.batch == header.batch and verdict.kind == "moved" and bare(verdict.subject) == name
        ]
