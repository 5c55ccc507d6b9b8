"""Folders and files with names that URIs, shells or Go find hard."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import pytest

from tests.lsp.client import Server
from tests.lsp.gomod import HELLO, hello, module, write
from tests.lsp.test_shown import EXPECTED
from tests.tools import any_go

Start = Callable[..., Server]
NAMES = (
    "with space",
    "a#b",
    "50%25 off",
    "größe-日本-😀",
    "q?uestion&=+",
    "it's (one) [of] {them}",
    "e\u0301",
    "a,b;c~!@$^",
)


@pytest.mark.parametrize("name", NAMES)
def test_folders(tmp_path: Path, start: Start, name: str) -> None:
    folder = hello(tmp_path / name)
    server = start()
    server.initialize(folder)
    uri = server.opened(folder / "user.go")
    assert {u for u, found in server.diagnostics.items() if found} == {uri}
    assert {n["uri"] for n in server.messages(uri)} == {uri}
    (moved,) = [d for d in server.diagnostics[uri] if d["message"] == "moved to heap: u"]
    assert {step["location"]["uri"] for step in moved["relatedInformation"]} == {uri}


def test_files(tmp_path: Path, start: Start) -> None:
    """File names that Go takes: it refuses spaces nowhere."""
    names = ("größe 日本.go", "a#b.go", "100%.go", "it's.go")
    files = {name: f"package m\n\nfunc F{n}() *int {{ x := 1; return &x }}\n" for n, name in enumerate(names)}
    folder = module(tmp_path / "m", files)
    server = start()
    server.initialize(folder)
    first = server.opened(folder / names[0])
    shown = {u: len(found) for u, found in server.diagnostics.items()}
    assert shown == {(folder / name).as_uri(): 1 for name in names}
    assert len(server.messages(first, scope="package")) == 4


def spelled(path: Path, style: str) -> str:
    """A path's URI as different clients spell it."""
    if style == "plain":
        return f"file://{path}"
    if style == "everything":
        return "file://" + quote(str(path), safe="/").replace("e", "%65")
    return "file://localhost" + quote(str(path))


@pytest.mark.parametrize("style", ["plain", "everything", "host"])
def test_the_client_gets_its_own_spelling(tmp_path: Path, start: Start, style: str) -> None:
    """Editors compare URIs letter by letter: what they opened is what they get back."""
    path = hello(tmp_path / "größe") / "user.go"
    uri = spelled(path, style)
    server = start()
    server.initialize(path.parent)
    since = server.mark()
    server.open(path, uri=uri)
    server.settled(since)
    assert len(server.diagnostics[uri]) == len(EXPECTED)
    assert {n["uri"] for n in server.messages(uri)} == {uri}
    assert {u for u, found in server.diagnostics.items() if found} == {uri}


def test_a_folder_behind_a_symbolic_link(tmp_path: Path, start: Start) -> None:
    real = hello(tmp_path / "real")
    link = tmp_path / "link"
    link.symlink_to(real, target_is_directory=True)
    server = start()
    server.initialize(link)
    uri = server.opened(link / "user.go")
    assert len(server.diagnostics[uri]) == len(EXPECTED)
    assert {n["uri"] for n in server.messages(uri)} == {uri}
    position = {"line": 10, "character": 1}
    assert server.request("textDocument/hover", {"textDocument": {"uri": uri}, "position": position})
    since = server.mark()
    server.save(uri)
    server.settled(since)
    assert len(server.messages(uri)) == len(EXPECTED)


def test_a_file_that_is_a_symbolic_link(tmp_path: Path, start: Start) -> None:
    folder = write(tmp_path / "m", {"go.mod": (HELLO / "go.mod").read_bytes()})
    target = write(tmp_path / "elsewhere", {"user.go": (HELLO / "user.go").read_bytes()}) / "user.go"
    (folder / "user.go").symlink_to(target)
    server = start()
    server.initialize(folder)
    uri = server.opened(folder / "user.go")
    assert len(server.diagnostics[uri]) == len(EXPECTED)


def test_a_standard_library_file(start: Start, tmp_path: Path) -> None:
    """A file reached by going to a definition: it has its messages, and is only read."""
    server = start()
    server.initialize(tmp_path)
    path = goroot() / "src" / "container" / "list" / "list.go"
    uri = server.opened(path)
    assert [n for n in server.messages(uri, filter={"types": ["escape"]}) if "&Element" in n["message"]]


def goroot() -> Path:
    """Where the Go of these tests lies."""
    found = subprocess.run([any_go(), "env", "GOROOT"], capture_output=True, text=True, check=True)
    return Path(found.stdout.strip())
