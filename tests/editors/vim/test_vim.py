"""The ready configuration of Vim with ALE in the real editor, with the real server."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.editors.common import STUCK, Command, check_recorded, copy_sample, ends, environment
from tests.tools import ROOT, gopls, require

HERE = Path(__file__).resolve().parent
CONFIGURATIONS = ROOT / "editors" / "vim"
ALE = Path("/usr/share/vim-ale")

pytestmark = pytest.mark.skipif(os.name != "posix", reason="Vim from Debian")


def test_a_session(tmp_path: Path) -> None:
    require(shutil.which("vim") is not None, "Vim 9")
    require(ALE.is_dir(), "ALE for Vim (Debian: vim-ale)")
    require(gopls() is not None, "gopls")
    sample = copy_sample(tmp_path)
    command = Command(tmp_path / "bin", beside_gopls=True)
    said = tmp_path / "said"
    # As a user's vimrc: the plugin manager's part, then ours.
    (tmp_path / "vimrc").write_text(
        f"source {HERE}/harness.vim\nset runtimepath^={ALE}\nsource {CONFIGURATIONS}/ale.vim\n", "utf-8"
    )
    words = ["vim", "-i", "NONE", "--not-a-term", "-u", str(tmp_path / "vimrc"), "-S", str(HERE / "ale.vim")]
    result = subprocess.run(
        words,
        cwd=sample,
        env=command.on_path(environment(tmp_path / "home")) | {"ESCAPELENS_SAID": str(said), "TERM": "dumb"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=STUCK,
        check=False,
    )
    assert result.returncode == 0, said.read_text("utf-8") if said.exists() else result.stdout
    assert command.processes()
    assert [pid for pid in command.processes() if not ends(pid)] == []
    check_recorded(command, sample, "vim-ale")
