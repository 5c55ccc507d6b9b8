"""Runs that are overtaken, cancelled or orphaned: processes end, and nothing is left behind."""

from __future__ import annotations

import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.lsp.client import ResponseError, Server
from tests.lsp.gomod import FakeGo, HangingGo, hello, listing, module

TEXT = "package m\n\nfunc A() *int { one := 1; return &one }\n"
Start = Callable[..., Server]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return module(tmp_path / "m", {"m.go": TEXT}) / "m.go"


@pytest.fixture
def go(tmp_path: Path) -> HangingGo:
    """A Go that hangs in its first compile."""
    return HangingGo(tmp_path / "fake")


@pytest.fixture
def scratch(tmp_path: Path) -> Path:
    """The folder for temporary files."""
    folder = tmp_path / "scratch"
    folder.mkdir()
    return folder


@pytest.fixture
def server(path: Path, go: HangingGo, scratch: Path, start: Start) -> Server:
    """A server that can show progress, with a Go that hangs."""
    server = start(TMPDIR=str(scratch))
    capabilities = {"window": {"workDoneProgress": True, "showDocument": {"support": True}}}
    server.initialize(path.parent, options={"go": {"path": str(go.path)}}, capabilities=capabilities)
    return server


def test_a_second_save_ends_the_first_run(server: Server, path: Path, go: HangingGo) -> None:
    uri = server.open(path)
    go.wait_up()
    since = server.mark()
    new = TEXT.replace("one", "two")
    path.write_text(new)
    server.edit(uri, {"text": new})
    server.save(uri)
    go.wait_gone()
    server.began(since)
    assert server.settled(since)["state"] == "idle"
    assert [n["message"] for n in server.messages(uri)] == ["moved to heap: two"]
    assert go.compiles() == 2
    published = server.of("textDocument/publishDiagnostics")
    assert {d["message"] for p in published for d in p["diagnostics"]} == {"moved to heap: two"}
    generations = [s["generation"] for s in server.statuses() if s["state"] == "running"]
    assert generations == sorted(set(generations)) and len(generations) == 2


def test_runs_that_are_ended_while_they_start(path: Path, tmp_path: Path, start: Start) -> None:
    """Ended at any moment, also while its process is just made, a run leaves no process."""
    go = HangingGo(tmp_path / "always", "true")
    server = start()
    server.initialize(path.parent, options={"go": {"path": str(go.path)}})
    uri = server.open(path)
    for number in range(30):
        since = server.mark()
        server.save(uri)
        server.began(since)
        if number % 3 == 0:
            go.wait_up()
    server.shutdown()
    assert server.wait_end() == 0
    go.wait_gone()


def test_many_saves_at_once_are_few_compiles(path: Path, tmp_path: Path, start: Start) -> None:
    go = FakeGo(tmp_path / "quick")
    server = start()
    server.initialize(path.parent, options={"go": {"path": str(go.path)}})
    uri = server.opened(path)
    before = go.compiles()
    since = server.mark()
    text = path.read_text()
    for number in range(30):
        path.write_text(f"{text}// {number}\n")
        server.save(uri)
    server.settled(since)
    path.write_text(text)
    # Saves of one moment wait for each other; a burst may be cut in two on a busy machine, not in thirty.
    assert 1 <= go.compiles() - before < 10
    assert len(server.messages(uri)) == 1


def test_a_request_that_is_cancelled(server: Server, path: Path, go: HangingGo) -> None:
    number = server.ask(
        "workspace/executeCommand", {"command": "escapelens.analyze", "arguments": [{"uri": path.as_uri()}]}
    )
    go.wait_up()
    server.notify("$/cancelRequest", {"id": number})
    with pytest.raises(ResponseError) as caught:
        server.reply(number)
    assert caught.value.code == -32800
    go.wait_gone()
    server.wait(lambda: [s for s in server.statuses() if s["state"] == "idle"], "the end of the run")
    assert server.command("analyze", {"uri": path.as_uri()})["messages"] == 1


def test_a_cancelled_run_of_its_own_environment(server: Server, path: Path, go: HangingGo) -> None:
    argument = {"uri": path.as_uri(), "gcflags": ["-l"]}
    number = server.ask("workspace/executeCommand", {"command": "escapelens.analyze", "arguments": [argument]})
    go.wait_up()
    server.notify("$/cancelRequest", {"id": number})
    with pytest.raises(ResponseError) as caught:
        server.reply(number)
    assert caught.value.code == -32800
    go.wait_gone()


def test_a_run_that_was_asked_for_and_overtaken_is_answered(server: Server, path: Path, go: HangingGo) -> None:
    """A save ends the run and starts another one: its result is the answer."""
    argument = {"command": "escapelens.analyze", "arguments": [{"uri": path.as_uri()}]}
    number = server.ask("workspace/executeCommand", argument)
    go.wait_up()
    uri = server.open(path)
    server.save(uri)
    answer = server.reply(number)
    assert (answer["status"], answer["messages"]) == ("ok", 1)


def test_a_run_that_was_asked_for_and_ended_is_answered(server: Server, path: Path, go: HangingGo) -> None:
    argument = {"command": "escapelens.analyze", "arguments": [{"uri": path.as_uri()}]}
    number = server.ask("workspace/executeCommand", argument)
    go.wait_up()
    server.command("cancel", {})
    answer = server.reply(number)
    assert (answer["status"], answer["messages"]) == ("failed", 0)


def test_cancel_ends_every_run(server: Server, path: Path, go: HangingGo) -> None:
    uri = server.open(path)
    go.wait_up()
    since = server.mark()
    assert server.command("cancel", {}) == {}
    go.wait_gone()
    status = server.wait(lambda: [s for s in server.statuses(since) if s["state"] != "running"], "the end of the run")
    assert (status[-1]["state"], status[-1]["message"]) == ("idle", "cancelled")
    assert server.command("analyze", {"uri": uri})["messages"] == 1


def test_progress_can_be_cancelled(server: Server, path: Path, go: HangingGo) -> None:
    uri = server.open(path)
    go.wait_up()
    begin = server.wait(lambda: server.of("$/progress")[:1], "the beginning of progress")[0]
    assert begin["value"]["kind"] == "begin"
    assert begin["value"]["title"]
    assert begin["value"]["cancellable"] is True
    created = server.of("window/workDoneProgress/create")
    assert [c["token"] for c in created] == [begin["token"]]
    server.notify("window/workDoneProgress/cancel", {"token": begin["token"]})
    go.wait_gone()
    kinds = server.wait(lambda: _kinds(server) if "end" in _kinds(server) else None, "the end of progress")
    assert kinds == ["begin", "end"]
    status = server.wait(lambda: [s for s in server.statuses() if s["state"] != "running"], "the end of the run")[-1]
    assert status["state"] == "idle"
    since = server.mark()
    server.save(uri)
    server.settled(since)
    assert len(server.messages(uri)) == 1


def _kinds(server: Server) -> list[str]:
    return [p["value"]["kind"] for p in server.of("$/progress")]


def test_no_progress_without_the_capability(path: Path, go: HangingGo, start: Start) -> None:
    server = start()
    server.initialize(path.parent, options={"go": {"path": str(go.path)}})
    uri = server.open(path)
    go.wait_up()
    server.save(uri)
    go.wait_gone()
    assert not server.of("$/progress") and not server.of("window/workDoneProgress/create")


#: How a server ends, and its exit status: 0 after shutdown, 1 for an exit without (the specification).
ENDINGS: dict[str, tuple[Callable[[Server], None], set[int]]] = {
    "end of input": (Server.end_of_input, {0, 1}),
    "exit": (lambda server: server.notify("exit"), {1}),
    "shutdown and exit": (Server.shutdown, {0}),
    "terminated": (lambda server: server.process.terminate(), {0, 1, -signal.SIGTERM, 128 + signal.SIGTERM}),
}


@pytest.mark.parametrize("ending", ENDINGS)
def test_nothing_outlives_the_server(server: Server, path: Path, go: HangingGo, scratch: Path, ending: str) -> None:
    end, statuses = ENDINGS[ending]
    server.open(path)
    go.wait_up()
    end(server)
    status = server.wait_end()
    go.wait_gone()
    assert listing(scratch) == {}
    assert status in statuses


def test_a_raw_text_on_the_way(server: Server, path: Path, go: HangingGo, scratch: Path) -> None:
    server.ask("workspace/executeCommand", {"command": "escapelens.showRaw", "arguments": [{"uri": path.as_uri()}]})
    go.wait_up()
    server.end_of_input()
    server.wait_end()
    go.wait_gone()
    assert listing(scratch) == {}


def test_a_shutdown_is_in_order(path: Path, scratch: Path, start: Start) -> None:
    """After shutdown requests are refused; texts that were shown are removed."""
    server = start(TMPDIR=str(scratch))
    server.initialize(path.parent, capabilities={"window": {"showDocument": {"support": True}}})
    uri = server.opened(path)
    server.command("showRaw", {"uri": uri, "show": True})
    assert any(name.endswith(".txt") for name in listing(scratch))
    server.request("shutdown")
    with pytest.raises(ResponseError) as caught:
        server.messages(uri)
    assert caught.value.code == -32600
    server.notify("exit")
    assert server.wait_end() == 0
    assert listing(scratch) == {}


def test_nothing_is_written_into_the_tree(tmp_path: Path, scratch: Path, start: Start) -> None:
    folder = hello(tmp_path / "m")
    before = listing(folder)
    server = start(TMPDIR=str(scratch))
    server.initialize(folder, options={"backEnd": True, "tests": "on"})
    uri = server.opened(folder / "user.go")
    since = server.mark()
    server.save(uri)
    server.settled(since)
    server.command("analyze", {"uri": uri, "scope": "module"})
    server.command("analyze", {"uri": uri, "gcflags": ["-l", "-N"]})
    server.command("showRaw", {"uri": uri})
    server.shutdown()
    assert server.wait_end() == 0
    assert listing(folder) == before
    assert listing(scratch) == {}


def test_two_packages_do_not_end_each_other(path: Path, go: HangingGo, start: Start) -> None:
    sub = path.parent / "sub" / "s.go"
    sub.parent.mkdir()
    sub.write_text("package sub\n\nfunc S() *int { s := 1; return &s }\n")
    server = start()
    server.initialize(path.parent, options={"go": {"path": str(go.path)}})
    server.open(path)
    go.wait_up()
    uri = server.opened(sub)
    assert [n["message"] for n in server.messages(uri)] == ["moved to heap: s"]
    assert go.alive()
