"""Windows of VS Code for tests: one that most share, and some of their own."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.editors.vscode import build
from tests.editors.vscode.install import installed
from tests.editors.vscode.workbench import HERE, Workbench, find_chromium
from tests.tools import ROOT, SERVER_COMMAND, TOOLS, any_go, require

Open = Callable[..., Workbench]


@pytest.fixture(scope="package")
def package() -> str:
    """What ``npm run package`` printed."""
    require(find_chromium() is not None, "Chromium")
    require(shutil.which("npm") is not None, "npm")
    require(installed(TOOLS), "code-server (python -m tests.editors.vscode.install)")
    return build.build(TOOLS)


@pytest.fixture(scope="package")
def module_folder(package: str) -> Iterator[Path]:
    """A folder with a short path (sockets are made below it) that has a Go module."""
    with tempfile.TemporaryDirectory(prefix="el-", ignore_cleanup_errors=True) as folder:
        home = Path(folder).resolve()
        (home / "sample").mkdir()
        shutil.copy(HERE / "sample" / "go.mod", home / "sample")
        yield home


@pytest.fixture(scope="package")
def open_window(module_folder: Path) -> Iterator[Open]:
    """Opens windows, each in a profile of its own."""
    with ExitStack() as stack:

        def opened(command: list[str] | None = None, trusted: bool = True, **environment: str) -> Workbench:
            home = Path(tempfile.mkdtemp(dir=module_folder))
            settings: dict[str, Any] = {"escapelens.go.path": any_go()}
            if command:
                settings["escapelens.server.command"] = command
            path = os.pathsep.join([str(ROOT / "server"), *filter(None, [os.environ.get("PYTHONPATH")])])
            environment = {"PYTHONPATH": path, **environment}
            window = Workbench(home, module_folder / "sample", settings, environment, trusted=trusted)
            return stack.enter_context(window)

        yield opened


@pytest.fixture(scope="package")
def window(open_window: Open) -> Workbench:
    """A window that tests share; each opens a package of its own, and leaves the view as it was."""
    return open_window(SERVER_COMMAND)


@pytest.fixture
def file(request: pytest.FixtureRequest, module_folder: Path) -> Path:
    """A Go file, in a package of its own, named like the test."""
    name = str(request.node.name).removeprefix("test_")
    path = module_folder / "sample" / name / f"{name}.go"
    path.parent.mkdir()
    shutil.copy(HERE / "sample" / "user.go", path)
    return path
