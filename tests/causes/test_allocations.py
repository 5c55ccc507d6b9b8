"""What is called free, and what may allocate, against ``testing.AllocsPerRun``: ``fixtures/allocations``, really run."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from escapelens.core.model import Message
from escapelens.golang.build import BuildOptions

from tests.causes.corpus import analysed
from tests.tools import ROOT, need_release

FIXTURE = ROOT / "fixtures" / "allocations"
TEXT = (FIXTURE / "a.go").read_text("utf-8")
#: The sections of the fixture.
FREE, COSTLY, QUIET = (
    re.findall(r"^func ([A-Z]\w*)\(n int\)", part, re.MULTILINE) for part in TEXT.split("// From here on ")
)
RELEASES = ("1.24.11", "1.25.5", "1.26.6", "1.27.3")
#: Small enough for every buffer on the stack, and too much for any.
LITTLE, MUCH = 5, 900


def measured(release: str, folder: Path) -> dict[str, dict[int, float]]:
    """Allocations of each function, for little and for much."""
    shutil.copytree(FIXTURE, folder)
    calls = "\n".join(
        f'\tprint("{name}", {n}, testing.AllocsPerRun(50, func() {{ {name}({n}) }}))'
        for name in (*FREE, *COSTLY, *QUIET)
        for n in (LITTLE, MUCH)
    )
    (folder / "a_test.go").write_text(f"""package allocations

import (
	"fmt"
	"testing"
)

func TestAllocations(t *testing.T) {{
	print := func(name string, n int, allocs float64) {{ fmt.Printf("{{\\"name\\":%q,\\"n\\":%d,\\"allocs\\":%g}}\\n", name, n, allocs) }}
{calls}
}}
""")
    done = subprocess.run(
        [need_release(release), "test", "-v", "-count=1", "."],
        cwd=folder, env={**os.environ, "GOFLAGS": "", "GOTOOLCHAIN": "local"}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    found: dict[str, dict[int, float]] = {}
    for line in done.stdout.splitlines():
        if line.startswith("{"):
            row = json.loads(line)
            found.setdefault(row["name"], {})[row["n"]] = row["allocs"]
    return found


def said(release: str) -> dict[str, list[Message]]:
    """What the product says, by function; a helper's messages belong to the function that calls it."""
    (report,) = analysed(FIXTURE, (".",), BuildOptions(), need_release(release))
    assert report.status == "ok"
    helpers = {
        m[2]: m[1]
        for m in re.finditer(r"^func ([A-Z]\w*)\(n int\).*?\b([a-z]\w*)\((?=[a-z])[^\n]*", TEXT, re.MULTILINE)
    }
    helpers["boxInt8"] = "SmallInt"
    found: dict[str, list[Message]] = {}
    for message in report.messages:
        name = message.function or ""
        found.setdefault(helpers.get(name, name), []).append(message)
    return found


@pytest.mark.parametrize("release", RELEASES)
def test_claims_hold(release: str, tmp_path: Path) -> None:
    allocations = measured(release, tmp_path / "m")
    messages = said(release)
    heap = {name: [m for m in messages.get(name, ()) if m.type in ("escape", "moved")] for name in allocations}
    for name in FREE:
        assert heap[name], f"{name}: nothing on the heap"
        assert [m.text for m in heap[name] if not m.free] == [], name
        assert set(allocations[name].values()) == {0}, name
    for name in COSTLY:
        assert [m.text for m in heap[name] if m.free] == [], name
        assert allocations[name][MUCH] >= 1, name
    for name in QUIET:
        may = [m for m in messages.get(name, ()) if m.may_allocate is not None]
        if heap[name]:
            # Go 1.24 puts a slice of unknown size on the heap, and later ones say so for growing appends.
            assert release.startswith("1.24"), name
            continue
        if may or not release.startswith("1.24"):
            assert may, name
            assert allocations[name][MUCH] >= 1, name
            assert allocations[name][LITTLE] == 0, name
