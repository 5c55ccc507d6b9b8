"""The reviewed list of ranges: a change in it is to be read."""

from __future__ import annotations

from tests.golden.ranges import LIST, drawn


def test_the_hundred_ranges_are_those_that_were_reviewed() -> None:
    assert drawn() == LIST.read_text("utf-8").splitlines()
