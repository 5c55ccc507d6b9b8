"""explain, raw, doctor, compare, and what help and version say."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import Done, check_json, escapelens
from tests.lsp.gomod import environment, hello, module


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return hello(tmp_path_factory.mktemp("hello"))


EXPLAINED: list[tuple[str, int, list[str]]] = [
    ("user.go:11", 0, ["Moved to Heap", "moved to heap: u", "NewUser", "returned", "return &u", "user.go:12:9"]),
    ("user.go:11:2", 0, ["moved to heap: u"]),
    ("./user.go:40:9", 0, ["make([]int, n) escapes to heap"]),
    ("user.go:17", 0, ['"hello" escapes to heap', "u.Name escapes to heap", "boxed"]),
    ("user.go:1", 1, ["user.go:1"]),
    ("user.go:11:999", 1, ["user.go:11:999"]),
    ("user.go:0", 2, ["no line 0"]),
    ("user.go:999", 2, ["no line 999"]),
    ("user.go", 2, ["FILE:LINE"]),
    ("user.go:x", 2, ["FILE:LINE"]),
    ("user.go:-3", 2, []),
    ("missing.go:3", 2, ["missing.go"]),
    (":3", 2, ["FILE:LINE"]),
]


@pytest.mark.parametrize(("place", "status", "words"), EXPLAINED, ids=[e[0] for e in EXPLAINED])
def test_explain(folder: Path, place: str, status: int, words: list[str]) -> None:
    done = escapelens("explain", place, cwd=folder)
    assert done.status == status, done
    assert not [word for word in words if word not in (done.err if status else done.out)], done
    assert (done.out == "") == (status != 0)
    assert "Traceback" not in done.err


def test_explain_one_of_several(folder: Path) -> None:
    done = escapelens("explain", "user.go:17:24", cwd=folder)
    assert "u.Name escapes to heap" in done.out and '"hello" escapes to heap' not in done.out


def test_explain_with_options_of_the_build(tmp_path: Path) -> None:
    text = "//go:build extra\n\npackage m\n\nfunc A() *int { a := 1; return &a }\n"
    folder = module(tmp_path / "m", {"m.go": text, "n.go": "package m\n"})
    assert escapelens("explain", "m.go:5", cwd=folder).status == 2
    assert "moved to heap: a" in escapelens("explain", "--tags", "extra", "m.go:5", cwd=folder).out


def test_explain_a_package_that_does_not_build(tmp_path: Path) -> None:
    folder = module(tmp_path / "m", {"m.go": "package m\n\nvar x int = nowhere\n"})
    done = escapelens("explain", "m.go:3", cwd=folder)
    assert done.status == 2 and "undefined: nowhere" in done.err


def test_raw(folder: Path) -> None:
    done = escapelens("raw", cwd=folder)
    head, *lines = done.lines
    assert done.status == 0 and head.startswith("# ")
    assert "./user.go:11:2: moved to heap: u" in lines
    assert "./user.go:11:2:   flow: ~r0 " in done.out
    repeated = repeat(head, folder)
    assert [line for line in repeated.err.splitlines() if line.startswith("./")] == [
        line for line in lines if line.startswith("./")
    ]


def repeat(head: str, folder: Path) -> Done:
    """Run the command that a raw text is headed by."""
    done = subprocess.run(
        shlex.split(head.removeprefix("# ")), cwd=folder, env=environment(), capture_output=True, text=True, check=True
    )
    return Done(done.returncode, done.stdout, done.stderr)


@pytest.mark.parametrize(
    "options",
    [
        ("--goos", "windows"),
        ("--tags", "a,b"),
        ("--gcflags", "-l -N"),
        ("--tests",),
        ("--env", "GOARCH=arm64", "--env", "GOFLAGS=-tags=c"),
    ],
    ids=" ".join,
)
def test_the_command_that_repeats_it(tmp_path: Path, options: tuple[str, ...]) -> None:
    files = {
        "m.go": "package m\n\nfunc A() *int { a := 1; return &a }\n",
        "m_windows.go": "package m\n\nvar w = A()\n",
        "t.go": "//go:build a && b\n\npackage m\n\nvar t = A()\n",
        "c_arm64.go": "//go:build c\n\npackage m\n\nvar c = A()\n",
        "m_test.go": "package m\n\nvar x = A()\n",
    }
    folder = module(tmp_path / "m folder", files)
    done = escapelens("raw", *options, cwd=folder)
    assert done.status == 0
    head, *lines = done.lines
    assert [line for line in repeat(head, folder).err.splitlines() if "moved" in line] == [
        line for line in lines if "moved" in line
    ]
    assert len([line for line in lines if "moved to heap" in line]) >= (1 if options[0] == "--gcflags" else 2)


def test_raw_of_a_file_and_of_a_failure(tmp_path: Path) -> None:
    files = {
        "m.go": "package m\n\nfunc A() *int { a := 1; return &a }\n",
        "bad/b.go": "package bad\n\nvar x int = nowhere\n",
    }
    folder = module(tmp_path / "m", files)
    assert "./m.go:3:17: moved to heap: a" in escapelens("raw", "m.go", cwd=folder).lines
    inside = escapelens("raw", "m/m.go", cwd=tmp_path)
    assert [line for line in inside.lines if line.endswith("moved to heap: a")]
    done = escapelens("raw", "./bad", cwd=folder)
    assert done.status == 1 and "b.go:3:13: undefined: nowhere" in done.out
    assert escapelens("raw", "./nowhere", cwd=folder).status == 2


def test_doctor(folder: Path) -> None:
    done = escapelens("doctor", cwd=folder)
    assert done.status == 0
    assert re.search(r"go1\.\d+", done.out)
    assert "go list -export -gcflags=-m=2" in done.out
    assert str(folder / "go.mod") in done.out
    assert "It works" in done.out


def report(path: Path, folder: Path, text: str) -> Path:
    """Write a report of a module with one file."""
    module(folder, {"m.go": text})
    path.write_text(check_json(cwd=folder).out)
    return path


BEFORE = "package m\n\nfunc A() *int { a := 1; return &a }\n\nfunc B() *int { b := 1; return &b }\n"
AFTER = "package m\n\n\nfunc A() *int { a := 1; return &a }\n\nfunc C() *int { c := 1; return &c }\n"


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    folder = tmp_path_factory.mktemp("reports")
    before = report(folder / "before.json", folder / "one", BEFORE)
    return str(before), str(report(folder / "after.json", folder / "two", AFTER))


def test_compare(reports: tuple[str, str], tmp_path: Path) -> None:
    """Two checkouts of one module: what moved only because lines moved is not new."""
    done = escapelens("compare", *reports, cwd=tmp_path)
    assert done.status == 0
    kinds = [(line.partition(":")[0], line.rpartition(": ")[2].partition(" (")[0]) for line in done.lines]
    assert kinds == [("gone", "b"), ("new", "c"), ("moved", "a")]
    assert "1 gone, 1 new, 1 moved, 0 same" in done.err


@pytest.mark.parametrize(("order", "status"), [((0, 1), 3), ((1, 0), 3), ((0, 0), 0), ((1, 1), 0)])
def test_fail_on_new(reports: tuple[str, str], tmp_path: Path, order: tuple[int, int], status: int) -> None:
    done = escapelens("compare", reports[order[0]], reports[order[1]], "--fail-on", "new", cwd=tmp_path)
    assert done.status == status


NO_REPORTS: list[Any] = [[], {}, {"schema": "other/1", "messages": []}, {"schema": "escapelens/1", "messages": 5}, None]


@pytest.mark.parametrize("content", [*map(json.dumps, NO_REPORTS), "no json", ""])
def test_compare_what_is_no_report(reports: tuple[str, str], tmp_path: Path, content: str) -> None:
    bad = tmp_path / "bad.json"
    bad.write_text(content)
    for pair in ((str(bad), reports[0]), (reports[0], str(bad))):
        done = escapelens("compare", *pair, cwd=tmp_path)
        assert done.status == 2 and "bad.json" in done.err and "--format json" in done.err
        assert "Traceback" not in done.err


def test_compare_a_file_that_is_not_there(reports: tuple[str, str], tmp_path: Path) -> None:
    assert escapelens("compare", reports[0], "missing.json", cwd=tmp_path).status == 2


@pytest.mark.parametrize(
    "arguments", [("--help",), ("check", "--help"), ("explain", "--help"), ("lsp", "-h")], ids=" ".join
)
def test_help(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    done = escapelens(*arguments, cwd=tmp_path)
    assert done.status == 0 and done.out.startswith("Usage: escapelens")


def test_version(tmp_path: Path) -> None:
    assert re.fullmatch(r"escapelens, version \d+\.\d+\.\d+\S*\n", escapelens("--version", cwd=tmp_path).out)


@pytest.mark.parametrize(
    "arguments", [("nonsense",), ("explain",), ("compare", "one.json"), ("lsp", "--tcp", "nowhere")], ids=" ".join
)
def test_bad_usage(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    done = escapelens(*arguments, cwd=tmp_path)
    assert done.status == 2 and done.err and not done.out
    assert "Traceback" not in done.err
