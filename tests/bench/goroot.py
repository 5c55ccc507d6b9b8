"""A copy of Go's own tree whose packages may be edited: the real one stays as it is."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

from tests.tools import TOOLS


def go_variables(go: str) -> dict[str, str]:
    """What ``go env`` says."""
    text = subprocess.run([go, "env", "-json"], capture_output=True, check=True, text=True).stdout
    variables: dict[str, str] = json.loads(text)
    return variables


def editable_goroot(go: str) -> tuple[Path, dict[str, str]]:
    """A copy of the GOROOT of ``go`` (made once), and the environment in which its go uses it."""
    variables = go_variables(go)
    source = Path(variables["GOROOT"])
    root = TOOLS / "bench" / variables["GOVERSION"]
    if not (root / "VERSION").is_file():
        shutil.rmtree(root, ignore_errors=True)
        root.mkdir(parents=True)
        shutil.copytree(source / "src", root / "src", symlinks=True)
        for name in ("bin", "pkg", "lib", "go.env"):
            if (source / name).exists():
                (root / name).symlink_to(source / name)
        shutil.copy(source / "VERSION", root / "VERSION")
    environment = {**os.environ, "GOROOT": str(root), "GOFLAGS": "", "GOTOOLCHAIN": "local", "GOWORK": "off"}
    return root, environment
