"""What the tests in real editors share: a sample, an environment, ``escapelens`` on PATH, the end of the server."""

from __future__ import annotations

import functools
import json
import os
import re
import select
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.tools import ROOT, any_go, gopls

SAMPLE = ROOT / "tests" / "editors" / "nvim" / "sample"
INITIALIZE = ROOT / "fixtures" / "initialize"

#: Seconds after which an editor is taken for stuck; never a measure of speed.
STUCK = 180.0


@functools.cache
def _build_cache() -> str:
    """Go's build cache, kept although the home folder of a test is its own."""
    words = subprocess.run([any_go(), "env", "GOCACHE"], capture_output=True, text=True, check=True)
    return words.stdout.strip()


def copy_sample(folder: Path) -> Path:
    """A fresh copy of the sample module."""
    sample = folder / "sample"
    shutil.copytree(SAMPLE, sample)
    return sample


def environment(home: Path) -> dict[str, str]:
    """The variables of an editor whose configuration, state and logs are below ``home``."""
    home.mkdir(parents=True, exist_ok=True)
    left_out = ("XDG_", "NVIM", "VIM", "MYVIM", "EMACS")
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(left_out)}
    python_path = [str(ROOT / "server"), str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    return inherited | {
        "HOME": str(home),
        "PATH": os.pathsep.join([str(Path(any_go()).parent), os.environ["PATH"]]),
        "GOCACHE": _build_cache(),
        "PYTHONPATH": os.pathsep.join(python_path),
    }


class Command:
    """``escapelens`` and (if asked for) ``gopls`` on PATH; notes what the editor says first, and the processes."""

    def __init__(self, folder: Path, *, beside_gopls: bool = False) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.recorded = folder / "initialize.json"
        self.script = script = folder / "escapelens"
        words = [sys.executable, "-m", "tests.editors.recorder", str(self.recorded)]
        script.write_text(f'#!/bin/sh\nexec {shlex.join(words)} "$@"\n', "utf-8")
        script.chmod(0o755)
        found = gopls()
        if beside_gopls and found is not None:
            (folder / "gopls").symlink_to(found)

    def on_path(self, variables: dict[str, str]) -> dict[str, str]:
        """Variables with this folder first on PATH."""
        return variables | {"PATH": os.pathsep.join([str(self.folder), variables["PATH"]])}

    def processes(self) -> list[int]:
        """The processes of every server that was started."""
        return [int(word) for path in self.folder.glob("*.pids") for word in path.read_text().split()]

    def said(self) -> list[dict[str, Any]]:
        """What the editor has said so far, message by message."""
        return _messages(self.folder / "said")

    def told(self) -> list[dict[str, Any]]:
        """What the editor was told so far."""
        return _messages(self.folder / "told")


def _messages(path: Path) -> list[dict[str, Any]]:
    data = path.read_bytes() if path.exists() else b""
    found: list[dict[str, Any]] = []
    while header := re.match(
        rb"(?:[^\r\n]+\r\n)*?Content-Length: *(\d+)\r\n(?:[^\r\n]+\r\n)*\r\n", data, re.IGNORECASE
    ):
        body = data[header.end() : header.end() + int(header[1])]
        if len(body) < int(header[1]):
            break
        found.append(json.loads(body))
        data = data[header.end() + len(body) :]
    return found


def check_recorded(command: Command, sample: Path, name: str) -> None:
    """Compare what the editor offered with ``fixtures/initialize``; ESCAPELENS_UPDATE writes it anew."""
    text = command.recorded.read_text("utf-8").replace(str(sample), "/sample").replace(any_go(), "go")
    params = json.loads(text)
    params["processId"] = 1
    path = INITIALIZE / f"{name}.json"
    if os.environ.get("ESCAPELENS_UPDATE"):
        path.write_text(json.dumps(params, indent=1, ensure_ascii=False, sort_keys=True) + "\n", "utf-8")
    recorded = json.loads(path.read_text("utf-8"))
    assert params["capabilities"] == recorded["capabilities"], "run again with ESCAPELENS_UPDATE=1, and look at it"


def ends(pid: int) -> bool:
    """Whether a process that is not a child of ours has ended, or does so soon."""
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([descriptor], [], [], 30)[0])
    finally:
        os.close(descriptor)
