"""Every command of the contract: its answer, and what bad arguments get."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest

from tests.lsp.client import ResponseError, Server
from tests.lsp.gomod import GO_MOD, FakeGo, hello, module, write
from tests.lsp.test_shown import EXPECTED, TEXT
from tests.lsp.texts import position_of, underlined

NODE = {
    "node", "id", "type", "kind", "message", "label", "function", "subject", "cause", "free", "freeReason", "loop",
    "cold", "origin", "uri", "range", "stale", "change", "before",
}  # fmt: skip


def test_messages_of_a_file(greeted: Server, uri: str) -> None:
    page = greeted.command("messages", {"uri": uri})
    nodes = page["nodes"]
    assert page["total"] == len(nodes) == len(EXPECTED)
    assert all(set(node) == NODE for node in nodes)
    shown = [(n["kind"], n["message"], underlined(TEXT, n["range"]), n["function"]) for n in nodes]
    assert sorted(shown) == sorted(EXPECTED)
    assert {n["uri"] for n in nodes} == {uri}
    assert {n["stale"] for n in nodes} == {False}
    assert len({n["id"] for n in nodes}) == len(nodes)
    (moved,) = [n for n in nodes if n["message"] == "moved to heap: u"]
    assert (moved["type"], moved["label"], moved["subject"], moved["cause"]) == (
        "moved",
        "Moved to Heap",
        "u",
        "returned",
    )


GROUPED: list[tuple[list[str], dict[str, int]]] = [
    (["function"], {"NewUser": 2, "Greet": 2, "Background": 2, "Ids": 1}),
    (["type"], {"leak": 2, "moved": 2, "escape": 3}),
    (["file", "type"], {"user.go": 7}),
]


@pytest.mark.parametrize(("group_by", "expected"), GROUPED, ids=[",".join(g[0]) for g in GROUPED])
def test_groups(greeted: Server, uri: str, group_by: list[str], expected: dict[str, int]) -> None:
    page = greeted.command("messages", {"uri": uri, "groupBy": group_by})
    assert {Path(node["key"]).name: node["count"] for node in page["nodes"]} == expected
    assert page["total"] == len(expected)
    for node in page["nodes"]:
        assert set(node) == {"node", "by", "key", "label", "count", "types", "loop", "uri"}
        assert (node["node"], node["by"]) == ("group", group_by[0])
        assert sum(node["types"].values()) == node["count"]


def test_every_nesting_opens_to_the_same_messages(greeted: Server, uri: str) -> None:
    flat = sorted(node["id"] for node in greeted.messages(uri))

    def leaves(group_by: list[str], parent: list[str]) -> list[str]:
        nodes = greeted.messages(uri, groupBy=group_by, parent=parent)
        if len(parent) == len(group_by):
            return [node["id"] for node in nodes]
        found = [leaf for node in nodes for leaf in leaves(group_by, [*parent, node["key"]])]
        assert sum(node["count"] for node in nodes) == len(found)
        return found

    for group_by in (["cause"], ["type", "function"], ["file", "function", "type", "cause"]):
        assert sorted(leaves(group_by, [])) == flat, group_by


def test_sorting_by_count(greeted: Server, uri: str) -> None:
    nodes = greeted.messages(uri, groupBy=["function"], sort="count")
    counts = [node["count"] for node in nodes]
    assert counts == sorted(counts, reverse=True)
    by_position = greeted.messages(uri, groupBy=["function"])
    assert [node["key"] for node in by_position] == ["NewUser", "Greet", "Background", "Ids"]


FILTERED: list[tuple[dict[str, Any], int]] = [
    ({"types": ["moved"]}, 2),
    ({"types": []}, 0),
    ({"types": ["can-inline"]}, 5),
    ({"types": ["leak"]}, 3),
    ({"text": "U.NAME"}, 1),
    ({"text": "background"}, 2),
    ({"text": "no such words"}, 0),
    ({"types": ["moved", "escape"], "text": "count"}, 1),
]


@pytest.mark.parametrize(("kept", "count"), FILTERED)
def test_filter(greeted: Server, uri: str, kept: dict[str, Any], count: int) -> None:
    nodes = greeted.messages(uri, filter=kept)
    assert len(nodes) == count


def test_types_count_what_the_filter_hides(greeted: Server, uri: str) -> None:
    page = greeted.command("messages", {"uri": uri, "filter": {"types": ["moved"]}})
    assert page["total"] == page["types"]["moved"] == 2
    assert page["types"]["can-inline"] == len(greeted.messages(uri, filter={"types": ["can-inline"]})) == 5
    named = greeted.command("messages", {"uri": uri, "filter": {"types": [], "text": "newuser"}})
    assert named["total"] == 0 and 0 < sum(named["types"].values()) < sum(page["types"].values())


def test_reveal(greeted: Server, uri: str) -> None:
    tree = {"uri": uri, "scope": "package", "groupBy": ["file", "function", "type"]}
    found = greeted.command("reveal", {**tree, "position": position_of(TEXT, "u := User")})["path"]
    assert [step.get("label") for step in found] == ["user.go", "NewUser", "Moved to Heap", "Moved to Heap"]
    assert found[-1]["message"] == "moved to heap: u"
    # Each step says where it is among its siblings.
    parent: list[str] = []
    for step in found:
        siblings = greeted.command("messages", {**tree, "parent": parent})["nodes"]
        assert siblings[step["index"]] == {k: v for k, v in step.items() if k not in ("index", "total")}
        assert step["total"] == len(siblings)
        parent.append(step.get("key", ""))
    # Between two messages the nearest line wins.
    far = greeted.command("reveal", {**tree, "position": {"line": 0, "character": 0}})["path"]
    assert far[-1]["range"]["start"]["line"] == min(n["range"]["start"]["line"] for n in greeted.messages(uri))
    none = greeted.command("reveal", {**tree, "filter": {"types": []}, "position": {"line": 0, "character": 0}})
    assert none == {"path": []}


def test_copy(greeted: Server, uri: str, folder: Path) -> None:
    argument: dict[str, Any] = {"uri": uri, "groupBy": ["function"], "parent": ["NewUser"]}
    lines = greeted.command("copy", argument)["text"].splitlines()
    assert f"{folder / 'user.go'}:11:2: moved: moved to heap: u" in lines
    assert len(lines) == len(greeted.messages(**argument)) == 2
    whole = greeted.command("copy", {"uri": uri})["text"].splitlines()
    assert len(whole) == len(EXPECTED)


def test_environment(greeted: Server, uri: str, tmp_path: Path, start: Callable[..., Server]) -> None:
    found = greeted.command("environment", {"uri": uri})
    assert found["go"].startswith("go1.") and found["goos"] and found["goarch"]
    assert (found["tags"], found["gcflags"]) == ([], [])
    other = start()
    folder = hello(tmp_path / "m")
    other.initialize(folder, options={"go": {"path": str(tmp_path / "no-go")}})
    assert "no-go" in other.command("environment", {"uri": (folder / "user.go").as_uri()})["error"]


def test_pages(greeted: Server, uri: str) -> None:
    whole = [node["id"] for node in greeted.messages(uri)]
    pages = [
        greeted.command("messages", {"uri": uri, "offset": offset, "limit": 3})
        for offset in range(0, len(whole) + 3, 3)
    ]
    assert [len(page["nodes"]) for page in pages] == [3, 3, 1, 0]
    assert {page["total"] for page in pages} == {len(whole)}
    assert [node["id"] for page in pages for node in page["nodes"]] == whole


def test_explain(greeted: Server, uri: str) -> None:
    found = greeted.command("explain", {"uri": uri, "position": position_of(TEXT, "u := User")})
    assert "moved to heap: u" in found["markdown"] and "return &u" in found["markdown"]
    assert greeted.command("explain", {"uri": uri, "position": {"line": 0, "character": 0}}) == {"markdown": None}


def test_raw_text(greeted: Server, uri: str) -> None:
    since = greeted.mark()
    found = greeted.command("showRaw", {"uri": uri, "show": True})
    first, *lines = found["text"].splitlines()
    assert first.startswith("# ") and "-m=2" in first
    assert "./user.go:11:2: moved to heap: u" in lines
    (shown,) = greeted.of("window/showDocument", since)
    assert Path(unquote(urlsplit(shown["uri"]).path)).read_text("utf-8") == found["text"]


BAD: list[tuple[str, list[Any]]] = [
    ("analyze", []),
    ("analyze", ["file:///x.go"]),
    ("analyze", [{"uri": 5}]),
    ("analyze", [{"uri": "untitled:one"}]),
    ("analyze", [{"uri": "HELLO", "scope": "world"}]),
    ("analyze", [{"uri": "HELLO", "env": ["GOOS"]}]),
    ("analyze", [{"uri": "HELLO", "types": ["nonsense"]}]),
    ("setFilter", []),
    ("setFilter", [{}]),
    ("setFilter", [{"types": "moved"}]),
    ("setFilter", [{"types": ["Moved"]}]),
    ("showRaw", [{}]),
    ("showRaw", [{"uri": "https://example.com/a.go"}]),
    ("explain", [{"uri": "HELLO"}]),
    ("explain", [{"uri": "HELLO", "position": {"line": -1, "character": 0}}]),
    ("explain", [{"uri": "HELLO", "position": [1, 2]}]),
    ("messages", [{"uri": "HELLO", "scope": "galaxy"}]),
    ("messages", [{"uri": "HELLO", "groupBy": ["colour"]}]),
    ("messages", [{"uri": "HELLO", "groupBy": "type"}]),
    ("messages", [{"uri": "HELLO", "parent": [1]}]),
    ("messages", [{"uri": "HELLO", "sort": "size"}]),
    ("messages", [{"uri": "HELLO", "offset": -1}]),
    ("messages", [{"uri": "HELLO", "limit": 0}]),
    ("messages", [{"uri": "HELLO", "filter": {"types": ["all"]}}]),
    ("messages", [7]),
    ("messages", [[{"uri": "HELLO"}]]),
    ("messages", [{"uri": "HELLO", "run": "no such"}]),
    ("messages", [{"uri": "HELLO", "compare": {"a": "1"}}]),
    ("messages", [{"uri": "HELLO", "compare": {"a": "1", "b": "no such"}}]),
    ("reveal", [{"uri": "HELLO"}]),
    ("reveal", [{"uri": "", "position": {"line": 0, "character": 0}}]),
    ("compare", [{}]),
    ("compare", [{"a": "1"}]),
    ("compare", [{"a": "no", "b": "such"}]),
]


@pytest.mark.parametrize(("name", "arguments"), BAD, ids=[f"{n}-{a}" for n, a in BAD])
def test_bad_arguments(greeted: Server, uri: str, name: str, arguments: list[Any]) -> None:
    filled = [{**a, "uri": uri} if isinstance(a, dict) and a.get("uri") == "HELLO" else a for a in arguments]
    with pytest.raises(ResponseError) as caught:
        greeted.command(name, *filled)
    assert caught.value.code == -32602
    assert caught.value.message
    assert len(greeted.messages(uri)) == len(EXPECTED)


def test_an_unknown_command_is_refused(greeted: Server, uri: str) -> None:
    with pytest.raises(ResponseError):
        greeted.command("dance", {})
    assert len(greeted.messages(uri)) == len(EXPECTED)


def test_filter_at_run_time_compiles_nothing(tmp_path: Path, start: Callable[..., Server]) -> None:
    folder = hello(tmp_path / "m")
    go = FakeGo(tmp_path / "fake")
    server = start()
    server.initialize(folder, options={"go": {"path": str(go.path)}})
    uri = server.opened(folder / "user.go")
    calls = go.calls()
    for shown, count in ((["moved"], 2), ([], 0), (["leak", "can-inline"], 8), (["escape", "moved", "leak"], 9)):
        since = server.mark()
        assert server.command("setFilter", {"types": shown}) == {"types": shown}
        assert len(server.diagnostics.get(uri, [])) == len(server.messages(uri)) == count
        assert {s["state"] for s in server.statuses(since)} == {"idle"}
    assert go.calls() == calls


def test_clear_and_analyze(tmp_path: Path, start: Callable[..., Server]) -> None:
    folder = hello(tmp_path / "m")
    server = start()
    server.initialize(folder)
    uri = server.opened(folder / "user.go")
    since = server.mark()
    server.command("clear", {})
    assert server.diagnostics[uri] == []
    assert server.messages(uri) == []
    assert [s["state"] for s in server.statuses(since)] == ["idle"]
    answer = server.command("analyze", {"uri": uri})
    assert (answer["status"], answer["messages"]) == ("ok", len(EXPECTED))
    assert len(server.diagnostics[uri]) == len(server.messages(uri)) == len(EXPECTED)


def test_analyze_a_module(tmp_path: Path, start: Callable[..., Server]) -> None:
    one = "package m\n\nfunc One() *int { x := 1; return &x }\n"
    folder = module(tmp_path / "m", {"one.go": one, "sub/two.go": one.replace("One", "Two").replace("m\n", "sub\n", 1)})
    server = start()
    server.initialize(folder)
    uri = server.opened(folder / "one.go")
    assert [n["function"] for n in server.messages(uri, scope="module")] == ["One"]
    assert server.command("analyze", {"uri": uri, "scope": "module"})["messages"] == 2
    assert [n["function"] for n in server.messages(uri, scope="module")] == ["One", "Two"]
    assert [n["function"] for n in server.messages(uri, scope="package")] == ["One"]
    assert [d["message"] for d in server.diagnostics[(folder / "sub/two.go").as_uri()]] == ["moved to heap: x"]


def test_a_run_with_an_environment_of_its_own_is_kept_apart(tmp_path: Path, start: Callable[..., Server]) -> None:
    small = "package m\n\nfunc inner() *int { x := 1; return &x }\n\nfunc Use() int { return *inner() }\n"
    tagged = "//go:build extra\n\npackage m\n\nfunc Extra() *int { y := 1; return &y }\n"
    folder = module(tmp_path / "m", {"a.go": small, "extra.go": tagged})
    server = start()
    server.initialize(folder)
    uri = server.opened(folder / "a.go")
    shown = server.messages(uri)
    plain = server.command("runs")["runs"]
    assert len(plain) == 1
    tags = server.command("analyze", {"uri": uri, "tags": ["extra"]})
    arm = server.command("analyze", {"uri": uri, "env": {"GOARCH": "arm64"}, "gcflags": ["-l"]})
    assert server.messages(uri) == shown
    runs = server.command("runs")["runs"]
    assert [run["id"] for run in runs] == [arm["run"], tags["run"], plain[0]["id"]]
    assert "extra" in runs[1]["label"] and "GOARCH=arm64" in runs[0]["label"] and "-l" in runs[0]["label"]
    difference = server.command("compare", {"a": plain[0]["id"], "b": tags["run"]})
    assert [m["message"] for m in difference["new"]] == ["moved to heap: y"]
    assert (difference["gone"], difference["moved"], difference["same"]) == ([], [], 1)
    assert difference["new"][0]["uri"] == (folder / "extra.go").as_uri()
    assert runs[1]["environment"]["tags"] == ["extra"] and runs[0]["environment"]["goarch"] == "arm64"
    # A tree of that run, and one of the difference.
    extra = server.messages(uri, scope="package", run=tags["run"], groupBy=["file"])
    assert [node["label"] for node in extra] == ["a.go", "extra.go"]
    pair = {"a": plain[0]["id"], "b": tags["run"]}
    (change,) = server.messages(uri, scope="package", compare=pair, groupBy=["change", "function"])
    assert (change["key"], change["label"], change["count"]) == ("new", "New", 1)
    (message,) = server.messages(uri, scope="package", compare=pair, groupBy=["change"], parent=["new"])
    assert (message["message"], message["change"], message["before"]) == ("moved to heap: y", "new", None)
    assert server.messages(uri, scope="file", compare=pair) == []


def test_comparing_runs_tells_what_only_moved(tmp_path: Path, start: Callable[..., Server]) -> None:
    before = "package m\n\nfunc A() *int { a := 1; return &a }\n\nfunc B() *int { b := 1; return &b }\n"
    after = before.replace("func A", "// moved down\n\nfunc A").replace("b := 1; return &b", "return nil")
    folder = module(tmp_path / "m", {"a.go": before})
    server = start()
    server.initialize(folder)
    uri = server.opened(folder / "a.go")
    server.saved(uri, folder / "a.go", after)
    new, old = (run["id"] for run in server.command("runs")["runs"])
    found = server.command("compare", {"a": old, "b": new})
    assert [m["message"] for m in found["gone"]] == ["moved to heap: b"]
    assert found["new"] == []
    assert [(p["before"]["line"], p["after"]["line"]) for p in found["moved"]] == [(3, 5)]
    nodes = server.messages(uri, compare={"a": old, "b": new})
    # What is gone has the line where it would stand now.
    shown = [(n["change"], n["message"], n["range"]["start"]["line"] + 1) for n in nodes]
    assert shown == [("gone", "moved to heap: b", 7), ("moved", "moved to heap: a", 5)]
    assert nodes[1]["before"]["line"] == 3


def test_a_save_that_changes_nothing_is_no_run_of_its_own(tmp_path: Path, start: Callable[..., Server]) -> None:
    text = "package m\n\nfunc A() *int { a := 1; return &a }\n"
    folder = module(tmp_path / "m", {"a.go": text})
    server = start()
    server.initialize(folder)
    uri = server.opened(folder / "a.go")
    (first,) = server.command("runs")["runs"]
    server.saved(uri, folder / "a.go", text)
    (again,) = server.command("runs")["runs"]
    assert again["id"] == first["id"] and again["time"] > first["time"]
    server.saved(uri, folder / "a.go", text.replace("a }", "a }\n\nfunc B() *int { b := 1; return &b }"))
    later, _ = server.command("runs")["runs"]
    assert later["previous"] == first["id"]
    # A failed build is no run: everything would be gone.
    server.saved(uri, folder / "a.go", text + "nonsense")
    assert [run["id"] for run in server.command("runs")["runs"]] == [later["id"], first["id"]]


def test_no_page_has_more_than_500_and_ten_thousand_are_shown(tmp_path: Path, start: Callable[..., Server]) -> None:
    count = 10_050
    body = "".join("\tsink = new(int)\n" for _ in range(count))
    folder = module(tmp_path / "m", {"many.go": f"package m\n\nvar sink *int\n\nfunc Many() {{\n{body}}}\n"})
    server = start()
    server.initialize(folder)
    uri = server.opened(folder / "many.go")
    page = server.command("messages", {"uri": uri, "limit": 100_000})
    assert (len(page["nodes"]), page["total"]) == (500, count)
    last = server.command("messages", {"uri": uri, "offset": count - 50})
    assert [n["range"]["start"]["line"] for n in last["nodes"]] == list(range(count - 45, count + 5))
    published = server.diagnostics[uri]
    assert len(published) == 10_001
    assert "50 more" in published[-1]["message"]


def test_messages_without_a_go_module_say_why(tmp_path: Path, start: Callable[..., Server]) -> None:
    folder = write(tmp_path / "m", {"go.mod": GO_MOD})
    server = start()
    server.initialize(folder)
    missing = (folder / "missing.go").as_uri()
    answer = server.command("analyze", {"uri": missing})
    assert answer["status"] == "failed" and "missing.go" in answer["error"]
    assert server.command("messages", {"uri": missing}) == {"nodes": [], "total": 0, "types": {}}
