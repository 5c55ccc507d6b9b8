"""The library and three modules as the product sees them, a few packages at a time."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from escapelens.core.model import PackageReport
from escapelens.engine.analyzer import Analyzer
from escapelens.engine.target import Target
from escapelens.golang.build import BuildOptions

from tests.fidelity.modules import fetch
from tests.tools import TOOLS, need_release

RELEASE = "1.26.6"
MODULES = (
    ("github.com/spf13/cobra", "v1.10.2"),
    ("github.com/gin-gonic/gin", "v1.12.0"),
    ("go.etcd.io/bbolt", "v1.5.0"),
)
_CHUNK = 24


def go() -> str:
    """The go command of the release; skips or fails without it."""
    return need_release(RELEASE)


def module_folder(name: str) -> Path:
    """The folder of one of the modules, fetched once."""
    home = TOOLS / "modules"
    home.mkdir(parents=True, exist_ok=True)
    return fetch(go(), name, dict(MODULES)[name], home)


def reports(folder: Path, patterns: Sequence[str]) -> Iterator[PackageReport]:
    """The reports of packages, a chunk at a time."""
    options = BuildOptions(env={"GOFLAGS": "-mod=mod"} if (folder / "go.mod").is_file() else {})
    for start in range(0, len(patterns), _CHUNK):
        yield from analysed(folder, patterns[start : start + _CHUNK], options, go())


def analysed(folder: Path, patterns: Sequence[str], options: BuildOptions, command: str) -> tuple[PackageReport, ...]:
    """One run of the engine; its workers end with it."""
    analyzer = Analyzer(os.environ, command)
    try:
        return asyncio.run(analyzer.run(Target(folder, tuple(patterns), options))).reports
    finally:
        analyzer.close()


def module_of(package: str) -> str | None:
    """The module that a package belongs to; None for Go's own library."""
    return next((name for name, _ in MODULES if package == name or package.startswith(f"{name}/")), None)


def library() -> Path:
    """The folder of Go's own library."""
    return Path(go()).parent.parent / "src"


def relative(file: str) -> str:
    """A file as the sample names it: below its module's or the library's folder."""
    for name, _ in MODULES:
        folder = module_folder(name)
        if Path(file).is_relative_to(folder):
            return str(Path(file).relative_to(folder))
    return str(Path(file).relative_to(library())) if Path(file).is_relative_to(library()) else Path(file).name
