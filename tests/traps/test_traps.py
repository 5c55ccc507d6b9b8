"""Each trap on each release: every line accounted for, nothing invented, every range whole."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.fidelity.logs import Go, packages
from tests.fidelity.run import compare, describe
from tests.tools import CHECK_COMMAND, RELEASES, need_release
from tests.traps.sources import GO_MOD, TRAPS, TWINS, WIDE, Trap, long_file


def lay(base: Path, trap: Trap) -> Path:
    folder = base / trap.folder
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "go.mod").write_text(GO_MOD.format(trap.language))
    for name, text in trap.files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return folder


def check(folder: Path, release: str, *arguments: str, **environment: str) -> list[dict[str, Any]]:
    """The product's messages."""
    command = [*CHECK_COMMAND, "check", "--show", "all", "--format", "json", "--go", need_release(release), *arguments]
    env = {**os.environ, "GOTOOLCHAIN": "local", "GOFLAGS": "", **environment}
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, check=True)
    report: dict[str, Any] = json.loads(done.stdout)
    assert not [p["unparsed"] for p in report["packages"] if p["unparsed"]]
    return list(report["messages"])


def release_of(version: str) -> tuple[int, int]:
    major, minor, *_ = version.split(".")
    return int(major), int(minor)


CASES = [(trap, release) for trap in TRAPS for release in RELEASES if release_of(release) >= trap.since]


@pytest.mark.parametrize(("trap", "release"), CASES, ids=[f"{trap.name}-{release}" for trap, release in CASES])
def test_every_line_is_accounted_for(trap: Trap, release: str, tmp_path: Path) -> None:
    folder = lay(tmp_path, trap)
    go = Go(need_release(release), folder, {"GOTOOLCHAIN": "local", "GOFLAGS": "", **trap.environment})
    tests = any(name.endswith("_test.go") for name in trap.files)
    found = packages(go, ["./..."])
    assert found
    outcomes = list(compare(go, found, tests=tests))
    assert not [line for outcome in outcomes for line in describe(outcome, 5)]
    assert sum(account.messages for outcome in outcomes for account in outcome.accounts.values())


@pytest.mark.parametrize("release", RELEASES)
def test_two_variables_of_one_name_at_one_point_are_two(release: str, tmp_path: Path) -> None:
    messages = check(lay(tmp_path, Trap("", {"trap.go": TWINS})), release)
    call = TWINS[: TWINS.index("{ both(); both() }")].count("\n") + 1
    moved = [m for m in messages if m["line"] == call and m["type"] == "moved"]
    assert [m["message"] for m in moved] == ["moved to heap: x"] * 4
    assert {m["function"] for m in moved} == {"Twice"}
    assert len({(m["column"]) for m in moved}) == 2


@pytest.mark.parametrize("release", RELEASES)
def test_a_value_has_all_its_ways(release: str, tmp_path: Path) -> None:
    messages = check(lay(tmp_path, Trap("", {"trap.go": TWINS})), release)
    (kept,) = [m for m in messages if m["type"] == "moved" and m["function"] == "Go"]
    assert len(kept["flows"]) == 2
    goroutines = [m for m in messages if m["subject"] == "func literal" and m["function"] == "Go"]
    assert len(goroutines) == 2 and all(m["type"] == "escape" for m in goroutines)


def test_beyond_column_254_the_subject_is_underlined(tmp_path: Path) -> None:
    messages = check(lay(tmp_path, Trap("", {"trap.go": WIDE})), "1.26.6")
    lines = WIDE.split("\n")
    lost = [m for m in messages if m["column"] is None and m["line"] and m["type"] == "moved"]
    assert {m["subject"] for m in lost} == {"far", "near"} or {m["subject"] for m in lost} == {"far"}
    for message in lost:
        span = message["range"]
        words = lines[span["line"] - 1][span["column"] - 1 : span["endColumn"] - 1]
        assert message["subject"] in words and span["column"] >= 255


def test_a_file_of_60000_lines(tmp_path: Path) -> None:
    messages = check(lay(tmp_path, Trap("", {"trap.go": long_file()})), "1.26.6")
    moved = [m for m in messages if m["type"] == "moved"]
    assert len(moved) == 10_000
    assert {(m["line"] - 4) % 6 for m in moved} == {0}
    assert moved[-1]["function"] == "F9999" and moved[-1]["line"] == 6 * 9999 + 4


def test_the_same_file_says_other_things_on_another_system(tmp_path: Path) -> None:
    trap = next(t for t in TRAPS if t.name == "systems")
    folder = lay(tmp_path, trap)
    for system in ("linux", "windows"):
        messages = check(folder, "1.26.6", "--goos", system)
        assert {m["subject"] for m in messages if m["type"] == "moved"} == {system}


def test_names_of_functions_are_those_of_1_25_on_every_release(tmp_path: Path) -> None:
    trap = next(t for t in TRAPS if t.name == "methods and initialisers")
    folder = lay(tmp_path, trap)
    names: dict[str, dict[tuple[int, int, str], str]] = {}
    for release in RELEASES:
        messages = [m for m in check(folder, release) if m["file"] == str(folder / "trap.go")]
        names[release] = {(m["line"], m["column"], m["kind"]): m["function"] for m in messages}
        assert all(names[release].values())
        assert {"init.func1", "init.0", "(*Inner).Write", "Value"} <= set(names[release].values())
    for found in names.values():
        both = found.keys() & names["1.25.5"].keys()
        assert len(both) > 10 and {k: found[k] for k in both} == {k: names["1.25.5"][k] for k in both}


@pytest.mark.parametrize("release", ["1.21.13", "1.26.6"])
def test_trimmed_paths_are_the_same_files(release: str, tmp_path: Path) -> None:
    trap = next(t for t in TRAPS if t.name == "generics from another package")
    folder = lay(tmp_path, trap)
    plain, trimmed = check(folder, release, "./..."), check(folder, release, "./...", GOFLAGS="-trimpath")
    places = [[(m["file"], m["line"], m["column"], m["message"]) for m in found] for found in (plain, trimmed)]
    assert places[0] == places[1]
    assert all(Path(file).is_file() for file, *_ in places[1] if file)


def test_a_symbolic_link_shows_the_names_that_were_asked_for(tmp_path: Path) -> None:
    real = tmp_path / "real"
    real.mkdir()
    lay(real, Trap("", {"trap.go": "package trap\n\nfunc F() *int { x := 1; return &x }\n"}))
    link = tmp_path / "link"
    link.symlink_to(real)
    messages = check(tmp_path, "1.26.6", str(link / "trap.go"))
    assert {m["file"] for m in messages} == {str(link / "trap.go")}
