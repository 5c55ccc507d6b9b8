"""Runs the command as a user does: a process, its two streams and its exit status."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.lsp.gomod import environment
from tests.tools import CHECK_COMMAND


@dataclass(frozen=True, slots=True)
class Done:
    """The end of a command."""

    status: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        """The lines of the standard output."""
        return self.out.splitlines()

    @property
    def report(self) -> dict[str, Any]:
        """The standard output as one JSON object."""
        found: dict[str, Any] = json.loads(self.out)
        return found

    def texts(self, kind: str | None = None) -> list[str]:
        """The compiler's words of the messages of a type, in the order of the report."""
        return [m["message"] for m in self.report["messages"] if kind is None or m["type"] == kind]


def escapelens(
    *arguments: str, cwd: Path, env: Mapping[str, str] | None = None, command: Sequence[str] = CHECK_COMMAND
) -> Done:
    """Run ``escapelens`` in a folder. A command that never ends fails the test."""
    done = subprocess.run(
        [*command, *arguments],
        cwd=cwd,
        env=environment(**{"PWD": str(cwd), **(env or {})}),
        capture_output=True,
        timeout=120,
        check=False,
    )
    return Done(done.returncode, done.stdout.decode("utf-8"), done.stderr.decode("utf-8", "replace"))


def check_json(*arguments: str, cwd: Path, env: Mapping[str, str] | None = None) -> Done:
    """``escapelens check --format json``."""
    return escapelens("check", "--format", "json", *arguments, cwd=cwd, env=env)
