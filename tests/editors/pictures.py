"""Pictures of the editors on a virtual screen: ``python -m tests.editors.pictures FOLDER [NAME …]``.

For people to look at; no test compares them. Needs Xvfb, xdotool, xterm, ImageMagick and the editors.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tests.editors import screen
from tests.editors.common import Command, copy_sample, environment
from tests.editors.kate.test_kate import kate
from tests.editors.nvim import editor
from tests.editors.screen import Screen
from tests.tools import ROOT, SERVER_COMMAND

XTERM = ("xterm", "-title", "EscapeLens", "-fa", "DejaVu Sans Mono", "-fs", "13", "-b", "0", "+sb",
         "-xrm", "XTerm*metaSendsEscape: true")  # fmt: skip
DARK = ("-bg", "#14161b", "-fg", "#e0e2ea")
LIGHT = ("-bg", "#ffffff", "-fg", "#14161b")

#: Seconds that an editor and its server get for one step.
STEP = 5.0

NVIM_LOOKS = """
set termguicolors number tabstop=4 signcolumn=yes laststatus=2 winborder=rounded noruler noshowcmd shortmess+=FW
set statusline=\\ %t\\ %{get(b:,'escapelens_status','')}
"""


def _in_terminal(
    words: list[str], variables: dict[str, str], folder: Path, target: Path, size: str, look: tuple[str, ...],
    drive: Callable[[Screen], None],
) -> None:  # fmt: skip
    with screen.virtual_screen("1800x1200") as display:
        command = [*XTERM, *look, "-geometry", size, "-e", *words]
        with subprocess.Popen(command, cwd=folder, env=variables | {"DISPLAY": display.name}) as terminal:
            try:
                time.sleep(2 * STEP)
                drive(display)
                time.sleep(STEP)
                display.picture(target, "EscapeLens")
            finally:
                terminal.terminate()


def _neovim(target: Path, *steps: str) -> None:
    found = editor.find_neovim()
    if found is None:
        sys.exit("not found: Neovim 0.11 or later")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch:
        sample = copy_sample(Path(scratch))
        (sample / "look.vim").write_text(NVIM_LOOKS, "utf-8")
        words = [str(found), "--clean", "-u", str(editor.HERE / "init.lua"), "-S", "look.vim", "user.go"]
        variables = editor.environment(Path(scratch) / "home") | {"ESCAPELENS_SERVER": json.dumps(SERVER_COMMAND)}

        def drive(display: Screen) -> None:
            for step in steps:
                display.type(step)
                time.sleep(STEP)

        _in_terminal(words, variables, sample, target, "118x34", DARK, drive)


def neovim(target: Path) -> None:
    """Signs and the hover."""
    _neovim(target, ":w\n", "9G_", "K")


def neovim_tree(target: Path) -> None:
    """The tree with a preview."""
    _neovim(target, ":w\n", ":EscapeLens tree\n", "10GK")


def neovim_compare(target: Path) -> None:
    """Words behind the lines, and what changed between two saves."""
    _neovim(
        target, ":w\n", ":EscapeLens show eol\n", ":%s/name}/name + name}/\n", ":w\n", ":noh\n:EscapeLens compare\n"
    )


def emacs(target: Path) -> None:
    """Emacs with eglot: the message under the line, the hover below."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch:
        sample = copy_sample(Path(scratch))
        command = Command(Path(scratch) / "bin")
        home = Path(scratch) / "home"
        variables = command.on_path(environment(home)) | {"TERM": "xterm-256color"}
        start = "(progn (setq inhibit-startup-screen t native-comp-async-report-warnings-errors nil) "
        start += "(package-initialize) (menu-bar-mode -1))"
        words = ["emacs", "-nw", "-q", "--eval", start, "--load", str(ROOT / "editors/emacs/eglot.el"),
                 "--eval", "(setq-default tab-width 4)", "user.go", "--eval", "(setq eldoc-idle-delay 0)"]  # fmt: skip

        def drive(display: Screen) -> None:
            display.keys("ctrl+x", "ctrl+s", "alt+x")
            display.type("flymake-show-buffer-diagnostics\n")
            time.sleep(STEP)
            display.keys("alt+g", "g")
            display.type("9\n")
            display.keys("alt+m")

        _in_terminal(words, variables, sample, target, "110x36", LIGHT, drive)


def vim(target: Path) -> None:
    """Vim with ALE: signs, the message at the cursor, the hover above."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch:
        sample = copy_sample(Path(scratch))
        command = Command(Path(scratch) / "bin", beside_gopls=True)
        (Path(scratch) / "vimrc").write_text(
            "set nocompatible encoding=utf-8 noswapfile number tabstop=4 background=dark termguicolors\n"
            "filetype plugin on\nsyntax on\nset runtimepath^=/usr/share/vim-ale\n"
            f"source {ROOT}/editors/vim/ale.vim\nlet g:ale_hover_to_preview = 1\n",
            "utf-8",
        )
        variables = command.on_path(environment(Path(scratch) / "home")) | {"TERM": "xterm-256color"}
        words = ["vim", "-i", "NONE", "-u", str(Path(scratch) / "vimrc"), "user.go"]

        def drive(display: Screen) -> None:
            display.type(":w\n")
            time.sleep(STEP)
            display.type("9G_:ALEHover\n")

        _in_terminal(words, variables, sample, target, "110x36", DARK, drive)


def kate_picture(target: Path) -> None:
    """Kate: underlines, the messages with their way, the actions."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch, kate(Path(scratch)) as window:
        window.display.keys("ctrl+s")
        time.sleep(STEP)
        window.display.click(330, 588)
        time.sleep(1)
        window.display.click(300, 300)
        window.display.keys("ctrl+Home", *["Down"] * 8, "Right", "alt+Return")
        time.sleep(STEP)
        whole = Path(scratch) / "whole.png"
        window.display.picture(whole)
        subprocess.run(["convert", str(whole), "-crop", "800x600+0+0", "+repage", str(target)], check=True)


PICTURES = {
    "neovim": neovim,
    "neovim-tree": neovim_tree,
    "neovim-compare": neovim_compare,
    "emacs": emacs,
    "vim": vim,
    "kate": kate_picture,
}


def main(arguments: list[str]) -> int:
    """Take the pictures, or say what is missing."""
    if not arguments:
        sys.exit(__doc__)
    absent = screen.missing((*screen.PROGRAMS, *screen.PICTURES, "xterm"))
    if absent:
        sys.exit(f"not found: {', '.join(absent)}")
    folder = Path(arguments[0])
    folder.mkdir(parents=True, exist_ok=True)
    for name in arguments[1:] or PICTURES:
        PICTURES[name](folder / f"{name}.png")
        print(folder / f"{name}.png", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
