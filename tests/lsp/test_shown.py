"""What a client shows without asking for more: diagnostics, hover, hints, lenses, actions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest

from tests.lsp.client import Server
from tests.lsp.gomod import HELLO, module
from tests.lsp.texts import EVERYTHING, position_of, range_of, underlined

TEXT = (HELLO / "user.go").read_text("utf-8")

#: kind, the compiler's words, what is underlined, the function: from the compiler's own log.
EXPECTED = [
    ("leaking-param", "leaking param: name", "name", "NewUser"),
    ("moved-to-heap", "moved to heap: u", "u", "NewUser"),
    ("leaking-param-content", "leaking param content: u", "u", "Greet"),
    ("escapes-to-heap", "u.Name escapes to heap", "u.Name", "Greet"),
    ("moved-to-heap", "moved to heap: count", "count", "Background"),
    ("escapes-to-heap", "func literal escapes to heap", "func", "Background"),
    ("escapes-to-heap", "make([]int, n) escapes to heap", "make([]int, n)", "Ids"),
]


def hover(server: Server, uri: str, position: dict[str, int]) -> str | None:
    found = server.request("textDocument/hover", {"textDocument": {"uri": uri}, "position": position})
    return None if found is None else str(found["contents"]["value"])


def test_announced(greeted: Server) -> None:
    found = greeted.capabilities
    for name in ("hoverProvider", "inlayHintProvider", "codeLensProvider", "codeActionProvider"):
        assert found[name], name
    assert found["textDocumentSync"]["openClose"] is True
    assert found["textDocumentSync"]["save"]
    assert "diagnosticProvider" not in found
    contract = ("analyze", "setFilter", "clear", "showRaw", "messages", "explain", "runs", "compare")
    further = ("copy", "reveal", "environment", "cancel", "chooseFilter", "showComparison", "flow", "hints")
    assert set(found["executeCommandProvider"]["commands"]) == {f"escapelens.{n}" for n in (*contract, *further)}


def test_diagnostics(greeted: Server, uri: str) -> None:
    found = greeted.diagnostics[uri]
    shown = [(d["code"], d["message"], underlined(TEXT, d["range"]), d["data"]["function"]) for d in found]
    assert sorted(shown) == sorted(EXPECTED)
    for diagnostic in found:
        assert diagnostic["source"] == "escapelens"
        assert diagnostic["severity"] == 4
        assert diagnostic["data"]["kind"] == diagnostic["code"]
    assert Counter(d["data"]["type"] for d in found) == {"escape": 3, "moved": 2, "leak": 2}
    starts = [(d["range"]["start"]["line"], d["range"]["start"]["character"]) for d in found]
    assert starts == sorted(starts)


def test_flow_in_related_information(greeted: Server, uri: str) -> None:
    (moved,) = [d for d in greeted.diagnostics[uri] if d["message"] == "moved to heap: u"]
    steps = [(step["message"], step["location"]) for step in moved["relatedInformation"]]
    assert [text for text, _ in steps] == ["&u (address-of)", "return &u (return)"]
    assert all(location["uri"] == uri for _, location in steps)
    assert [location["range"]["start"] for _, location in steps] == [
        position_of(TEXT, "&u"),
        position_of(TEXT, "return &u"),
    ]


def test_status_of_a_run(greeted: Server) -> None:
    run = [s for s in greeted.statuses() if s["generation"] == 1]
    assert [s["state"] for s in run] == ["running", "idle"]
    assert {"state", "package", "generation", "message"} == set(run[-1])
    assert run[-1]["package"] == "example.com/hello"


def test_a_save_says_what_it_changed(tmp_path: Path, start: Callable[..., Server]) -> None:
    folder = module(tmp_path / "m", {"loop.go": LOOP})
    server = start()
    server.initialize(folder)
    path = folder / "loop.go"
    uri = server.opened(path)
    assert server.statuses()[-1]["message"] == "2 Moved to Heap"
    more = LOOP.replace("kept[i] = &v", "kept[i] = &v\n\t\tw := i\n\t\tkept[0] = &w")
    server.saved(uri, path, more.replace("kept[0] = &once", "_ = once"))
    assert server.statuses()[-1]["message"] == "2 Moved to Heap · +1 in a loop, −1"
    server.saved(uri, path, LOOP)
    assert server.statuses()[-1]["message"] == "2 Moved to Heap · +1, −1"


HOVERED = [
    (
        "on its range",
        position_of(TEXT, "u := User"),
        ["moved to heap: u", "return &u", "its address is taken", "decides"],
    ),
    ("on its line", position_of(TEXT, "//= moved u"), ["moved to heap: u", "return &u"]),
    (
        "on a function's name",
        position_of(TEXT, "Greet(u"),
        ["Greet", "1 more free", "u.Name", "`u` what the value behind it points to leaks"],
    ),
    ("on a quiet function's name", position_of(TEXT, "Sum(values"), ["Sum", "can inline"]),
]


@pytest.mark.parametrize(("position", "expected"), [h[1:] for h in HOVERED], ids=[h[0] for h in HOVERED])
def test_hover(greeted: Server, uri: str, position: dict[str, int], expected: list[str]) -> None:
    text = hover(greeted, uri, position)
    assert text is not None
    assert not [word for word in expected if word not in text]


def test_hover_says_why_and_links_the_steps(greeted: Server, uri: str) -> None:
    text = hover(greeted, uri, position_of(TEXT, "u := User"))
    assert text is not None
    assert f"({uri}#L12,9)" in text
    assert "caller" in text


def test_hover_covers_the_expression(greeted: Server, uri: str) -> None:
    params = {"textDocument": {"uri": uri}, "position": position_of(TEXT, "u.Name)")}
    assert underlined(TEXT, greeted.request("textDocument/hover", params)["range"]) == "u.Name"


def test_no_hover_where_nothing_is_said(greeted: Server, uri: str) -> None:
    assert hover(greeted, uri, position_of(TEXT, "package hello")) is None
    assert hover(greeted, uri, {"line": 999_999, "character": 999_999}) is None


LOOP = """package loops

var kept [9]*int

func Loop(n int) {
	for i := 0; i < n; i++ {
		v := i
		kept[i] = &v
	}
	once := n
	kept[0] = &once
}
"""


def hints_of(server: Server, uri: str, where: dict[str, Any] = EVERYTHING) -> list[tuple[int, int, str]]:
    found = server.request("textDocument/inlayHint", {"textDocument": {"uri": uri}, "range": where})
    assert all(h["paddingLeft"] for h in found)
    shown = ((h["position"], h["label"]) for h in found)
    return [(at["line"], at["character"], x if isinstance(x, str) else x[0]["value"]) for at, x in shown]


def test_hints_in_loops_at_the_value_and_at_the_line_that_decides(tmp_path: Path, start: Callable[..., Server]) -> None:
    folder = module(tmp_path / "m", {"loop.go": LOOP})
    server = start()
    server.initialize(folder)
    uri = server.opened(folder / "loop.go")
    assert hints_of(server, uri) == [
        (0, len("package loops"), "1 more on heap"),
        (6, 3, "→ heap · in loop"),
        (7, len("\t\tkept[i] = &v"), "→ heap · in loop"),
    ]


def test_hints_that_are_hidden_are_counted_and_one_command_shows_them(greeted: Server, uri: str) -> None:
    clause = position_of(TEXT, "package hello")["line"]
    assert hints_of(greeted, uri) == [(clause, len("package hello"), "6 more on heap")]
    (hint,) = greeted.request("textDocument/inlayHint", {"textDocument": {"uri": uri}, "range": EVERYTHING})
    (part,) = hint["label"]
    assert part["tooltip"] == "Without a hint: 5 outside loops, 1 free."
    try:
        assert greeted.request("workspace/executeCommand", _command(part["command"])) == {"which": "all"}
        line = {name: position_of(TEXT, name)["line"] for name in ("u := User", "return &u", "u.Name)", "make(")}
        shown = {(at, text) for at, _, text in hints_of(greeted, uri)}
        assert {(number, "→ heap") for number in line.values()} <= shown
        # The constant costs nothing, so nothing is said of the heap behind it.
        assert (clause, "1 more on heap") in shown
        part = {
            "start": {"line": line["return &u"], "character": 0},
            "end": {"line": line["return &u"], "character": 99},
        }
        assert hints_of(greeted, uri, part) == [(line["return &u"], len("\treturn &u"), "→ heap")]
    finally:
        greeted.command("hints", {"which": None})
    assert len(hints_of(greeted, uri)) == 1


def test_code_lenses(greeted: Server, uri: str) -> None:
    lenses = greeted.request("textDocument/codeLens", {"textDocument": {"uri": uri}})
    titles = {lens["range"]["start"]["line"]: lens["command"]["title"] for lens in lenses}
    line = {name: position_of(TEXT, f"func {name}(")["line"] for name in ("NewUser", "Greet", "Background", "Ids")}
    assert titles == {
        line["NewUser"]: "1 on heap · 1 leak · inlines",
        line["Greet"]: "1 on heap · 1 leak",
        line["Background"]: "2 on heap · inlines",
        line["Ids"]: "1 on heap · inlines",
    }
    for lens in lenses:
        answer = greeted.request("workspace/executeCommand", _command(lens["command"]))
        assert "heap" in answer["markdown"]


def _command(command: dict[str, Any]) -> dict[str, Any]:
    return {"command": command["command"], "arguments": command["arguments"]}


def actions(server: Server, uri: str, where: dict[str, Any]) -> list[dict[str, Any]]:
    params = {"textDocument": {"uri": uri}, "range": where, "context": {"diagnostics": []}}
    found: list[dict[str, Any]] = server.request("textDocument/codeAction", params)
    return found


def test_code_actions_are_commands_that_work(greeted: Server, uri: str) -> None:
    found = actions(greeted, uri, range_of(TEXT, "u := User"))
    commands = {action["command"]["command"] for action in found}
    of_this_line = {
        "escapelens.explain",
        "escapelens.flow",
        "escapelens.setFilter",
        "escapelens.showRaw",
        "escapelens.hints",
    }
    general = {"escapelens.chooseFilter", "escapelens.showComparison", "escapelens.analyze"}
    assert commands == of_this_line | general
    (explain,) = [a for a in found if a["command"]["command"] == "escapelens.explain"]
    assert "moved to heap: u" in explain["title"]
    since = greeted.mark()
    answer = greeted.request("workspace/executeCommand", _command(explain["command"]))
    assert "return &u" in answer["markdown"]
    (shown,) = greeted.of("window/showDocument", since)
    assert Path(unquote(urlsplit(shown["uri"]).path)).read_text("utf-8") == answer["markdown"]


def test_no_actions_where_nothing_is_said(greeted: Server, uri: str) -> None:
    assert actions(greeted, uri, range_of(TEXT, "package hello")) == []


def test_each_lens_is_an_action_too(greeted: Server, uri: str) -> None:
    for lens in greeted.request("textDocument/codeLens", {"textDocument": {"uri": uri}}):
        found = actions(greeted, uri, lens["range"])
        assert _command(lens["command"]) in [_command(action["command"]) for action in found], lens["command"]["title"]
