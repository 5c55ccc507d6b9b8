"""What each editor said at ``initialize``, replayed: the server keeps to what was offered (LSP 3.17)."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.lsp.client import Server
from tests.lsp.gomod import module
from tests.lsp.texts import position_of, underlined
from tests.tools import ROOT

FIXTURES = ROOT / "fixtures" / "initialize"
#: Offers nothing at all, not even a section.
NOTHING: dict[str, Any] = {"processId": None, "rootUri": "file:///sample", "capabilities": {}}
EDITORS = [*sorted(path.stem for path in FIXTURES.glob("*.json")), "nothing"]

TEXT = (
    "package m\n\n"
    "func A() *int {\n\t/* größe 😀 */ x := 1 /* 😀 */\n\treturn &x\n}\n\n"
    'func B(s string) any { _ = "😀"; return any("😀é" + s) }\n'
)

Capabilities = dict[str, Any]


def offered(capabilities: Capabilities, *keys: str) -> Any:
    """What stands at a path of the capabilities, None where a step is missing."""
    found: Any = capabilities
    for key in keys:
        found = found.get(key) if isinstance(found, dict) else None
    return found


#: What the specification asks a client to have offered before the server may send a request.
NEEDS: dict[str, Callable[[Capabilities], Any]] = {
    "workspace/configuration": lambda c: offered(c, "workspace", "configuration"),
    "workspace/inlayHint/refresh": lambda c: offered(c, "workspace", "inlayHint", "refreshSupport"),
    "workspace/codeLens/refresh": lambda c: offered(c, "workspace", "codeLens", "refreshSupport"),
    "window/workDoneProgress/create": lambda c: offered(c, "window", "workDoneProgress"),
    "window/showDocument": lambda c: offered(c, "window", "showDocument", "support"),
    "client/registerCapability": lambda c: offered(c, "workspace", "didChangeWatchedFiles", "dynamicRegistration"),
    # Part of the protocol since its first version, without a capability.
    "window/showMessageRequest": lambda c: True,
}


def params_of(name: str, folder: Path) -> dict[str, Any]:
    if name == "nothing":
        return {**NOTHING, "rootUri": folder.as_uri()}
    text = (FIXTURES / f"{name}.json").read_text("utf-8")
    return dict(json.loads(text.replace("file:///sample", folder.as_uri()).replace("/sample", str(folder))))


@pytest.mark.parametrize("name", EDITORS)
def test_the_server_keeps_to_what_was_offered(name: str, tmp_path: Path, start: Callable[..., Server]) -> None:
    folder = module(tmp_path, {"m.go": TEXT})
    server = start()
    # The settings are each editor's own; here all see diagnostics.
    params = {**params_of(name, folder), "initializationOptions": None}
    can: Capabilities = params["capabilities"]
    answer = server.request("initialize", params)
    server.capabilities = answer["capabilities"]
    server.notify("initialized", {})

    encoding = server.capabilities.get("positionEncoding", "utf-16")
    assert encoding in (offered(can, "general", "positionEncodings") or ["utf-16"])

    uri = server.opened(folder / "m.go")
    since = server.mark()
    server.save(uri)
    server.settled(since)
    found = {d["message"]: d for d in server.wait(lambda: server.diagnostics.get(uri), "diagnostics")}
    moved = found["moved to heap: x"]
    assert underlined(TEXT, moved["range"], encoding) == "x"
    boxed = next(d for text, d in found.items() if text.startswith('any("😀é" + s)') or "+ s escapes" in text)
    assert "😀é" in underlined(TEXT, boxed["range"], encoding)
    related = offered(can, "textDocument", "publishDiagnostics", "relatedInformation")
    assert ("relatedInformation" in moved) == bool(related)

    at = position_of(TEXT, "x := 1", encoding)
    contents = server.request("textDocument/hover", {"textDocument": {"uri": uri}, "position": at})["contents"]
    formats = offered(can, "textDocument", "hover", "contentFormat") or []
    assert contents["kind"] == ("markdown" if "markdown" in formats else "plaintext")
    assert "moved to heap: x" in contents["value"]
    if contents["kind"] == "plaintext":
        assert not any(mark in contents["value"] for mark in ("](", "**", "```", "`"))

    where = {"start": at, "end": at}
    actions = server.request(
        "textDocument/codeAction", {"textDocument": {"uri": uri}, "range": where, "context": {"diagnostics": []}}
    )
    literals = offered(can, "textDocument", "codeAction", "codeActionLiteralSupport")
    for action in actions:
        assert isinstance(action["command"], dict if literals else str), action
    for action in actions:
        command = action["command"] if literals else action
        assert command["command"] in server.capabilities["executeCommandProvider"]["commands"]
    about_hints = [a for a in actions if (a["command"] if literals else a)["command"] == "escapelens.hints"]
    assert bool(about_hints) == (offered(can, "textDocument", "inlayHint") is not None)

    shown_before = server.mark()
    server.command("explain", {"uri": uri, "position": at, "show": True})
    if offered(can, "window", "showDocument", "support"):
        assert server.of("window/showDocument", shown_before)
    else:
        (said,) = server.of("window/showMessage", shown_before)
        path = next(word for word in said["message"].split() if word.endswith(".md"))
        assert "moved to heap: x" in Path(path).read_text("utf-8")

    server.command("setFilter", {"types": ["escape"]})
    server.request("textDocument/hover", {"textDocument": {"uri": uri}, "position": at})
    for message in server.received:
        if "id" in message:
            assert NEEDS[message["method"]](can), f"{message['method']} was never offered"
    server.shutdown()
    assert server.wait_end() == 0


def test_the_filter_is_chosen_by_a_question(tmp_path: Path, start: Callable[..., Server]) -> None:
    folder = module(tmp_path, {"m.go": TEXT})
    server = start()
    server.initialize(folder)
    uri = server.opened(folder / "m.go")
    offers: list[list[str]] = []

    def choose(answer: str | None) -> None:
        def answering(titles: list[str]) -> str | None:
            offers.append(titles)
            return answer

        server.choose = answering
        server.command("chooseFilter", {})

    def types() -> set[str]:
        return {d["data"]["type"] for d in server.diagnostics[uri]}

    assert types() == {"moved", "escape"}
    choose("Hide Moved to Heap")
    server.wait(lambda: types() == {"escape"}, "moved to be hidden")
    assert {"Hide Escape to Heap", "Hide Moved to Heap", "Hide Leak Param", "Show Can Inline"} <= set(offers[0])
    choose("Show Can Inline")
    server.wait(lambda: types() == {"escape", "can-inline"}, "can-inline to be shown")
    assert "Show Moved to Heap" in offers[1]
    choose(None)
    choose("Back to the settings")
    server.wait(lambda: types() == {"moved", "escape"}, "the settings again")


def test_a_question_that_nobody_answers_holds_nothing_up(
    tmp_path: Path, start: Callable[..., Server], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = module(tmp_path, {"m.go": TEXT})
    server = start()
    server.initialize(folder)
    uri = server.opened(folder / "m.go")
    answering = server._answer

    def silent(message: dict[str, Any]) -> None:
        if message["method"] != "window/showMessageRequest":
            answering(message)

    monkeypatch.setattr(server, "_answer", silent)
    for number in (1, 2):
        server.command("chooseFilter", {})
        server.wait(lambda n=number: len(server.of("window/showMessageRequest")) == n, "a question")  # type: ignore[misc]
    assert server.command("messages", {"uri": uri})["total"] == len(server.diagnostics[uri])
    server.shutdown()
    assert server.wait_end() == 0


def test_what_is_hidden_does_not_hide_the_way_back(tmp_path: Path, start: Callable[..., Server]) -> None:
    folder = module(tmp_path, {"m.go": TEXT})
    server = start()
    server.initialize(folder)
    uri = server.opened(folder / "m.go")
    server.command("setFilter", {"types": []})

    def commands(text: str, **context: Any) -> set[str]:
        at = position_of(TEXT, text)
        params = {"textDocument": {"uri": uri}, "range": {"start": at, "end": at}}
        found = server.request("textDocument/codeAction", {**params, "context": {"diagnostics": [], **context}})
        return {action["command"]["command"] for action in found}

    assert "escapelens.chooseFilter" in commands("x := 1")
    assert commands("package m") == set()
    assert "escapelens.chooseFilter" in commands("package m", only=["source"])
    assert commands("package m", only=["quickfix"]) == set()


def test_the_newest_run_is_compared_with_the_one_before(tmp_path: Path, start: Callable[..., Server]) -> None:
    folder = module(tmp_path, {"m.go": TEXT})
    server = start()
    server.initialize(folder, capabilities={"window": {"showDocument": {"support": True}}})
    uri = server.opened(folder / "m.go")
    assert "no run before" in server.command("showComparison", {"uri": uri})["text"]
    server.saved(uri, folder / "m.go", TEXT.replace("\treturn &x\n", "\t_ = x\n\treturn new(int)\n"))
    text = server.command("showComparison", {"uri": uri})["text"]
    assert f"{folder / 'm.go'}:6:12: new: escape: new(int) escapes to heap\n" in text
    assert "gone: moved: moved to heap: x\n" in text
    assert server.of("window/showDocument")[-1]["uri"].endswith("comparison.txt")


def test_a_run_may_be_started_without_waiting(tmp_path: Path, start: Callable[..., Server]) -> None:
    folder = module(tmp_path, {"m.go": TEXT})
    server = start()
    server.initialize(folder, options={"run": "manual"})
    uri = server.open(folder / "m.go")
    since = server.mark()
    assert server.command("analyze", {"uri": uri, "wait": False}) == {"status": "started"}
    assert server.settled(since)["state"] == "idle"
    assert server.diagnostics[uri]
