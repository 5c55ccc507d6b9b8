"""The view of the extension in the real editor: tree, filter, jump, raw text, runs and what changed between two."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tests.editors.vscode.workbench import Workbench

MARKS = {"8": "leak", "9": "moved", "15": "escape", "18": "leak"}

CURSOR = r"#status\.editor\.selection"
SELECTED = """
const { selection, document } = vscode.window.activeTextEditor;
return [selection.start.line, selection.start.character, document.getText(selection)];
"""
#: The children of the view's root and of every node below, as "label" or "label: children".
INSIDE = """
async function walk(node) {
  const found = [];
  for (const child of await inside.tree.getChildren(node)) {
    const item = inside.tree.getTreeItem(child);
    const below = item.collapsibleState ? await walk(child) : [];
    found.push(below.length ? {[item.label]: below} : item.label);
  }
  return found;
}
return walk();
"""


@pytest.fixture
def opened(window: Workbench, file: Path) -> Path:
    """The test's file, open and analysed, and the view beside it."""
    window.request("file", path=f"{file.parent.name}/{file.name}")
    assert window.marks(**MARKS) == MARKS
    window.inside("""
      await vscode.commands.executeCommand('escapelens.tree.focus');
      await vscode.commands.executeCommand('workbench.action.focusActiveEditorGroup');
    """)
    return file


def test_tree_opens_and_jumps(window: Workbench, opened: Path) -> None:
    name = opened.name
    assert window.request("rows", expected=[f"1 {name} | 4"])
    window.request("row", label=name, arrow=True)
    assert window.request("rows", expected=["2 NewUser | 2", "2 Greet | 1", "2 keep | 1"])
    window.request("row", label="NewUser", arrow=True)
    assert window.request("rows", expected=["3 Moved to Heap | 1", "3 Leak Param | 1"])
    window.request("row", label="Moved to Heap", arrow=True)
    assert window.request("rows", expected=["4 moved to heap: u | 9:2"])
    window.request("row", label="moved to heap: u")
    window.request("text", selector=CURSOR, contains="Ln 9,")
    assert window.inside(SELECTED) == [8, 1, "u"]
    # The tree is older than this edit; the jump is not.
    window.request("go", line=1)
    window.request("type", text="// one more line\n")
    moved = {str(int(line) + 1): f"{mark} stale" for line, mark in MARKS.items()}
    assert window.marks(**moved) == moved
    window.request("row", label="moved to heap: u")
    window.request("text", selector=CURSOR, contains="Ln 10,")
    assert window.inside(SELECTED) == [9, 1, "u"]
    window.inside("await vscode.commands.executeCommand('workbench.action.files.revert')")


GROUPED: list[tuple[list[str], Any]] = [
    (["Type"], [
        {"Escape to Heap": ["&User{...} escapes to heap"]},
        {"Moved to Heap": ["moved to heap: u"]},
        {"Leak Param": ["leaking param: name", "leaking param: u"]},
    ]),
    (["Cause", "Function"], [
        {"returned": [{"NewUser": ["leaking param: name", "moved to heap: u"]}]},
        {"stored": [{"Greet": ["&User{...} escapes to heap"]}, {"keep": ["leaking param: u"]}]},
    ]),
    ([], ["leaking param: name", "moved to heap: u", "&User{...} escapes to heap", "leaking param: u"]),
]  # fmt: skip


def test_groupings(window: Workbench, opened: Path) -> None:
    """Levels are taken away and added by picks, in any order; the choice is remembered."""
    chosen = ["File", "Function", "Type"]
    window.request("command", title="EscapeLens: Group by")

    def pick(levels: list[str]) -> None:
        """Take each level away or add it; the title says what is chosen so far."""
        for level in levels:
            window.request("choose", title=f"group by {' › '.join(chosen) or 'nothing'}", label=level)
            chosen.remove(level) if level in chosen else chosen.append(level)
        window.request("text", selector=".quick-input-title", contains=f"group by {' › '.join(chosen) or 'nothing'}")

    for levels, expected in GROUPED:
        pick([*chosen, *levels])
        assert window.inside(INSIDE) == expected, levels
    pick(["File", "Function", "Type"])
    window.request("press", key="Escape")
    assert [*window.inside(INSIDE)[0]] == [opened.name]


def leaves(nodes: list[Any]) -> list[str]:
    """The messages below all nodes, sorted."""
    found: list[str] = []
    for node in nodes:
        found += [node] if isinstance(node, str) else [leaf for below in node.values() for leaf in leaves(below)]
    return sorted(found)


def test_filter_by_text(window: Workbench, opened: Path) -> None:
    window.request("command", title="EscapeLens: Filter by Text")
    window.request("fill", text="moved to")
    assert window.request("rows", expected=[f"1 {opened.name} | 1"])
    window.request("press", key="Enter")
    assert leaves(window.inside(INSIDE)) == ["moved to heap: u"]
    window.request("command", title="EscapeLens: Clear the Text Filter")
    assert window.request("rows", expected=[f"1 {opened.name} | 4"])
    # What is typed and then given up leaves no trace.
    window.request("command", title="EscapeLens: Filter by Text")
    window.request("fill", text="nothing like this")
    window.request("text", selector=".tree-explorer-viewlet-tree-view", contains="Filter: nothing like this (0)")
    window.request("press", key="Escape")
    assert window.request("rows", expected=[f"1 {opened.name} | 4"])


def test_reveal_copy_and_expand(window: Workbench, opened: Path) -> None:
    window.request("go", line=18)
    window.request("command", title="EscapeLens: Reveal Cursor in View")
    assert window.request("rows", expected=["2 keep | 1", "3 Leak Param | 1", "4 leaking param: u | 18:21"])
    text = window.inside("""
      await vscode.commands.executeCommand('escapelens.view.copy');
      return vscode.env.clipboard.readText();
    """)
    lines = [re.sub(r"^.*/", "", line) for line in text.splitlines()]
    assert f"{opened.name}:9:2: moved: moved to heap: u" in lines and len(lines) == 4
    window.request("command", title="EscapeLens: Expand Two Levels")
    wanted = [
        "2 NewUser | 2",
        "3 Leak Param | 1",
        "2 Greet | 1",
        "3 Escape to Heap | 1",
        "2 keep | 1",
        "3 Leak Param | 1",
    ]
    assert window.request("rows", expected=wanted)


def test_raw_text(window: Workbench, opened: Path) -> None:
    window.request("command", title="EscapeLens: Show Raw Compiler Text")
    shown = window.request("text", selector=".view-lines", contains="# go list")
    assert "moved to heap: u" in shown.replace("\xa0", " ")
    links = window.inside("""
      const { document } = vscode.window.activeTextEditor;
      const links = await vscode.commands.executeCommand('vscode.executeLinkProvider', document.uri, 1000);
      return links.map(({ range, target }) => [document.getText(range), target.fsPath, target.fragment]);
    """)
    printed = window.inside("return vscode.window.activeTextEditor.document.getText()")
    # Every position that the compiler printed, in its order.
    assert [link[0] for link in links] == re.findall(r"\S+\.go:\d+:\d+", printed)
    assert {link[1] for link in links} == {str(opened)}
    # Columns are the compiler's bytes; the editor's are not: κόσμε stands before no position, Καλημέρα does.
    assert [f"./{opened.name}:15:20", str(opened), "L15,12"] in links or [
        f"./{opened.name}:15:27",
        str(opened),
        "L15,19",
    ] in links
    window.inside("await vscode.commands.executeCommand('workbench.action.closeActiveEditor')")


def test_compare_after_an_edit(window: Workbench, opened: Path) -> None:
    window.request("go", line=7)
    window.request("type", text="// This line moves what is below.\n")
    window.request("go", line=11)
    window.request("press", key="Shift+End")
    window.request("type", text="return &User{name}")
    window.request("go", line=10)
    window.request("press", key="Shift+End")
    window.request("type", text="_ = 0")
    window.request("save")
    after = {"9": "leak", "11": "escape", "16": "escape", "19": "leak"}
    assert window.marks(**after) == after
    window.request("command", title="EscapeLens: Compare with Previous Run")
    window.request("rows", expected=["1 New | 1", "1 Gone | 1", "1 Moved only | 3"])
    # In the gutter: what is new, what is gone where it would stand now, and what only moved.
    changed = {"9": "shifted", "10": "gone", "11": "new", "16": "shifted", "19": "shifted"}
    assert window.marks(**changed) == changed
    assert window.inside("return inside.gutter.marks(vscode.window.activeTextEditor.document.uri)") == changed
    found = window.inside(INSIDE)
    assert leaves(found[:1]) == ["&User{...} escapes to heap"] and leaves(found[1:2]) == ["moved to heap: u"]
    window.request("command", title="EscapeLens: Back to the Newest Results")
    assert window.marks(**after) == after
    assert window.request("rows", expected=[f"1 {opened.name} | 4"])


def test_a_run_with_an_environment_of_its_own(window: Workbench, opened: Path) -> None:
    """What -l says is kept apart: nothing is inlined there, so nothing new escapes where it was inlined."""
    window.request("command", title="EscapeLens: Run with an Environment")
    window.request("choose", title="environment of runs", label="-l")
    window.request("choose", title="environment of runs · -l", label="Run with this environment")
    title = ".part.sidebar .pane-header"
    window.request("text", selector=title, contains="this package, -l")
    runs = window.inside("return (await vscode.commands.executeCommand('escapelens.runs', {})).runs")
    assert (runs[0]["label"], runs[1]["label"]) == ("-l", "")
    assert window.marks(**MARKS) == MARKS
    window.request("command", title="EscapeLens: Run with an Environment")
    window.request("choose", title="environment of runs", label="Reset")
    window.request("text", selector=".quick-input-title", contains="environment of runs · as in the settings")
    window.request("press", key="Escape")
    window.request("command", title="EscapeLens: Back to the Newest Results")
    window.request("text", selector=title, contains="Escape Analysisthis package")


def test_no_node_has_more_than_500_children(window: Workbench, opened: Path) -> None:
    """Beyond that the last child holds the rest, in ranges; the cursor's message is found in there."""
    count = 1_700
    allocations = "\tSink = new(int)\n" * count
    text = f"package many\n\nvar Sink *int\n\nfunc Many() {{\n{allocations}}}\n"
    many = opened.parent.parent / "many" / "many.go"
    many.parent.mkdir()
    many.write_text(text)
    window.inside("await inside.state.remember('groupBy', ['function'])")
    window.request("file", path="many/many.go")
    window.request("rows", expected=[f"1 Many | {count}"])
    found = window.inside("""
      const sizes = [];
      async function walk(node) {
        const children = await inside.tree.getChildren(node);
        sizes.push(children.length);
        let messages = children.filter(({ kind }) => kind === 'message').length;
        for (const child of children.filter(({ kind }) => kind !== 'message')) {
          messages += await walk(child);
        }
        return messages;
      }
      return { messages: await walk(), sizes };
    """)
    assert found["messages"] == count
    # The root, its function, what is more there, and three ranges of that.
    assert found["sizes"] == [1, 500, 3, 500, 500, 201]
    window.request("go", line=6 + 1_600)
    window.request("command", title="EscapeLens: Reveal Cursor in View")
    assert window.request("rows", expected=["4 new(int) escapes to heap | 1606:12"])
    window.inside("await inside.state.remember('groupBy', ['file', 'function', 'type'])")


def test_gutter_underline_and_ruler_are_choices(window: Workbench, opened: Path) -> None:
    set_it = "await vscode.workspace.getConfiguration('escapelens').update(values.key, values.to ?? undefined, true)"
    window.inside(set_it, key="gutter", to=False)
    assert window.marks() == {}
    window.inside(set_it, key="underline", to=True)
    dotted = "getComputedStyle(each).textDecorationStyle === 'dotted'"
    spans = "[...document.querySelectorAll('.editor-group-container.active .view-line span')]"
    underlined = f"{spans}.filter((each) => {dotted}).map((each) => each.textContent).join('').replace(/\\s/g, '')"
    assert window.request("page", expression=underlined, expected='nameu&User{Name:"κόσμε"}u')
    window.inside(set_it, key="underline", to=None)
    window.inside(set_it, key="gutter", to=None)
    assert window.marks(**MARKS) == MARKS
    # Decorations without a gutter went with it: nothing is drawn twice.
    assert window.request("page", expression=underlined, expected="")
