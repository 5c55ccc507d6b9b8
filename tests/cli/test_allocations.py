"""What the report calls heap values, against what the runtime allocates: fixtures/hello, really run."""

from __future__ import annotations

import re
import subprocess
from collections import defaultdict
from pathlib import Path

from tests.cli.command import check_json
from tests.lsp.gomod import environment, hello
from tests.tools import any_go

#: Each call of a function of the fixture, through a variable so that nothing is inlined.
CALLS = {
    "NewUser": ("hello.NewUser", "user = f(name)"),
    "Greet": ("hello.Greet", "f(user)"),
    "Sum": ("hello.Sum", "number = f(numbers)"),
    "Background": ("hello.Background", "pointer = f()"),
    "Ids": ("hello.Ids", "numbers = f(1000)"),
    "First": ("hello.First", "user = f(user, user)"),
}


def test_heap_values_are_allocations(tmp_path: Path) -> None:
    folder = hello(tmp_path / "m")
    messages = check_json("--show", "escape,moved", cwd=folder).report["messages"]
    said: dict[str, int] = defaultdict(int)
    for message in messages:
        if not message["free"]:
            said[message["function"]] += 1
    (folder / "user_test.go").write_text(program())
    done = subprocess.run(
        [any_go(), "test", "-v", "-count=1", "-run", "Allocations", "."],
        cwd=folder, env=environment(), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    measured = {name: float(n) for name, n in re.findall(r"^ALLOCATIONS (\w+) ([\d.]+)$", done.stdout, re.MULTILINE)}
    assert set(measured) == set(CALLS)
    assert {name for name, n in measured.items() if n > 0} == set(said)
    # One verdict is at most one allocation here; a goroutine's own cost is the runtime's.
    assert {name: said[name] for name in ("NewUser", "Ids")} == {name: measured[name] for name in ("NewUser", "Ids")}
    assert measured["Background"] >= said["Background"] == 2


def program() -> str:
    """A Go test that measures each call."""
    calls = "\n".join(
        f'\t{{ f := {function}; print("{name}", testing.AllocsPerRun(100, func() {{ {call} }})) }}'
        for name, (function, call) in CALLS.items()
    )
    return f"""package hello_test

import (
	"fmt"
	"os"
	"testing"

	"example.com/hello"
)

var (
	name    = "somebody"
	user    = &hello.User{{Name: "somebody"}}
	numbers = []int{{1, 2, 3}}
	number  int
	pointer *int
)

func TestAllocations(t *testing.T) {{
	stdout := os.Stdout
	os.Stdout, _ = os.Open(os.DevNull)
	print := func(name string, n float64) {{ fmt.Fprintf(stdout, "ALLOCATIONS %s %g\\n", name, n) }}
{calls}
}}
"""
