"""What every measurement needs: a row of the table, medians, an editor that waits, the compilers' own ways."""

from __future__ import annotations

import asyncio
import os
import re
import statistics
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from escapelens.engine.target import target_for_file
from escapelens.golang.build import BuildOptions
from escapelens.golang.plan import MARKER, Plan, make_plans
from escapelens.golang.toolchain import child_environment, inspect

from tests.lsp.client import Server


@dataclass(slots=True)
class Row:
    """One measured work: every way's seconds, and the ratios that have a goal (name → value, goal)."""

    work: str
    seconds: dict[str, float]
    ratios: dict[str, tuple[float, float]] = field(default_factory=dict)
    note: str = ""

    @property
    def good(self) -> bool:
        """Tell whether every goal was reached."""
        return all(value <= goal for value, goal in self.ratios.values())

    def lines(self) -> list[str]:
        """The row as text."""
        found = [f"{self.work}{f' ({self.note})' if self.note else ''}"]
        found += [f"    {name:44} {value:9.3f} s" for name, value in self.seconds.items()]
        for name, (value, goal) in self.ratios.items():
            found.append(f"    {name:44} {value:9.3f}   goal {goal:g}  {'reached' if value <= goal else 'NOT reached'}")
        return found

    def json(self) -> dict[str, Any]:
        """The row as JSON."""
        return {**asdict(self), "good": self.good}


def median(times: Mapping[str, Sequence[float]]) -> dict[str, float]:
    """The medians of ways that were measured in turn."""
    return {name: statistics.median(found) for name, found in times.items() if found}


class Editor:
    """An editor with one file open; a save is over when the server is idle again, everything published."""

    def __init__(self, file: Path, go: str, environment: Mapping[str, str], cache: Path, **settings: Any) -> None:
        self.file = file
        self.environment = {**environment, "ESCAPELENS_CACHE": str(cache)}
        self.server = Server(self.environment, file.parent)
        self.server.stuck = 1800.0
        start = time.perf_counter()
        capabilities = {"textDocument": {"publishDiagnostics": {"relatedInformation": True}}}
        self.server.initialize(file.parent, options={"go": {"path": go}, **settings}, capabilities=capabilities)
        self.initialized = time.perf_counter() - start
        self._version = 1

    @property
    def uri(self) -> str:
        """The URI of the open file."""
        return self.file.as_uri()

    def open(self) -> float:
        """Seconds from opening the file to everything published."""
        mark = self.server.mark()
        start = time.perf_counter()
        self.server.open(self.file)
        self._published(mark)
        return time.perf_counter() - start

    def save(self, text: str | None = None) -> float:
        """Seconds from a save to everything published; a changed text is told to the server before."""
        if text is not None:
            self._version += 1
            self.server.edit(self.uri, {"text": text}, version=self._version)
            self.file.write_text(text, "utf-8")
            # The edit's own answers are not what is measured.
            self.server.request("textDocument/hover", _at(self.uri, 0, 0))
        mark = self.server.mark()
        start = time.perf_counter()
        self.server.save(self.uri)
        self._published(mark)
        return time.perf_counter() - start

    def _published(self, mark: int) -> None:
        def ended() -> bool:
            states = self.server.statuses(mark)
            begun = next((n for n, state in enumerate(states) if state["state"] == "running"), None)
            return begun is not None and any(state["state"] != "running" for state in states[begun:])

        self.server.wait(ended, "the end of the run")

    def rss(self) -> int:
        """Megabytes of memory of the server, without its workers."""
        return rss(self.server.process.pid)

    def stop(self) -> None:
        """End the server."""
        self.server.shutdown()
        self.server.stop()


def _at(uri: str, line: int, character: int) -> dict[str, Any]:
    return {"textDocument": {"uri": uri}, "position": {"line": line, "character": character}}


def rss(pid: int) -> int:
    """Megabytes of memory of a process."""
    found = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    return int(found[1]) // 1024 if found else 0


def plan_of(file: Path, go: str, environment: Mapping[str, str]) -> Plan:
    """The compile command of a file's package."""

    async def make() -> Plan:
        target = target_for_file(file, BuildOptions())
        toolchain = await inspect(go, target.cwd, environment, {})
        with tempfile.TemporaryDirectory() as folder:
            env = child_environment(environment, {}, Path(folder))
            planned = await make_plans(
                toolchain, target.options, target.patterns, cwd=target.cwd, env=env, folder=Path(folder)
            )
        (plan,) = planned.plans.values()
        return plan

    return asyncio.run(make())


def bare_cut(plan: Plan, environment: Mapping[str, str]) -> float:
    """Seconds of the same compile, read to the marker and thrown away."""
    with tempfile.TemporaryDirectory() as folder:
        words = _words(plan, folder)
        start = time.perf_counter()
        child = subprocess.Popen(
            words, cwd=plan.cwd, env={**environment, **plan.env}, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        assert child.stdout is not None
        tail = b""
        while chunk := os.read(child.stdout.fileno(), 1 << 16):
            if MARKER.encode() in tail + chunk:
                break
            tail = chunk[-len(MARKER) :]
        seconds = time.perf_counter() - start
        child.kill()
        child.wait()
        child.stdout.close()
    return seconds


def front_end(plan: Plan, environment: Mapping[str, str]) -> float:
    """Seconds of the front end by the compiler's own count (``compile -bench``, ``fe:subtotal``)."""
    with tempfile.TemporaryDirectory() as folder:
        words = [word for word in _words(plan, folder) if not word.startswith("-d=ssa/")]
        words.insert(1, f"-bench={folder}/bench")
        subprocess.run(words, cwd=plan.cwd, env={**environment, **plan.env}, check=True, stdout=subprocess.DEVNULL)
        found = re.search(r"fe:subtotal\s+1\s+(\d+) ns/op", Path(folder, "bench").read_text())
    assert found is not None
    return int(found[1]) / 1e9


def _words(plan: Plan, folder: str) -> list[str]:
    for name, content in plan.written.items():
        Path(folder, name).write_bytes(content)
    return [word.replace("$WORK", folder) for word in plan.words] + [source.path for source in plan.sources]


def timed(command: Sequence[str], environment: Mapping[str, str], cwd: Path | None = None) -> float:
    """Seconds of one command; its output goes to a file."""
    with tempfile.TemporaryFile() as out:
        start = time.perf_counter()
        subprocess.run(command, env=dict(environment), cwd=cwd, check=True, stdout=out, stderr=out)
        return time.perf_counter() - start


def build_with_records(go: str, gcflags: str, package: str, environment: Mapping[str, str], cwd: Path) -> float:
    """Seconds of one ``go build`` whose JSON records go to a new folder (``DIR`` in the flags)."""
    with tempfile.TemporaryDirectory() as folder:
        flags = gcflags.replace("DIR", folder)
        return timed([go, "build", f"-gcflags={flags}", package], environment, cwd)
