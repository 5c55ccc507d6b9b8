"""Two results side by side: what is gone, what is new, what only moved.

A message is the same in both if its function, kind and words are equal; its line does not count. Five rounds, each for
what the earlier ones left: the same file; another file of the same package (a renamed file, a function that moved);
a package of another name (a renamed folder); another number of a closure; the same place in the same function, for
values without a name (releases word one verdict differently: ``32 escapes`` for ``size escapes``).

Lines are compared after the shift of the messages around them that occur once: of five equal messages in a function
the one that was added is the new one.
"""

from __future__ import annotations

import bisect
import os.path
import re
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any, Generic, TypeVar

from escapelens.core.fold import head_of
from escapelens.core.model import Message

T = TypeVar("T")
_CLOSURE = re.compile(r"\.(?:func|gowrap|deferwrap)\d.*$")
_EXPRESSIONS = ("escapes-to-heap", "does-not-escape")
#: Pairs of equal messages of one function that are matched by distance; beyond it in their order.
_EXACT = 40_000


@dataclass(frozen=True, slots=True)
class Entry(Generic[T]):
    """What a comparison needs of one message; ``value`` is the message in the caller's form."""

    file: str
    package: str
    function: str
    kind: str
    words: str
    line: int
    column: int
    value: T


@dataclass(frozen=True, slots=True)
class Comparison(Generic[T]):
    """The result. ``moved`` has pairs (before, after); ``gone_lines`` says for each of ``gone`` in which line
    it would stand now, as far as its neighbours tell.
    """

    gone: tuple[T, ...]
    new: tuple[T, ...]
    moved: tuple[tuple[T, T], ...]
    same: int
    gone_lines: tuple[int, ...] = ()


Versions = tuple[str, str]


def compare(
    before: Iterable[Mapping[str, Any]], after: Iterable[Mapping[str, Any]], versions: Versions = ("", "")
) -> Comparison[Mapping[str, Any]]:
    """Compare the ``messages`` of two reports (JSON values of schema ``escapelens/1``).

    ``versions`` are the releases of Go that made them, like ``go1.26.8``: what one of the two never prints is no
    difference.
    """
    return _compare(_json_entries(list(before)), _json_entries(list(after)), versions)


def compare_messages(
    before: Iterable[Message], after: Iterable[Message], versions: Versions = ("", "")
) -> Comparison[Message]:
    """Compare the messages of two runs; ``versions`` as in ``compare``."""
    return _compare([_message_entry(m) for m in before], [_message_entry(m) for m in after], versions)


def _compare(before: list[Entry[T]], after: list[Entry[T]], versions: Versions) -> Comparison[T]:
    if sum(_prints_append(version) for version in versions) == 1:
        before, after = [e for e in before if not _is_append(e)], [e for e in after if not _is_append(e)]
    return compare_entries(before, after)


def _prints_append(version: str) -> bool:
    """Tell whether a release reports the array that append makes; the releases before 1.25 do not."""
    match = re.match(r"go1\.(\d+)", version)
    return match is None or int(match[1]) >= 25


def _is_append(entry: Entry[Any]) -> bool:
    return entry.words == "append" and entry.kind in _EXPRESSIONS


def compare_entries(before: Sequence[Entry[T]], after: Sequence[Entry[T]]) -> Comparison[T]:
    """Compare two lists of entries; their order does not matter."""
    matcher = _Matcher(before, after)
    matcher.round(lambda e: (e.file, e.function, e.kind, e.words))
    matcher.round(lambda e: (e.package, e.function, e.kind, e.words))
    matcher.round(_renamed_folder(before, after))
    matcher.round(lambda e: (e.file, _CLOSURE.sub("", e.function), e.kind, e.words))
    matcher.same_places()
    return matcher.result()


Key = Callable[[Entry[Any]], Hashable]


def _renamed_folder(before: Sequence[Entry[T]], after: Sequence[Entry[T]]) -> Key:
    """The key of the round for packages that only one side has; None for all others."""
    old, new = {e.package for e in before}, {e.package for e in after}
    alone = old ^ new

    def key(entry: Entry[Any]) -> Hashable:
        if entry.package not in alone:
            return None
        return PurePath(entry.file).name, entry.function, entry.kind, entry.words

    return key


class _Matcher(Generic[T]):
    """Pairs entries round by round."""

    def __init__(self, before: Sequence[Entry[T]], after: Sequence[Entry[T]]) -> None:
        self._old = sorted(before, key=_place)
        self._new = sorted(after, key=_place)
        self._pairs: list[tuple[Entry[T], Entry[T]]] = []
        self._lines: dict[int, int] = {}
        self._shifts: dict[str, tuple[list[int], list[int]]] = self._anchors()

    def _anchors(self) -> dict[str, tuple[list[int], list[int]]]:
        """By file: lines of messages that occur once on both sides, and how far each moved."""
        old, new = _grouped(self._old, _first_key), _grouped(self._new, _first_key)
        found: dict[str, tuple[list[int], list[int]]] = {}
        for key, left in old.items():
            right = new.get(key, [])
            if len(left) == len(right) == 1:
                lines, shifts = found.setdefault(left[0].file, ([], []))
                lines.append(left[0].line)
                shifts.append(right[0].line - left[0].line)
        return found

    def expected(self, entry: Entry[T]) -> int:
        """The line where an old entry stands now, if it moved like its neighbours."""
        return self._lines.get(id(entry), self._neighbour(entry, 0))

    def _neighbour(self, entry: Entry[T], side: int) -> int:
        """The line of an old entry after the shift of the neighbour above it (side 0) or below it (side 1)."""
        lines, shifts = self._shifts.get(entry.file, ([], []))
        if not lines:
            return entry.line
        index = bisect.bisect_right(lines, entry.line) - 1 + side
        return entry.line + shifts[min(max(0, index), len(shifts) - 1)]

    def _settle(self, left: list[Entry[T]], right: list[Entry[T]]) -> None:
        """Decide for entries of one key which neighbour they moved with: where more of them stand now."""
        there = {(e.line, e.column) for e in right}
        sides = [[(self._neighbour(e, side), e) for e in left] for side in (0, 1)]
        best = max(sides, key=lambda found: sum((line, e.column) in there for line, e in found))
        self._lines.update({id(e): line for line, e in best})

    def round(self, key: Key) -> None:
        """Pair what has equal keys; a key of None pairs nothing."""
        new = _grouped(self._new, key)
        matched: set[int] = set()
        for name, left in _grouped(self._old, key).items():
            right = new.get(name, [])
            if name is not None and right:
                matched |= self._pair(left, right)
        self._keep_rest(matched)

    def same_places(self) -> None:
        """Pair values without a name that stand at one place and differ in words alone."""
        there = {(e.file, e.function, e.line, e.column, e.kind): e for e in reversed(self._new)}
        matched: set[int] = set()
        for old in self._old:
            new = there.pop((old.file, old.function, self.expected(old), old.column, old.kind), None)
            if new is not None and old.kind in _EXPRESSIONS:
                matched |= self._take(old, new)
        self._keep_rest(matched)

    def _pair(self, left: list[Entry[T]], right: list[Entry[T]]) -> set[int]:
        """Pair entries of one key: first those at their expected places, then the nearest in order."""
        self._settle(left, right)
        there = {(e.line, e.column): e for e in reversed(right)}
        matched: set[int] = set()
        for old in left:
            new = there.pop((self.expected(old), old.column), None)
            if new is not None:
                matched |= self._take(old, new)
        left = [e for e in left if id(e) not in matched]
        right = [e for e in right if id(e) not in matched]
        for old, new in self._nearest(left, right):
            matched |= self._take(old, new)
        return matched

    def _nearest(self, left: list[Entry[T]], right: list[Entry[T]]) -> list[tuple[Entry[T], Entry[T]]]:
        if len(left) == len(right) or len(left) * len(right) > _EXACT:
            return list(zip(left, right, strict=False))
        lines = [self.expected(e) for e in left]
        if len(left) < len(right):
            chosen = _closest(lines, [e.line for e in right])
            return [(old, right[index]) for old, index in zip(left, chosen, strict=True)]
        chosen = _closest([e.line for e in right], lines)
        return [(left[index], new) for new, index in zip(right, chosen, strict=True)]

    def _take(self, old: Entry[T], new: Entry[T]) -> set[int]:
        self._pairs.append((old, new))
        return {id(old), id(new)}

    def _keep_rest(self, matched: set[int]) -> None:
        self._old = [e for e in self._old if id(e) not in matched]
        self._new = [e for e in self._new if id(e) not in matched]

    def result(self) -> Comparison[T]:
        """What was paired and what was not."""
        moved = [(a, b) for a, b in self._pairs if _place(a) != _place(b)]
        moved.sort(key=lambda pair: _place(pair[1]))
        return Comparison(
            gone=tuple(e.value for e in self._old),
            new=tuple(e.value for e in self._new),
            moved=tuple((a.value, b.value) for a, b in moved),
            same=len(self._pairs) - len(moved),
            gone_lines=tuple(self.expected(e) for e in self._old),
        )


def _first_key(entry: Entry[Any]) -> Hashable:
    return entry.file, entry.function, entry.kind, entry.words


def _place(entry: Entry[Any]) -> tuple[str, int, int]:
    return entry.file, entry.line, entry.column


def _grouped(entries: Iterable[Entry[T]], key: Key) -> dict[Hashable, list[Entry[T]]]:
    found: dict[Hashable, list[Entry[T]]] = defaultdict(list)
    for entry in entries:
        found[key(entry)].append(entry)
    return found


def _closest(few: list[int], many: list[int]) -> list[int]:
    """For each of a few numbers, in order, the index of one of many: the smallest sum of distances."""
    costs = [0.0] * (len(many) + 1)
    taken: list[list[bool]] = []
    for place, wanted in enumerate(few):
        row = [float("inf")] * (len(many) + 1)
        take = [False] * (len(many) + 1)
        for index in range(place + 1, len(many) + 1):
            here = costs[index - 1] + abs(many[index - 1] - wanted)
            take[index] = here < row[index - 1]
            row[index] = min(here, row[index - 1])
        costs = row
        taken.append(take)
    found: list[int] = []
    index = len(many)
    for take in reversed(taken):
        while not take[index]:
            index -= 1
        index -= 1
        found.append(index)
    return found[::-1]


def _words(kind: str, subject: str, text: str) -> str:
    """What is compared of a message's words: costs and reasons of inlining may change, the verdict is the same."""
    if kind in ("can-inline", "cannot-inline"):
        return subject
    if head_of(subject) == "append":
        return "append"
    return " ".join(text.split())


def _message_entry(message: Message) -> Entry[Message]:
    place = message.place
    return Entry(
        file=place.file or "",
        package=message.package,
        function=message.function or "",
        kind=message.kind,
        words=_words(message.kind, message.subject, message.text),
        line=place.line,
        column=place.column or 0,
        value=message,
    )


def _json_entries(messages: list[Mapping[str, Any]]) -> list[Entry[Mapping[str, Any]]]:
    root = _root(messages)
    return [_json_entry(raw, root) for raw in messages]


def _json_entry(raw: Mapping[str, Any], root: str) -> Entry[Mapping[str, Any]]:
    file = str(raw.get("file") or "")
    kind, subject = str(raw.get("kind")), str(raw.get("subject") or "")
    return Entry(
        file=file[len(root) :] if root and file.startswith(root) else file,
        package=str(raw.get("package") or ""),
        function=str(raw.get("function") or ""),
        kind=kind,
        words=_words(kind, subject, str(raw.get("message"))),
        line=raw.get("line") or 0,
        column=raw.get("column") or 0,
        value=raw,
    )


def _root(messages: list[Mapping[str, Any]]) -> str:
    """The folder that all files share: two checkouts of one module compare by relative path."""
    files = sorted({str(PurePath(str(m["file"])).parent) for m in messages if m.get("file")})
    return os.path.commonpath(files) if files else ""
