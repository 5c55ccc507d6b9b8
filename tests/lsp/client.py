"""A small JSON-RPC client: sends what it is told, keeps everything that comes, waits for events.

Deliberately without pygls: what the server makes of bytes on the wire is what is tested.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import subprocess
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import IO, Any, TypeVar

from tests.tools import SERVER_COMMAND

#: Seconds after which a test is taken for stuck; never a measure of speed.
STUCK = 30.0

Found = TypeVar("Found")
Json = dict[str, Any]


class ResponseError(Exception):
    """The server answered a request with an error."""

    def __init__(self, error: Mapping[str, Any]) -> None:
        super().__init__(f"{error.get('code')}: {error.get('message')}")
        self.code = error.get("code")
        self.message = str(error.get("message"))


class Client:
    """One conversation over two streams. ``settings`` is the answer to workspace/configuration."""

    def __init__(self, to_server: IO[bytes], from_server: IO[bytes]) -> None:
        self._out = to_server
        self._in = from_server
        self._ids = itertools.count(1)
        self._changed = threading.Condition()
        self.settings: Any = None
        #: What the user chooses of a ``window/showMessageRequest``.
        self.choose: Callable[[list[str]], str | None] = lambda titles: None
        self.replies: dict[Any, Json] = {}
        self.received: list[Json] = []
        self.diagnostics: dict[str, list[Json]] = {}
        self.capabilities: Json = {}
        self.ended = False
        self.stuck = STUCK
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    # -- the wire ---------------------------------------------------------------

    def raw(self, data: bytes) -> None:
        """Send bytes as they are."""
        self._out.write(data)
        self._out.flush()

    def send(self, message: Any) -> None:
        """Send one message in a frame."""
        body = json.dumps(message, ensure_ascii=False).encode()
        self.raw(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    def _read(self) -> None:
        while (message := self._frame()) is not None:
            with self._changed:
                self._take(message)
                self._changed.notify_all()
        with self._changed:
            self.ended = True
            self._changed.notify_all()

    def _frame(self) -> Json | None:
        length = 0
        while line := self._line():
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
            if line == b"\r\n":
                found: Json = json.loads(self._in.read(length))
                return found
        return None

    def _line(self) -> bytes:
        try:
            return self._in.readline()
        except (OSError, ValueError):
            return b""

    def _take(self, message: Json) -> None:
        method = message.get("method")
        if method is None:
            self.replies[message.get("id")] = message
            return
        self.received.append(message)
        if method == "textDocument/publishDiagnostics":
            self.diagnostics[message["params"]["uri"]] = message["params"]["diagnostics"]
        if "id" in message:
            self._answer(message)

    def _answer(self, message: Json) -> None:
        result: Any = None
        if message["method"] == "workspace/configuration":
            result = [self.settings for _ in message["params"]["items"]]
        elif message["method"] == "window/showDocument":
            result = {"success": True}
        elif message["method"] == "window/showMessageRequest":
            chosen = self.choose([action["title"] for action in message["params"].get("actions") or ()])
            result = None if chosen is None else {"title": chosen}
        try:
            self.send({"jsonrpc": "2.0", "id": message["id"], "result": result})
        except (OSError, ValueError):
            self.ended = True

    # -- requests and notifications -----------------------------------------------

    def notify(self, method: str, params: Any = None) -> None:
        """Send a notification."""
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def ask(self, method: str, params: Any = None) -> int:
        """Send a request without waiting; its id."""
        number = next(self._ids)
        self.send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        return number

    def reply(self, number: Any) -> Any:
        """Wait for the reply to a request. Raises ResponseError for an error."""
        message = self.wait(lambda: self.replies.pop(number, None), f"the reply to request {number}")
        if "error" in message:
            raise ResponseError(message["error"])
        return message["result"]

    def request(self, method: str, params: Any = None) -> Any:
        """Ask and wait."""
        return self.reply(self.ask(method, params))

    def command(self, name: str, *arguments: Any) -> Any:
        """Execute a command of the server."""
        return self.request("workspace/executeCommand", {"command": f"escapelens.{name}", "arguments": [*arguments]})

    def wait(self, condition: Callable[[], Found | None], what: str) -> Found:
        """Wait until ``condition`` gives something that is true."""
        found: list[Found] = []

        def happened() -> bool:
            value = condition()
            if value:
                found.append(value)
            return bool(found) or self.ended

        with self._changed:
            self._changed.wait_for(happened, self.stuck)
        assert found, f"waited in vain for {what}; the last that came: {self.received[-5:]}"
        return found[0]

    # -- what every test does -------------------------------------------------------

    def initialize(
        self,
        *folders: Path,
        options: Any = None,
        encodings: Sequence[str] | None = None,
        capabilities: Mapping[str, Any] | None = None,
    ) -> Json:
        """Shake hands; the result of initialize."""
        general = {"general": {"positionEncodings": list(encodings)}} if encodings is not None else {}
        # What every editor of our time can do.
        document = {
            "publishDiagnostics": {"relatedInformation": True},
            "hover": {"contentFormat": ["markdown", "plaintext"]},
            "inlayHint": {},
            "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["source"]}}},
        }
        params = {
            "processId": os.getpid(),
            "rootUri": folders[0].as_uri() if folders else None,
            "workspaceFolders": [{"uri": folder.as_uri(), "name": folder.name} for folder in folders],
            "initializationOptions": options,
            "capabilities": {"textDocument": document, **general, **(capabilities or {})},
        }
        result: Json = self.request("initialize", params)
        self.capabilities = result["capabilities"]
        self.notify("initialized", {})
        return result

    def mark(self) -> int:
        """How much has come so far; a start for ``statuses`` and ``settled``."""
        with self._changed:
            return len(self.received)

    def of(self, method: str, since: int = 0) -> list[Any]:
        """The parameters of everything of one method that came since."""
        return [message.get("params") for message in self.received[since:] if message.get("method") == method]

    def statuses(self, since: int = 0) -> list[Json]:
        """The statuses that came since."""
        return self.of("escapelens/status", since)

    def began(self, since: int) -> Json:
        """Wait until a run begins; its first status."""

        def beginning() -> Json | None:
            return next((s for s in self.statuses(since) if s["state"] == "running"), None)

        return self.wait(beginning, "the beginning of a run")

    def settled(self, since: int) -> Json:
        """Wait for the end of the newest run that began since; its last status."""

        def end() -> Json | None:
            found = self.statuses(since)
            begun = [s["generation"] for s in found if s["state"] == "running"]
            ends = [s for s in found if s["state"] != "running" and begun and s["generation"] == begun[-1]]
            return ends[-1] if ends else None

        return self.wait(end, "the end of a run")

    def open(self, path: Path, text: str | None = None, uri: str | None = None) -> str:
        """Open a file as an editor does (without its byte order mark); its URI."""
        uri = path.as_uri() if uri is None else uri
        if text is None:
            text = path.read_bytes().decode("utf-8-sig")
        item = {"uri": uri, "languageId": "go", "version": 1, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": item})
        return uri

    def opened(self, path: Path) -> str:
        """Open a file and wait for the result of its package; its URI."""
        since = self.mark()
        uri = self.open(path)
        self.settled(since)
        return uri

    def close(self, uri: str) -> None:
        """Close a document."""
        self.notify("textDocument/didClose", {"textDocument": {"uri": uri}})

    def edit(self, uri: str, *changes: Json, version: int = 2) -> None:
        """Send changes of a document: ``{"text": …}`` or ``{"range": …, "text": …}``."""
        params = {"textDocument": {"uri": uri, "version": version}, "contentChanges": [*changes]}
        self.notify("textDocument/didChange", params)

    def save(self, uri: str) -> None:
        """Tell that a document was saved."""
        self.notify("textDocument/didSave", {"textDocument": {"uri": uri}})

    def saved(self, uri: str, path: Path, text: str) -> Json:
        """Replace a file's text in the editor and on disk, save, wait for the result; its status."""
        path.write_text(text, "utf-8", newline="")
        self.edit(uri, {"text": text})
        since = self.mark()
        self.save(uri)
        return self.settled(since)

    def messages(self, uri: str = "", **argument: Any) -> list[Json]:
        """The nodes of escapelens.messages, all pages."""
        nodes: list[Json] = []
        while True:
            page = self.command("messages", {"uri": uri, **argument, "offset": len(nodes)})
            nodes += page["nodes"]
            if len(nodes) >= page["total"] or not page["nodes"]:
                return nodes

    def shutdown(self) -> None:
        """End the conversation in order."""
        self.request("shutdown")
        self.notify("exit")


class Server(Client):
    """A client with its server as a child process."""

    def __init__(self, environment: Mapping[str, str], cwd: Path, command: Sequence[str] = SERVER_COMMAND) -> None:
        self.process = subprocess.Popen(
            command,
            cwd=cwd,
            env=dict(environment),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        assert self.process.stdin and self.process.stdout and self.process.stderr
        self._stderr = self.process.stderr
        self._log: list[bytes] = []
        super().__init__(self.process.stdin, self.process.stdout)
        self._logger = threading.Thread(target=self._keep_log, daemon=True)
        self._logger.start()

    def _keep_log(self) -> None:
        for line in self._stderr:
            self._log.append(line)
            with self._changed:
                self._changed.notify_all()

    def log(self) -> str:
        """What the server has logged so far."""
        return b"".join(self._log).decode("utf-8", "replace")

    def end_of_input(self) -> None:
        """Close the server's standard input: the editor is gone."""
        self._out.close()

    def wait_end(self) -> int:
        """Wait until the server's process is gone; its exit status."""
        status = self.process.wait(STUCK)
        self._reader.join(STUCK)
        self._logger.join(STUCK)
        return status

    def stop(self) -> None:
        """End the server whatever state it is in, and close the streams."""
        with contextlib.suppress(OSError):
            self.end_of_input()
        try:
            # Its input has ended: it ends its compiles, too.
            self.process.wait(STUCK)
        except subprocess.TimeoutExpired:
            self.process.kill()
        self.wait_end()
        self._in.close()
        self._stderr.close()
