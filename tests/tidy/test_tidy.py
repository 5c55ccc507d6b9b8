"""The rules of the house."""

from __future__ import annotations

import ast
import re
import subprocess
from pathlib import Path

import pytest
from escapelens import __version__

from tests.tidy.generated import GENERATED
from tests.tools import ROOT

PACKAGE = ROOT / "server" / "escapelens"
MODULES = sorted(PACKAGE.rglob("*.py"))

#: Who may import what: a room, and the names that it may not import.
FORBIDDEN = {
    "core": ("asyncio", "subprocess", "os", "shutil", "tempfile", "pygls", "lsprotocol", "pydantic", "click",
             "escapelens.golang", "escapelens.engine", "escapelens.lsp", "escapelens.cli", "escapelens.settings"),
    "golang": ("pygls", "lsprotocol", "click", "escapelens.engine", "escapelens.lsp", "escapelens.cli"),
    "engine": ("pygls", "lsprotocol", "subprocess", "escapelens.lsp", "escapelens.cli"),
}  # fmt: skip
LIMIT = 450


def imports(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def matches(name: str, forbidden: str) -> bool:
    return name == forbidden or name.startswith(f"{forbidden}.")


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_rooms_import_only_what_they_may(path: Path) -> None:
    relative = path.relative_to(PACKAGE)
    room = relative.parts[0] if len(relative.parts) > 1 else ""
    names = imports(path) - {"os.path"}
    bad = {n for n in names for f in FORBIDDEN.get(room, ()) if matches(n, f) and not matches(n, "os.path")}
    assert not bad
    if room != "lsp":
        assert not {n for n in names if matches(n, "pygls") or matches(n, "lsprotocol")}
    if relative != Path("golang/process.py"):
        assert not {n for n in names if matches(n, "subprocess")}, "only golang/process.py starts processes"


def tracked() -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return [ROOT / name for name in listed.stdout.splitlines() if (ROOT / name).is_file()]


def test_files_stay_readable() -> None:
    long = {
        str(path.relative_to(ROOT)): lines
        for path in tracked()
        if path.suffix in (".py", ".ts", ".lua") and "fixtures" not in path.parts
        if (lines := path.read_text("utf-8").count("\n")) > LIMIT
    }
    assert not long


def test_no_registry_and_no_machine_is_named() -> None:
    names = "pypi|pythonhosted|npmjs|(?:deb|security)\\.debian|(?:proxy|sum)\\.golang"
    host = re.compile(rf"(?:{names})\.(?:org|io|com)")
    folder = re.compile(r"(?<![\w.])/(?:work|farm|root|home/\w+)/")
    bad = []
    for path in tracked():
        if path.suffix in (".png", ".gif", ".vsix", ".xz", ".gz"):
            continue
        text = path.read_text("utf-8", "replace")
        bad += [f"{path.relative_to(ROOT)}: {m[0]}" for m in (*host.finditer(text), *folder.finditer(text))]
    assert not bad


@pytest.mark.parametrize("path", GENERATED, ids=lambda path: str(path.name))
def test_generated_texts_are_up_to_date(path: Path) -> None:
    assert path.read_text("utf-8") == GENERATED[path](), "run: python -m tests.tidy.generated"


def test_the_changelog_has_an_entry() -> None:
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert re.search(rf"^## (?:Unreleased|{re.escape(__version__)})", text, re.MULTILINE)
