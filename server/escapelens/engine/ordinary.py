"""A run the ordinary way: one ``go list -export`` compiles what is named, workers understand its texts."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from escapelens.core.model import VARIANTS
from escapelens.engine.jobs import PackageText, Reading, Rejected, TextJob
from escapelens.engine.result import Analysed, RunResult, in_order, unpacked
from escapelens.engine.target import NO_MODULE, Target
from escapelens.engine.workers import Workers
from escapelens.errors import GoFailedError
from escapelens.golang import build
from escapelens.golang.build import ListedPackage
from escapelens.golang.toolchain import Toolchain

OnPackage = Callable[[Analysed], None]


class OrdinaryRun:
    """One go command; texts are understood while it goes on compiling."""

    def __init__(
        self,
        toolchain: Toolchain,
        target: Target,
        env: Mapping[str, str],
        workers: Workers,
        *,
        folder: Path,
        silence: float,
        urgent: bool,
        on_package: OnPackage | None = None,
    ) -> None:
        """``folder`` is a temporary one of this run."""
        self._toolchain = toolchain
        overlay = _write_overlay(folder, target.overlay) if target.overlay else None
        self._target = replace(target, options=replace(target.options, overlay=overlay))
        self._env = env
        self._workers = workers
        self._silence = silence
        self._urgent = urgent
        self._on_package = on_package
        self._records = folder / "records" if target.options.back_end else None
        self._paths: Mapping[str, str] = {}
        self._started = time.monotonic()
        self._texts: dict[str, tuple[bytes, float]] = {}
        self._pending: dict[str, asyncio.Task[Analysed | None]] = {}
        self._listing: asyncio.Task[dict[str, ListedPackage]] | None = None

    async def run(self) -> RunResult:
        """Run it. Raises GoFailedError, TimeLimitError or WorkerError."""
        if "-trimpath" in self._toolchain.variables.get("GOFLAGS", ""):
            self._paths = await self._folders()
        # What the packages are is known long before they are compiled, and their texts need it.
        self._listing = asyncio.ensure_future(self._list())
        try:
            return await self._build()
        finally:
            for task in (self._listing, *self._pending.values()):
                task.cancel()
            await asyncio.gather(self._listing, *self._pending.values(), return_exceptions=True)

    async def _build(self) -> RunResult:
        options, patterns = self._target.options, self._target.patterns
        result = await build.list_packages(
            self._toolchain, options, patterns,
            cwd=self._target.cwd, env=self._env, on_text=self._take, records=self._records,
            silence=self._silence, low=not self._urgent,
        )  # fmt: skip
        if result.status != 0 and not result.packages and not NO_MODULE.search(result.said):
            raise GoFailedError(result.said or f"{self._toolchain.go} list ended with exit status {result.status}.")
        early = await asyncio.gather(*self._pending.values())
        known = {package.report.import_path: package for package in early if package is not None}
        found: list[Analysed] = []
        groups: dict[str, list[ListedPackage]] = {}
        for package in result.packages:
            if package.variant != "other":
                groups.setdefault(package.for_test or package.import_path, []).append(package)
        jobs = []
        for base, packages in groups.items():
            if base in known and packages[0].error is None:
                found.append(known[base])
            else:
                jobs.append(self._understand(sorted(packages, key=_rank)))
        for group in await asyncio.gather(*jobs):
            found.extend(group)
        repeat = build.repeat_command(self._toolchain, options, patterns)
        return RunResult(self._toolchain, in_order(found, groups), result.said, repeat)

    async def _list(self) -> dict[str, ListedPackage]:
        result = await build.list_packages(
            self._toolchain, self._target.options, self._target.patterns,
            cwd=self._target.cwd, env=self._env, silence=self._silence,
        )  # fmt: skip
        return {package.import_path: package for package in result.packages}

    async def _folders(self) -> dict[str, str]:
        """Import paths to folders, of the target's packages and all their dependencies."""
        listed = await build.list_dependencies(
            self._toolchain, self._target.options, self._target.patterns,
            cwd=self._target.cwd, env=self._env, silence=self._silence,
        )  # fmt: skip
        return {package.base_path: package.dir for package in listed}

    def _take(self, name: str, lines: list[str]) -> None:
        text = "\n".join(lines).encode("utf-8", "surrogateescape")
        self._texts[name] = (text, round(time.monotonic() - self._started, 3))
        if not self._target.options.tests:
            self._pending[name] = asyncio.ensure_future(self._early(name))

    async def _early(self, name: str) -> Analysed | None:
        """A plain package as soon as its text is there; test variants need each other's."""
        assert self._listing is not None
        package = (await asyncio.shield(self._listing)).get(name)
        if package is None or package.variant is not None:
            return None
        (analysed,) = await self._understand([package])
        if self._on_package is not None:
            self._on_package(analysed)
        return analysed

    async def _understand(self, packages: list[ListedPackage]) -> list[Analysed]:
        texts = tuple(PackageText(package, *self._texts.get(package.import_path, (b"", 0.0))) for package in packages)
        answer = await self._workers.do(TextJob(texts, self._reading()), urgent=self._urgent)
        if isinstance(answer, Rejected):
            raise GoFailedError(answer.said)
        return [await unpacked(report, tests=self._target.options.tests) for report in answer.reports]

    def _reading(self) -> Reading:
        return Reading(
            cwd=str(self._target.cwd),
            goroot=self._toolchain.variables.get("GOROOT", ""),
            multiline=self._toolchain.multiline_text,
            tests=self._target.options.tests,
            paths=self._paths,
            overlay=self._target.overlay,
            records=str(self._records) if self._records is not None else None,
        )


def _rank(package: ListedPackage) -> int:
    """The place of a variant behind its plain package."""
    return VARIANTS.index(package.variant) if package.variant != "other" else len(VARIANTS)


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
