"""The VS Code extension in the real editor, with the real server, as its user sees it."""

from __future__ import annotations

import io
import os
import shlex
import zipfile
from collections.abc import Callable
from pathlib import Path

from tests.editors.vscode.build import vsix
from tests.editors.vscode.workbench import Workbench
from tests.tools import ROOT, SERVER_COMMAND, TOOLS

MARKS = {"8": "leak", "9": "moved", "15": "escape", "18": "leak"}

Open = Callable[..., Workbench]


def test_package_has_no_warnings(package: str) -> None:
    assert "warning" not in package.lower(), package
    assert "DONE" in package
    assert vsix(TOOLS).stat().st_size < 1_000_000
    with zipfile.ZipFile(vsix(TOOLS)) as archive:
        (wheel,) = (name for name in archive.namelist() if name.endswith(".whl"))
        with zipfile.ZipFile(io.BytesIO(archive.read(wheel))) as server:
            assert "escapelens/lsp/server.py" in server.namelist()


def test_marks_and_hover(window: Workbench, file: Path) -> None:
    window.request("file", path=f"{file.parent.name}/{file.name}")
    assert window.marks(**MARKS) == MARKS
    window.request("go", line=9)
    text = window.request("hover", contains="moved to heap: u")
    assert "Moved to Heap" in text
    assert f"return &u returned, {file.name}:10:2" in text
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
    said = window.request("status", contains="EscapeLens: failed")
    assert "undefined: nothing" in said and "hidden: Can Inline, Inlining Call, Other" in said and "go1." in said
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
    assert f"its address is taken, {file.name}:10:9" in text
    window.request("follow", contains="moved to heap: u", link=f"{file.name}:10:2")
    assert "Ln 10" in window.request("text", selector=r"#status\.editor\.selection", contains="Ln 10,")


def test_filter_and_restart(open_window: Open, file: Path, tmp_path: Path) -> None:
    starts = tmp_path / "starts.txt"
    counted = ["sh", "-c", 'echo started >> "$0"; exec "$@"', str(starts), *SERVER_COMMAND]
    window = open_window(counted)
    window.request("file", path=f"{file.parent.name}/{file.name}")
    assert window.marks(**MARKS) == MARKS
    window.request("command", title="EscapeLens: Choose Message Types")
    window.request("pick", title="message types", labels=["Moved to Heap", "Leak Param", "Can Inline"])
    # Functions whose parameters leak can be inlined, too: one mark, that of the stronger message, with their number.
    chosen = {"8": "leak 2", "9": "moved", "14": "other", "18": "leak 2", "21": "other"}
    assert window.marks(**chosen) == chosen
    window.request("command", title="EscapeLens: Hide Escape Analysis Here")
    assert window.marks() == {}
    window.request("command", title="EscapeLens: Show Escape Analysis Here")
    assert window.marks(**chosen) == chosen
    # A new server shows what was chosen before.
    window.request("command", title="EscapeLens: Restart Server")
    window.request("go", line=27)
    window.request("type", text="func Two() *int { n := 2; return &n }")
    window.request("save")
    more = {**chosen, "27": "moved 2"}
    assert window.marks(**more) == more
    assert starts.read_text().split() == ["started", "started"]


def test_getting_the_server(open_window: Open, file: Path, tmp_path: Path) -> None:
    """On PATH, else one click installs it from the extension: with nothing but Python and Go."""
    others = [f for f in os.environ["PATH"].split(os.pathsep) if not Path(f, "escapelens").exists()]
    # Python's programs are links: a virtual environment made from one would find this project's.
    window = open_window(PATH=os.pathsep.join([str(tmp_path), *others]), PYTHONPATH="")
    window.request("file", path=f"{file.parent.name}/{file.name}")
    window.request("text", selector=".notifications-toasts", contains="EscapeLens server was found neither")
    assert window.marks() == {}
    program = tmp_path / "escapelens"
    program.write_text(f'#!/bin/sh\nPYTHONPATH={ROOT / "server"} exec {shlex.join(SERVER_COMMAND[:-1])} "$@"\n')
    program.chmod(0o755)
    window.request("command", title="EscapeLens: Restart Server")
    assert window.marks(**MARKS) == MARKS
    program.unlink()
    window.request("command", title="EscapeLens: Restart Server")
    window.request("click", selector=".notifications-toasts .monaco-button", text="Install Server")
    window.request("text", selector=".notifications-toasts", contains="installing its server")
    assert window.marks(**MARKS) == MARKS
    installed = window.inside(
        "return (await vscode.commands.executeCommand('escapelens.environment', values)).go", uri=file.as_uri()
    )
    assert installed.startswith("go1.")


def test_untrusted_workspace(open_window: Open, file: Path, tmp_path: Path) -> None:
    """Nothing is run until the workspace is trusted."""
    starts = tmp_path / "starts.txt"
    counted = ["sh", "-c", 'echo started >> "$0"; exec "$@"', str(starts), *SERVER_COMMAND]
    window = open_window(counted, trusted=False)
    window.request("file", path=f"{file.parent.name}/{file.name}")
    state = (
        "return [vscode.workspace.isTrusted, vscode.extensions.getExtension('escapelens.escapelens')?.isActive ?? null]"
    )
    assert window.inside(state) in ([False, None], [False, False])
    assert window.marks() == {} and not starts.exists()
    window.request("command", title="Workspaces: Manage Workspace Trust")
    window.request("click", selector=".workspace-trust-buttons-row .monaco-button", text="Trust")
    window.inside("""
      if (!vscode.workspace.isTrusted) {
        await new Promise((granted) => vscode.workspace.onDidGrantWorkspaceTrust(granted));
      }
    """)
    window.request("file", path=f"{file.parent.name}/{file.name}")
    assert window.marks(**MARKS) == MARKS
    assert starts.read_text().split() == ["started"]


def test_sample_and_walkthrough(window: Workbench) -> None:
    """The walkthrough's sample opens as a copy, with one of each mark; its commands and pictures are there."""
    window.inside("await vscode.commands.executeCommand('escapelens.openSample')")
    marks = {"11": "moved", "24": "escape 2", "31": "leak"}
    assert window.marks(**marks) == marks
    found = window.inside("""
      const { packageJSON, extensionPath } = vscode.extensions.getExtension('escapelens.escapelens');
      const [walkthrough] = packageJSON.contributes.walkthroughs;
      const known = new Set(await vscode.commands.getCommands());
      const used = JSON.stringify(walkthrough).matchAll(/command:([\\w.]+)/g);
      const sizes = [];
      for (const { media } of walkthrough.steps) {
        sizes.push((await vscode.workspace.fs.stat(vscode.Uri.file(`${extensionPath}/${media.markdown}`))).size);
      }
      const file = vscode.window.activeTextEditor.document.uri.fsPath;
      return { unknown: [...used].map(([, name]) => name).filter((name) => !known.has(name)), sizes, file, extensionPath };
    """)
    assert found["unknown"] == [] and len(found["sizes"]) == 4 and all(found["sizes"])
    assert not found["file"].startswith(found["extensionPath"])
