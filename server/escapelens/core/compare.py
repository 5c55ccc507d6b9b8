"""Two reports side by side: what is gone, what is new, what only moved.

A message is the same in both if its file, function, kind and words are equal; its line does not
count. 1.25 prints ``append`` where earlier releases print ``append(s, x)``: words are compared
after that. Equal messages of one function are matched in the order of their lines.
"""

from __future__ import annotations

import os.path
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from escapelens.core.fold import head_of


@dataclass(frozen=True, slots=True)
class Entry:
    """What a comparison needs of one message; ``raw`` is its JSON."""

    key: tuple[str, ...]
    line: int
    column: int
    raw: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Comparison:
    """The result; ``moved`` has pairs (before, after)."""

    gone: tuple[Mapping[str, Any], ...]
    new: tuple[Mapping[str, Any], ...]
    moved: tuple[tuple[Mapping[str, Any], Mapping[str, Any]], ...]
    same: int


def compare(before: Iterable[Mapping[str, Any]], after: Iterable[Mapping[str, Any]]) -> Comparison:
    """Compare the ``messages`` of two reports (JSON values of schema ``escapelens/1``)."""
    before_messages, after_messages = list(before), list(after)
    old, new = _group(before_messages), _group(after_messages)
    gone: list[Mapping[str, Any]] = []
    come: list[Mapping[str, Any]] = []
    moved: list[tuple[Mapping[str, Any], Mapping[str, Any]]] = []
    same = 0
    for key in {**old, **new}:
        left, right = old.get(key, []), new.get(key, [])
        by_place = {(e.line, e.column): e for e in reversed(left)}
        rest_right = []
        for entry in right:
            twin = by_place.pop((entry.line, entry.column), None)
            if twin is None:
                rest_right.append(entry)
            else:
                left.remove(twin)
                same += 1
        pairs = min(len(left), len(rest_right))
        moved.extend((a.raw, b.raw) for a, b in zip(left, rest_right, strict=False))
        gone.extend(e.raw for e in left[pairs:])
        come.extend(e.raw for e in rest_right[pairs:])
    return Comparison(tuple(gone), tuple(come), tuple(moved), same)


def _group(messages: list[Mapping[str, Any]]) -> dict[tuple[str, ...], list[Entry]]:
    root = _root(messages)
    groups: dict[tuple[str, ...], list[Entry]] = defaultdict(list)
    for raw in messages:
        file = str(raw.get("file") or "")
        subject = str(raw.get("subject") or "")
        words = "append" if head_of(subject) == "append" else str(raw.get("message"))
        name = file[len(root) :] if root and file.startswith(root) else file
        key = (name, str(raw.get("function")), str(raw.get("kind")), words)
        groups[key].append(Entry(key, raw.get("line") or 0, raw.get("column") or 0, raw))
    for entries in groups.values():
        entries.sort(key=lambda e: (e.line, e.column))
    return groups


def _root(messages: list[Mapping[str, Any]]) -> str:
    """The folder that all files share: two checkouts of one module compare by relative path."""
    files = sorted({str(PurePath(str(m["file"])).parent) for m in messages if m.get("file")})
    return os.path.commonpath(files) if files else ""
