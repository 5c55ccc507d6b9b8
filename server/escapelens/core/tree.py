"""Messages grouped for trees, pickers and gutters: one page of one node's children."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from escapelens.core.model import TYPE_LABELS, Message

GroupBy = Literal["file", "function", "type", "cause"]
Sort = Literal["position", "count"]

#: No node has more children in one page.
PAGE = 500


@dataclass(frozen=True, slots=True)
class Group:
    """A node with children. ``key`` goes into ``parent`` to open it."""

    by: GroupBy
    key: str
    label: str
    count: int
    types: dict[str, int]


def key_of(message: Message, by: GroupBy) -> str:
    """The key of the group that a message belongs to."""
    if by == "file":
        return message.place.file or ""
    if by == "function":
        return message.function or ""
    if by == "type":
        return message.type
    return message.cause or ""


def children(
    messages: Iterable[Message], group_by: Sequence[GroupBy], parent: Sequence[str], sort: Sort
) -> list[Group] | list[Message]:
    """The children of a node: groups of the next level, or messages below the last one.

    ``messages`` are in the order of their positions; ``parent`` has one key a level.
    """
    inside = [m for m in messages if all(key_of(m, by) == key for by, key in zip(group_by, parent, strict=False))]
    if len(parent) >= len(group_by):
        return inside
    by = group_by[len(parent)]
    grouped: dict[str, list[Message]] = {}
    for message in inside:
        grouped.setdefault(key_of(message, by), []).append(message)
    groups = [
        Group(by, key, _label(by, key), len(found), dict(Counter(m.type for m in found)))
        for key, found in grouped.items()
    ]
    if sort == "count":
        groups.sort(key=lambda group: -group.count)
    return groups


def matches(text: str, show: Callable[[Message], bool]) -> Callable[[Message], bool]:
    """A filter by types and by text (any part of message, function or file, any case)."""
    wanted = text.casefold()

    def keep(message: Message) -> bool:
        if not show(message):
            return False
        parts = (message.text, message.function or "", message.place.file or "")
        return not wanted or any(wanted in part.casefold() for part in parts)

    return keep


def _label(by: GroupBy, key: str) -> str:
    if by == "type":
        names: dict[str, str] = {str(kind): label for kind, label in TYPE_LABELS.items()}
        return names.get(key, key)
    if by == "cause":
        return key or "no cause given"
    if by == "file":
        return key.replace("\\", "/").rpartition("/")[2] or "generated code"
    return key or "no function"
