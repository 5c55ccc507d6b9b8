"""The ready configurations of Emacs in the real editor, with the real server."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.editors.common import STUCK, Command, check_recorded, copy_sample, ends, environment
from tests.tools import ROOT, gopls, require

HERE = Path(__file__).resolve().parent
CONFIGURATIONS = ROOT / "editors" / "emacs"
PACKAGES = Path("/usr/share/emacs/site-lisp/elpa-src")

pytestmark = pytest.mark.skipif(os.name != "posix", reason="Emacs from Debian")


@pytest.mark.parametrize(("client", "beside_gopls"), [("eglot", False), ("lsp-mode", True)])
def test_a_session(client: str, beside_gopls: bool, tmp_path: Path) -> None:
    require(shutil.which("emacs") is not None, "Emacs (Debian: emacs-nox)")
    require(any(PACKAGES.glob(f"{client}-*")), f"{client} for Emacs (Debian: elpa-{client})")
    require(any(PACKAGES.glob("go-mode-*")), "go-mode for Emacs (Debian: elpa-go-mode)")
    require(not beside_gopls or gopls() is not None, "gopls")
    sample = copy_sample(tmp_path)
    command = Command(tmp_path / "bin", beside_gopls=beside_gopls)
    files = [HERE / "harness.el", CONFIGURATIONS / f"{client}.el", HERE / f"{client}.el"]
    result = subprocess.run(
        ["emacs", "--batch", *(word for file in files for word in ("--load", str(file)))],
        cwd=sample,
        env=command.on_path(environment(tmp_path / "home")),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=STUCK,
        check=False,
    )
    assert result.returncode == 0, result.stderr + result.stdout
    assert "Warning (lsp-mode)" not in result.stderr
    assert command.processes()
    assert [pid for pid in command.processes() if not ends(pid)] == []
    check_recorded(command, sample, f"emacs-{client}")
