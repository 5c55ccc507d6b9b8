"""From save to published diagnostics, against what GoLand and gopls run; one process of each in turn.

``python -m tests.bench.save [--go GO] [--package net/http] [--rounds 5]``. Before each measurement one function of
the package is changed, so that nothing comes from a cache. Prints a table, the ratio and JSON; exits 1
if a save takes more than 1.2 times GoLand's way.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from lsprotocol import types
from pygls.lsp.client import LanguageClient

from tests.bench.goroot import editable_goroot
from tests.tools import SERVER_COMMAND, any_go

LIMIT = 1.2


class Editor:
    """A client that waits for the diagnostics of one file."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.uri = file.as_uri()
        self.version = 1
        self.client = LanguageClient("bench", "1")
        self.published = asyncio.Event()

        @self.client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def _(params: types.PublishDiagnosticsParams) -> None:
            if params.uri == self.uri and params.diagnostics:
                self.published.set()

        @self.client.feature("escapelens/status")
        def _(params: object) -> None:
            if getattr(params, "state", "") == "failed":
                print(f"failed: {params}", file=sys.stderr)

    async def start(self, go: str, environment: dict[str, str]) -> None:
        """Start the server and open the file."""
        await self.client.start_io(*SERVER_COMMAND, env=environment)
        await self.client.initialize_async(
            types.InitializeParams(types.ClientCapabilities(), initialization_options={"go": {"path": go}})
        )
        self.client.initialized(types.InitializedParams())
        item = types.TextDocumentItem(self.uri, "go", 1, self.file.read_text("utf-8"))
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        await self.published.wait()

    async def save(self, text: str) -> float:
        """Seconds from the save of a changed text to its diagnostics."""
        self.version += 1
        document = types.VersionedTextDocumentIdentifier(version=self.version, uri=self.uri)
        change = types.TextDocumentContentChangeWholeDocument(text)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(document, [change]))
        await asyncio.sleep(0.3)  # the edit's own answer is not what is measured
        self.published.clear()
        self.file.write_text(text, "utf-8")
        start = time.perf_counter()
        identifier = types.TextDocumentIdentifier(self.uri)
        self.client.text_document_did_save(types.DidSaveTextDocumentParams(identifier))
        await self.published.wait()
        return time.perf_counter() - start

    async def stop(self) -> None:
        """End the server."""
        await self.client.shutdown_async(None)
        self.client.exit(None)
        await self.client.stop()


def build(go: str, gcflags: str, package: str, environment: dict[str, str]) -> float:
    """Seconds of one ``go build`` whose JSON records go to a new folder."""
    with tempfile.TemporaryDirectory() as folder:
        flags = gcflags.replace("DIR", folder)
        start = time.perf_counter()
        subprocess.run(
            [go, "build", f"-gcflags={flags}", package], env=environment, check=True, stderr=subprocess.DEVNULL
        )
        return time.perf_counter() - start


async def measure(go: str, package: str, rounds: int) -> dict[str, list[float]]:
    """The times of each way, in turn."""
    root, environment = editable_goroot(go)
    folder = root / "src" / package
    file = max(folder.glob("*.go"), key=lambda path: path.stat().st_size * (not path.name.endswith("_test.go")))
    original = file.read_text("utf-8")
    await asyncio.to_thread(subprocess.run, [go, "build", package], env=environment, check=True)
    editor = Editor(file)
    times: dict[str, list[float]] = {"save → published": [], "GoLand's way": [], "gopls's way": []}
    try:
        await editor.start(go, environment)
        for number in range(rounds):
            stamp = time.time_ns()

            def changed(way: str, stamp: int = stamp, number: int = number) -> str:
                return f"{original}\nfunc bench{stamp}{way}() *int {{ n := {number}; return &n }}\n"

            times["save → published"].append(await editor.save(changed("a")))
            file.write_text(changed("b"), "utf-8")
            times["GoLand's way"].append(build(go, "-m=2 -json=0,DIR", package, environment))
            file.write_text(changed("c"), "utf-8")
            times["gopls's way"].append(build(go, "-json=0,DIR", package, environment))
        await editor.stop()
    finally:
        file.write_text(original, "utf-8")
    return times


def main() -> int:
    """Measure, print, judge."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--go", default=None)
    parser.add_argument("--package", default="net/http")
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    go = shutil.which(arguments.go) if arguments.go else any_go()
    assert go is not None, "there is no such go"
    times = asyncio.run(measure(go, arguments.package, arguments.rounds))
    medians = {way: statistics.median(found) for way, found in times.items()}
    goland = medians["GoLand's way"]
    print(f"{arguments.package}, one function changed before each, median of {arguments.rounds}:")
    for way, seconds in medians.items():
        print(f"  {way:18} {seconds:6.2f} s   {seconds / goland:5.2f} × GoLand's way")
    print(json.dumps({"package": arguments.package, "seconds": times, "medians": medians}))
    return 0 if medians["save → published"] <= LIMIT * goland else 1


if __name__ == "__main__":
    sys.exit(main())
