"""Settings by each of their three ways, and what each of them changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.lsp.client import Server
from tests.lsp.gomod import FakeGo, hello, module

Start = Callable[..., Server]
PULLS = {"workspace": {"configuration": True, "didChangeConfiguration": {"dynamicRegistration": True}}}


def kinds(server: Server, uri: str) -> Counter[str]:
    return Counter(d["data"]["type"] for d in server.diagnostics.get(uri, []))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return hello(tmp_path / "m") / "user.go"


def test_by_initialization_options(path: Path, start: Start) -> None:
    server = start()
    server.initialize(path.parent, options={"show": ["moved"]})
    assert kinds(server, server.opened(path)) == {"moved": 2}


def test_by_workspace_configuration(path: Path, start: Start) -> None:
    server = start()
    server.settings = {"show": ["moved"]}
    server.initialize(path.parent, capabilities=PULLS)
    assert kinds(server, server.opened(path)) == {"moved": 2}
    (asked, *_) = server.of("workspace/configuration")
    assert [item["section"] for item in asked["items"]] == ["escapelens"]


def test_a_client_without_settings_keeps_the_options(path: Path, start: Start) -> None:
    """Many clients answer null for a section that nobody set."""
    server = start()
    server.initialize(path.parent, options={"show": ["moved"]}, capabilities=PULLS)
    assert kinds(server, server.opened(path)) == {"moved": 2}


@pytest.mark.parametrize("wrapped", [False, True], ids=["bare", "section"])
def test_by_a_change(path: Path, start: Start, wrapped: bool) -> None:
    server = start()
    server.initialize(path.parent)
    uri = server.opened(path)
    since = server.mark()
    settings = {"show": ["escape"]}
    server.notify("workspace/didChangeConfiguration", {"settings": {"escapelens": settings} if wrapped else settings})
    server.wait(lambda: server.statuses(since), "the change")
    assert kinds(server, uri) == {"escape": 4}
    assert not [s for s in server.statuses(since) if s["state"] == "running"]


def test_by_a_change_that_is_pulled(path: Path, start: Start) -> None:
    server = start()
    server.initialize(path.parent, capabilities=PULLS)
    uri = server.opened(path)
    server.settings = {"show": ["leak"]}
    since = server.mark()
    server.notify("workspace/didChangeConfiguration", {"settings": None})
    server.wait(lambda: server.statuses(since), "the change")
    assert kinds(server, uri) == {"leak": 3}


BAD: list[tuple[dict[str, Any], str]] = [
    ({"nonsense": 1}, "escapelens.nonsense"),
    ({"go": {"pth": "x"}}, "escapelens.go.pth"),
    ({"go.pth": "x"}, "escapelens.go.pth"),
    ({"run": "always"}, "escapelens.run"),
    ({"severity": {"moved": "loud"}}, "escapelens.severity.moved"),
    ({"show": ["moved", "everything"]}, "escapelens.show"),
    ({"go": 5}, "escapelens.go"),
    ({"backEnd": {}}, "escapelens.backEnd"),
]


def reported(server: Server) -> list[str]:
    return [str(m["message"]) for m in server.of("window/showMessage")]


@pytest.mark.parametrize(("bad", "name"), BAD, ids=[name for _, name in BAD])
def test_a_bad_setting_is_reported_once_by_name(path: Path, start: Start, bad: dict[str, Any], name: str) -> None:
    server = start()
    settings = {**bad, "diagnostics": "on", "severity": bad.get("severity", {"leak": "warning"})}
    server.initialize(path.parent, options=settings)
    uri = server.opened(path)
    for _ in range(2):
        server.notify("workspace/didChangeConfiguration", {"settings": settings})
    assert len(server.messages(uri)) == 7
    (text,) = reported(server)
    assert name in text
    if "severity" not in bad:
        assert {d["severity"] for d in server.diagnostics[uri] if d["data"]["type"] == "leak"} == {2}


NO_OBJECTS: list[Any] = [[], "words", 7, True]


@pytest.mark.parametrize("options", NO_OBJECTS)
def test_settings_that_are_no_object(path: Path, start: Start, options: Any) -> None:
    server = start()
    server.initialize(path.parent, options=options)
    assert len(server.messages(server.opened(path))) == 7
    assert len(reported(server)) == 1


def test_severity(path: Path, start: Start) -> None:
    server = start()
    server.initialize(path.parent, options={"severity": {"moved": "warning", "escape": "information", "leak": "off"}})
    uri = server.opened(path)
    assert {(d["data"]["type"], d["severity"]) for d in server.diagnostics[uri]} == {("moved", 2), ("escape", 3)}
    assert Counter(n["type"] for n in server.messages(uri)) == {"moved": 2, "escape": 3, "leak": 2}


def test_without_diagnostics_everything_else_works(path: Path, start: Start) -> None:
    server = start()
    server.initialize(path.parent, options={"diagnostics": "off"})
    uri = server.opened(path)
    assert server.diagnostics.get(uri, []) == []
    assert len(server.messages(uri)) == 7
    where = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}
    assert server.request("textDocument/inlayHint", {"textDocument": {"uri": uri}, "range": where})
    assert server.request(
        "textDocument/hover", {"textDocument": {"uri": uri}, "position": {"line": 10, "character": 1}}
    )
    broken = path.read_text().replace("return &u", "return u")
    server.saved(uri, path, broken)
    assert [d["code"] for d in server.diagnostics[uri]] == ["build-failed"]


def test_only_what_is_new(path: Path, start: Start) -> None:
    server = start()
    server.initialize(path.parent, options={"diagnostics": "new"})
    uri = server.opened(path)
    text = path.read_text()
    server.saved(uri, path, f"{text}\nfunc New() *int {{ fresh := 1; return &fresh }}\n")
    assert [d["message"] for d in server.diagnostics[uri]] == ["moved to heap: fresh"]
    assert len(server.messages(uri)) == 8
    server.save(uri)
    server.wait(lambda: server.diagnostics[uri] == [], "nothing new")


TESTED = {
    "m.go": "package m\n\nfunc A() *int { a := 1; return &a }\n",
    "m_test.go": "package m\n\nfunc helper() *int { t := 1; return &t }\n\nvar _ = helper\n",
    "x_test.go": "package m_test\n\nfunc outer() *int { x := 1; return &x }\n\nvar _ = outer\n",
}
IN_TESTS = [
    ("auto", False, set()),
    ("auto", True, {"t", "x"}),
    ("on", False, {"t", "x"}),
    ("off", False, set()),
    ("off", True, set()),
]


@pytest.mark.parametrize(("setting", "opens_test", "expected"), IN_TESTS, ids=[f"{s}-{o}" for s, o, _ in IN_TESTS])
def test_tests(tmp_path: Path, start: Start, setting: str, opens_test: bool, expected: set[str]) -> None:
    folder = module(tmp_path / "m", TESTED)
    server = start()
    server.initialize(folder, options={"tests": setting})
    uri = server.opened(folder / "m.go")
    if opens_test:
        since = server.mark()
        server.open(folder / "m_test.go")
        if expected:
            server.settled(since)
        server.command("analyze", {"uri": uri})
    nodes = server.messages(uri, scope="package")
    assert sorted(n["subject"] for n in nodes) == sorted({"a", *expected})


def test_tests_are_analysed_only_while_one_is_open(tmp_path: Path, start: Start) -> None:
    folder = module(tmp_path / "m", TESTED)
    server = start()
    server.initialize(folder)
    uri = server.opened(folder / "m.go")
    test = server.opened(folder / "m_test.go")
    assert len(server.messages(test)) == 1
    server.close(test)
    since = server.mark()
    server.save(uri)
    server.settled(since)
    assert [n["subject"] for n in server.messages(uri, scope="package")] == ["a"]


def test_manual_runs(path: Path, start: Start) -> None:
    server = start()
    server.initialize(path.parent, options={"run": "manual"})
    uri = server.open(path)
    server.save(uri)
    assert server.messages(uri) == []
    assert server.command("analyze", {"uri": uri})["messages"] == 7
    assert len(server.diagnostics[uri]) == 7
    assert len([s for s in server.statuses() if s["state"] == "running"]) == 1


def test_runs_while_typing(path: Path, start: Start) -> None:
    """With ``onType`` unsaved text is analysed; the file on disk stays as it is."""
    server = start()
    server.initialize(path.parent, options={"run": "onType"})
    uri = server.opened(path)
    text = path.read_text()
    since = server.mark()
    server.edit(uri, {"text": f"{text}\nfunc New() *int {{ fresh := 1; return &fresh }}\n"})
    server.settled(since)
    assert "moved to heap: fresh" in [n["message"] for n in server.messages(uri)]
    assert path.read_text() == text


def test_the_scope_of_a_module(tmp_path: Path, start: Start) -> None:
    text = "package {}\n\nfunc A() *int {{ a := 1; return &a }}\n"
    folder = module(tmp_path / "m", {"m.go": text.format("m"), "sub/s.go": text.format("sub")})
    server = start()
    server.initialize(folder, options={"scope": "module"})
    uri = server.opened(folder / "m.go")
    assert len(server.messages(uri, scope="module")) == 2
    assert len(server.diagnostics[(folder / "sub/s.go").as_uri()]) == 1


def test_the_scope_of_a_file(tmp_path: Path, start: Start) -> None:
    text = "package m\n\nfunc {}() *int {{ a := 1; return &a }}\n"
    folder = module(tmp_path / "m", {"m.go": text.format("A"), "other.go": text.format("B")})
    server = start()
    server.initialize(folder, options={"scope": "file"})
    server.opened(folder / "m.go")
    assert {uri: len(found) for uri, found in server.diagnostics.items() if found} == {(folder / "m.go").as_uri(): 1}


def test_go_settings_reach_go(tmp_path: Path, start: Start) -> None:
    files = {
        "m.go": "package m\n\nfunc A() *int { a := 1; return &a }\n",
        "x.go": "//go:build extra && arm64\n\npackage m\n\nfunc X() *int { x := 1; return &x }\n",
    }
    folder = module(tmp_path / "m", files)
    go = FakeGo(tmp_path / "fake")
    server = start()
    settings = {"path": str(go.path), "tags": ["extra"], "env": {"GOARCH": "arm64"}, "gcflags": "-l"}
    server.initialize(folder, options={"go": settings, "show": ["moved", "can-inline"]})
    uri = server.opened(folder / "m.go")
    nodes = server.messages(uri, scope="package")
    assert [n["message"] for n in nodes] == ["moved to heap: a", "moved to heap: x"]
    (compile_,) = [call for call in go.calls() if "-export" in call]
    assert "-tags=extra" in compile_ and "-l" in compile_


def test_a_change_of_go_analyses_again(path: Path, tmp_path: Path, start: Start) -> None:
    server = start()
    server.initialize(path.parent)
    uri = server.opened(path)
    go = FakeGo(tmp_path / "fake")
    since = server.mark()
    server.notify("workspace/didChangeConfiguration", {"settings": {"go": {"path": str(go.path)}}})
    server.settled(since)
    assert go.compiles() == 1
    assert len(server.messages(uri)) == 7


def test_hints_and_lenses_are_switched_at_run_time(path: Path, start: Start) -> None:
    server = start()
    refresh = {"workspace": {"inlayHint": {"refreshSupport": True}, "codeLens": {"refreshSupport": True}}}
    server.initialize(path.parent, capabilities=refresh)
    uri = server.opened(path)
    document = {"textDocument": {"uri": uri}}
    hints = {**document, "range": {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}}
    assert server.request("textDocument/inlayHint", hints)
    assert server.request("textDocument/codeLens", document) == []
    assert server.of("workspace/inlayHint/refresh")
    since = server.mark()
    settings = {"inlayHints": {"enable": False}, "codeLens": {"enable": True}}
    server.notify("workspace/didChangeConfiguration", {"settings": settings})
    assert server.request("textDocument/inlayHint", hints) == []
    assert server.request("textDocument/codeLens", document)
    refreshed = {m["method"] for m in server.received[since:] if m["method"].endswith("/refresh")}
    assert refreshed == {"workspace/inlayHint/refresh", "workspace/codeLens/refresh"}


def test_two_folders(tmp_path: Path, start: Start) -> None:
    """Each workspace folder is a module of its own; what is asked of one is not answered from the other."""
    text = "package m\n\nfunc {0}() *int {{ {1} := 1; return &{1} }}\n"
    one = module(tmp_path / "one", {"m.go": text.format("A", "a")})
    two = module(tmp_path / "two", {"m.go": text.format("B", "b")})
    server = start()
    server.initialize(one, two)
    first, second = server.opened(one / "m.go"), server.opened(two / "m.go")
    for uri, name in ((first, "a"), (second, "b")):
        assert [d["message"] for d in server.diagnostics[uri]] == [f"moved to heap: {name}"]
        assert [n["subject"] for n in server.messages(uri, scope="package")] == [name]
        assert [n["subject"] for n in server.messages(uri, scope="module")] == [name]
