"""Take the README's pictures in the real editor: ``python -m tests.editors.vscode.pictures FOLDER``.

Each scene is taken with a dark and a light theme; Pillow, where it is installed, makes them small and joins the
frames of the animation.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.editors.vscode import build
from tests.editors.vscode.workbench import Workbench
from tests.tools import ROOT, SERVER_COMMAND, TOOLS, any_go

SAMPLE = ROOT / "editors" / "vscode" / "sample"
MARKS = {"11": "moved", "24": "escape 2", "31": "leak"}
THEMES = {"dark": "Dark Modern", "light": "Light Modern"}
LOOK = {
    "workbench.reduceMotion": "on",
    "window.commandCenter": False,
    "workbench.layoutControl.enabled": False,
    "breadcrumbs.enabled": False,
}


class Scenes:
    """The window and where its pictures go."""

    def __init__(self, window: Workbench, folder: Path, file: Path) -> None:
        self._window = window
        self._folder = folder
        self._file = file

    def picture(self, name: str) -> None:
        """Take one."""
        self._window.request("settle")
        self._window.request("screenshot", path=str(self._folder / f"{name}.png"))

    def do(self, command: str) -> None:
        """Run a command of VS Code."""
        self._window.inside("await vscode.commands.executeCommand(values.command)", command=command)

    def theme(self, name: str) -> None:
        """Change the colours."""
        script = "await vscode.workspace.getConfiguration().update('workbench.colorTheme', values.theme, true)"
        self._window.inside(script, theme=THEMES[name])

    def take(self, theme: str) -> None:
        """All scenes in one theme."""
        window = self._window
        self.theme(theme)
        show = "await vscode.window.showTextDocument(vscode.Uri.file(values.path), { preview: false })"
        window.inside(show, path=str(self._file))
        assert window.marks(**MARKS) == MARKS
        self.do("escapelens.tree.focus")
        self.do("escapelens.view.expand")
        window.request("rows", expected=["2 Report | 2", "3 Escape to Heap | 2"])
        window.request("go", line=11)
        self.picture(f"view-{theme}")
        window.request("hover", contains="moved to heap: p")
        self.picture(f"hover-{theme}")
        window.request("press", key="Escape")
        window.request("command", title="EscapeLens: Choose Message Types")
        self.picture(f"types-{theme}")
        window.request("press", key="Escape")
        self.do("escapelens.showRawText")
        window.request("text", selector=".view-lines", contains="# go list")
        self.picture(f"raw-{theme}")
        self.do("workbench.action.closeActiveEditor")
        self.compare(theme)
        self.broken(theme)

    def compare(self, theme: str) -> None:
        """An edit, a save, and what changed."""
        window = self._window
        text = self._file.read_text()
        self.picture(f"step1-{theme}")
        edit = """
          const editor = vscode.window.activeTextEditor;
          const lines = new vscode.Range(9, 0, 11, editor.document.lineAt(11).text.length);
          await editor.edit((builder) => builder.replace(lines, values.text));
        """
        window.inside(edit, text="func New(x, y int) Point {\n\treturn Point{x, y}")
        window.request("go", line=11)
        assert window.marks(**{"23": "escape 2 stale", "30": "leak stale"})
        self.picture(f"step2-{theme}")
        window.request("save")
        after = {"23": "escape 2", "30": "leak"}
        assert window.marks(**after) == after
        self.picture(f"step3-{theme}")
        self.do("escapelens.comparePrevious")
        window.request("rows", expected=["1 Gone | 1", "1 Moved only | 3"])
        self.do("escapelens.view.expand")
        window.request("rows", expected=["3 New | 1"])
        window.request("text", selector=".tree-explorer-viewlet-tree-view .message", contains="1 gone · 3 moved only")
        self.picture(f"compare-{theme}")
        self.do("escapelens.view.newest")
        self.restore(text)

    def restore(self, text: str) -> None:
        """The file as it was."""
        edit = """
          const editor = vscode.window.activeTextEditor;
          const all = new vscode.Range(0, 0, editor.document.lineCount, 0);
          await editor.edit((builder) => builder.replace(all, values.text));
          await editor.document.save();
        """
        self._window.inside(edit, text=text)
        assert self._window.marks(**MARKS) == MARKS

    def broken(self, theme: str) -> None:
        """A build error: pale marks, and the status that says why."""
        window = self._window
        text = self._file.read_text()
        window.request("go", line=28)
        window.request("type", text="var broken = nothing\n")
        window.request("save")
        window.request("status", contains="EscapeLens: failed", stay=True)
        self.picture(f"status-{theme}")
        self.restore(text)


def main(folder: Path) -> None:
    """Take everything."""
    build.build(TOOLS)
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="el-", ignore_cleanup_errors=True) as name:
        home = Path(name).resolve()
        shutil.copytree(SAMPLE, home / "sample")
        settings: dict[str, Any] = {
            **LOOK,
            "escapelens.go.path": any_go(),
            "escapelens.server.command": SERVER_COMMAND,
        }
        environment = {"PYTHONPATH": os.pathsep.join([str(ROOT / "server"), os.environ.get("PYTHONPATH", "")])}
        with Workbench(home, home / "sample", settings, environment) as window:
            scenes = Scenes(window, folder, home / "sample" / "sample.go")
            for theme in THEMES:
                scenes.take(theme)
    shrink(folder)


def shrink(folder: Path) -> None:
    """Fewer colours, and the steps of the comparison as an animation."""
    from PIL import Image  # type: ignore[import-not-found,unused-ignore]

    for path in folder.glob("*.png"):
        Image.open(path).convert("RGB").quantize(256, kmeans=4).save(path, optimize=True)
    for theme in THEMES:
        names = [f"step1-{theme}", f"step2-{theme}", f"step3-{theme}", f"compare-{theme}"]
        frames = [Image.open(folder / f"{name}.png").convert("RGB").quantize(256, kmeans=4) for name in names]
        frames[0].save(
            folder / f"compare-{theme}.gif",
            save_all=True,
            append_images=frames[1:],
            duration=1600,
            loop=0,
            optimize=True,
        )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
