"""Bytes on the wire that no well-behaved client sends: each gets its answer, and the server lives."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.lsp.client import ResponseError, Server
from tests.lsp.gomod import environment, hello
from tests.lsp.test_shown import EXPECTED

Start = Callable[..., Server]


def alive(server: Server, uri: str) -> bool:
    """Tell whether the server still answers, and rightly."""
    return len(server.messages(uri)) == len(EXPECTED)


MALFORMED: list[tuple[str, Any]] = [
    ("textDocument/hover", {}),
    ("textDocument/hover", None),
    ("textDocument/hover", []),
    ("textDocument/hover", "words"),
    ("textDocument/hover", {"textDocument": {"uri": "file:///a.go"}}),
    ("textDocument/hover", {"textDocument": 5, "position": {"line": 0, "character": 0}}),
    ("textDocument/hover", {"textDocument": {"uri": "file:///a.go"}, "position": {"line": "x", "character": 0}}),
    ("textDocument/inlayHint", {"textDocument": {"uri": "file:///a.go"}}),
    ("textDocument/codeAction", {"textDocument": {"uri": "file:///a.go"}, "range": None}),
    ("textDocument/codeLens", {"document": "file:///a.go"}),
    ("workspace/executeCommand", {"arguments": []}),
    ("workspace/executeCommand", {"command": "escapelens.messages", "arguments": 7}),
]


@pytest.mark.parametrize(("method", "params"), MALFORMED, ids=[f"{m}-{p}" for m, p in MALFORMED])
def test_malformed_parameters(greeted: Server, uri: str, method: str, params: Any) -> None:
    with pytest.raises(ResponseError) as caught:
        greeted.request(method, params)
    assert caught.value.code == -32602
    assert alive(greeted, uri)


@pytest.mark.parametrize("method", ["textDocument/definition", "escapelens/nothing", "$/nothing", "no such thing", ""])
def test_unknown_requests(greeted: Server, uri: str, method: str) -> None:
    with pytest.raises(ResponseError) as caught:
        greeted.request(method, {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 0}})
    assert caught.value.code == -32601
    assert alive(greeted, uri)


GARBAGE: list[Any] = [
    {"jsonrpc": "2.0", "method": "$/unknown", "params": {}},
    {"jsonrpc": "2.0", "method": "textDocument/unknown"},
    {"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {}},
    {"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": {"uri": 5}}},
    {"jsonrpc": "2.0", "method": "textDocument/didChange", "params": None},
    {"jsonrpc": "2.0", "method": "textDocument/didSave", "params": {"textDocument": {"uri": "file:///not/open.go"}}},
    {"jsonrpc": "2.0", "method": "textDocument/didClose", "params": {"textDocument": {"uri": "file:///not/open.go"}}},
    {"jsonrpc": "2.0", "method": "workspace/didChangeWatchedFiles", "params": {"changes": [{"uri": 1}]}},
    {"jsonrpc": "2.0", "method": "workspace/didChangeWatchedFiles", "params": {"changes": [{"uri": "x:", "type": 3}]}},
    {"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": 424242}},
    {"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {}},
    {"jsonrpc": "2.0", "method": "window/workDoneProgress/cancel", "params": {"token": "unknown"}},
    {"jsonrpc": "2.0", "id": "nobody asked", "result": None},
    {"jsonrpc": "2.0", "id": "nobody asked", "error": {"code": 1, "message": "no"}},
    {"jsonrpc": "2.0", "id": None, "result": None},
    {"jsonrpc": "2.0"},
    {"method": "textDocument/hover", "id": 9, "params": {}},
    [],
    [{"jsonrpc": "2.0", "method": "exit"}],
    {},
    7,
    None,
    "words",
]


@pytest.mark.parametrize("message", GARBAGE, ids=json.dumps)
def test_garbage_is_passed_over(greeted: Server, uri: str, message: Any) -> None:
    greeted.send(message)
    assert alive(greeted, uri)


BODIES = {
    "no JSON": b"not json!",
    "cut JSON": b'{"jsonrpc": ',
    "no UTF-8": b'"\xff\xfe\xfd"',
    "empty": b"",
    "deep": b"[" * 20_000 + b"]" * 20_000,
    "a surrogate": b'{"jsonrpc": "2.0", "method": "\\ud800", "params": "\\udfff"}',
}


@pytest.mark.parametrize("body", BODIES)
def test_odd_bodies(greeted: Server, uri: str, body: str) -> None:
    greeted.raw(frame(BODIES[body]))
    assert alive(greeted, uri)


def frame(body: bytes, before: bytes = b"") -> bytes:
    """A message with its header."""
    return before + b"Content-Length: %d\r\n\r\n" % len(body) + body


def test_a_request_in_single_bytes(greeted: Server) -> None:
    params = {"textDocument": {"uri": "file:///größe/😀.go"}, "position": {"line": 0, "character": 0}}
    body = json.dumps(
        {"jsonrpc": "2.0", "id": "ß😀", "method": "textDocument/hover", "params": params}, ensure_ascii=False
    ).encode()
    for byte in frame(body):
        greeted.raw(bytes([byte]))
    assert greeted.reply("ß😀") is None


TYPES = ("application/vscode-jsonrpc; charset=utf-8", "application/vscode-jsonrpc; charset=utf8")


@pytest.mark.parametrize("type_", TYPES)
def test_a_header_with_a_type(greeted: Server, uri: str, type_: str) -> None:
    body = b'{"jsonrpc":"2.0","id":"h","method":"workspace/executeCommand","params":{"command":"escapelens.runs"}}'
    greeted.raw(frame(body, before=b"Content-Type: %s\r\n" % type_.encode()))
    assert greeted.reply("h")["runs"]
    assert alive(greeted, uri)


def test_a_request_before_initialize_is_refused(start: Start) -> None:
    server = start()
    with pytest.raises(ResponseError) as caught:
        server.request(
            "textDocument/hover", {"textDocument": {"uri": "file:///a"}, "position": {"line": 0, "character": 0}}
        )
    assert caught.value.code == -32002
    server.initialize()


@pytest.mark.parametrize("params", [None, {}, {"capabilities": {}, "processId": "x"}], ids=str)
def test_a_malformed_initialize(start: Start, params: Any) -> None:
    server = start()
    with pytest.raises(ResponseError) as caught:
        server.request("initialize", params)
    assert caught.value.code == -32602
    assert server.initialize()["capabilities"]


def test_the_smallest_client(start: Start, tmp_path: Path) -> None:
    """A client that announces nothing gets plain diagnostics and UTF-16."""
    folder = hello(tmp_path / "m")
    server = start()
    result = server.request("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
    assert result["capabilities"].get("positionEncoding", "utf-16") == "utf-16"
    assert result["serverInfo"]["name"] == "escapelens"
    server.notify("initialized", {})
    uri = server.opened(folder / "user.go")
    assert len(server.diagnostics[uri]) == len(EXPECTED)
    assert not [d for d in server.diagnostics[uri] if "relatedInformation" in d]
    assert not [m for m in server.received if "id" in m]


@pytest.mark.parametrize(
    "uri", ["untitled:Untitled-1", "git:/a/user.go?ref", "vscode-notebook-cell:/a.go#1", "nonsense", ""]
)
def test_documents_that_are_no_files(greeted: Server, uri: str, folder: Path) -> None:
    since = greeted.mark()
    greeted.open(Path("x.go"), text="package x\n", uri=uri)
    greeted.edit(uri, {"text": "package y\n"})
    greeted.save(uri)
    position = {"line": 0, "character": 1}
    assert greeted.request("textDocument/hover", {"textDocument": {"uri": uri}, "position": position}) is None
    assert not greeted.request("textDocument/codeLens", {"textDocument": {"uri": uri}})
    greeted.close(uri)
    assert not greeted.of("textDocument/publishDiagnostics", since)
    assert not greeted.statuses(since)
    assert alive(greeted, (folder / "user.go").as_uri())


@pytest.mark.parametrize("name", ["notes.txt", "go.mod", "missing.go"])
def test_files_that_are_not_analysed(greeted: Server, folder: Path, name: str) -> None:
    since = greeted.mark()
    uri = greeted.open(folder / name, text="module example.com/hello\n")
    greeted.save(uri)
    greeted.close(uri)
    assert alive(greeted, (folder / "user.go").as_uri())
    assert not [s for s in greeted.statuses(since) if s["state"] == "running"]


def test_standard_output_carries_nothing_else(start: Start, tmp_path: Path) -> None:
    """Python's own warnings and the log go to the error stream; a stray print would break the protocol."""
    folder = hello(tmp_path / "m")
    server = Server(environment(PYTHONWARNINGS="always", PYTHONDEVMODE="1"), tmp_path)
    try:
        server.initialize(folder)
        assert alive(server, server.opened(folder / "user.go"))
        server.shutdown()
        assert server.wait_end() == 0
        assert "ResourceWarning" not in server.log() and "never awaited" not in server.log()
        assert "Traceback" not in server.log()
    finally:
        server.stop()
