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
    for subject in dict.fromkeys(verdicts[i].subject for i in heap):
        same = [i for i in heap if verdicts[i].subject == subject]
        mine = [j for j, h in enumerate(headers) if not h.destination and h.subject == subject]
        _deal(_by_value(headers, mine, len(same)), same, owners)
    taken = set(owners)
    free = [i for i in heap if i not in taken]
    for j, header in enumerate(headers):
        if owners[j] is None and not header.destination and free:
            owners[j] = _take(free, verdicts, header)
    for name in dict.fromkeys(_bare(h.subject) for h in headers if h.destination):
        mine = [j for j, h in enumerate(headers) if h.destination and _bare(h.subject) == name]
        _assign_leaks(verdicts, headers, name, mine, owners)
    return owners


def _by_value(headers: list[Header], mine: list[int], count: int) -> list[list[int]]:
    """Part the headers of ``count`` values of one name at one point.

    From Go 1.25 on headers of different functions (copies of an inlined closure) never share a value;
    inside one function, and before 1.25, each header is taken for a value as long as there are values.
    """
    functions: dict[str | None, list[int]] = {}
    for j in mine:
        functions.setdefault(headers[j].function, []).append(j)
    shares = dict.fromkeys(functions, 1)
    for _ in range(count - len(functions) if functions else 0):
        shares[max(shares, key=lambda name: len(functions[name]) / shares[name])] += 1
    parted: list[list[int]] = []
    for name, found in functions.items():
        share = min(shares[name], len(found))
        parted.extend([j] for j in found[: share - 1])
        parted.append(found[share - 1 :])
    return parted


def _deal(groups: list[list[int]], owners_of: list[int], owners: list[int | None]) -> None:
    """Give each group to the verdict of the same rank; the last verdict takes what is left."""
    for order, group in enumerate(groups):
        for j in group:
            owners[j] = owners_of[min(order, len(owners_of) - 1)] if owners_of else None


def _take(free: list[int], verdicts: list[Verdict], header: Header) -> int | None:
    """The next verdict that may have other words than its header."""
    if header.subject == "func literal":
        # The closure of a go or defer statement has no verdict, others keep their words.
        return None
    for position, i in enumerate(free):
        if (verdicts[i].subject == "append") == header.subject.startswith("append("):
            return free.pop(position)
    return free.pop(0)


def _assign_leaks(
    verdicts: list[Verdict], headers: list[Header], name: str, mine: list[int], owners: list[int | None]
) -> None:
    """Give the leak headers of one name to its verdicts.

    A leak to a result has a verdict of its own, unless a leak to the heap over as few dereferences says
    it all (``leaks.Optimize``), or the parameter itself moved to the heap. Closures of inlined callees
    repeat a parameter's name at its point: then each parameter gets headers of its own.
    """
    same = [i for i, v in enumerate(verdicts) if v.kind in _LEAK and _bare(v.subject) == name]
    moved = [i for i, v in enumerate(verdicts) if v.kind == "moved-to-heap" and _bare(v.subject) == name]
    to_result: dict[str, list[int]] = {}
    for i in same:
        match = _RESULT.fullmatch(verdicts[i].text)
        if match is not None:
            to_result.setdefault(match[1], []).append(i)
    to_heap: list[int] = []
    for j in mine:
        if _bare(headers[j].destination or "") not in to_result:
            to_heap.append(j)
    for result, indices in to_result.items():
        _deal(
            _by_parameter(headers, [j for j in mine if _bare(headers[j].destination or "") == result]), indices, owners
        )
    content = [i for i in same if verdicts[i].kind == "leaking-param-content"]
    whole = [i for i in same if verdicts[i].kind == "leaking-param"]
    deep: list[list[int]] = []
    shallow: list[list[int]] = []
    for group in _by_parameter(headers, to_heap):
        (shallow if min(headers[j].derefs for j in group) == 0 else deep).append(group)
    if not same:
        _give_to_moved(headers, shallow + deep, moved, owners)
    elif not (whole and content):
        _deal(sorted(shallow + deep, key=min), whole or content or same[:1], owners)
    else:
        _deal(shallow, whole, owners)
        # Before 1.25 a header names no function: what is over may be another way of a whole leak.
        _deal(deep[: len(content)], content, owners)
        _deal(deep[len(content) :], whole[::-1], owners)


def _give_to_moved(headers: list[Header], groups: list[list[int]], moved: list[int], owners: list[int | None]) -> None:
    """Give the leaks of parameters that moved to the heap to their verdict, of the same function if that is known."""
    functions: dict[int, set[str | None]] = {
        i: {headers[j].function for j, owner in enumerate(owners) if owner == i} for i in moved
    }
    for group in groups:
        name = headers[group[0]].function
        fitting = [i for i in moved if name is None or name in functions[i]]
        for j in group:
            owners[j] = fitting[0] if fitting else None


def _by_parameter(headers: list[Header], mine: list[int]) -> list[list[int]]:
    """Leak headers of one parameter: those with one function name, else each its own."""
    groups: dict[object, list[int]] = {}
    for j in mine:
        groups.setdefault(headers[j].function or j, []).append(j)
    return list(groups.values())


def _bare(name: str) -> str:
    """A name without its package, which inlined closures have in the header only."""
    return name if name.startswith("{") else name.rpartition(".")[2] or name


def _header_only(header: Header) -> Value:
    if header.destination is None:
        kind = "escapes-to-heap"
    elif _bare(header.destination).startswith("~r"):
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
