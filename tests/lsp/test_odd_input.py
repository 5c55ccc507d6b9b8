"""Bad input, and what it gets: one clear sentence in the status, and a server that lives."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.lsp.client import Server
from tests.lsp.gomod import FakeGo, environment, module, write

Start = Callable[..., Server]
GOOD = "package m\n\nfunc A() *int { a := 1; return &a }\n"
UNKNOWN = "./m.go:3:6: frobnicating a in A"

ODD: dict[str, tuple[dict[str, str], str, str, list[str]]] = {
    # files, the one that is opened, the state after it, words of the status
    "no go.mod": ({"a.go": GOOD}, "a.go", "idle", ["1 Moved to Heap"]),
    "a script": (
        {"go.mod": "module m\n", "m.go": GOOD, "gen.go": "//go:build ignore\n\npackage main\n\nvar p *int\n\nfunc main() { x := 1; p = &x }\n"},
        "gen.go", "idle", ["1 Moved to Heap"],
    ),
    "left out by a tag": (
        {"go.mod": "module m\n", "m.go": GOOD, "x.go": f"//go:build special\n\n{GOOD.replace('A', 'X')}"},
        "x.go", "idle", ["x.go", "special", "tags"],
    ),
    "left out by its name": (
        {"go.mod": "module m\n", "m.go": GOOD, "x_plan9.go": GOOD.replace("A", "X")},
        "x_plan9.go", "idle", ["x_plan9.go", "GOOS=plan9"],
    ),
    "alone and left out": (
        {"go.mod": "module m\n", "x.go": f"//go:build special\n\n{GOOD}"}, "x.go", "idle", ["special"],
    ),
    "an empty file": ({"go.mod": "module m\n", "m.go": GOOD, "e.go": ""}, "e.go", "failed", ["e.go", "EOF"]),
    "no declarations": ({"go.mod": "module m\n", "e.go": "package m\n"}, "e.go", "idle", [""]),
    "a missing module": (
        {"go.mod": "module m\n\ngo 1.21\n", "m.go": 'package m\n\nimport _ "example.com/missing"\n'},
        "m.go", "failed", ["example.com/missing"],
    ),
    "a bad go.mod": ({"go.mod": "modul m\n", "m.go": GOOD}, "m.go", "failed", ["go.mod", "modul"]),
    "a Go of the future": ({"go.mod": "module m\n\ngo 1.999\n", "m.go": GOOD}, "m.go", "failed", ["1.999"]),
    "two packages": ({"go.mod": "module m\n", "m.go": GOOD, "n.go": "package n\n"}, "m.go", "failed", ["m.go", "n.go"]),
    "a test that does not build": (
        {"go.mod": "module m\n", "m.go": GOOD, "m_test.go": "package m\n\nvar x int = nowhere\n"},
        "m_test.go", "failed", ["m_test.go", "nowhere"],
    ),
    "an import cycle": (
        {"go.mod": "module m\n", "m.go": 'package m\n\nimport _ "m/b"\n', "b/b.go": 'package b\n\nimport _ "m"\n'},
        "m.go", "failed", ["import cycle"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", ODD)
def test_odd_files(tmp_path: Path, start: Start, case: str) -> None:
    files, name, state, words = ODD[case]
    folder = write(tmp_path / "m", files)
    server = start(GOTOOLCHAIN="local")
    server.initialize(folder)
    since = server.mark()
    uri = server.open(folder / name)
    status = server.settled(since)
    assert status["state"] == state, status
    assert not [word for word in words if word not in status["message"]], status["message"]
    if state == "failed":
        # Said where it is seen: at a place of the code, or to the user.
        errors = [d for found in server.diagnostics.values() for d in found if d["code"] == "build-failed"]
        assert {d["severity"] for d in errors} == {1} or server.of("window/showMessage")
    assert server.command("messages", {"uri": uri})["total"] == (1 if "Moved" in status["message"] else 0)


def test_what_is_known_stays_when_a_left_out_file_is_saved(tmp_path: Path, start: Start) -> None:
    folder = module(tmp_path / "m", {"m.go": GOOD, "x.go": f"//go:build special\n\n{GOOD.replace('A', 'X')}"})
    server = start()
    server.initialize(folder)
    uri = server.opened(folder / "m.go")
    left_out = server.open(folder / "x.go")
    since = server.mark()
    server.save(left_out)
    server.settled(since)
    assert len(server.messages(uri)) == len(server.diagnostics[uri]) == 1


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ('case "$1" in env) echo "exec format error" >&2; exit 3;; esac', ["exec format error", "go.path"]),
        ('case "$1" in env) echo \'{"GOVERSION": "go1.20.14"}\'; exit 0;; esac', ["go1.20.14", "1.21"]),
        ('case "$1" in list) echo "fatal error: all goroutines are asleep" >&2; exit 2;; esac', ["fatal error"]),
        ('case "$1" in list) kill -9 $$;; esac', ["go"]),
    ],
    ids=["crashing", "too old", "crashing later", "killed"],
)
def test_a_go_that_does_not_work(tmp_path: Path, start: Start, script: str, words: list[str]) -> None:
    folder = module(tmp_path / "m", {"m.go": GOOD})
    go = FakeGo(tmp_path / "fake", script)
    server = start()
    server.initialize(folder, options={"go": {"path": str(go.path)}})
    uri = server.opened(folder / "m.go")
    status = server.statuses()[-1]
    assert status["state"] == "failed"
    assert not [word for word in words if word not in status["message"]], status["message"]
    since = server.mark()
    server.save(uri)
    server.settled(since)
    # Said to the user once, whatever is saved.
    assert len(server.of("window/showMessage")) == 1
    # Repaired, it works again without a restart.
    FakeGo(tmp_path / "fake")
    since = server.mark()
    server.save(uri)
    assert server.settled(since)["state"] == "idle"
    assert len(server.messages(uri)) == 1


def test_a_go_that_is_not_there(tmp_path: Path, start: Start) -> None:
    folder = module(tmp_path / "m", {"m.go": GOOD})
    server = start()
    server.initialize(folder, options={"go": {"path": str(tmp_path / "nowhere" / "go")}})
    server.opened(folder / "m.go")
    status = server.statuses()[-1]
    assert status["state"] == "failed" and "nowhere" in status["message"] and "go.path" in status["message"]


def test_nothing_is_downloaded_unless_asked(tmp_path: Path, start: Start) -> None:
    folder = module(tmp_path / "m", {"m.go": GOOD})
    for asked in ({}, {"GOPROXY": "file:///nowhere"}):
        go = FakeGo(tmp_path / f"fake{len(asked)}")
        server = start(GOPROXY="direct")
        server.initialize(folder, options={"go": {"path": str(go.path), "env": asked}})
        uri = server.opened(folder / "m.go")
        server.command("showRaw", {"uri": uri})
        used = {line.split()[0] for line in go.environments()}
        assert used == {f"GOPROXY={asked.get('GOPROXY', 'off')}"}


def test_a_line_that_no_parser_knows(tmp_path: Path, start: Start) -> None:
    """Logged once, nothing else lost."""
    folder = module(tmp_path / "m", {"m.go": GOOD})
    go = FakeGo(tmp_path / "fake", compiler=f'echo "{UNKNOWN}"')
    server = start()
    server.initialize(folder, options={"go": {"path": str(go.path)}})
    uri = server.opened(folder / "m.go")
    for number in range(2):
        since = server.mark()
        write(folder, {"m.go": f"{GOOD}// {number}\n"})
        server.save(uri)
        server.settled(since)
    assert [n["message"] for n in server.messages(uri)] == ["moved to heap: a"]
    server.shutdown()
    server.wait_end()
    assert go.compiles() == 3
    assert server.log().count("frobnicating") == 1


def test_no_temporary_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder that TMPDIR names is not there: another one serves, or one sentence says so."""
    folder = module(tmp_path / "m", {"m.go": GOOD})
    server = Server(environment(TMPDIR=str(tmp_path / "nowhere")), folder)
    try:
        server.initialize(folder)
        uri = server.opened(folder / "m.go")
        status = server.statuses()[-1]
        assert status["state"] == "idle" or "TMPDIR" in status["message"]
        assert sorted(p.name for p in folder.iterdir()) == ["go.mod", "m.go"]
        assert server.command("explain", {"uri": uri, "position": {"line": 0, "character": 0}})
    finally:
        server.stop()
