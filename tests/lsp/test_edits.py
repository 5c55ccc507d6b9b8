"""Between two results: edits, build errors, files that come and go."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.lsp.client import Json, Server
from tests.lsp.gomod import module
from tests.lsp.texts import position_of, range_of, underlined

TEXT = """package m

func A() *int {
	a := 1
	return &a
}

func B() *int {
	b := 2
	return &b
}
"""
Start = Callable[..., Server]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return module(tmp_path / "m", {"m.go": TEXT}) / "m.go"


@pytest.fixture
def server(path: Path, start: Start) -> Server:
    server = start()
    server.initialize(path.parent)
    server.opened(path)
    return server


def shown(server: Server, uri: str, text: str) -> dict[str, tuple[str, int, bool]]:
    """Message → what is underlined, on which line, whether it is old; the same in diagnostics and nodes."""
    nodes = server.messages(uri)
    messages = [d for d in server.diagnostics[uri] if d["code"] != "build-failed"]
    assert [(d["message"], d["range"]) for d in messages] == [(n["message"], n["range"]) for n in nodes]
    return {n["subject"]: (underlined(text, n["range"]), n["range"]["start"]["line"], n["stale"]) for n in nodes}


def test_edits_move_messages_and_drop_those_on_changed_lines(server: Server, path: Path) -> None:
    uri = path.as_uri()
    assert shown(server, uri, TEXT) == {"a": ("a", 3, False), "b": ("b", 8, False)}
    start = {"line": 1, "character": 0}
    server.edit(uri, {"range": {"start": start, "end": start}, "text": "\n// two lines\n"})
    moved = TEXT.replace("\n", "\n\n// two lines\n", 1)
    assert shown(server, uri, moved) == {"a": ("a", 5, True), "b": ("b", 10, True)}
    server.edit(uri, {"range": range_of(moved, "a := 1"), "text": "a := 10"}, version=3)
    changed = moved.replace("a := 1", "a := 10", 1)
    assert shown(server, uri, changed) == {"b": ("b", 10, True)}
    hints = server.request(
        "textDocument/inlayHint", {"textDocument": {"uri": uri}, "range": range_of(changed, changed.split("}")[0])}
    )
    # The value on the changed line is gone; how many others have no hint stays said.
    assert [hint["label"][0]["value"] for hint in hints] == ["1 more on heap"]
    found = server.request(
        "textDocument/hover", {"textDocument": {"uri": uri}, "position": position_of(changed, "b :=")}
    )
    assert "moved to heap: b" in found["contents"]["value"]
    server.saved(uri, path, changed)
    assert shown(server, uri, changed) == {"a": ("a", 5, False), "b": ("b", 10, False)}


def test_several_changes_in_one_notification(server: Server, path: Path) -> None:
    """Each change counts from the text that the one before it left."""
    uri = path.as_uri()
    first = {"range": range_of(TEXT, "package m\n"), "text": "package m\n\n\n"}
    first["range"] = {"start": {"line": 0, "character": 0}, "end": {"line": 1, "character": 0}}
    second = {"range": {"start": {"line": 5, "character": 0}, "end": {"line": 6, "character": 0}}, "text": "\ta := 7\n"}
    server.edit(uri, first, second)
    text = "package m\n\n\n" + TEXT.removeprefix("package m\n").replace("a := 1", "a := 7")
    assert shown(server, uri, text) == {"b": ("b", 10, True)}


def test_edits_while_a_result_comes_are_not_lost(path: Path, start: Start) -> None:
    """A result is for the saved text: what was typed since moves it."""
    server = start()
    server.initialize(path.parent)
    since = server.mark()
    uri = server.open(path)
    start_of_file = {"line": 0, "character": 0}
    server.edit(uri, {"range": {"start": start_of_file, "end": start_of_file}, "text": "// typed\n"})
    server.settled(since)
    assert shown(server, uri, f"// typed\n{TEXT}") == {"a": ("a", 4, True), "b": ("b", 9, True)}


BROKEN = [
    ("type", ("return &b", "return b"), "b", "cannot use b"),
    ("syntax", ("func B() *int {", "func B( *int {"), "{", "syntax error"),
    ("undefined", ("b := 2", "b := nowhere"), "nowhere", "undefined: nowhere"),
    ("import", ("package m\n", 'package m\n\nimport "example.com/nowhere"\n'), '"', "example.com/nowhere"),
    ("unused", ("b := 2", "b, c := 2, 3"), "c", "declared and not used"),
]


def build_errors(server: Server, uri: str) -> list[Json]:
    return [d for d in server.diagnostics.get(uri, []) if d["code"] == "build-failed"]


@pytest.mark.parametrize(("change", "at", "words"), [b[1:] for b in BROKEN], ids=[b[0] for b in BROKEN])
def test_a_build_error_keeps_the_old_messages(
    server: Server, path: Path, change: tuple[str, str], at: str, words: str
) -> None:
    uri = path.as_uri()
    broken = TEXT.replace(*change)
    status = server.saved(uri, path, broken)
    assert status["state"] == "failed" and words in status["message"]
    # Every error of the compiler at its place, the first one first.
    error, *more = build_errors(server, uri)
    assert {(e["severity"], e["source"]) for e in (error, *more)} == {(1, "escapelens")}
    assert words in error["message"]
    line = next(n for n, (a, b) in enumerate(zip(TEXT.split("\n"), broken.split("\n"), strict=False)) if a != b)
    assert error["range"]["start"]["line"] == line
    assert underlined(broken, error["range"])[0] == at[0]
    old = shown(server, uri, broken)
    assert old["a"] == ("a", 3 + broken.count("\n") - TEXT.count("\n"), True)
    assert all(stale for _, _, stale in old.values())
    hover = {"textDocument": {"uri": uri}, "position": position_of(broken, "a :=")}
    assert "moved to heap: a" in server.request("textDocument/hover", hover)["contents"]["value"]
    assert server.saved(uri, path, TEXT)["state"] == "idle"
    assert build_errors(server, uri) == []
    assert shown(server, uri, TEXT) == {"a": ("a", 3, False), "b": ("b", 8, False)}


def test_a_package_that_never_built(tmp_path: Path, start: Start) -> None:
    broken = TEXT.replace("return &b", "return b")
    path = module(tmp_path / "m", {"m.go": broken}) / "m.go"
    server = start()
    server.initialize(path.parent)
    uri = server.opened(path)
    assert server.statuses()[-1]["state"] == "failed"
    assert len(build_errors(server, uri)) == 1
    server.saved(uri, path, TEXT)
    assert build_errors(server, uri) == []
    assert set(shown(server, uri, TEXT)) == {"a", "b"}


def test_an_error_in_another_file_of_the_package(tmp_path: Path, start: Start) -> None:
    folder = module(tmp_path / "m", {"m.go": TEXT, "other.go": "package m\n\nvar x int = 1\n"})
    server = start()
    server.initialize(folder)
    uri = server.opened(folder / "m.go")
    other = folder / "other.go"
    server.saved(server.open(other), other, 'package m\n\nvar x int = "words"\n')
    assert build_errors(server, uri) == []
    (error,) = build_errors(server, other.as_uri())
    assert error["range"]["start"] == {"line": 2, "character": 12}
    assert set(shown(server, uri, TEXT)) == {"a", "b"}


def changed_on_disk(server: Server, path: Path, kind: int) -> None:
    change = {"uri": path.as_uri(), "type": kind}
    server.notify("workspace/didChangeWatchedFiles", {"changes": [change]})


def test_a_deleted_file_that_is_watched(tmp_path: Path, start: Start) -> None:
    folder = module(tmp_path / "m", {"m.go": TEXT, "other.go": "package m\n\nfunc C() *int { c := 1; return &c }\n"})
    server = start()
    server.initialize(folder)
    server.opened(folder / "m.go")
    other = folder / "other.go"
    assert [d["message"] for d in server.diagnostics[other.as_uri()]] == ["moved to heap: c"]
    other.unlink()
    since = server.mark()
    changed_on_disk(server, other, 3)
    server.settled(since)
    assert server.diagnostics[other.as_uri()] == []
    assert server.messages(other.as_uri()) == []
    assert len(server.messages((folder / "m.go").as_uri(), scope="package")) == 2


def test_a_deleted_file_that_is_closed(server: Server, path: Path) -> None:
    uri = path.as_uri()
    path.unlink()
    server.close(uri)
    assert server.messages(uri) == []
    assert server.diagnostics[uri] == []


def test_a_renamed_file(server: Server, path: Path) -> None:
    uri = path.as_uri()
    renamed = path.with_name("renamed.go")
    path.rename(renamed)
    since = server.mark()
    server.close(uri)
    new = server.open(renamed)
    changed_on_disk(server, path, 3)
    changed_on_disk(server, renamed, 1)
    server.settled(since)
    assert server.messages(uri) == [] and server.diagnostics[uri] == []
    assert set(shown(server, new, TEXT)) == {"a", "b"}


def test_a_file_written_by_another_program(server: Server, path: Path) -> None:
    other = path.with_name("generated.go")
    other.write_text("package m\n\nfunc G() *int { g := 1; return &g }\n")
    since = server.mark()
    changed_on_disk(server, other, 1)
    server.settled(since)
    assert [d["message"] for d in server.diagnostics[other.as_uri()]] == ["moved to heap: g"]


def test_a_closed_file_keeps_its_messages(server: Server, path: Path) -> None:
    uri = path.as_uri()
    server.close(uri)
    assert len(server.messages(uri)) == 2
    assert len(server.diagnostics[uri]) == 2


def test_edits_that_were_thrown_away(server: Server, path: Path) -> None:
    """Closed without a save, a file shows again what is on disk."""
    uri = path.as_uri()
    server.edit(uri, {"text": f"// typed\n{TEXT}"})
    assert shown(server, uri, f"// typed\n{TEXT}")["a"] == ("a", 4, True)
    server.close(uri)
    assert shown(server, uri, TEXT) == {"a": ("a", 3, False), "b": ("b", 8, False)}


def test_go_mod_changed(server: Server, path: Path) -> None:
    """A new go.mod may change everything: open packages are analysed again."""
    (path.parent / "go.mod").write_text("module example.com/renamed\n\ngo 1.21\n")
    since = server.mark()
    changed_on_disk(server, path.parent / "go.mod", 2)
    assert server.settled(since)["package"] == "example.com/renamed"
