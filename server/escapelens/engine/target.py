"""What to compile for what the user named: a pattern, or a single Go file."""

from __future__ import annotations

import os.path
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from escapelens.errors import UsageError
from escapelens.golang.build import BuildOptions, ListedPackage

#: How the go command says that there is no module to build in.
NO_MODULE = re.compile(r"go\.mod file not found|cannot find main module|outside (?:main|available) module")

_BUILD_LINE = re.compile(rb"^//go:build (.+?)\s*$", re.MULTILINE)
_PACKAGE = re.compile(rb"^\s*package\s+\w", re.MULTILINE)
_FILE_SYSTEMS = frozenset(
    [
        "aix",
        "android",
        "darwin",
        "dragonfly",
        "freebsd",
        "illumos",
        "ios",
        "js",
        "linux",
        "netbsd",
        "openbsd",
        "plan9",
        "solaris",
        "wasip1",
        "windows",
    ]
)
_MACHINES = frozenset(
    [
        "386",
        "amd64",
        "arm",
        "arm64",
        "loong64",
        "mips",
        "mips64",
        "mips64le",
        "mipsle",
        "ppc64",
        "ppc64le",
        "riscv64",
        "s390x",
        "wasm",
    ]
)


@dataclass(frozen=True, slots=True)
class Target:
    """One go command to run: its folder, its patterns and options. ``only`` limits what is shown
    to one file; ``script`` marks files that are compiled by name, outside their package. ``overlay`` has
    texts that stand for those on disk, by absolute path.
    """

    cwd: Path
    patterns: tuple[str, ...]
    options: BuildOptions
    only: str | None = None
    script: bool = False
    overlay: Mapping[str, bytes] = field(default_factory=dict)


def target_for_patterns(patterns: Sequence[str], cwd: Path, options: BuildOptions) -> list[Target]:
    """Targets for command-line patterns: those of packages together, each ``.go`` file alone.

    Raises UsageError for a file that does not exist.
    """
    files = [pattern for pattern in patterns if pattern.endswith(".go")]
    rest = tuple(pattern for pattern in patterns if not pattern.endswith(".go"))
    targets = [Target(cwd, rest, options)] if rest else []
    return targets + [target_for_file(cwd / file, options) for file in files]


def target_for_file(path: Path, options: BuildOptions) -> Target:
    """The package of a file; a test file brings the test variants along.

    Raises UsageError if there is no such file.
    """
    if not path.is_file():
        raise UsageError(f"There is no file {path}. Check the name, and that it is saved.")
    # Symbolic links stay as the editor wrote them: its documents go by these names.
    absolute = Path(os.path.abspath(path))
    wanted = replace(options, tests=options.tests or path.name.endswith("_test.go"))
    return Target(absolute.parent, (".",), wanted, only=str(absolute))


def script_target(target: Target, paths: Sequence[str]) -> Target:
    """The same folder, but these files compiled by name."""
    names = tuple(f"./{Path(path).name}" for path in paths)
    return replace(target, patterns=names, script=True)


def constraint_of(source: bytes) -> str | None:
    """The ``//go:build`` expression of a file, None if it has none."""
    package = _PACKAGE.search(source)
    head = source[: package.start()] if package else source
    match = _BUILD_LINE.search(head)
    return match[1].decode("utf-8", "replace") if match else None


def is_script(source: bytes) -> bool:
    """Tell whether a file is a lone ``//go:build ignore`` script: compiled by its name only."""
    return constraint_of(source) == "ignore"


def why_left_out(path: str, source: bytes, package: ListedPackage | None) -> str:
    """Say by which tag or name a file is left out of its package."""
    name = Path(path).name
    constraint = constraint_of(source)
    if constraint is not None:
        return (
            f"{name} is left out by //go:build {constraint}. "
            "Set go.tags (--tags), or GOOS and GOARCH in go.env (--goos, --goarch), to include it."
        )
    suffixes = Path(path).stem.removesuffix("_test").split("_")[1:]
    system = [word for word in suffixes[-2:] if word in _FILE_SYSTEMS]
    machine = [word for word in suffixes[-1:] if word in _MACHINES]
    if system or machine:
        named = " and ".join([f"GOOS={s}" for s in system] + [f"GOARCH={m}" for m in machine])
        return f"{name} is built only with {named}, by its name. Set them in go.env (--goos, --goarch)."
    if name.startswith(("_", ".")):
        return f"{name} is left out by its name: Go ignores files that start with _ or a dot."
    where = package.import_path if package is not None else str(Path(path).parent)
    return f"{name} is not part of package {where} under these build flags."
