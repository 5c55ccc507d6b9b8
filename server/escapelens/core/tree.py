"""Messages grouped for trees, pickers and gutters: one node's children, in pages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from escapelens.core.model import MESSAGE_TYPES, TYPE_LABELS, Message

GroupBy = Literal["change", "package", "file", "function", "type", "cause"]
Sort = Literal["position", "count", "loop"]
Change = Literal["gone", "new", "moved"]

#: No node has more children in one page.
PAGE = 500

CHANGE_LABELS: dict[str, str] = {"gone": "Gone", "new": "New", "moved": "Moved only"}


@dataclass(frozen=True, slots=True)
class Item:
    """One message of a tree.

    Where two runs are compared ``change`` says what became of it, ``before`` where a moved one was, and ``line``
    (1-based) where one that is gone would stand now.
    """

    message: Message
    change: Change | None = None
    before: Message | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Group:
    """A node with children. ``key`` goes into ``parent`` to open it; ``loop`` counts messages in loops."""

    by: GroupBy
    key: str
    label: str
    count: int
    types: dict[str, int]
    loop: int
    first: Item


Node = Group | Item


def in_loop(message: Message) -> bool:
    """Tell whether a message's place runs again and again."""
    return message.loop or message.cause in ("outlives-loop", "deferred-in-loop")


class Tree:
    """The tree of some items, grouped level by level; a node's children are computed when it is opened.

    ``items`` are in the order of their positions. ``qualified``: functions of different packages have different keys.
    """

    def __init__(self, items: Sequence[Item], group_by: Sequence[GroupBy], sort: Sort, qualified: bool = False) -> None:
        self.group_by = tuple(group_by)
        self._sort = sort
        self._qualified = qualified and not {"file", "package"} & set(group_by)
        self._opened: dict[tuple[str, ...], list[Group] | list[Item]] = {}
        self._inside: dict[tuple[str, ...], list[Item]] = {(): list(items)}

    def children(self, parent: Sequence[str]) -> list[Group] | list[Item]:
        """The children of a node: groups of the next level, or items below the last one.

        ``parent`` has one key a level; a node that is not there has no children.
        """
        path = tuple(parent[: len(self.group_by)])
        if path not in self._opened:
            self._opened[path] = self._open(path)
        return self._opened[path]

    def items(self, parent: Sequence[str]) -> list[Item]:
        """All items below a node, in the order of their positions."""
        path = tuple(parent[: len(self.group_by)])
        for level in range(len(path)):
            if path[: level + 1] not in self._inside:
                self.children(path[:level])
        return self._inside.get(path, [])

    def path_of(self, item: Item) -> tuple[str, ...]:
        """The keys of the groups around an item, outermost first."""
        return tuple(self._key(item, by) for by in self.group_by)

    def _open(self, path: tuple[str, ...]) -> list[Group] | list[Item]:
        inside = self.items(path)
        if len(path) == len(self.group_by):
            # Sorting is stable: equal ones stay in the order of their positions.
            return sorted(inside, key=lambda item: not in_loop(item.message)) if self._sort == "loop" else inside
        by = self.group_by[len(path)]
        grouped: dict[str, list[Item]] = {}
        for item in inside:
            grouped.setdefault(self._key(item, by), []).append(item)
        self._inside.update({(*path, key): found for key, found in grouped.items()})
        groups = [_group(by, key, found) for key, found in grouped.items()]
        if by == "type":
            groups.sort(key=lambda group: MESSAGE_TYPES.index(group.first.message.type))
        if self._sort == "count":
            groups.sort(key=lambda group: -group.count)
        elif self._sort == "loop":
            groups.sort(key=lambda group: -group.loop)
        return groups

    def _key(self, item: Item, by: GroupBy) -> str:
        message = item.message
        if by == "file":
            return message.place.file or ""
        if by == "function":
            name = message.function or ""
            return f"{message.package}.{name}" if self._qualified else name
        if by == "type":
            return message.type
        if by == "package":
            return message.package
        if by == "change":
            return item.change or ""
        return message.cause or ""


def _group(by: GroupBy, key: str, items: list[Item]) -> Group:
    first = items[0]
    types: Counter[str] = Counter(item.message.type for item in items)
    loop = sum(in_loop(item.message) for item in items)
    return Group(by, key, _label(by, key, first.message), len(items), dict(types), loop, first)


def matches(text: str) -> Callable[[Message], bool]:
    """A filter by text: any part of message, function or file, any case."""
    wanted = text.casefold()

    def keep(message: Message) -> bool:
        parts = (message.text, message.function or "", message.place.file or "")
        return not wanted or any(wanted in part.casefold() for part in parts)

    return keep


def _label(by: GroupBy, key: str, first: Message) -> str:
    if by == "type":
        return TYPE_LABELS[first.type]
    if by == "cause":
        return key or "no cause given"
    if by == "change":
        return CHANGE_LABELS.get(key, key)
    if by == "file":
        return key.replace("\\", "/").rpartition("/")[2] or "generated code"
    if by == "function":
        return first.function or "no function"
    return key or "no package"
