"""Cost against budget, from the compiler's own words."""

from __future__ import annotations

import pytest
from escapelens.core.inlining import inlining_of
from escapelens.core.model import Message, Place

CASES = [
    ("can-inline", "can inline F with cost 57 as: func() int { return 1 }", "can inline (cost 57 of 80)", False),
    ("can-inline", "can inline F with cost 80 as: func() {}", "can inline (cost 80 of 80, near the limit)", True),
    ("can-inline", "can inline F", "can inline", False),
    ("cannot-inline", "cannot inline F: function too complex: cost 83 exceeds budget 80",
     "does not inline: cost 83, budget 80, near the limit", True),
    ("cannot-inline", "cannot inline F: function too complex: cost 1831 exceeds budget 80",
     "does not inline: cost 1831, budget 80", False),
    ("cannot-inline", "cannot inline F: function too complex: cost 2100 exceeds budget 2000",
     "does not inline: cost 2100, budget 2000, near the limit", True),
    ("cannot-inline", "cannot inline F: unhandled op DEFER", "does not inline: it holds a defer statement", False),
    ("cannot-inline", "cannot inline F: unhandled op GO", "does not inline: it holds a go statement", False),
    ("cannot-inline", "cannot inline F: marked go:noinline", "does not inline: it is marked go:noinline", False),
    ("cannot-inline", "cannot inline F: no function body", "does not inline: it has no Go body", False),
    ("cannot-inline", "cannot inline F: something new", "does not inline: something new", False),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "text", "words", "near"), CASES, ids=[c[1][:60] for c in CASES])
def test_words(kind: str, text: str, words: str, near: bool) -> None:
    found = inlining_of([Message("inlining-call", "inlining call to G", Place("/a.go", 1), "G"),
                         Message(kind, text, Place("/a.go", 1), "F")])  # fmt: skip
    assert found is not None
    assert (found.words, found.near) == (words, near)


def test_nothing_is_said() -> None:
    assert inlining_of([]) is None
