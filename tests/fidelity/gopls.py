"""Side by side with gopls: whatever its compiler optimization details publish, the report has.

gopls runs ``go test -c -gcflags=-json=0,DIR`` and publishes what the compiler's records say of the
files in the package's folder, byte columns as they are. So its places are compared as bytes, and a
diagnostic is *ours* if the report has a message of the same sort at the very point, whose range
is not empty, or lists the point among the instantiations of a message.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from queue import Empty, Queue
from threading import Thread
from typing import IO, Any
from urllib.parse import unquote, urlsplit

from tests.fidelity.logs import Go
from tests.fidelity.run import report
from tests.tools import TOOLS

_SOURCE = "optimizer details"
#: How long gopls may be silent once it has begun to publish (it compiles everything first).
_SILENCE = 20.0
_FIRST = 600.0

#: Kinds of the report by the code that opens a diagnostic's message: ``canInlineFunction(cost: 4)``.
_KINDS: Mapping[str, frozenset[str]] = {
    "escape": frozenset({"escapes-to-heap", "moved-to-heap"}),
    "escapes": frozenset({"escapes-to-heap", "moved-to-heap"}),
    "canInlineFunction": frozenset({"can-inline"}),
    "cannotInlineFunction": frozenset({"cannot-inline"}),
    "cannotInlineCall": frozenset({"cannot-inline-call"}),
    "isInBounds": frozenset({"bounds-check"}),
    "isSliceInBounds": frozenset({"slice-bounds-check"}),
    "nilcheck": frozenset({"nil-check"}),
    "copy": frozenset({"copy"}),
}


@dataclass(slots=True)
class SideBySide:
    """What one package's comparison found; counts are by gopls's code and by our kind."""

    theirs: Counter[str] = field(default_factory=Counter)
    shared: Counter[str] = field(default_factory=Counter)
    missing: list[str] = field(default_factory=list)
    only_ours: Counter[str] = field(default_factory=Counter)
    nowhere: int = 0


class Client:
    """Just enough of an LSP client to ask gopls one thing."""

    def __init__(self, command: Sequence[str], folder: Path, env: Mapping[str, str]) -> None:
        self._process = subprocess.Popen(
            list(command), cwd=folder, env=dict(env),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        self._queue: Queue[dict[str, Any] | None] = Queue()
        self._number = 0
        assert self._process.stdout is not None
        Thread(target=self._read, args=(self._process.stdout,), daemon=True).start()

    def _read(self, stream: IO[bytes]) -> None:
        while header := stream.readline():
            length = 0
            while header.strip():
                name, _, value = header.partition(b":")
                if name.lower() == b"content-length":
                    length = int(value)
                header = stream.readline()
            self._queue.put(json.loads(stream.read(length)))
        self._queue.put(None)

    def send(self, method: str, params: Any, *, request: bool = False) -> None:
        """Send a notification, or a request with the next number."""
        message: dict[str, Any] = {"jsonrpc": "2.0", "method": method, "params": params}
        if request:
            self._number += 1
            message["id"] = self._number
        self._write(message)

    def _write(self, message: dict[str, Any]) -> None:
        body = json.dumps(message).encode()
        assert self._process.stdin is not None
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        self._process.stdin.flush()

    def call(self, method: str, params: Any) -> Any:
        """Send a request and wait for its result; what gopls asks meanwhile is answered."""
        self.send(method, params, request=True)
        for message in self.messages(_FIRST):
            if message.get("id") == self._number and "method" not in message:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return message["result"]
        raise RuntimeError(f"no answer to {method}")

    def messages(self, silence: float) -> Iterator[dict[str, Any]]:
        """What arrives, until nothing has for a while."""
        while True:
            try:
                message = self._queue.get(timeout=silence)
            except Empty:
                return
            if message is None:
                return
            if "method" in message and "id" in message:
                items = message["params"].get("items") if message["params"] else None
                self._write({
                    "jsonrpc": "2.0", "id": message["id"],
                    "result": [{} for _ in items] if items is not None else None,
                })  # fmt: skip
            yield message

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.wait()


def published(go: Go, folder: str, file: str) -> dict[str, list[dict[str, Any]]]:
    """The optimization details that gopls publishes for a package's folder, by file."""
    env = {**os.environ, **go.env, "PATH": f"{Path(go.path).parent}:{os.environ['PATH']}"}
    client = Client([str(TOOLS / "bin" / "gopls"), "serve"], go.folder, env)
    root, uri = Path(folder).as_uri(), Path(file).as_uri()
    try:
        client.call("initialize", {
            "processId": None, "rootUri": root,
            "workspaceFolders": [{"uri": root, "name": "package"}],
            "capabilities": {"workspace": {"configuration": True}},
        })  # fmt: skip
        client.send("initialized", {})
        text = Path(file).read_text("utf-8", "surrogateescape")
        document = {"uri": uri, "languageId": "go", "version": 1, "text": text}
        client.send("textDocument/didOpen", {"textDocument": document})
        client.call("workspace/executeCommand", {"command": "gopls.gc_details", "arguments": [uri]})
        found: dict[str, list[dict[str, Any]]] = {}
        silence = _FIRST
        while (batch := next(client.messages(silence), None)) is not None:
            if batch.get("method") != "textDocument/publishDiagnostics":
                continue
            mine = [d for d in batch["params"]["diagnostics"] if d.get("source") == _SOURCE]
            if mine:
                found[unquote(urlsplit(batch["params"]["uri"]).path)] = mine
                silence = _SILENCE
        return found
    finally:
        client.close()


def side_by_side(theirs: Mapping[str, Iterable[Mapping[str, Any]]], ours: Iterable[Mapping[str, Any]]) -> SideBySide:
    """Compare gopls's diagnostics with the report's messages. Neither explains two of the other."""
    places: dict[tuple[str, int, int], list[Mapping[str, Any]]] = defaultdict(list)
    result = SideBySide()
    kinds: Counter[str] = Counter()
    for message in ours:
        if message["file"] is not None:
            # Columns beyond 254 are lost in the text and read 255 in the records.
            column = 255 if message["column"] is None else message["column"]
            places[message["file"], message["line"], column].append(message)
            kinds[message["kind"]] += 1
            # A wrapper's line at a generic function's name: ours is at the expression it wraps.
            for entry in message["instantiations"]:
                if entry["column"] is not None:
                    places[message["file"], entry["line"], entry["column"]].append(message)
    matched: Counter[str] = Counter()
    for path, diagnostics in theirs.items():
        if not Path(path).is_file():
            # <autogenerated>, and the main file that go test writes to a temporary folder.
            result.nowhere += len(list(diagnostics))
            continue
        seen: set[tuple[str, int, int, str]] = set()
        for diagnostic in diagnostics:
            start = diagnostic["range"]["start"]
            line, column = start["line"] + 1, start["character"] + 1
            code, _, words = diagnostic["message"].partition("(")
            # The second record of every escape has no words and repeats the first.
            if code.startswith("escape") and words == ")":
                continue
            key = (path, line, column, diagnostic["message"])
            if key in seen:
                continue
            seen.add(key)
            result.theirs[code] += 1
            wanted = _KINDS.get(code, frozenset())
            same = [m for m in places[path, line, column] if m["kind"] in wanted and m["range"]]
            if same:
                result.shared[code] += 1
                matched[same[0]["kind"]] += 1
            else:
                result.missing.append(f"{path}:{line}:{column}: {diagnostic['message'][:120]}")
    result.only_ours = kinds - matched
    return result


def run_gopls(go: Go, patterns: Sequence[str], first: int) -> int:
    """Compare every package that the patterns name; 1 if gopls has anything that we have not."""
    done = go.run("list", "-f", "{{.ImportPath}}\t{{.Dir}}\t{{index .GoFiles 0}}", "--", *patterns)
    missing = 0
    for line in done.stdout.decode().splitlines():
        package, folder, file = line.split("\t")
        theirs = published(go, folder, str(Path(folder, file)))
        answer = report(go, [package], tests=True, more=["--back-end"])
        result = side_by_side(theirs, answer["messages"])
        missing += len(result.missing)
        print(f"{package}: gopls publishes {result.theirs.total()} in {len(theirs)} files, "
              f"{result.shared.total()} of them ours, {len(result.missing)} missing")  # fmt: skip
        print(f"  theirs    {dict(result.theirs)}, and {result.nowhere} in no file")
        print(f"  only ours {result.only_ours.total()}: {dict(result.only_ours.most_common())}")
        for text in result.missing[:first]:
            print(f"  missing   {text}")
    return 1 if missing else 0
