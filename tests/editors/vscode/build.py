"""Build the extension outside the tree."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.editors.vscode.install import home, npm
from tests.tools import ROOT

SOURCE = ROOT / "editors" / "vscode"


def build(tools: Path) -> str:
    """Make the VSIX with ``npm run package`` in a copy of the sources; return what was printed.

    Packages are installed anew only if the lock file has changed.
    """
    folder = build_folder(tools)
    for name in ("src", "media", "sample"):
        shutil.rmtree(folder / name, ignore_errors=True)
    ignore = shutil.ignore_patterns("node_modules", "dist", "server", "*.vsix")
    shutil.copytree(SOURCE, folder, dirs_exist_ok=True, ignore=ignore)
    for name in ("LICENSE", "README.md", "pyproject.toml"):
        shutil.copy(ROOT / name, folder.parent.parent)
    shutil.rmtree(folder.parent.parent / "server", ignore_errors=True)
    shutil.copytree(ROOT / "server", folder.parent.parent / "server", ignore=shutil.ignore_patterns("__pycache__"))
    lock = (folder / "package-lock.json").read_text()
    stamp = folder / "node_modules" / "installed-lock.json"
    if not stamp.is_file() or stamp.read_text() != lock:
        npm(folder, "ci")
        stamp.write_text(lock)
    vsix(tools).unlink(missing_ok=True)
    done = subprocess.run(
        [str(shutil.which("npm")), "run", "package"],
        cwd=folder,
        env={
            **os.environ,
            "NO_COLOR": "1",
            "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise AssertionError(done.stdout)
    return done.stdout


def vsix(tools: Path) -> Path:
    """The package that ``build`` makes."""
    return build_folder(tools) / "escapelens.vsix"


def build_folder(tools: Path) -> Path:
    """A folder that lies to LICENSE and to the server as the source's folder does."""
    return home(tools) / "build" / "editors" / "vscode"
