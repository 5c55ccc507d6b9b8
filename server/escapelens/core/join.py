"""Headers, flows and verdicts of one value become one ``Value``.

The compiler prints a batch of mutually recursive functions at a time: first the headers with
their flows, while it walks and solves the graph, then the verdicts (``escape/escape.go``: walk,
solve, finish). A verdict belongs to headers at the same point of the same batch; equal words do
not tell, since 1.25 prints ``append`` for ``append(s, x)`` and constants may be substituted in
between. So: same words first, then what is left in the order of the log.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from escapelens.core.model import Place, Way
from escapelens.core.text_log import Header, Record, Unknown, Verdict

_HEAP = frozenset({"moved-to-heap", "escapes-to-heap"})
_LEAK = frozenset({"leaking-param", "leaking-param-content", "leaking-param-to-result"})
_RESULT = re.compile(r"leaking param: .* to result (\S+) level=-?\d+", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Value:
    """One value and what the compiler decided about it.

    ``function`` is the compiler's own name, as printed in a header (Go 1.25 and later), else None.
    ``header_only`` marks headers that no verdict follows; ``destination`` and ``derefs`` are then
    those of a leak. ``inlined`` is the chain of inlined places, which only JSON records have.
    """

    place: Place
    kind: str
    text: str
    subject: str
    function: str | None = None
    ways: tuple[Way, ...] = ()
    header_only: bool = False
    destination: str | None = None
    derefs: int = 0
    inlined: tuple[Place, ...] = ()


def join(records: Iterable[Record]) -> Iterator[Value | Unknown]:
    """Join the records of one compile. Unknown lines pass through."""
    pending: dict[Place, list[Header]] = {}
    block: list[Verdict] = []
    for record in records:
        if isinstance(record, Header):
            if block:
                yield from _finish(block, pending)
                block = []
                pending = {}
            pending.setdefault(record.place, []).append(record)
        elif isinstance(record, Unknown):
            yield record
        elif record.kind in _HEAP or record.kind in _LEAK:
            block.append(record)
        else:
            yield Value(record.place, record.kind, record.text, record.subject)
    yield from _finish(block, pending)


def _finish(block: list[Verdict], pending: dict[Place, list[Header]]) -> Iterator[Value]:
    """End a batch: give the headers to its verdicts, then let go those that have none."""
    by_place: dict[Place, list[Verdict]] = {}
    for verdict in block:
        by_place.setdefault(verdict.place, []).append(verdict)
    for place, verdicts in by_place.items():
        headers = pending.pop(place, [])
        owners = _assign(verdicts, headers)
        for index, verdict in enumerate(verdicts):
            own = [header for header, owner in zip(headers, owners, strict=True) if owner == index]
            yield Value(
                verdict.place,
                verdict.kind,
                verdict.text,
                verdict.subject,
                next((h.function for h in own if h.function), None),
                tuple(h.way for h in own),
            )
        left = [h for h, owner in zip(headers, owners, strict=True) if owner is None]
        yield from map(_header_only, left)
    for headers in pending.values():
        yield from map(_header_only, headers)


def _assign(verdicts: list[Verdict], headers: list[Header]) -> list[int | None]:
    """For each header at one place the index of its verdict, None for those without."""
    owners: list[int | None] = [None] * len(headers)
    heap = [i for i, v in enumerate(verdicts) if v.kind in _HEAP]
    leaks = [i for i, v in enumerate(verdicts) if v.kind in _LEAK]
    for subject in dict.fromkeys(verdicts[i].subject for i in heap):
        same = [i for i in heap if verdicts[i].subject == subject]
        mine = [j for j, h in enumerate(headers) if not h.destination and h.subject == subject]
        # As many headers as values: one each. More: a value can have several, the last takes them.
        for order, j in enumerate(mine):
            owners[j] = same[min(order, len(same) - 1)]
    taken = set(owners)
    free = [i for i in heap if i not in taken]
    for j, header in enumerate(headers):
        if owners[j] is None and not header.destination and free:
            owners[j] = _take(free, verdicts, header)
    for j, header in enumerate(headers):
        if header.destination:
            owners[j] = _leak_owner(header, leaks, heap, verdicts)
    return owners


def _take(free: list[int], verdicts: list[Verdict], header: Header) -> int | None:
    """The next verdict that may have other words than its header."""
    if header.subject == "func literal":
        # The closure of a go or defer statement has no verdict, others keep their words.
        return None
    for position, i in enumerate(free):
        if (verdicts[i].subject == "append") == header.subject.startswith("append("):
            return free.pop(position)
    return free.pop(0)


def _leak_owner(header: Header, leaks: list[int], heap: list[int], verdicts: list[Verdict]) -> int | None:
    """The verdict of a leak header.

    A leak to a result has a verdict of its own, unless a leak to the heap over as few
    dereferences says it all (``leaks.Optimize``), or the parameter itself moved to the heap.
    """
    name = _bare(header.subject)
    same = [i for i in leaks if _bare(verdicts[i].subject) == name]
    for i in same:
        match = _RESULT.fullmatch(verdicts[i].text)
        if match is not None and match[1] == header.destination:
            return i
    for i in same:
        if verdicts[i].kind != "leaking-param-to-result":
            return i
    moved = [i for i in heap if verdicts[i].kind == "moved-to-heap" and _bare(verdicts[i].subject) == name]
    owners = same or moved
    return owners[0] if owners else None


def _bare(name: str) -> str:
    """A parameter's name without its package: inlined closures have it in the header only."""
    return name.rpartition(".")[2] or name


def _header_only(header: Header) -> Value:
    if header.destination is None:
        kind = "escapes-to-heap"
    elif header.destination.startswith("~r"):
        kind = "leaking-param-to-result"
    else:
        kind = "leaking-param" if header.derefs == 0 else "leaking-param-content"
    return Value(
        header.place,
        kind,
        header.text,
        header.subject,
        header.function,
        (header.way,),
        True,
        header.destination,
        header.derefs,
    )
