"""The VS Code extension in the real editor, with the real server, as its user sees it."""

from __future__ import annotations

import os
import shlex
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.editors.vscode import build
from tests.editors.vscode.install import installed
from tests.editors.vscode.workbench import HERE, Workbench, find_chromium
from tests.tools import ROOT, SERVER_COMMAND, TOOLS, any_go, require

MARKS = {"8": "leak", "9": "moved", "15": "escape", "18": "leak"}

Open = Callable[..., Workbench]


@pytest.fixture(scope="module")
def package() -> str:
    """What ``npm run package`` printed."""
    require(find_chromium() is not None, "Chromium")
    require(shutil.which("npm") is not None, "npm")
    require(installed(TOOLS), "code-server (python -m tests.editors.vscode.install)")
    return build.build(TOOLS)


@pytest.fixture(scope="module")
def module_folder(package: str) -> Iterator[Path]:
    """A folder with a short path (sockets are made below it) that has a Go module."""
    with tempfile.TemporaryDirectory(prefix="el-", ignore_cleanup_errors=True) as folder:
        home = Path(folder).resolve()
        (home / "sample").mkdir()
        shutil.copy(HERE / "sample" / "go.mod", home / "sample")
        yield home


@pytest.fixture(scope="module")
def open_window(module_folder: Path) -> Iterator[Open]:
    """Opens windows, each in a profile of its own."""
    with ExitStack() as stack:

        def opened(command: list[str] | None = None, **environment: str) -> Workbench:
            home = Path(tempfile.mkdtemp(dir=module_folder))
            settings: dict[str, Any] = {"escapelens.go.path": any_go()}
            if command:
                settings["escapelens.server.command"] = command
            path = os.pathsep.join([str(ROOT / "server"), *filter(None, [os.environ.get("PYTHONPATH")])])
            environment = {"PYTHONPATH": path, **environment}
            window = Workbench(home, module_folder / "sample", settings, environment)
            return stack.enter_context(window)

        yield opened


@pytest.fixture(scope="module")
def window(open_window: Open) -> Workbench:
    """A window that tests share; each opens a package of its own."""
    return open_window(SERVER_COMMAND)


@pytest.fixture
def file(request: pytest.FixtureRequest, module_folder: Path) -> Path:
    """A Go file, in a package of its own, named like the test."""
    name = str(request.node.name).removeprefix("test_")
    path = module_folder / "sample" / name / f"{name}.go"
    path.parent.mkdir()
    shutil.copy(HERE / "sample" / "user.go", path)
    return path


def test_package_has_no_warnings(package: str) -> None:
    assert "warning" not in package.lower(), package
    assert "DONE" in package


def test_marks_and_hover(window: Workbench, file: Path) -> None:
    window.request("file", path=f"{file.parent.name}/{file.name}")
    assert window.marks(**MARKS) == MARKS
    window.request("go", line=9)
    text = window.request("hover", contains="moved to heap: u")
    assert "Moved to Heap" in text
    assert f"return &u (return) at {file.name}:10:2" in text
    if os.environ.get("ESCAPELENS_SCREENSHOTS"):
        window.request("screenshot", path=str(Path(os.environ["ESCAPELENS_SCREENSHOTS"]) / "vscode.png"))
    window.request("press", key="Escape")
    # The marks are the extension's own: nothing of them is a problem.
    assert window.request("text", selector=r"#status\.problems", contains="0").split() == ["0", "0"]


def test_edit_and_save(window: Workbench, file: Path) -> None:
    window.request("file", path=f"{file.parent.name}/{file.name}")
    assert window.marks(**MARKS) == MARKS
    window.request("go", line=8)
    window.request("type", text="\n")
    moved = {str(int(line) + 1): f"{mark} stale" for line, mark in MARKS.items()}
    assert window.marks(**moved) == moved
    window.request("go", line=10)
    window.request("type", text="_ = 0; ")
    del moved["10"]
    assert window.marks(**moved) == moved
    window.request("save")
    fresh = {str(int(line) + 1): mark for line, mark in MARKS.items()}
    assert window.marks(**fresh) == fresh


def test_build_error(window: Workbench, file: Path) -> None:
    window.request("file", path=f"{file.parent.name}/{file.name}")
    assert window.marks(**MARKS) == MARKS
    window.request("go", line=27)
    window.request("type", text="var broken = nothing")
    window.request("save")
    old = {line: f"{mark} stale" for line, mark in MARKS.items()}
    assert window.marks(**old) == old
    assert "undefined: nothing" in window.request("status", contains="EscapeLens: failed")
    window.request("press", key="Control+Shift+k")
    window.request("save")
    assert window.marks(**MARKS) == MARKS
    assert "Moved to Heap" in window.request("status", contains="1 Moved to Heap")


def test_explanation(window: Workbench, file: Path) -> None:
    window.request("file", path=f"{file.parent.name}/{file.name}")
    assert window.marks(**MARKS) == MARKS
    window.request("go", line=9)
    window.request("command", title="EscapeLens: Explain at Cursor")
    text = window.request("view", contains="moved to heap: u")
    assert f"at {file.name}:10:9" in text
    window.request("follow", contains="moved to heap: u", link=f"{file.name}:10:2")
    assert "Ln 10" in window.request("text", selector=r"#status\.editor\.selection", contains="Ln 10,")


def test_raw_text(window: Workbench, file: Path) -> None:
    window.request("file", path=f"{file.parent.name}/{file.name}")
    assert window.marks(**MARKS) == MARKS
    window.request("command", title="EscapeLens: Show Raw Compiler Text")
    shown = window.request("text", selector=".view-lines", contains="# go list")
    assert "moved to heap: u" in shown.replace("\xa0", " ")


def test_filter_and_restart(open_window: Open, file: Path, tmp_path: Path) -> None:
    starts = tmp_path / "starts.txt"
    counted = ["sh", "-c", 'echo started >> "$0"; exec "$@"', str(starts), *SERVER_COMMAND]
    window = open_window(counted)
    window.request("file", path=f"{file.parent.name}/{file.name}")
    assert window.marks(**MARKS) == MARKS
    window.request("command", title="EscapeLens: Choose Message Types")
    window.request("pick", title="message types", labels=["Moved to Heap", "Leak Param", "Can Inline"])
    # Functions whose parameters leak can be inlined, too: one mark, that of the stronger message.
    chosen = {"8": "leak", "9": "moved", "14": "other", "18": "leak", "21": "other"}
    assert window.marks(**chosen) == chosen
    window.request("command", title="EscapeLens: Show or Hide Messages")
    assert window.marks() == {}
    window.request("command", title="EscapeLens: Show or Hide Messages")
    assert window.marks(**chosen) == chosen
    # A new server shows what was chosen before.
    window.request("command", title="EscapeLens: Restart Server")
    window.request("go", line=27)
    window.request("type", text="func Two() *int { n := 2; return &n }")
    window.request("save")
    more = {**chosen, "27": "moved"}
    assert window.marks(**more) == more
    assert starts.read_text().split() == ["started", "started"]


def test_server_is_found_on_path(open_window: Open, file: Path, tmp_path: Path) -> None:
    others = [f for f in os.environ["PATH"].split(os.pathsep) if not Path(f, "escapelens").exists()]
    window = open_window(PATH=os.pathsep.join([str(tmp_path), *others]))
    window.request("file", path=f"{file.parent.name}/{file.name}")
    said = window.request("text", selector=".notifications-toasts", contains="EscapeLens server was found neither")
    assert "pip install escapelens" in said
    assert window.marks() == {}
    program = tmp_path / "escapelens"
    program.write_text(f'#!/bin/sh\nexec {shlex.join(SERVER_COMMAND[:-1])} "$@"\n')
    program.chmod(0o755)
    window.request("command", title="EscapeLens: Restart Server")
    assert window.marks(**MARKS) == MARKS
