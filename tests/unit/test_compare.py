"""Two runs side by side: expectations are what was done to the source in between."""

from __future__ import annotations

import json
import random
from dataclasses import replace

import pytest
from escapelens.core.compare import Comparison, compare, compare_messages
from escapelens.core.model import Message, Place, Span

from tests.golden.recorded import LOGS

M = "example.com/m"


def moved(line: int, name: str, function: str, file: str = "/m/a.go", package: str = M) -> Message:
    """``moved to heap: NAME`` in a line."""
    place, span = Place(file, line, 2), Span(line, 2, line, 3)
    return Message("moved-to-heap", f"moved to heap: {name}", place, name, span, package, function=function)


def escapes(line: int, words: str, function: str = "F", file: str = "/m/a.go") -> Message:
    """``WORDS escapes to heap`` in a line."""
    place, span = Place(file, line, 9), Span(line, 9, line, 10)
    return Message("escapes-to-heap", f"{words} escapes to heap", place, words, span, M, function=function)


def summary(result: Comparison[Message]) -> tuple[list[int], list[int], list[tuple[int, int]], int]:
    """Lines of gone, of new, of (before, after), and how many are the same."""
    return (
        [m.place.line for m in result.gone],
        [m.place.line for m in result.new],
        [(a.place.line, b.place.line) for a, b in result.moved],
        result.same,
    )


BEFORE = [moved(3, "a", "A"), moved(8, "b", "B"), escapes(12, "new(int)"), escapes(13, "new(int)"), moved(20, "z", "Z")]


def shifted(messages: list[Message], line: int, by: int) -> list[Message]:
    """What messages become when lines are put in (or taken out) before a line."""
    return [replace(m, place=replace(m.place, line=m.place.line + by)) if m.place.line >= line else m for m in messages]


def test_nothing_was_done() -> None:
    assert summary(compare_messages(BEFORE, BEFORE)) == ([], [], [], 5)


def test_lines_moved() -> None:
    assert summary(compare_messages(BEFORE, shifted(BEFORE, 8, 2))) == (
        [],
        [],
        [(8, 10), (12, 14), (13, 15), (20, 22)],
        1,
    )


@pytest.mark.parametrize("line", [11, 12, 13, 14])
def test_one_of_equal_messages_was_added_where_lines_moved(line: int) -> None:
    after = [*shifted(shifted(BEFORE, 5, 40), line + 40, 1), escapes(line + 40, "new(int)")]
    gone, new, _, same = summary(compare_messages(BEFORE, after))
    assert (gone, same) == ([], 1)
    # A twin put directly before or behind another one cannot be told from it.
    assert new == [line + 40] or (line in (12, 13, 14) and 51 < new[0] < 56)


def test_one_of_many_equal_messages_went_away_where_lines_moved() -> None:
    many = [moved(1, "a", "A"), *(escapes(n, "new(int)") for n in range(10, 100, 10)), moved(200, "z", "Z")]
    after = shifted([m for m in many if m.place.line != 50], 5, 7)
    result = compare_messages(many, after)
    assert [m.place.line for m in result.gone] == [50]
    assert result.gone_lines == (57,)
    assert result.new == () and len(result.moved) == 9


def test_a_renamed_file_and_a_function_that_went_to_another_file() -> None:
    renamed = [replace(m, place=replace(m.place, file="/m/other.go")) for m in BEFORE]
    result = compare_messages(BEFORE, renamed)
    assert (result.gone, result.new, len(result.moved)) == ((), (), 5)
    there = [*BEFORE[:1], moved(2, "b", "B", "/m/other.go"), *BEFORE[2:]]
    assert summary(compare_messages(BEFORE, there)) == ([], [], [(8, 2)], 4)


def test_a_renamed_package() -> None:
    before = [moved(3, "a", "A", "/m/old/a.go", "m/old"), moved(3, "k", "K", "/m/kept/a.go", "m/kept")]
    after = [moved(3, "a", "A", "/m/new/a.go", "m/new"), moved(3, "k", "K", "/m/kept/a.go", "m/kept")]
    result = compare_messages(before, after)
    assert (result.gone, result.new, len(result.moved), result.same) == ((), (), 1, 1)


def test_equal_functions_of_two_packages_are_two() -> None:
    """Every command has a main: one that went and one that came are not one that moved."""
    both = [moved(3, "x", "run", "/m/one/main.go", "m/one"), moved(9, "y", "run", "/m/two/main.go", "m/two")]
    before, after = (
        [both[1], both[0]],
        [both[1], moved(20, "x", "run", "/m/two/main.go", "m/two"), moved(4, "w", "w", "/m/one/main.go", "m/one")],
    )
    result = compare_messages(before, after)
    assert [m.package for m in result.gone] == ["m/one"]
    assert sorted(m.place.line for m in result.new) == [4, 20]


def test_another_number_of_a_closure() -> None:
    before = [moved(10, "x", "F.func1")]
    after = [moved(5, "y", "F.func1"), moved(14, "x", "F.func2")]
    assert summary(compare_messages(before, after)) == ([], [5], [(10, 14)], 0)


def test_a_renamed_function_is_gone_and_new() -> None:
    assert summary(compare_messages([moved(3, "a", "A")], [moved(3, "b", "B")])) == ([3], [3], [], 0)


def test_costs_of_inlining_are_no_difference() -> None:
    def inline(cost: int) -> Message:
        text = f"can inline F with cost {cost} as: func() {{ }}"
        return Message("can-inline", text, Place("/m/a.go", 3, 6), "F", Span(3, 6, 3, 7), M, function="F")

    assert summary(compare_messages([inline(4)], [inline(70)])) == ([], [], [], 1)


def test_the_order_of_the_reports_is_no_difference() -> None:
    after = shifted(BEFORE, 8, 2)
    expected = summary(compare_messages(BEFORE, after))
    for seed in range(5):
        before, mixed = list(BEFORE), list(after)
        random.Random(seed).shuffle(before)
        random.Random(seed + 9).shuffle(mixed)
        assert summary(compare_messages(before, mixed)) == expected


def recorded(release: str, name: str) -> list[dict[str, object]]:
    """The recorded messages of a release, as a report has them."""
    found = []
    for line in (LOGS / release / f"{name}.json").read_text("utf-8").splitlines():
        row = json.loads(line)
        file, number, column = row["at"].rsplit(":", 2)
        place = {"file": f"/m/{file}", "line": int(number), "column": None if column == "None" else int(column)}
        found.append(
            {**place, **{k: row[k] for k in ("kind", "function", "subject")}, "message": row["text"], "package": M}
        )
    return found


#: From 1.24 to 1.25 the compiler words values as constants, prints what append makes, and keeps one make on the stack.
REWORDED = {
    "hello": (set(), set()),
    "twins": (set(), set()),
    "raw-strings": (set(), set()),
    "text-that-is-no-ASCII": (set(), set()),
    "methods-and-initialisers": (set(), set()),
    "constants": ({"make([]byte, n) escapes to heap"}, {"make([]byte, n) does not escape"}),
}


@pytest.mark.parametrize("name", REWORDED)
def test_another_release_of_go_on_the_same_source(name: str) -> None:
    result = compare(recorded("1.24.11", name), recorded("1.25.5", name), ("go1.24.11", "go1.25.5"))
    found = {str(m["message"]) for m in result.gone}, {str(m["message"]) for m in result.new}
    assert found == REWORDED[name]
    assert result.moved == ()


def test_append_counts_where_both_releases_print_it() -> None:
    after = [*BEFORE, escapes(4, "append")]
    assert summary(compare_messages(BEFORE, after, ("go1.25.5", "go1.27.3"))) == ([], [4], [], 5)
    assert summary(compare_messages(BEFORE, after, ("go1.24.11", "go1.27.3"))) == ([], [], [], 5)
