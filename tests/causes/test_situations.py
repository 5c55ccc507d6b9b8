"""Each cause, its near miss, and the hover's text, from real compiles."""

from __future__ import annotations

from functools import cache

import pytest
from escapelens.core.causes import CAUSES
from escapelens.core.words import CAUSE_TEXTS

from tests.causes.situations import FOLDER, NAMES, OLDER, RELEASE, Situation, situations


@cache
def compiled(release: str) -> dict[str, Situation]:
    return situations(release)


def situation(name: str) -> Situation:
    return compiled(OLDER.get(name, RELEASE))[name]


@pytest.mark.parametrize("name", NAMES)
def test_causes_and_near_misses(name: str) -> None:
    assert situation(name).wrong_causes() == []


@pytest.mark.parametrize("release", ["1.22.10", "1.24.11", "1.27.3"])
def test_causes_of_other_releases(release: str) -> None:
    wrong = [line for found in compiled(release).values() for line in found.wrong_causes()]
    # From Go 1.25 on the stack has a buffer for slices of unknown size.
    assert [line for line in wrong if release < "1.25" or not line.startswith("size-unknown:")] == []


@pytest.mark.parametrize("name", NAMES)
def test_the_hover_says(name: str) -> None:
    expected = (FOLDER / name / "hover.md").read_text("utf-8")
    assert situation(name).hover() == expected, "python -m tests.causes.situations writes the texts anew"


def test_every_cause_has_a_situation_and_words() -> None:
    marked = " ".join(f"{line} " for name in NAMES for _, line in situation(name).lines())
    assert [cause for cause in CAUSES if f"//: {cause} " not in marked] == []
    assert set(CAUSE_TEXTS) == set(CAUSES)


def test_two_lines_at_most_then_the_advice() -> None:
    for why, helps, leave in CAUSE_TEXTS.values():
        assert why.endswith(".") and helps.endswith(".") and leave.endswith(".")
        assert len(why) <= 160 and len(helps) + len(leave) <= 160
        assert "!" not in why + helps + leave
