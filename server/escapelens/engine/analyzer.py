"""From a target to reports: the same way for the command line and the server."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import tempfile
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from escapelens.core.join import Value, join
from escapelens.core.json_log import parse_json
from escapelens.core.merge import Sources, merge, split_unknown, subtract
from escapelens.core.model import BuildError, PackageReport, Status, Variant
from escapelens.core.text_log import Unknown, parse, split_line
from escapelens.engine.target import Target, is_script, script_target, why_left_out
from escapelens.errors import GoFailedError, TemporaryFolderError
from escapelens.golang import build, process
from escapelens.golang.paths import PathResolver, from_uri, printed_folder
from escapelens.golang.toolchain import Toolchain, child_environment, inspect

OnReport = Callable[[PackageReport], None]

_NO_FILES = re.compile(r"build constraints exclude all Go files|no (?:non-test )?Go files in")
NO_MODULE = re.compile(r"go\.mod file not found|cannot find main module|outside (?:main|available) module")


@dataclass(frozen=True, slots=True)
class RunResult:
    """One run: the toolchain, the reports in the order of the listing, and what the go command said
    beside the compilers' text. ``repeat`` is a command line that prints the same text, ``sources``
    the texts (by absolute path) that the positions were found in.
    """

    toolchain: Toolchain
    reports: tuple[PackageReport, ...]
    said: str = ""
    repeat: str = ""
    sources: Mapping[str, bytes] = field(default_factory=dict)


@dataclass(slots=True)
class _Compiled:
    """One package's text, understood."""

    name: str
    values: list[Value]
    unparsed: list[str]
    seconds: float


class TemporaryFolder:
    """A folder of our own, removed with everything in it on leaving."""

    def __enter__(self) -> Path:
        try:
            self.path = Path(tempfile.mkdtemp(prefix="escapelens-"))
        except OSError as error:
            raise TemporaryFolderError(
                f"No temporary folder can be made: {error.strerror or error}. "
                "Free some space, or set TMPDIR to a folder that can be written."
            ) from error
        return self.path

    def __exit__(self, *_: object) -> None:
        shutil.rmtree(self.path, ignore_errors=True)


def _write_overlay(folder: Path, texts: Mapping[str, bytes]) -> str:
    """Write texts that stand for files on disk, and the file that tells the go command of them."""
    replaced: dict[str, str] = {}
    for number, (path, text) in enumerate(texts.items()):
        copy = folder / f"{number}.go"
        copy.write_bytes(text)
        replaced[path] = str(copy)
    listing = folder / "overlay.json"
    listing.write_text(json.dumps({"Replace": replaced}), "utf-8")
    return str(listing)


def read_source(path: str) -> bytes | None:
    """The bytes of a file, None if it cannot be read."""
    try:
        return Path(path).read_bytes()
    except OSError:
        return None


def modified(path: str) -> int:
    """When a file was modified, in nanoseconds; 0 if it is not there."""
    try:
        return Path(path).stat().st_mtime_ns
    except OSError:
        return 0


@dataclass(slots=True)
class Analyzer:
    """Runs targets. ``environ`` is the user's environment, ``go`` the setting that names a Go."""

    environ: Mapping[str, str]
    go: str | None = None
    silence: float = process.SILENCE
    _toolchains: dict[tuple[object, ...], Toolchain] = field(default_factory=dict)

    async def toolchain(self, target: Target) -> Toolchain:
        """The toolchain for a target's folder; asked once a folder and environment.

        Raises GoNotFoundError, GoTooOldError, GoFailedError, TimeLimitError.
        """
        key = (self.go, target.cwd, tuple(sorted(target.options.env.items())))
        if key not in self._toolchains:
            self._toolchains[key] = await inspect(self.go, target.cwd, self.environ, target.options.env)
        return self._toolchains[key]

    def forget_toolchains(self) -> None:
        """Ask Go again next time: go.mod, go.work or the installation may have changed."""
        self._toolchains.clear()

    async def run(self, target: Target, on_report: OnReport | None = None) -> RunResult:
        """Analyse a target. ``on_report`` gets each plain package as soon as its text is there.

        Raises the errors of ``toolchain`` and TemporaryFolderError.
        """
        toolchain = await self.toolchain(target)
        with TemporaryFolder() as folder:
            env = child_environment(self.environ, target.options.env, folder)
            if target.overlay:
                options = replace(target.options, overlay=_write_overlay(folder, target.overlay))
                target = replace(target, options=options)
            records = folder / "records" if target.options.back_end else None
            result = await _Run(toolchain, target, env, self.silence, on_report, records).go()
            if target.only is None or target.script:
                return result
            again = await self._as_script(toolchain, target, env, result)
            return again or result

    async def _as_script(
        self, toolchain: Toolchain, target: Target, env: Mapping[str, str], result: RunResult
    ) -> RunResult | None:
        """A file that its package does not contain: a script, or a folder outside any module."""
        path = target.only or ""
        if any(path in report.files for report in result.reports):
            return None
        source = read_source(path) or b""
        no_module = not result.reports or any(
            NO_MODULE.search(f"{r.error or ''} {result.said}") for r in result.reports
        )
        if is_script(source):
            return await _Run(toolchain, script_target(target, [path]), env, self.silence).go()
        if NO_MODULE.search(result.said) or (result.reports and no_module):
            siblings = sorted(str(p) for p in Path(path).parent.glob("*.go"))
            files = [p for p in siblings if p == path or _belongs(p, source)]
            return await _Run(toolchain, script_target(target, files), env, self.silence).go()
        reason = why_left_out(path, source, None)
        report = PackageReport(
            import_path=result.reports[0].import_path if result.reports else "",
            dir=str(Path(path).parent),
            variant=None,
            status="skipped",
            error=reason,
            files=(path,),
        )
        return replace(result, reports=(report,))


_PACKAGE_NAME = re.compile(rb"^\s*package\s+(\w+)", re.MULTILINE)


def _belongs(path: str, source: bytes) -> bool:
    """Tell whether a sibling has the same package clause, is no test and no script."""
    if path.endswith("_test.go"):
        return False
    sibling = read_source(path) or b""
    ours, theirs = _PACKAGE_NAME.search(source), _PACKAGE_NAME.search(sibling)
    return bool(ours and theirs and ours[1] == theirs[1]) and not is_script(sibling)


class _Run:
    """One go command, its texts parsed in a thread while it goes on compiling."""

    def __init__(
        self,
        toolchain: Toolchain,
        target: Target,
        env: Mapping[str, str],
        silence: float,
        on_report: OnReport | None = None,
        records: Path | None = None,
    ) -> None:
        self.toolchain = toolchain
        self.target = target
        self.env = env
        self.silence = silence
        self.on_report = on_report
        self.records = records
        self.sources = Sources(lambda path: target.overlay.get(path) or read_source(path))
        self.compiled: dict[str, _Compiled] = {}
        self.early: dict[str, PackageReport] = {}
        self.pending: list[Awaitable[None]] = []
        self.turn = asyncio.Lock()
        self.started = time.monotonic()
        # Errors are never cached: their paths are relative to this run's working directory.
        self.resolve = PathResolver(target.cwd)
        self.folders: dict[str, str] = {}
        self.listing: asyncio.Task[dict[str, build.ListedPackage]] | None = None

    async def go(self) -> RunResult:
        if "-trimpath" in self.toolchain.variables.get("GOFLAGS", ""):
            self.folders = await self._folders()
            self.resolve = PathResolver(self.target.cwd, folders=self.folders)
        options = self.target.options
        # What the packages are is known long before they are compiled, and their texts need it.
        self.listing = asyncio.ensure_future(self._list())
        try:
            return await self._build(options)
        finally:
            self.listing.cancel()
            await asyncio.gather(self.listing, *self.pending, return_exceptions=True)

    async def _build(self, options: build.BuildOptions) -> RunResult:
        result = await build.list_packages(
            self.toolchain,
            options,
            self.target.patterns,
            cwd=self.target.cwd,
            env=self.env,
            on_text=self._take,
            records=self.records,
            silence=self.silence,
        )
        await asyncio.gather(*self.pending)
        if result.status != 0 and not result.packages and not NO_MODULE.search(result.said):
            raise GoFailedError(result.said or f"{self.toolchain.go} list ended with exit status {result.status}.")
        reports = await asyncio.to_thread(self._reports, result.packages)
        repeat = build.repeat_command(self.toolchain, options, self.target.patterns)
        return RunResult(self.toolchain, tuple(reports), result.said, repeat, self.sources.texts())

    async def _list(self) -> dict[str, build.ListedPackage]:
        result = await build.list_packages(
            self.toolchain, self.target.options, self.target.patterns,
            cwd=self.target.cwd, env=self.env, silence=self.silence,
        )  # fmt: skip
        return {package.import_path: package for package in result.packages}

    async def _folders(self) -> dict[str, str]:
        """Import paths to folders, of the target's packages and all their dependencies."""
        listed = await build.list_dependencies(
            self.toolchain, self.target.options, self.target.patterns,
            cwd=self.target.cwd, env=self.env, silence=self.silence,
        )  # fmt: skip
        return {package.base_path: package.dir for package in listed}

    def _take(self, name: str, lines: list[str]) -> None:
        self.pending.append(asyncio.ensure_future(self._understand(name, lines)))

    async def _understand(self, name: str, lines: list[str]) -> None:
        assert self.listing is not None
        listed = (await asyncio.shield(self.listing)).get(name)
        async with self.turn:
            await asyncio.to_thread(self._parse, name, lines, listed)
        report = self.early.get(name)
        if report is not None and self.on_report is not None:
            self.on_report(report)

    def _parse(self, name: str, lines: list[str], listed: build.ListedPackage | None) -> None:
        path, _, test = name.partition(" ")
        if path.endswith(".test") or (test and _variant_of(name) is None):
            return
        multiline = self.toolchain.multiline_text
        values, unparsed = split_unknown(join(parse(lines, self._resolver(path, lines, listed), multiline=multiline)))
        if not self.target.options.tests:
            facts, unknown = self._facts(path, None)
            values, unparsed = values + facts, unparsed + unknown
        seconds = time.monotonic() - self.started
        self.compiled[name] = _Compiled(name, values, unparsed, seconds)
        if not test and not self.target.options.tests:
            self.early[name] = self._merge(name, path, None, values, unparsed, seconds)
            # The report stands for the values now; only test variants are compared with them.
            self.compiled[name].values = []

    def _facts(self, import_path: str, variant: Variant | None) -> tuple[list[Value], list[str]]:
        """The back end's facts of a package; those of test files belong to its variant."""
        if self.records is None:
            return [], []
        tests = variant == "test" if self.target.options.tests and variant != "xtest" else None
        return parse_json(build.read_records(self.records, import_path, tests), from_uri)

    def _resolver(self, import_path: str, lines: list[str], listed: build.ListedPackage | None) -> PathResolver:
        """The resolver for a package's text: Go's own packages have one that knows GOROOT."""
        goroot = Path(self.toolchain.variables.get("GOROOT", ""))
        standard = (goroot / "src" / import_path.removesuffix("_test")).is_dir()
        names = {Path(file).name for file in listed.files} if listed is not None else set()
        printed = printed_folder(lines, names)
        own = Path(listed.dir) if listed is not None and printed is not None else self.target.cwd
        return PathResolver(
            own,
            printed,
            self.folders,
            goroot if standard else None,
        )

    def _merge(
        self,
        name: str,
        package: str,
        variant: Variant | None,
        values: list[Value],
        unparsed: list[str],
        seconds: float,
    ) -> PackageReport:
        merged = merge(values, unparsed, self.sources, package, variant)
        return PackageReport(
            import_path=package,
            dir="",
            variant=variant,
            status="ok",
            seconds=round(seconds, 3),
            messages=merged.messages,
            unparsed=merged.unparsed,
        )

    def _reports(self, packages: tuple[build.ListedPackage, ...]) -> list[PackageReport]:
        order = {None: 0, "test": 1, "xtest": 2}
        wanted = [p for p in packages if p.variant in order]
        wanted.sort(key=lambda p: (p.for_test or p.import_path, order[p.variant]))
        said: dict[str, list[Value]] = {}
        return [self._report(package, said) for package in wanted]

    def _report(self, package: build.ListedPackage, said: dict[str, list[Value]]) -> PackageReport:
        base = package.for_test or package.import_path
        variant: Variant | None = (
            "test" if package.variant == "test" else "xtest" if package.variant == "xtest" else None
        )
        compiled = self.compiled.get(package.import_path)
        values = compiled.values if compiled else []
        unparsed = compiled.unparsed if compiled else []
        errors, late = self._errors(package)
        if self.target.options.tests:
            # Plain package and variants write into one folder: only when all are done it is whole.
            facts, unknown = self._facts(package.base_path, variant)
            values, unparsed = values + facts, unparsed + unknown
        values = values + late
        report = self.early.get(package.import_path)
        if report is None or late:
            extra = subtract(values, said.get(base, [])) if variant else values
            seconds = compiled.seconds if compiled else 0.0
            report = self._merge(
                package.import_path, base if variant is None else package.base_path,
                variant, extra, unparsed, seconds,
            )  # fmt: skip
            said[base] = said.get(base, []) + extra
        files = package.files + (package.test_files if self.target.options.tests else ())
        return replace(
            report,
            import_path=package.base_path,
            dir=package.dir,
            status=_status(package, errors),
            error="\n".join(error.text for error in errors) or None,
            errors=tuple(errors),
            files=files,
        )

    def _errors(self, package: build.ListedPackage) -> tuple[list[BuildError], list[Value]]:
        """A package's errors by line. A compile that failed late has its text mixed into them."""
        if package.error is None:
            return [], []
        errors: list[BuildError] = []
        values: list[Value] = []
        lines = [line for line in package.error.split("\n") if not line.startswith("# ")]
        for record in join(parse(lines, self.resolve, multiline=self.toolchain.multiline_text)):
            if not isinstance(record, Unknown):
                values.append(record)
            elif record.line.startswith(("\t", " ")) and errors:
                errors[-1] = replace(errors[-1], text=f"{errors[-1].text}\n{record.line}")
            else:
                parts = split_line(record.line)
                place = self.resolve(parts[0]) if parts else None
                errors.append(BuildError(record.line.strip(), place))
        return errors, values


def _variant_of(name: str) -> Variant | None:
    """The variant that a ``# p [q.test]`` line names; None for packages recompiled for a test."""
    path, _, test = name.partition(" ")
    tested = test.removeprefix("[").removesuffix(".test]")
    if path == tested:
        return "test"
    return "xtest" if path == f"{tested}_test" else None


def _status(package: build.ListedPackage, errors: list[BuildError]) -> Status:
    if not errors:
        return "ok"
    text = package.error or ""
    return "skipped" if _NO_FILES.search(text) and len(errors) == 1 else "failed"
