"""The parsers and the merge on recorded text of every release: no Go needed."""

from __future__ import annotations

import pytest

from tests.golden.recorded import cases, log_path, messages
from tests.traps.sources import Trap

CASES = list(cases())


@pytest.mark.parametrize(("trap", "release"), CASES, ids=[f"{trap.name}-{release}" for trap, release in CASES])
def test_messages_of_recorded_text(trap: Trap, release: str) -> None:
    path = log_path(trap, release)
    with path.open(encoding="utf-8", newline="") as file:
        text = file.read()
    expected = path.with_suffix(".json").read_text("utf-8").splitlines()
    assert messages(trap, release, text) == expected
