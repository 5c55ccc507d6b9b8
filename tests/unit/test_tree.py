"""Trees of messages: every message is in exactly one place, whatever the grouping."""

from __future__ import annotations

import itertools
from typing import get_args

import pytest
from escapelens.core.model import Message, Place, Span
from escapelens.core.tree import Group, GroupBy, Item, Tree, matches


def message(file: str, line: int, function: str, kind: str = "moved-to-heap", cause: str | None = None) -> Item:
    place, package = Place(f"/m/{file}", line, 1), f"m/{file.partition('/')[0]}"
    return Item(
        Message(kind, f"{kind} {line}", place, "x", Span(line, 1, line, 2), package, function=function, cause=cause)
    )


ITEMS = [
    message("a/x.go", 1, "main", cause="returned"),
    message("a/x.go", 2, "main", "escapes-to-heap", "outlives-loop"),
    message("a/x.go", 3, "run", "leaking-param"),
    message("b/y.go", 1, "main", "escapes-to-heap"),
    message("b/y.go", 2, "main", "escapes-to-heap", "deferred-in-loop"),
    message("b/y.go", 3, "main", "can-inline"),
]
LEVELS: tuple[GroupBy, ...] = get_args(GroupBy)


def leaves(tree: Tree, parent: tuple[str, ...] = ()) -> list[Item]:
    found: list[Item] = []
    for node in tree.children(parent):
        if isinstance(node, Item):
            assert tree.path_of(node) == parent
            found.append(node)
        else:
            inside = leaves(tree, (*parent, node.key))
            assert len(inside) == node.count == sum(node.types.values())
            assert tree.items((*parent, node.key)) == inside or sorted(map(id, inside)) == sorted(
                map(id, tree.items((*parent, node.key)))
            )
            found += inside
    return found


@pytest.mark.parametrize("depth", range(len(LEVELS)))
def test_every_nesting_has_every_message_once(depth: int) -> None:
    for group_by in itertools.permutations(LEVELS, depth):
        for sort in ("position", "count", "loop"):
            found = leaves(Tree(ITEMS, group_by, sort))
            assert sorted(map(id, found)) == sorted(map(id, ITEMS))


def labels(tree: Tree, *parent: str) -> list[str]:
    return [node.label if isinstance(node, Group) else node.message.text for node in tree.children(parent)]


def test_sorting() -> None:
    assert labels(Tree(ITEMS, ["file"], "position")) == ["x.go", "y.go"]
    assert labels(Tree(ITEMS, ["function"], "count")) == ["main", "run"]
    assert labels(Tree(ITEMS, ["type"], "position")) == ["Escape to Heap", "Moved to Heap", "Leak Param", "Can Inline"]
    assert labels(Tree(ITEMS, [], "loop"))[:2] == ["escapes-to-heap 2", "escapes-to-heap 2"]
    assert labels(Tree(ITEMS, [], "loop"))[2:] == [
        "moved-to-heap 1", "leaking-param 3", "escapes-to-heap 1", "can-inline 3",
    ]  # fmt: skip
    first = Tree(ITEMS, ["function"], "loop").children([])[0]
    assert isinstance(first, Group) and (first.key, first.loop) == ("main", 2)


def test_functions_of_two_packages_are_two() -> None:
    assert [n.count for n in Tree(ITEMS, ["function"], "position", True).children([]) if isinstance(n, Group)] == [
        2,
        1,
        3,
    ]
    assert labels(Tree(ITEMS, ["function"], "position", True)) == ["main", "run", "main"]
    assert [n.count for n in Tree(ITEMS, ["function"], "position").children([]) if isinstance(n, Group)] == [5, 1]


def test_a_node_that_is_not_there_is_empty() -> None:
    assert Tree(ITEMS, ["file", "function"], "position").children(["/m/c.go"]) == []
    assert Tree(ITEMS, ["file", "function"], "position").items(["/m/a/x.go", "nobody"]) == []


def test_text_filter() -> None:
    kept = [item.message.place.line for item in ITEMS if matches("RUN")(item.message)]
    assert kept == [3]
    assert all(matches("")(item.message) for item in ITEMS)
