"""What VS Code says at ``initialize``, for ``fixtures/initialize``."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tests.editors.common import Command, check_recorded
from tests.editors.vscode.test_vscode import MARKS
from tests.editors.vscode.workbench import Workbench
from tests.tools import ROOT


def test_what_is_said_at_initialize(
    open_window: Callable[..., Workbench], file: Path, module_folder: Path, tmp_path: Path
) -> None:
    command = Command(tmp_path / "bin")
    server = ["env", f"PYTHONPATH={ROOT / 'server'}:{ROOT}", str(command.script), "lsp"]
    window = open_window(server)
    window.request("file", path=f"{file.parent.name}/{file.name}")
    assert window.marks(**MARKS) == MARKS
    check_recorded(command, module_folder / "sample", "vscode")
