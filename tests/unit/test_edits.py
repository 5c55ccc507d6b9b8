"""Following edits, against a fresh mapping of the same texts."""

from __future__ import annotations

from escapelens.core.edits import LineTracker, match_lines
from hypothesis import given
from hypothesis import strategies as st

LINE = st.sampled_from([b"a", b"b", b"x := &y", b"", "é😀".encode(), b"\tz\r"])
TEXT = st.lists(LINE, max_size=12).map(b"\n".join)


@given(base=TEXT, edits=st.lists(st.tuples(st.integers(0, 60), st.integers(0, 20), TEXT), max_size=6))
def test_a_followed_line_keeps_its_text_and_order(base: bytes, edits: list[tuple[int, int, bytes]]) -> None:
    tracker, text = LineTracker(base), base
    for start, length, new in edits:
        begin = min(start, len(text))
        expected = text[:begin] + new + text[begin + length :]
        text = tracker.edit(text, start, start + length, new)
        assert text == expected
    old, current = base.split(b"\n"), text.split(b"\n")
    assert len(tracker.origins) == len(current)
    targets = tracker.targets()
    assert all(old[origin] == current[line] for origin, line in targets.items())
    assert list(targets) == sorted(targets) and list(targets.values()) == sorted(targets.values())


@given(base=TEXT, line=st.integers(0, 12), new=TEXT)
def test_one_edit_loses_only_the_lines_it_touches(base: bytes, line: int, new: bytes) -> None:
    old = base.split(b"\n")
    line = min(line, len(old) - 1)
    start = sum(len(text) + 1 for text in old[:line])
    tracker = LineTracker(base)
    text = tracker.edit(base, start, start, new + b"\n")
    fresh = match_lines(base, text)
    assert set(tracker.targets()) == set(range(len(old))), "inserting whole lines changes none"
    assert len(fresh) == len(old)


@given(base=TEXT, current=TEXT)
def test_matching_finds_only_equal_lines(base: bytes, current: bytes) -> None:
    old, new = base.split(b"\n"), current.split(b"\n")
    found = match_lines(base, current)
    assert all(old[a].rstrip(b"\r") == new[b].rstrip(b"\r") for a, b in found.items())


def test_an_edited_line_has_no_origin() -> None:
    base = b"one\ntwo\nthree"
    tracker = LineTracker(base)
    text = tracker.edit(base, 5, 5, b"X")
    assert text == b"one\ntXwo\nthree"
    assert tracker.targets() == {0: 0, 2: 2}
