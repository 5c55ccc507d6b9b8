"""Ten real modules with different habits, fetched by name and version into the tools' folder."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tests.tools import TOOLS


@dataclass(frozen=True, slots=True)
class Module:
    """A module as it stands in the cache, and what is done to it before it is compared."""

    name: str
    version: str
    habit: str
    patterns: tuple[str, ...] = ("./...",)
    env: Mapping[str, str] = field(default_factory=dict)
    arrange: Callable[[str, Path], Path] | None = None


@dataclass(frozen=True, slots=True)
class Prepared:
    """A module in a folder that can be written."""

    name: str
    habit: str
    folder: Path
    patterns: tuple[str, ...]
    env: Mapping[str, str]


def fetch(command: str, name: str, version: str, target: Path) -> Path:
    """Copy a module out of the module cache, once; its folder can then be written."""
    folder = target / f"{name.replace('/', '+')}@{version}"
    if folder.is_dir():
        return folder
    done = _go(command, TOOLS, "mod", "download", "-json", f"{name}@{version}")
    source = json.loads(done)["Dir"]
    part = folder.with_name(f"{folder.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    shutil.copytree(source, part)
    for path in (part, *part.rglob("*")):
        path.chmod(path.stat().st_mode | 0o200)
    part.rename(folder)
    return folder


def _go(command: str, folder: Path, *arguments: str) -> str:
    done = subprocess.run(
        [command, *arguments],
        cwd=folder,
        env={**os.environ, "GOTOOLCHAIN": "local", "GOFLAGS": "-mod=mod"},
        stdout=subprocess.PIPE,
        check=True,
        text=True,
    )
    return done.stdout


def _vendor(command: str, folder: Path) -> Path:
    if not (folder / "vendor").is_dir():
        _go(command, folder, "mod", "vendor")
    return folder


def _replace(command: str, folder: Path) -> Path:
    """Replace a dependency by a copy of it beside the module."""
    copy = fetch(command, "github.com/cespare/xxhash/v2", "v2.3.0", folder.parent)
    _go(command, folder, "mod", "edit", f"-replace=github.com/cespare/xxhash/v2=../{copy.name}")
    return folder


def _workspace(command: str, folder: Path) -> Path:
    """A go.work around the module and a second one that it imports."""
    other = fetch(command, "github.com/spf13/pflag", "v1.0.10", folder.parent)
    home = folder.parent / "workspace"
    home.mkdir(exist_ok=True)
    for source in (folder, other):
        if not (home / source.name).is_dir():
            shutil.copytree(source, home / source.name)
    (home / "go.work").unlink(missing_ok=True)
    _go(command, home, "work", "init", f"./{folder.name}", f"./{other.name}")
    return home


def _profile(command: str, folder: Path) -> Path:
    """The profile of the module's own benchmark, where the go command looks for one."""
    profile = folder / "cmd" / "bbolt" / "default.pgo"
    if not profile.exists():
        run = ("run", "./cmd/bbolt", "bench", "--count", "200000", "--cpuprofile")
        _go(command, folder, *run, str(profile))
    return folder


MODULES = (
    Module("github.com/samber/lo", "v1.53.0", "generics", ("./...",)),
    Module("github.com/mattn/go-sqlite3", "v1.14.53", "cgo", (".",)),
    Module("github.com/klauspost/compress", "v1.20.4", "assembly"),
    Module("google.golang.org/protobuf", "v1.36.12", "generated code"),
    Module(
        "github.com/spf13/cobra", "v1.10.2", "go.work", ("github.com/spf13/...",),
        {"GOFLAGS": ""}, _workspace,
    ),
    Module("github.com/gin-gonic/gin", "v1.12.0", "vendor", arrange=_vendor),
    Module("github.com/dgraph-io/ristretto/v2", "v2.4.2", "replace", arrange=_replace),
    Module(
        "gonum.org/v1/gonum", "v0.17.0", "build tags", ("./blas/...", "./mat", "./floats/..."),
        {"GOFLAGS": "-tags=noasm,safe,bounds"},
    ),
    Module("golang.org/x/tools", "v0.52.0", "embed, big", ("./cmd/...", "./go/...")),
    Module("go.etcd.io/bbolt", "v1.5.0", "default.pgo", arrange=_profile),
)  # fmt: skip


def prepare(command: str) -> Iterator[Prepared]:
    """Fetch and arrange the modules, one after the other."""
    home = TOOLS / "modules"
    home.mkdir(parents=True, exist_ok=True)
    for module in MODULES:
        folder = fetch(command, module.name, module.version, home)
        if module.arrange is not None:
            folder = module.arrange(command, folder)
        yield Prepared(module.name, module.habit, folder, module.patterns, module.env)
