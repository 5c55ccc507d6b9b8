"""Paths and URIs, also of platforms that these tests do not run on."""

from __future__ import annotations

import os.path
from pathlib import Path

import pytest
from escapelens.core.model import Place
from escapelens.golang.paths import PathResolver, from_uri, printed_folder, to_uri

POSIX = [
    ("/a/b.go", "file:///a/b.go"),
    ("/a b/#1%/ü.go", "file:///a%20b/%231%25/%C3%BC.go"),
]
WINDOWS = [
    (r"C:\go\a b.go", "file:///c%3A/go/a%20b.go"),
    (r"\\server\share\x.go", "file://server/share/x.go"),
]


@pytest.mark.parametrize(("path", "uri"), POSIX)
def test_posix(path: str, uri: str) -> None:
    assert to_uri(path) == uri
    assert from_uri(uri) == path


@pytest.mark.parametrize(("path", "uri"), WINDOWS)
def test_windows(path: str, uri: str) -> None:
    assert to_uri(path, windows=True) == uri
    found = from_uri(uri, windows=True)
    assert found is not None and found.casefold() == path.casefold()


@pytest.mark.parametrize("uri", ["file:///C:/go/a.go", "file:///c%3a/go/a.go"])
def test_windows_spellings_of_one_file(uri: str) -> None:
    assert (from_uri(uri, windows=True) or "").casefold() == r"c:\go\a.go"


@pytest.mark.parametrize("uri", ["untitled:Untitled-1", "git:/a/b.go", "https://x/y.go"])
def test_other_schemes_are_no_files(uri: str) -> None:
    assert from_uri(uri) is None


def test_printed_paths_become_absolute() -> None:
    resolve = PathResolver(Path("/w/mod"))
    printed = {
        "./a.go": "/w/mod/a.go",
        "sub/a.go": "/w/mod/sub/a.go",
        "../x/a.go": "/w/x/a.go",
        "/abs/a.go": "/abs/a.go",
    }
    assert {p: resolve(Place(p, 1, 1)).file for p in printed} == printed
    assert resolve(Place("_cgo_gotypes.go", 3, 1)).file is None


@pytest.mark.parametrize(
    ("run", "own", "above"),
    [
        ("/w/m/sub", ".", ".."),
        ("/w/m", "sub", "."),
        ("/w", "m/sub", "m"),
        ("/w/m/other/deep", "../../sub", "../.."),
        ("/w/m/sub/deep", "..", "../.."),
    ],
)
def test_text_that_was_compiled_from_another_folder(run: str, own: str, above: str) -> None:
    # The go command shortens the package's folder and those above it; the build cache replays that anywhere.
    assert os.path.normpath(f"{run}/{own}") == "/w/m/sub" and os.path.normpath(f"{run}/{above}") == "/w/m"
    lines = [
        f"{own}/a.go:3:6: can inline F",
        f"{own}/b.go:3:6: can inline G",
        f"{above}/a.go:1:1: moved to heap: x",
        "/go/src/fmt/a.go:3:6: can inline H",
    ]
    printed = printed_folder(lines, {"a.go", "b.go"})
    assert printed == own
    resolve = PathResolver(Path("/w/m/sub"), printed)
    assert resolve(Place(f"{own}/a.go", 3, 6)).file == "/w/m/sub/a.go"
    assert resolve(Place(f"{own}/inner/a.go", 1, 1)).file == "/w/m/sub/inner/a.go"
    assert resolve(Place(f"{above}/tx.go", 1, 1)).file == "/w/m/tx.go"


def test_another_installation_of_the_same_release(tmp_path: Path) -> None:
    # The build cache knows Go's own packages by content, and replays the text of whichever was compiled first.
    file = tmp_path / "src" / "net" / "http" / "server.go"
    file.parent.mkdir(parents=True)
    file.touch()
    resolve = PathResolver(Path("/w"), goroot=tmp_path)
    assert resolve(Place("/other/go/src/net/http/server.go", 1, 1)).file == str(file)
    assert resolve(Place(str(file), 1, 1)).file == str(file)
    assert resolve(Place("/other/go/src/net/http/gone.go", 1, 1)).file == "/other/go/src/net/http/gone.go"
    assert PathResolver(Path("/w"))(Place("/other/go/src/net/http/server.go", 1, 1)).file != str(file)


def test_trimmed_paths_are_found_by_import_path() -> None:
    resolve = PathResolver(Path("/w"), folders={"fmt": "/go/src/fmt", "github.com/x/y": "/mod/y@v1"})
    assert resolve(Place("fmt/print.go", 1, 1)).file == "/go/src/fmt/print.go"
    assert resolve(Place("github.com/x/y@v1.2.3/z.go", 1, 1)).file == "/mod/y@v1/z.go"
