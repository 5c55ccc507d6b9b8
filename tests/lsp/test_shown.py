"""What a client shows without asking for more: diagnostics, hover, hints, lenses, actions."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest

from tests.lsp.client import Server
from tests.lsp.gomod import HELLO
from tests.lsp.texts import EVERYTHING, position_of, range_of, underlined

TEXT = (HELLO / "user.go").read_text("utf-8")

#: kind, the compiler's words, what is underlined, the function: from the compiler's own log.
EXPECTED = [
    ("leaking-param", "leaking param: name", "name", "NewUser"),
    ("moved-to-heap", "moved to heap: u", "u", "NewUser"),
    ("leaking-param-content", "leaking param content: u", "u", "Greet"),
    ("escapes-to-heap", '"hello" escapes to heap', '"hello"', "Greet"),
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
    further = ("copy", "reveal", "environment", "cancel", "chooseFilter", "showComparison")
    assert set(found["executeCommandProvider"]["commands"]) == {f"escapelens.{n}" for n in (*contract, *further)}


def test_diagnostics(greeted: Server, uri: str) -> None:
    found = greeted.diagnostics[uri]
    shown = [(d["code"], d["message"], underlined(TEXT, d["range"]), d["data"]["function"]) for d in found]
    assert sorted(shown) == sorted(EXPECTED)
    for diagnostic in found:
        assert diagnostic["source"] == "escapelens"
        assert diagnostic["severity"] == 4
        assert diagnostic["data"]["kind"] == diagnostic["code"]
    assert Counter(d["data"]["type"] for d in found) == {"escape": 4, "moved": 2, "leak": 2}
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


HOVERED = [
    ("on its range", position_of(TEXT, "u := User"), ["moved to heap: u", "return &u", "address-of"]),
    ("on its line", position_of(TEXT, "//= moved u"), ["moved to heap: u", "return &u"]),
    ("on a function's name", position_of(TEXT, "Greet(u"), ["Greet", "hello", "u.Name", "leaking param content: u"]),
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


def test_inlay_hints(greeted: Server, uri: str) -> None:
    hints = greeted.request("textDocument/inlayHint", {"textDocument": {"uri": uri}, "range": EVERYTHING})
    # The constant costs nothing, so nothing is said of the heap behind it.
    heap = [word for kind, _, word, _ in EXPECTED if not kind.startswith("leaking") and word != '"hello"']
    ends = [range_of(TEXT, word)["end"] for word in heap if word not in ("u", "count", "func", '"hello"')]
    ends += [position_of(TEXT, after) for after in (" := User", " := 0  //= moved", "() { //= escape")]
    assert [h["position"] for h in hints] == sorted(ends, key=lambda p: (p["line"], p["character"]))
    assert {h["label"] for h in hints} == {"→ heap"}
    assert all(h["paddingLeft"] for h in hints)


def test_inlay_hints_of_a_part(greeted: Server, uri: str) -> None:
    line = position_of(TEXT, "u := User")["line"]
    part = {"start": {"line": line, "character": 0}, "end": {"line": line, "character": 99}}
    hints = greeted.request("textDocument/inlayHint", {"textDocument": {"uri": uri}, "range": part})
    assert [h["position"]["line"] for h in hints] == [line]


def test_code_lenses(greeted: Server, uri: str) -> None:
    lenses = greeted.request("textDocument/codeLens", {"textDocument": {"uri": uri}})
    titles = {lens["range"]["start"]["line"]: lens["command"]["title"] for lens in lenses}
    line = {name: position_of(TEXT, f"func {name}(")["line"] for name in ("NewUser", "Greet", "Background", "Ids")}
    assert titles == {
        line["NewUser"]: "1 on heap · 1 leak",
        line["Greet"]: "2 on heap · 1 leak",
        line["Background"]: "2 on heap",
        line["Ids"]: "1 on heap",
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
    of_this_line = {"escapelens.explain", "escapelens.setFilter", "escapelens.showRaw"}
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
