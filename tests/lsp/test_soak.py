"""Three hundred saves, seen from inside: nothing that pygls or the session keeps grows."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest
from escapelens.lsp.server import Server, create

from tests.lsp.client import Client
from tests.lsp.gomod import FakeGo, environment, hello

SAVES = 300


def converse(talk: Callable[[Server, Client], None]) -> None:
    """Run a server in this process and thread, and ``talk`` beside it over two pipes."""
    server = create()
    from_client, to_server = os.pipe()
    from_server, to_client = os.pipe()

    def conversation() -> None:
        with os.fdopen(to_server, "wb") as out, os.fdopen(from_server, "rb") as back:
            client = Client(out, back)
            talk(server, client)
            client.shutdown()

    with ThreadPoolExecutor(1) as pool, contextlib.suppress(SystemExit):
        talking = pool.submit(conversation)
        with os.fdopen(from_client, "rb") as stdin, os.fdopen(to_client, "wb") as stdout:
            server.start_io(stdin, stdout)
    talking.result()


def test_nothing_grows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in environment().items():
        monkeypatch.setenv(name, value)
    converse(lambda server, client: soak(tmp_path, server, client))


def soak(tmp_path: Path, server: Server, client: Client) -> None:
    folder = hello(tmp_path / "m")
    go = FakeGo(tmp_path / "fake", compiler='if [ -e "$HERE/slow" ]; then read _ <"$HERE/pipe"; fi')
    os.mkfifo(go.folder / "pipe")
    capabilities = {
        "window": {"workDoneProgress": True},
        "workspace": {"configuration": True, "inlayHint": {"refreshSupport": True}},
    }
    client.settings = {"go": {"path": str(go.path)}}
    client.initialize(folder, capabilities=capabilities)
    path = folder / "user.go"
    uri = client.opened(path)
    text = path.read_text()
    document = {"textDocument": {"uri": uri}}
    for number in range(SAVES):
        client.edit(uri, {"text": f"{text}// {number}\n"}, version=number + 2)
        path.write_text(f"{text}// {number}\n")
        since = client.mark()
        client.save(uri)
        waiting = client.ask("textDocument/hover", {**document, "position": {"line": 10, "character": 1}})
        client.notify("$/cancelRequest", {"id": client.ask("textDocument/codeLens", document)})
        assert client.reply(waiting)
        if number % 20 == 0:
            client.settled(since)
            client.notify("workspace/didChangeConfiguration", {"settings": None})

    def ended(mark: int) -> bool:
        return any(p["value"]["kind"] == "end" for p in client.of("$/progress", mark))

    def idle(mark: int) -> bool:
        return bool(client.settled(mark)["state"] == "idle")

    # Runs that are slow enough to show progress, ended by success, by a newer save and by the user.
    (go.folder / "slow").touch()
    for ending in ("success", "save", "user"):
        since = client.mark()
        path.write_text(f"{text}// {ending}\n")
        client.save(uri)
        begin = client.wait(partial(client.of, "$/progress", since), "progress")[0]
        if ending == "user":
            client.notify("window/workDoneProgress/cancel", {"token": begin["token"]})
        elif ending == "save":
            (go.folder / "slow").unlink()
            path.write_text(f"{text}// again\n")
            client.save(uri)
        else:
            (go.folder / "pipe").write_text("go\n")
        client.wait(partial(ended, since), "its end")
        if ending == "save":
            client.wait(partial(idle, since), "the newer run")
            (go.folder / "slow").touch()
    assert len(client.messages(uri)) == 7
    protocol = server.protocol
    # The request that asks is done when its reply is there; whatever else is kept is kept for ever.
    assert protocol._request_futures == {}
    assert protocol._result_types == {}
    assert server.work_done_progress.tokens == {}
    assert len(client.command("runs")["runs"]) <= 10
    assert len(threading.enumerate()) < 30
