"""What a save changed, in a few signs."""

from __future__ import annotations

import pytest
from escapelens.core.difference import difference
from escapelens.core.model import Message, Place


def value(
    name: str, line: int, *, loop: bool = False, free: bool | None = None, kind: str = "moved-to-heap"
) -> Message:
    return Message(kind, f"moved to heap: {name}", Place("/m/a.go", line, 2), name, function="F", loop=loop, free=free)


A, B, LOOP = value("a", 3), value("b", 4), value("c", 5, loop=True)

CASES = [
    ("nothing", [A, B], [A, B], ""),
    ("lines moved", [A, B], [value("a", 9), value("b", 12)], ""),
    ("one came", [A], [A, B], "+1"),
    ("one came in a loop", [A], [A, LOOP], "+1 in a loop"),
    ("two in loops and one elsewhere", [], [LOOP, value("d", 6, loop=True), A], "+2 in loops, +1"),
    ("one went", [A, B], [A], "−1"),
    ("one came in a loop, two went", [A, B], [LOOP], "+1 in a loop, −2"),
    ("a second of equal words", [A], [A, value("a", 8, loop=True)], "+1 in a loop"),
    ("free ones do not count", [A], [A, value("b", 4, free=True)], ""),
    ("leaks do not count", [A], [A, value("p", 1, kind="leaking-param")], ""),
]


@pytest.mark.parametrize(("before", "after", "expected"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_difference(before: list[Message], after: list[Message], expected: str) -> None:
    assert difference(before, after) == expected
