"""Text that the build cache replays names files relative to the folder of the run that compiled it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fidelity.logs import Go
from tests.fidelity.run import compare, describe
from tests.tools import any_go

FILES = {
    "go.mod": "module example.com/m\n\ngo 1.21\n",
    "m.go": 'package m\n\nimport "example.com/m/sub"\n\nfunc Top() []int { return sub.Each(func(int) {}) }\n',
    "sub/m.go": (
        'package sub\n\nimport "example.com/m/sub/low"\n\nfunc Each(f func(int)) []int { return low.All(f) }\n'
    ),
    "sub/low/m.go": (
        "package low\n\nfunc All(f func(int)) []int {\n\tlist := make([]int, 2000)\n"
        "\tfunc(p *int) { f(*p) }(&list[0])\n\treturn list\n}\n"
    ),
}


@pytest.mark.parametrize("compiled_in", [".", "sub", "sub/low"])
@pytest.mark.parametrize("replayed_in", [".", "sub", "sub/low"])
def test_a_replayed_text_is_understood_in_any_folder(tmp_path: Path, compiled_in: str, replayed_in: str) -> None:
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    packages = ["example.com/m", "example.com/m/sub", "example.com/m/sub/low"]
    env = {"GOTOOLCHAIN": "local", "GOFLAGS": "", "GOWORK": "off"}
    first = Go(any_go(), tmp_path / compiled_in, env)
    assert first.run("list", "-export", "-gcflags=-m=2", *packages).returncode == 0
    outcomes = list(compare(Go(any_go(), tmp_path / replayed_in, env), packages))
    assert not [line for outcome in outcomes for line in describe(outcome, 5)]
    assert all(outcome.accounts["plain"].lines > 4 for outcome in outcomes)
