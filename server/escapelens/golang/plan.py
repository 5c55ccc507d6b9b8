"""How a package is compiled: the go command's own command, remembered with everything it depends on.

``go list -export -n`` with flags that no build has used prints the exact ``compile`` command of every named
package and runs nothing; ``go list -deps`` names what they depend on. What cannot be repeated
from that (cgo, coverage, a dependency that does not build) has no plan, with the reason.
"""

from __future__ import annotations

import asyncio
import os
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from escapelens.core.packed import digest_of
from escapelens.golang import process
from escapelens.golang.build import (
    BuildOptions,
    ListedPackage,
    common_flags,
    gcflags_arguments,
    package_of,
    read_objects,
)
from escapelens.golang.inputs import FileStamp, FolderStamp, Head, Stamp, Stamps, head_of, is_fresh, read_stamp
from escapelens.golang.script import WORK, Command, Script, read_script
from escapelens.golang.toolchain import Toolchain

#: Printed by the first function that reaches the back end, after escape analysis and walk of the whole package
#: (ssa/compile.go, passes; Go 1.21 to 1.27). No build uses it, so the go command never has a result for it.
MARKER_FLAG = "-d=ssa/number_lines/time=1"
MARKER = "\tnumber_lines\tTIME(ns)"

#: What a package is made of, beside its test files.
_DEPENDS = (
    "GoFiles", "CgoFiles", "IgnoredGoFiles", "InvalidGoFiles", "IgnoredOtherFiles", "CFiles", "CXXFiles", "MFiles",
    "HFiles", "FFiles", "SFiles", "SwigFiles", "SwigCXXFiles", "SysoFiles", "EmbedFiles",
)  # fmt: skip
_FIELDS = ",".join(
    (
        "ImportPath", "Dir", "Name", "ForTest", "Standard", "Module", "Error", "DepsErrors", "Incomplete", "DepOnly",
        "Deps", "TestGoFiles", "XTestGoFiles", *_DEPENDS,
    )
)  # fmt: skip
#: The folder of one package below ``$WORK``: a compile of ours has ``$WORK`` to itself.
_BUILD_FOLDER = re.compile(re.escape(WORK) + r"/b\d+")
#: Commands that make what a compile needs and that are quick and harmless to repeat.
_MAKERS = frozenset({"asm", "preprofile"})


@dataclass(frozen=True, slots=True)
class Source:
    """A Go file that a package is compiled from: its text's digest, and its head.

    ``stamp`` None: it was written the moment it was read, so its stamp proves nothing.
    """

    path: str
    stamp: Stamp | None
    digest: bytes
    head: Head


@dataclass(frozen=True, slots=True)
class Plan:
    """One package's compile command and what it depends on.

    ``words`` end before the source files and hold ``$WORK`` for the compile's own temporary folder, into
    which ``written`` (names below it) has to be put first. ``files`` and ``folders`` are everything beside the
    sources that must be as it was; ``exports`` must be there: the build cache names them by their content.
    ``paths`` maps import paths to folders, for ``-trimpath`` only.
    """

    package: ListedPackage
    words: tuple[str, ...]
    cwd: str
    sources: tuple[Source, ...]
    written: dict[str, bytes]
    env: dict[str, str]
    files: tuple[FileStamp, ...]
    folders: tuple[FolderStamp, ...]
    exports: tuple[str, ...] = ()
    paths: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Planned:
    """The plans of some patterns by import path; why others have none; whether the plans may be kept
    (nothing they depend on was written while they were made); what the go command said beside.
    """

    packages: tuple[ListedPackage, ...]
    plans: dict[str, Plan]
    reasons: dict[str, str]
    lasting: bool
    said: str


class NoPlanError(Exception):
    """There is no plan for a package; the text says why."""


async def make_plans(
    toolchain: Toolchain,
    options: BuildOptions,
    patterns: Sequence[str],
    *,
    cwd: Path,
    env: Mapping[str, str],
    folder: Path,
    silence: float = process.SILENCE,
) -> Planned:
    """Plan the plain packages that ``patterns`` name. ``folder`` is an empty temporary one.

    Raises GoFailedError or TimeLimitError.
    """
    since = time.time_ns()
    maker = _Maker(toolchain, options, cwd, env, folder, silence)
    (objects, said), script = await asyncio.gather(maker.listed(patterns), maker.script(patterns))
    # With -deps the go command lists what is imported before what imports it.
    named = sorted((raw for raw in objects if not raw.get("DepOnly")), key=lambda raw: raw.get("ImportPath", ""))
    targets = {raw.get("ImportPath", "") for raw in named}
    wanted = (set(script.compiles) - targets) | maker.needed(script, targets)
    exports = await maker.exports(sorted(wanted)) if wanted else {}
    stamps = Stamps()
    shared = maker.shared_inputs(objects, stamps)
    by_path = {raw.get("ImportPath", ""): raw for raw in objects}
    plans: dict[str, Plan] = {}
    reasons: dict[str, str] = {}
    for raw in named:
        path = raw.get("ImportPath", "")
        try:
            plans[path] = await maker.plan(raw, script, exports, by_path, shared, stamps)
        except NoPlanError as error:
            reasons[path] = str(error)
    lasting = not any(is_fresh(stamp, since) for stamp in stamps.read())
    return Planned(tuple(map(package_of, named)), plans, reasons, lasting, said)


class _Maker:
    """Makes the plans of one call."""

    def __init__(
        self,
        toolchain: Toolchain,
        options: BuildOptions,
        cwd: Path,
        env: Mapping[str, str],
        folder: Path,
        silence: float,
    ) -> None:
        self._toolchain = toolchain
        self._options = options
        self._cwd = cwd
        self._env = env
        self._folder = folder
        self._silence = silence
        # The go command hands its whole computed environment to its tools (cmd/go/main.go).
        self._tool_env = {name: value for name, value in toolchain.variables.items() if name.startswith("GO") and value}
        self._inputs: dict[str, tuple[tuple[FileStamp, ...], FolderStamp]] = {}

    async def _go(self, arguments: Sequence[str], patterns: Sequence[str]) -> tuple[bytes, bytes]:
        said: list[bytes] = []
        words = [self._toolchain.go, "list", "-e", *arguments, *common_flags(self._toolchain, self._options)]
        finished = await process.run(
            [*words, "--", *patterns], cwd=self._cwd, env=self._env, on_stderr=said.append, silence=self._silence
        )
        return finished.stdout, b"".join(said)

    async def listed(self, patterns: Sequence[str]) -> tuple[list[dict[str, Any]], str]:
        """What the patterns name, and everything that they import; what the go command said beside."""
        stdout, said = await self._go(["-deps", f"-json={_FIELDS}"], patterns)
        return list(read_objects(stdout)), said.decode("utf-8", "replace").strip()

    async def script(self, patterns: Sequence[str]) -> Script:
        """What the go command would run to compile what the patterns name."""
        flags = gcflags_arguments(self._toolchain, self._options, extra=(MARKER_FLAG,))
        _, said = await self._go(["-export", "-n", *flags], patterns)
        return read_script(said.decode("utf-8", "surrogateescape"))

    def needed(self, script: Script, targets: set[str]) -> set[str]:
        """Packages whose export data a target needs and that the go command would make first."""
        found: set[str] = set()
        for compile_ in (command for name in targets for command in script.compiles.get(name, ())):
            config = script.files.get(compile_.value("-importcfg") or "", "")
            found |= {path for path, export in _packagefiles(config) if export.startswith(WORK)}
        return found

    async def exports(self, names: Sequence[str]) -> dict[str, str]:
        """Export files of packages, built the ordinary way where they are not there yet."""
        stdout, _ = await self._go(["-export", "-json=ImportPath,Export"], names)
        return {raw["ImportPath"]: raw["Export"] for raw in read_objects(stdout) if raw.get("Export")}

    def shared_inputs(self, objects: Sequence[Mapping[str, Any]], stamps: Stamps) -> tuple[FileStamp, ...]:
        """What every plan depends on: Go itself, its settings, the module files."""
        variables = self._toolchain.variables
        tools = variables.get("GOTOOLDIR", "")
        paths = {self._toolchain.go, os.path.realpath(self._toolchain.go), variables.get("GOENV", "")}
        paths |= {os.path.join(tools, name) for name in ("compile", "compile.exe")}
        paths.add(os.path.join(variables.get("GOROOT", ""), "VERSION"))
        work = variables.get("GOWORK", "")
        if work not in ("", "off"):
            paths |= {work, f"{work}.sum", str(Path(work).parent / "vendor" / "modules.txt")}
        for folder in (self._cwd, *self._cwd.parents):
            # A module or workspace file that appears on the way up changes everything.
            paths |= {str(folder / "go.mod"), str(folder / "go.work")}
        for raw in objects:
            module = raw.get("Module") or {}
            for found in (module, module.get("Replace") or {}):
                if found.get("GoMod") and (found.get("Main") or not found.get("Version")):
                    mod = Path(found["GoMod"])
                    paths |= {str(mod), str(mod.with_suffix(".sum")), str(mod.parent / "vendor" / "modules.txt")}
        return tuple(stamps.file(path) for path in sorted(paths - {"", os.devnull}))

    async def plan(
        self,
        raw: Mapping[str, Any],
        script: Script,
        exports: Mapping[str, str],
        by_path: Mapping[str, Mapping[str, Any]],
        shared: tuple[FileStamp, ...],
        stamps: Stamps,
    ) -> Plan:
        """The plan of one package. Raises NoPlanError."""
        package = package_of(raw)
        if package.error is not None:
            raise NoPlanError("the go command reports an error")
        compile_ = _own_compile(package, script.compiles.get(package.import_path, ()))
        words, names = _split_sources(compile_)
        if not names:
            raise NoPlanError("its source files are generated")
        written = await self._written(compile_, words, script, exports)
        files, folders = list(shared), []
        for path in dict.fromkeys([package.import_path, *_dependencies(raw, by_path)]):
            own, folder = self._inputs_of(path, by_path.get(path, {}), stamps)
            folders.append(folder)
            files.extend(own if path != package.import_path else self._beside(own, names))
        config = written.get("importcfg", b"").decode("utf-8", "surrogateescape")
        profiles = [word.removeprefix("-pgoprofile=") for word in words if word.startswith("-pgoprofile=")]
        kept = [path for path in profiles if Path(path).is_relative_to(self._toolchain.variables.get("GOCACHE", "-"))]
        beside = [path for path in profiles if path not in kept and WORK not in path]
        files.extend(map(stamps.file, [os.path.join(package.dir, "default.pgo"), *beside]))
        return Plan(
            package,
            _repeatable(words),
            compile_.cwd,
            tuple(read_plan_source(name) for name in names),
            written,
            self._tool_env,
            tuple(files),
            tuple(folders),
            (*(export for _, export in _packagefiles(config)), *kept),
            {path: found.get("Dir", "") for path, found in by_path.items()} if _is_trimmed(words) else {},
        )

    def _inputs_of(
        self, path: str, raw: Mapping[str, Any], stamps: Stamps
    ) -> tuple[tuple[FileStamp, ...], FolderStamp]:
        if path not in self._inputs:
            folder = raw.get("Dir", "")
            names = (name for key in _DEPENDS for name in raw.get(key) or ())
            files = tuple(stamps.file(os.path.join(folder, name)) for name in names)
            self._inputs[path] = (files, stamps.folder(folder))
        return self._inputs[path]

    @staticmethod
    def _beside(own: Sequence[FileStamp], sources: Sequence[str]) -> list[FileStamp]:
        """A package's files beside its Go sources, which are compared by their heads and contents."""
        return [file for file in own if file.path not in set(sources)]

    async def _written(
        self, compile_: Command, words: Sequence[str], script: Script, exports: Mapping[str, str]
    ) -> dict[str, bytes]:
        """What the go command puts into its temporary folder before this compile."""
        written: dict[str, bytes] = {}
        made = {compile_.value(flag) for flag in ("-o", "-asmhdr")}
        guided = any(word.startswith("-pgoprofile") for word in words)
        for word in dict.fromkeys(words):
            path = word[word.find(WORK) :] if WORK in word else ""
            if not path or path in made or "=>" in word:
                continue
            name = path.rpartition("/")[2]
            if path in script.makers:
                written[name] = await self._make(script.makers[path], script)
            elif path not in script.files:
                raise NoPlanError(f"nothing makes {name}")
            else:
                # What a profile guides is built apart: the ordinary export data would be another's.
                text = _with_exports(script.files[path], {} if guided else exports)
                written[name] = text.encode("utf-8", "surrogateescape")
        return written

    async def _make(self, maker: Command, script: Script) -> bytes:
        """Run a small command of the script for the file that it makes."""
        if maker.tool not in _MAKERS:
            raise NoPlanError(f"it needs {maker.tool}")
        folder = self._folder / "make"
        words = [word.replace(WORK, str(folder)) for word in maker.words]
        output = Path(maker.value("-o") or "").as_posix().replace(WORK, str(folder))
        Path(output).parent.mkdir(parents=True, exist_ok=True)
        for name, text in script.files.items():
            if name.startswith(str(Path(maker.value("-o") or "").parent)):
                Path(name.replace(WORK, str(folder))).write_text(text, "utf-8", "surrogateescape")
        env = {**self._env, **self._tool_env}
        finished = await process.run(
            words, cwd=Path(maker.cwd), env=env, on_stderr=lambda chunk: None, silence=self._silence
        )
        if finished.status != 0:
            raise NoPlanError(f"{maker.tool} failed")
        return _read(output)


def _own_compile(package: ListedPackage, compiles: Sequence[Command]) -> Command:
    """The compile of a package for itself. Raises NoPlanError.

    Copies of what a main package with a profile imports are compiled by that profile; the main package itself always
    is, but ``-n`` leaves the profile out where its digest is not in the build cache yet.
    """
    if not compiles:
        raise NoPlanError("the go command compiles nothing")
    guided = [command for command in compiles if any(word.startswith("-pgoprofile") for word in command.words)]
    if package.name == "main" and Path(package.dir, "default.pgo").is_file():
        if not guided:
            raise NoPlanError("its profile was not read yet")
        return guided[0]
    return next((command for command in compiles if command not in guided), compiles[0])


def _split_sources(compile_: Command) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The command without its source files, and those as absolute paths; none if one is generated."""
    words = list(compile_.words)
    names: list[str] = []
    while words and words[-1].endswith(".go"):
        name = words.pop()
        if name.startswith(WORK):
            return tuple(words), ()
        # ShowCmd prints "." for the folder (cmd/go/internal/work/shell.go).
        names.append(os.path.normpath(os.path.join(compile_.cwd, name)))
    return tuple(words), tuple(reversed(names))


def _packagefiles(config: str) -> list[tuple[str, str]]:
    """The packages of an importcfg with their export files (cmd/compile/internal/noder/import.go)."""
    lines = (line.removeprefix("packagefile ") for line in config.split("\n") if line.startswith("packagefile "))
    return [(path, export) for path, _, export in (line.partition("=") for line in lines)]


def _with_exports(config: str, exports: Mapping[str, str]) -> str:
    """An importcfg that names no file of the go command's temporary folder. Raises NoPlanError."""
    lines = []
    for line in config.split("\n"):
        path, equals, export = line.removeprefix("packagefile ").partition("=")
        if line.startswith("packagefile ") and equals and export.startswith(WORK):
            if path not in exports:
                raise NoPlanError(f"{path} is not built")
            lines.append(f"packagefile {path}={exports[path]}")
        else:
            lines.append(line)
    return "\n".join(lines)


def _dependencies(raw: Mapping[str, Any], by_path: Mapping[str, Mapping[str, Any]]) -> list[str]:
    return [path for path in raw.get("Deps") or () if path in by_path]


def _is_trimmed(words: Sequence[str]) -> bool:
    """Tell whether the build trims paths: beside the go command's own folder something else is rewritten."""
    value = next((words[i + 1] for i, word in enumerate(words[:-1]) if word == "-trimpath"), "")
    return len([rule for rule in value.split(";") if rule]) > 1


def _repeatable(words: Sequence[str]) -> tuple[str, ...]:
    """The command with ``$WORK`` for its own folder and without the build's identity, which only marks the object."""
    found = [_BUILD_FOLDER.sub(WORK, word) for word in words]
    if "-buildid" in found:
        at = found.index("-buildid")
        del found[at : at + 2]
    return tuple(found)


def read_plan_source(path: str, text: bytes | None = None) -> Source:
    """A source as it is now; ``text`` stands for what is on disk. Raises NoPlanError."""
    if text is not None:
        return Source(path, None, digest_of(text), head_of(text))
    stamp, now = read_stamp(path), time.time_ns()
    text = _read(path)
    return Source(path, None if is_fresh(stamp, now) else stamp, digest_of(text), head_of(text))


def look_again(source: Source, text: bytes | None = None) -> Source:
    """A source as it is now, read only where its stamp says nothing. Raises NoPlanError."""
    if text is None:
        stamp, now = read_stamp(source.path), time.time_ns()
        if stamp is not None and stamp == source.stamp:
            return source
        text = _read(source.path)
    else:
        stamp, now = None, 0
    digest = digest_of(text)
    head = source.head if digest == source.digest else head_of(text, source.head)
    return Source(source.path, None if is_fresh(stamp, now) else stamp, digest, head)


def _read(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise NoPlanError(f"{path} cannot be read: {error.strerror or error}") from error
