"""Compile packages with the go command for their ``-m=2`` text, without linking.

``go list -export`` builds what it lists: one process gives the facts of every package (standard
output), the compilers' text (standard error, replayed on a build-cache hit) and the errors.
Dependencies come from the user's ordinary build cache; flags apply to the named packages only.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal
from urllib.parse import quote

from escapelens.core.model import Variant
from escapelens.core.text_log import is_open
from escapelens.golang import process
from escapelens.golang.toolchain import Toolchain

_FIELDS = (
    "ImportPath,Dir,Name,ForTest,Standard,Module,Error,DepsErrors,Incomplete,"
    "GoFiles,CgoFiles,TestGoFiles,XTestGoFiles,IgnoredGoFiles,InvalidGoFiles"
)


@dataclass(frozen=True, slots=True)
class BuildOptions:
    """What the user may ask of a build. ``gcflags`` are single words; ``back_end`` adds the facts that only a
    full compile has; ``overlay`` is a file for ``go build -overlay``.
    """

    tests: bool = False
    tags: tuple[str, ...] = ()
    gcflags: tuple[str, ...] = ()
    back_end: bool = False
    overlay: str | None = None
    env: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ListedPackage:
    """One package or test variant as ``go list -json`` describes it. Files are absolute paths."""

    import_path: str
    for_test: str
    dir: str
    name: str
    files: tuple[str, ...]
    test_files: tuple[str, ...]
    ignored_files: tuple[str, ...]
    error: str | None
    module_path: str | None = None
    module_version: str | None = None
    module_dir: str | None = None
    standard: bool = False

    @property
    def base_path(self) -> str:
        """The import path without ``[p.test]``."""
        return self.import_path.partition(" ")[0]

    @property
    def variant(self) -> Variant | Literal["other"] | None:
        """None, ``test`` (p [p.test]), ``xtest`` (p_test [p.test]) or ``other``: test mains and
        packages recompiled for another package's test.
        """
        if self.import_path.endswith(".test") and self.name == "main" and not self.for_test:
            return "other"
        if not self.for_test:
            return None
        if self.base_path == self.for_test:
            return "test"
        return "xtest" if self.base_path == f"{self.for_test}_test" else "other"


def list_command(
    toolchain: Toolchain,
    options: BuildOptions,
    patterns: Sequence[str],
    *,
    build: bool,
    records: Path | None = None,
) -> list[str]:
    """The go command that lists, and with ``build`` also compiles, what ``patterns`` name.

    ``records`` is a new folder for the back end's JSON records.
    """
    command = [toolchain.go, "list", "-e", f"-json={_FIELDS}"]
    if options.tests:
        command.append("-test")
    command += common_flags(toolchain, options)
    if build:
        command += ["-export", *gcflags_arguments(toolchain, options, records)]
    return [*command, "--", *patterns]


def repeat_command(toolchain: Toolchain, options: BuildOptions, patterns: Sequence[str]) -> str:
    """A command line that prints the same compiler text, for people to run."""
    words = ["go", "list", "-export", *(["-test"] if options.tests else [])]
    words += [*common_flags(toolchain, options), *gcflags_arguments(toolchain, options), *patterns]
    settings = [f"{key}={value}" for key, value in options.env.items()]
    return shlex.join(["env", *settings, *words] if settings else words)


def common_flags(toolchain: Toolchain, options: BuildOptions) -> list[str]:
    """Build flags for every call. A user's ``-mod=mod`` would let go rewrite go.mod: not from here."""
    flags = [f"-tags={','.join(options.tags)}"] if options.tags else []
    if options.overlay is not None:
        flags.append(f"-overlay={options.overlay}")
    if "-mod=mod" in split_goflags(toolchain.variables.get("GOFLAGS", "")):
        flags.append("-mod=readonly")
    return flags


def gcflags_arguments(
    toolchain: Toolchain, options: BuildOptions, records: Path | None = None, extra: Sequence[str] = ()
) -> list[str]:
    """``-gcflags`` for the named packages: the user's from GOFLAGS stay in force, ours come last, then ``extra``.

    The go command takes the last ``-gcflags`` whose pattern matches, so inherited flags are repeated.
    """
    arguments: list[str] = []
    inherited: list[str] = []
    for flag in split_goflags(toolchain.variables.get("GOFLAGS", "")):
        name, _, value = flag.lstrip("-").partition("=")
        if name != "gcflags":
            continue
        pattern, has_pattern, rest = value.partition("=")
        if has_pattern and not pattern.startswith("-"):
            arguments.append(f"-gcflags={value}")
            if pattern == "all":
                inherited = shlex.split(rest)
        else:
            inherited = shlex.split(value)
    words = [*inherited, *options.gcflags, "-m=2", *extra]
    if records is not None:
        # A folder that no build has named before: a build-cache hit would not write the records again.
        words.append(f"-json=0,{records}")
    return [*arguments, f"-gcflags={_quote_words(words)}"]


def split_goflags(goflags: str) -> list[str]:
    """The flags in GOFLAGS: separated by spaces, quoted as a whole (``go help environment``)."""
    try:
        return shlex.split(goflags)
    except ValueError:
        return goflags.split()


def _quote_words(words: Sequence[str]) -> str:
    """Join words as the go command splits them (cmd/internal/quoted): whole words in quotes."""
    quoted = (f"'{w}'" if any(c.isspace() or c == '"' for c in w) else w for w in words)
    return " ".join(quoted)


class TextSplitter:
    """Splits the error stream of one go command into the text of each package.

    A ``# importpath [for.test]`` line opens a package's text. On Go 1.21 such a line may also stand
    inside a raw string that a message carries over several lines; it does not count there.
    """

    def __init__(self, on_package: Callable[[str, list[str]], None], *, multiline: bool) -> None:
        self.preamble: list[str] = []
        self._on_package = on_package
        self._multiline = multiline
        self._name: str | None = None
        self._lines: list[str] = []
        self._rest = b""
        self._held: str | None = None

    def feed(self, chunk: bytes) -> None:
        """Take bytes as they come."""
        *lines, self._rest = (self._rest + chunk).split(b"\n")
        for line in lines:
            self._line(line.decode("utf-8", "surrogateescape").removesuffix("\r"))

    def close(self) -> None:
        """The stream has ended."""
        if self._rest:
            self._line(self._rest.decode("utf-8", "surrogateescape"))
        self._flush()

    def _line(self, line: str) -> None:
        if self._held is None and line.startswith("# "):
            self._flush()
            self._name, self._lines = line[2:], []
            return
        if self._multiline and ("`" in line or self._held is not None):
            text = line if self._held is None else f"{self._held}\n{line}"
            self._held = text if is_open(text) and text.count("\n") < 2000 else None
        (self._lines if self._name is not None else self.preamble).append(line)

    def _flush(self) -> None:
        if self._name is not None:
            self._on_package(self._name, self._lines)
        self._name, self._lines = None, []


@dataclass(frozen=True, slots=True)
class BuildResult:
    """The packages of one go command, and what it said beside the compilers' text."""

    packages: tuple[ListedPackage, ...]
    said: str
    status: int


async def list_packages(
    toolchain: Toolchain,
    options: BuildOptions,
    patterns: Sequence[str],
    *,
    cwd: Path,
    env: Mapping[str, str],
    on_text: Callable[[str, list[str]], None] | None = None,
    records: Path | None = None,
    silence: float = process.SILENCE,
    low: bool = False,
) -> BuildResult:
    """List packages; with ``on_text`` also compile them and hand over each package's text
    (name as in its ``#`` line, lines without ends) as soon as it is complete.

    Raises GoFailedError or TimeLimitError.
    """
    splitter = TextSplitter(on_text or (lambda name, lines: None), multiline=toolchain.multiline_text)
    finished = await process.run(
        list_command(toolchain, options, patterns, build=on_text is not None, records=records),
        cwd=cwd,
        env=env,
        on_stderr=splitter.feed,
        silence=silence,
        low=low,
    )
    splitter.close()
    packages = read_packages(finished.stdout)
    return BuildResult(packages, "\n".join(splitter.preamble).strip(), finished.status)


async def list_dependencies(
    toolchain: Toolchain,
    options: BuildOptions,
    patterns: Sequence[str],
    *,
    cwd: Path,
    env: Mapping[str, str],
    silence: float = process.SILENCE,
) -> tuple[ListedPackage, ...]:
    """The packages that ``patterns`` name and everything they import, without compiling.

    Raises GoFailedError or TimeLimitError.
    """
    command = list_command(toolchain, options, patterns, build=False)
    command.insert(2, "-deps")
    finished = await process.run(command, cwd=cwd, env=env, on_stderr=lambda chunk: None, silence=silence)
    return read_packages(finished.stdout)


def read_records(folder: Path, import_path: str, tests: bool | None = None) -> Iterator[str]:
    """The lines of a package's JSON records; the compiler escapes the import path as a URL does.

    ``tests`` takes the records of test files only, or of all others only.
    """
    for path in sorted((folder / quote(import_path, safe="")).glob("*.json")):
        if tests is not None and path.stem.endswith("_test") != tests:
            continue
        yield from path.read_text("utf-8", "surrogateescape").split("\n")


def read_packages(output: bytes) -> tuple[ListedPackage, ...]:
    """Read the objects that ``go list -json`` printed."""
    return tuple(map(package_of, read_objects(output)))


def read_objects(output: bytes) -> Iterator[dict[str, Any]]:
    """The JSON objects that the go command printed one after the other; what breaks off is left out."""
    text = output.decode("utf-8", "replace")
    decoder = json.JSONDecoder()
    position = 0
    while (position := _skip_space(text, position)) < len(text):
        try:
            value, position = decoder.raw_decode(text, position)
        except ValueError:
            return
        yield value


def _skip_space(text: str, position: int) -> int:
    while position < len(text) and text[position].isspace():
        position += 1
    return position


def package_of(raw: Mapping[str, Any]) -> ListedPackage:
    """One object of ``go list -json``."""
    folder = raw.get("Dir", "")
    module = raw.get("Module") or {}

    def paths(*keys: str) -> tuple[str, ...]:
        return tuple(str(Path(folder, name)) for key in keys for name in raw.get(key) or ())

    return ListedPackage(
        import_path=raw.get("ImportPath", ""),
        for_test=raw.get("ForTest", ""),
        dir=folder,
        name=raw.get("Name", ""),
        files=paths("GoFiles", "CgoFiles"),
        test_files=paths("TestGoFiles", "XTestGoFiles"),
        ignored_files=paths("IgnoredGoFiles", "InvalidGoFiles"),
        error=_error_text(raw),
        module_path=module.get("Path"),
        module_version=module.get("Version"),
        module_dir=module.get("Dir"),
        standard=bool(raw.get("Standard")),
    )


def _error_text(raw: Mapping[str, Any]) -> str | None:
    """The first reason why a package did not build, with its position if that stands apart."""
    found = [raw["Error"]] if raw.get("Error") else list(raw.get("DepsErrors") or ())
    texts = []
    for error in found:
        position = error.get("Pos") or ""
        text = (error.get("Err") or "").strip()
        texts.append(f"{position}: {text}" if position and position not in text else text)
    return "\n".join(dict.fromkeys(texts)) or None
