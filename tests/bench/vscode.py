"""A module of 50,000 messages in the real VS Code: how fast the view's nodes open, and what typing costs.

``python -m tests.bench.vscode [--messages 50000] [--rounds 5]``. Times are the page's own: from the click (or the change
of the filter, for the root) to the frame that shows the children; from a key to the frame that shows its letter, in
a window with the extension and in one without it, in turn. Prints a table and JSON; exits 1 beyond the limits.
Needs what ``python -m tests tools`` installs, and Chromium.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from tests.editors.vscode import build
from tests.editors.vscode.workbench import Workbench
from tests.tools import ROOT, SERVER_COMMAND, TOOLS, any_go

#: Seconds in which a node must open; how much slower a key may be; how many children a node may have.
OPEN, KEY, CHILDREN = 0.3, 1.2, 500
#: Messages of one function, more than a node shows.
LONG = 5_000
KEYS = 30

LARGEST = """
let [largest, nodes] = [0, 0];
async function walk(node, depth) {
  const children = await inside.tree.getChildren(node);
  largest = Math.max(largest, children.length);
  nodes += children.filter((child) => child.kind === 'message').length;
  for (const child of children) {
    if (inside.tree.getTreeItem(child).collapsibleState) {
      await walk(child, depth + 1);
    }
  }
}
await walk(undefined, 0);
return [largest, nodes];
"""


def write_module(folder: Path, messages: int) -> Path:
    """A module with so many values on the heap; the file with the long function."""
    folder.mkdir()
    (folder / "go.mod").write_text("module example.com/many\n\ngo 1.21\n")
    allocation = "\tSink = new(int)\n"
    functions = [f"func F{n:02}() {{\n{allocation * 10}}}\n" for n in range(50)]
    for number in range((messages - LONG) // 500):
        package = folder / f"p{number:03}"
        package.mkdir()
        text = f"package p{number:03}\n\nvar Sink *int\n\n" + "\n".join(functions)
        (package / f"file{number:03}.go").write_text(text)
    long = folder / "long" / "long.go"
    long.parent.mkdir()
    long.write_text(f"package long\n\nvar Sink *int\n\nfunc Long() {{\n{allocation * LONG}}}\n")
    return long


def open_file(window: Workbench, file: Path) -> None:
    """Show a file."""
    window.inside("await vscode.window.showTextDocument(vscode.Uri.file(values.path))", path=str(file))


def opening(window: Workbench, rounds: int) -> dict[str, list[float]]:
    """Seconds until the children of each kind of node are shown."""
    times: dict[str, list[float]] = {}
    for number in range(rounds):
        # A filter that was never used, and that everything passes: the server builds the tree anew.
        text = " escapes to heap"[number:]
        for kind in ("root, built anew", "root, known"):
            window.inside("inside.state.filter('nothing at all')")
            window.request("text", selector=".tree-explorer-viewlet-tree-view .message", contains="(0)")
            start = window.inside("const now = Date.now(); inside.state.filter(values.text); return now", text=text)
            shown = window.request("appears", row="file000.go")
            times.setdefault(kind, []).append((shown - start) / 1000)
        for kind, label, child in (
            ("file, 50 functions", f"file{number:03}.go", "F00"),
            ("function, 10 messages", "F00", "Escape to Heap"),
        ):
            times.setdefault(kind, []).append(window.request("timed", row=label, child=child) / 1000)
        window.request("row", label=f"file{number:03}.go", arrow=True)
    window.inside("await inside.state.filter('long.go')")
    window.request("appears", row="long.go")
    for kind, label, child in (
        ("file, 1 function", "long.go", "Long"),
        ("function, 1 type", "Long", "Escape to Heap"),
        (f"type, {LONG} messages", "Escape to Heap", "new(int) escapes to heap"),
    ):
        times.setdefault(kind, []).append(window.request("timed", row=label, child=child) / 1000)
    return times


def typing(windows: dict[str, Workbench], file: Path, rounds: int) -> dict[str, list[float]]:
    """Seconds from a key to its letter on the screen, by window, in turn."""
    times: dict[str, list[float]] = {name: [] for name in windows}
    for window in windows.values():
        open_file(window, file)
        window.request("text", selector=".tab.active", contains=file.name)
    for _ in range(rounds):
        for name, window in windows.items():
            times[name] += [ms / 1000 for ms in window.request("keys", count=KEYS)]
    return times


def measure(messages: int, rounds: int) -> dict[str, Any]:
    """Everything that is printed."""
    build.build(TOOLS)
    with tempfile.TemporaryDirectory(prefix="el-", ignore_cleanup_errors=True) as name, ExitStack() as stack:
        home = Path(name).resolve()
        long = write_module(home / "many", messages)
        settings = {"escapelens.server.command": SERVER_COMMAND, "escapelens.go.path": any_go()}
        environment = {"PYTHONPATH": os.pathsep.join([str(ROOT / "server"), os.environ.get("PYTHONPATH", "")])}

        def window(extension: bool) -> Workbench:
            place = home / ("with" if extension else "without")
            place.mkdir()
            made = Workbench(place, home / "many", settings, environment, extension=extension)
            return stack.enter_context(made)

        with_extension, without = window(True), window(False)
        open_file(with_extension, long)
        open_file(without, long)
        with_extension.request("text", selector=".tab.active", contains=long.name)
        with_extension.request("command", title="EscapeLens: Choose Message Types")
        with_extension.request("press", key="Escape")
        with_extension.inside("await vscode.commands.executeCommand('escapelens.tree.focus')")
        with_extension.inside("await inside.state.remember('scope', 'module')")
        ran = with_extension.inside(
            "return vscode.commands.executeCommand('escapelens.analyze', values)", uri=long.as_uri(), scope="module"
        )
        assert ran["messages"] == messages, ran
        with_extension.request("appears", row="file000.go")
        times = opening(with_extension, rounds)
        with_extension.inside("await inside.state.filter('')")
        largest, found = with_extension.inside(LARGEST)
        windows = {"with": with_extension, "without": without}
        ordinary = home / "many" / "p000" / "file000.go"
        keys = {file.name: typing(windows, file, rounds) for file in (ordinary, long)}
    return {"messages": found, "largest": largest, "open": times, "keys": keys}


def main() -> int:
    """Measure, print, judge."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--messages", type=int, default=50_000)
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    found = measure(arguments.messages, arguments.rounds)
    print(f"{found['messages']} messages, at most {found['largest']} children a node; medians (worst):")
    for kind, seconds in found["open"].items():
        print(f"  open {kind:24} {statistics.median(seconds):6.3f} s  ({max(seconds):.3f})")
    ratios = {}
    for name, times in found["keys"].items():
        medians = {window: statistics.median(seconds) for window, seconds in times.items()}
        ratios[name] = medians["with"] / medians["without"]
        print(
            f"  key to paint in {name}: {medians['with']:.4f} s with, {medians['without']:.4f} s without:"
            f" {ratios[name]:.2f} ×"
        )
    print(json.dumps(found))
    slow = any(statistics.median(seconds) > OPEN for seconds in found["open"].values())
    complete = found["messages"] == arguments.messages and found["largest"] <= CHILDREN
    return 0 if complete and not slow and ratios["file000.go"] <= KEY else 1


if __name__ == "__main__":
    sys.exit(main())
