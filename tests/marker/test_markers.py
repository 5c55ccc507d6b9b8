"""The marks in ``fixtures/``, matched one to one at three levels: parser, engine, language server."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from escapelens.core.join import Value, join
from escapelens.core.model import type_of_kind
from escapelens.core.report import QUIET_KINDS, Show
from escapelens.core.text_log import parse
from escapelens.engine.analyzer import Analyzer
from escapelens.engine.target import Target
from escapelens.golang.build import BuildOptions
from lsprotocol import types
from pygls.lsp.client import LanguageClient

from tests.marker.markers import MARKED, Mark, differences, squeeze, wanted
from tests.tools import SERVER_COMMAND, any_go

SHOWN = ("escape", "moved", "leak")

pytestmark = pytest.mark.parametrize("folder", MARKED, ids=lambda folder: str(folder.name))


def mark(file: str, line: int, kind: str, subject: str) -> Mark:
    return Path(file).name, line, type_of_kind(kind), squeeze(subject)


def test_parser(folder: Path) -> None:
    command = [any_go(), "list", "-export", "-gcflags=-m=2", "."]
    environment = {**os.environ, "GOFLAGS": ""}
    text = subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=True, text=True).stderr
    values = [v for v in join(parse(text.splitlines()[1:])) if isinstance(v, Value)]
    shown = [
        mark(v.place.file or "", v.place.line, v.kind, v.subject)
        for v in values
        if type_of_kind(v.kind) in SHOWN and v.kind not in QUIET_KINDS and not v.destination
    ]
    assert not differences(wanted(folder, free=True), shown)


async def test_engine(folder: Path) -> None:
    result = await Analyzer(os.environ, any_go()).run(Target(folder, (".",), BuildOptions()))
    (report,) = result.reports
    assert (report.status, report.unparsed) == ("ok", ())
    shown = [mark(m.place.file or "", m.place.line, m.kind, m.subject) for m in report.messages if Show()(m)]
    assert not differences(wanted(folder), shown)


async def test_language_server(folder: Path) -> None:
    client = LanguageClient("markers", "1")
    published: dict[str, types.PublishDiagnosticsParams] = {}
    files = sorted(folder.glob("*.go"))

    @client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    def _(params: types.PublishDiagnosticsParams) -> None:
        published[params.uri] = params

    await client.start_io(*SERVER_COMMAND)
    try:
        await client.initialize_async(
            types.InitializeParams(
                capabilities=types.ClientCapabilities(),
                root_uri=folder.as_uri(),
                initialization_options={"run": "manual", "go": {"path": any_go()}},
            )
        )
        client.initialized(types.InitializedParams())
        for file in files:
            item = types.TextDocumentItem(file.as_uri(), "go", 1, file.read_text("utf-8"))
            client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        argument = {"uri": files[0].as_uri(), "scope": "package"}
        answer = await client.workspace_execute_command_async(
            types.ExecuteCommandParams("escapelens.analyze", arguments=[argument])
        )
        assert answer is not None and answer["status"] == "ok"
        shown = [
            mark(uri, d.range.start.line + 1, str(d.code), underlined(d, files))
            for uri, params in published.items()
            for d in params.diagnostics
        ]
        assert not differences(wanted(folder), shown)
    finally:
        await client.shutdown_async(None)
        client.exit(None)
        await client.stop()


def underlined(diagnostic: types.Diagnostic, files: list[Path]) -> str:
    """The words under a diagnostic, read from the file (ASCII here); a literal is marked at ``func``."""
    start, end = diagnostic.range.start, diagnostic.range.end
    assert start.line == end.line
    for file in files:
        line = file.read_text("utf-8").split("\n")[start.line]
        words = line[start.character : end.character]
        if words and words in line:
            return "literal" if words == "func" else words
    raise AssertionError(f"nothing is underlined by {diagnostic}")
