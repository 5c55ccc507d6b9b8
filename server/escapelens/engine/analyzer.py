"""From a target to reports: the same way for the command line and the server.

A package whose plan is known is compiled directly, for its text alone; a text that was understood before is not
compiled at all. What has no plan, what the compiler does not take, test variants and the back end's facts go the
ordinary way.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import msgspec

from escapelens.core.model import BuildError, PackageReport
from escapelens.engine.cache import Cache, user_cache
from escapelens.engine.files import TemporaryFolder, read_source
from escapelens.engine.jobs import CompileJob, PackedReport, Reading, Rejected
from escapelens.engine.ordinary import OnPackage, OrdinaryRun
from escapelens.engine.planner import Kept, Planner, result_key
from escapelens.engine.result import Analysed, RunResult, in_order, unpacked
from escapelens.engine.target import NO_MODULE, Target, is_script, script_target, why_left_out
from escapelens.engine.workers import Workers
from escapelens.errors import TimeLimitError
from escapelens.golang import build, process
from escapelens.golang.plan import NoPlanError, Plan, Planned, look_again, make_plans
from escapelens.golang.toolchain import Toolchain, child_environment, inspect

logger = logging.getLogger(__name__)

_reports = msgspec.msgpack.Decoder(PackedReport)

#: Packages whose last result is held: a save without a change needs nothing else, and what is equal stays the same.
_HELD = 16


class Analyzer:
    """Runs targets. ``environ`` is the user's environment, ``go`` the setting that names a Go.

    Workers of its own, which it has if none are given, end with ``close``.
    """

    def __init__(
        self,
        environ: Mapping[str, str],
        go: str | None = None,
        *,
        workers: Workers | None = None,
        cache: Cache | None = None,
        silence: float = process.SILENCE,
    ) -> None:
        self.environ = environ
        self._go = go
        self._workers = workers or Workers()
        self._own = workers is None
        self._cache = cache or user_cache()
        self._silence = silence
        self._planner = Planner(environ, go, self._cache)
        self._toolchains: dict[tuple[object, ...], Toolchain] = {}
        self._held: OrderedDict[str, tuple[str, Analysed]] = OrderedDict()

    async def toolchain(self, target: Target) -> Toolchain:
        """The toolchain for a target's folder; asked once a folder and environment.

        Raises GoNotFoundError, GoTooOldError, GoFailedError, TimeLimitError.
        """
        key = (self._go, target.cwd, tuple(sorted(target.options.env.items())))
        if key not in self._toolchains:
            self._toolchains[key] = await inspect(self._go, target.cwd, self.environ, target.options.env)
        return self._toolchains[key]

    def close(self) -> None:
        """End the workers that nobody else has."""
        if self._own:
            self._workers.close()

    def forget_toolchains(self) -> None:
        """Ask Go again next time: go.mod, go.work or the installation may have changed."""
        self._toolchains.clear()

    async def run(
        self,
        target: Target,
        on_package: OnPackage | None = None,
        *,
        on_count: Callable[[int], None] | None = None,
        on_first: Callable[[RunResult], None] | None = None,
        near: Sequence[str] = (),
        urgent: bool = True,
    ) -> RunResult:
        """Analyse a target.

        ``on_package`` gets each plain package of many as soon as it is understood, ``on_count`` how many there are;
        ``on_first`` gets a single package before its test variants are there. Packages in or near the
        folders ``near`` come first. What is not ``urgent`` waits for what is.

        Raises the errors of ``toolchain``, TemporaryFolderError and WorkerError.
        """
        source = read_source(target.only) or b"" if target.only else b""
        if target.script or target.options.back_end or is_script(source):
            return await self._ordinary(target, urgent=urgent)
        if target.only is not None and target.patterns == (".",):
            return await self._single(target, on_first, urgent)
        if target.options.tests:
            return await self._ordinary(target, on_package, urgent=urgent)
        result = await self._many(replace(target, only=None), on_package, on_count, near, urgent)
        return (await self._as_script(target, result, urgent) if target.only is not None else None) or result

    # -- one package ------------------------------------------------------------

    async def _single(self, target: Target, on_first: Callable[[RunResult], None] | None, urgent: bool) -> RunResult:
        kept = self._planner.remembered(target)
        analysed: Analysed | Rejected | None = None
        if kept is not None and target.only in _files(kept.plan):
            analysed = await self._optimistic(kept, target, urgent)
        if analysed is None:
            kept = await self._planned(target)
            if kept is None or target.only not in _files(kept.plan):
                return await self._ordinary(target, urgent=urgent)
            analysed = await self._compiled(kept, target, urgent)
        assert kept is not None
        if isinstance(analysed, Rejected):
            if target.overlay:
                return RunResult(kept.toolchain, (_rejected(kept.plan, analysed),))
            logger.info("%s: the compiler did not take it; asking the go command", kept.plan.package.import_path)
            return await self._ordinary(target, urgent=urgent)
        repeat = build.repeat_command(kept.toolchain, target.options, target.patterns)
        first = RunResult(kept.toolchain, (analysed,), "", repeat)
        if not target.options.tests:
            return first
        if on_first is not None:
            on_first(first)
        return await self._ordinary(target, urgent=urgent)

    async def _optimistic(self, kept: Kept, target: Target, urgent: bool) -> Analysed | Rejected | None:
        """The result by a remembered plan, which is checked meanwhile; None if the plan is out of date."""
        compiling = asyncio.ensure_future(self._compiled(kept, target, urgent))
        try:
            if await asyncio.to_thread(self._planner.is_current, kept):
                return await compiling
            return None
        finally:
            if not compiling.done():
                compiling.cancel()
                await asyncio.wait({compiling})

    async def _planned(self, target: Target) -> Kept | None:
        """A new plan for a single package; None, with the reason in the log, where there is none."""
        if target.overlay:
            # Unsaved text that changes how the package is compiled: the go command knows.
            return None
        planned = await self._make_plans(target)
        plan = next(iter(planned.plans.values()), None)
        if plan is None or len(planned.packages) != 1:
            for name, reason in planned.reasons.items():
                logger.info("%s: no direct compile: %s", name, reason)
            return None
        kept = Kept(await self.toolchain(target), plan)
        self._planner.keep(target, kept, lasting=planned.lasting)
        return kept

    async def _make_plans(self, target: Target) -> Planned:
        toolchain = await self.toolchain(target)
        options = replace(target.options, tests=False)
        with TemporaryFolder() as folder:
            env = child_environment(self.environ, options.env, folder)
            return await make_plans(
                toolchain, options, target.patterns, cwd=target.cwd, env=env, folder=folder, silence=self._silence
            )

    async def _compiled(self, kept: Kept, target: Target, urgent: bool) -> Analysed | Rejected:
        """The report of a planned package: held, kept from before, or compiled now."""
        key, name = result_key(kept), kept.plan.package.dir
        held_key, held = self._held.get(name, ("", None))
        if held is None or held_key != key:
            found = await self._from_cache(key, kept.plan, target, held)
            if found is None:
                answer = await self._compile(kept, target, urgent)
                if isinstance(answer, Rejected):
                    return answer
                if not target.overlay and _is_unchanged(kept.plan):
                    packed = msgspec.msgpack.encode(answer)
                    asyncio.get_running_loop().run_in_executor(None, self._cache.put, "result", key, packed)
                found = await unpacked(answer, tests=target.options.tests, before=held)
            held = found
            if target.only is not None:
                self._held[name] = key, held
                self._held.move_to_end(name)
                while len(self._held) > _HELD:
                    self._held.popitem(last=False)
        return _with_files(held, kept.plan, target)

    async def _from_cache(self, key: str, plan: Plan, target: Target, before: Analysed | None) -> Analysed | None:
        packed = await asyncio.to_thread(self._cache.get, "result", key)
        if packed is None:
            return None
        try:
            report = msgspec.structs.replace(_reports.decode(packed), package=plan.package)
            return await unpacked(report, tests=target.options.tests, before=before)
        except ValueError:
            return None

    async def _compile(self, kept: Kept, target: Target, urgent: bool) -> PackedReport | Rejected:
        plan = kept.plan
        with TemporaryFolder() as folder:
            for name, content in plan.written.items():
                (folder / name).write_bytes(content)
            words, sources = list(plan.words), [source.path for source in plan.sources]
            for number, (path, text) in enumerate(target.overlay.items()):
                if path in sources:
                    copy = folder / f"{number}.go"
                    copy.write_bytes(text)
                    sources[sources.index(path)] = str(copy)
                    at = words.index("-trimpath") + 1
                    words[at] = f"{copy}=>{path};{words[at]}"
            job = CompileJob(
                words=(*words, *sources),
                folder=str(folder),
                cwd=plan.cwd,
                env={**child_environment(self.environ, target.options.env, folder), **plan.env},
                package=plan.package,
                reading=Reading(
                    cwd=plan.cwd,
                    goroot=kept.toolchain.variables.get("GOROOT", ""),
                    multiline=kept.toolchain.multiline_text,
                    paths=plan.paths,
                    overlay=target.overlay,
                ),
            )
            try:
                answer = await asyncio.wait_for(self._workers.do(job, urgent=urgent), self._silence)
            except asyncio.TimeoutError as error:
                raise TimeLimitError(
                    f"The compile of {plan.package.import_path} took more than {self._silence:g} seconds and was "
                    "ended. Run `escapelens doctor` to see whether Go works here."
                ) from error
        return answer if isinstance(answer, Rejected) else answer.reports[0]

    # -- many packages ------------------------------------------------------------

    async def _many(
        self,
        target: Target,
        on_package: OnPackage | None,
        on_count: Callable[[int], None] | None,
        near: Sequence[str],
        urgent: bool,
    ) -> RunResult:
        planned = await self._make_plans(target)
        if not planned.packages:
            return await self._ordinary(target, on_package, urgent=urgent)
        if on_count is not None:
            on_count(len(planned.packages))
        toolchain = await self.toolchain(target)
        left = [package.import_path for package in planned.packages if package.import_path not in planned.plans]
        tasks: list[asyncio.Task[list[Analysed]]] = []
        if left:
            for name in left:
                logger.debug("%s: no direct compile: %s", name, planned.reasons[name])
            tasks.append(asyncio.ensure_future(self._left(target, left, on_package, urgent)))
        for plan in sorted(planned.plans.values(), key=lambda plan: _distance(plan.package.dir, near)):
            tasks.append(asyncio.ensure_future(self._one_of_many(Kept(toolchain, plan), target, on_package, urgent)))
        try:
            found = [analysed for group in await asyncio.gather(*tasks) for analysed in group]
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        repeat = build.repeat_command(toolchain, target.options, target.patterns)
        names = [package.import_path for package in planned.packages]
        return RunResult(toolchain, in_order(found, names), planned.said, repeat)

    async def _one_of_many(
        self, kept: Kept, target: Target, on_package: OnPackage | None, urgent: bool
    ) -> list[Analysed]:
        analysed = await self._compiled(kept, target, urgent)
        if isinstance(analysed, Rejected):
            return await self._left(target, [kept.plan.package.import_path], on_package, urgent)
        if on_package is not None:
            on_package(analysed)
        return [analysed]

    async def _left(
        self, target: Target, names: Sequence[str], on_package: OnPackage | None, urgent: bool
    ) -> list[Analysed]:
        """The packages that cannot be compiled directly."""
        result = await self._ordinary(replace(target, patterns=tuple(names)), on_package, urgent=urgent)
        return list(result.packages)

    # -- the ordinary way -----------------------------------------------------------

    async def _ordinary(self, target: Target, on_package: OnPackage | None = None, *, urgent: bool) -> RunResult:
        result = await self._once(target, on_package, urgent)
        if target.only is None or target.script:
            return result
        return await self._as_script(target, result, urgent) or result

    async def _once(self, target: Target, on_package: OnPackage | None, urgent: bool) -> RunResult:
        toolchain = await self.toolchain(target)
        with TemporaryFolder() as folder:
            env = child_environment(self.environ, target.options.env, folder)
            return await OrdinaryRun(
                toolchain, target, env, self._workers,
                folder=folder, silence=self._silence, urgent=urgent, on_package=on_package,
            ).run()  # fmt: skip

    async def _as_script(self, target: Target, result: RunResult, urgent: bool) -> RunResult | None:
        """A file that its package does not contain: a script, or a folder outside any module."""
        path = target.only or ""
        if any(path in report.files for report in result.reports):
            return None
        source = read_source(path) or b""
        no_module = not result.reports or any(
            NO_MODULE.search(f"{r.error or ''} {result.said}") for r in result.reports
        )
        if is_script(source):
            return await self._once(script_target(target, [path]), None, urgent)
        if NO_MODULE.search(result.said) or (result.reports and no_module):
            siblings = sorted(str(p) for p in Path(path).parent.glob("*.go"))
            files = [p for p in siblings if p == path or _belongs(p, source)]
            return await self._once(script_target(target, files), None, urgent)
        report = PackageReport(
            import_path=result.reports[0].import_path if result.reports else "",
            dir=str(Path(path).parent),
            variant=None,
            status="skipped",
            error=why_left_out(path, source, None),
            files=(path,),
        )
        return replace(result, packages=(Analysed(report),))


_PACKAGE_NAME = re.compile(rb"^\s*package\s+(\w+)", re.MULTILINE)


def _belongs(path: str, source: bytes) -> bool:
    """Tell whether a sibling has the same package clause, is no test and no script."""
    if path.endswith("_test.go"):
        return False
    sibling = read_source(path) or b""
    ours, theirs = _PACKAGE_NAME.search(source), _PACKAGE_NAME.search(sibling)
    return bool(ours and theirs and ours[1] == theirs[1]) and not is_script(sibling)


def _files(plan: Plan) -> set[str]:
    """The files that belong to a planned package, test files too."""
    return {*plan.package.files, *plan.package.test_files}


def _rejected(plan: Plan, answer: Rejected) -> Analysed:
    """The report of unsaved text that does not compile."""
    package = plan.package
    error = BuildError(answer.said.strip() or "It does not compile.")
    return Analysed(
        PackageReport(package.base_path, package.dir, None, "failed", error.text, (error,), files=package.files)
    )


def _is_unchanged(plan: Plan) -> bool:
    """Tell whether the sources are still what the compile was started for."""
    try:
        return all(look_again(source).digest == source.digest for source in plan.sources)
    except NoPlanError:
        return False


def _with_files(analysed: Analysed, plan: Plan, target: Target) -> Analysed:
    """A result with the files that belong to the package now: test files count only with tests."""
    package = plan.package
    files = package.files + (package.test_files if target.options.tests else ())
    if analysed.report.files == files:
        return analysed
    return replace(analysed, report=replace(analysed.report, files=files))


def _distance(folder: str, near: Sequence[str]) -> int:
    """How many steps lie between a folder and the nearest of others."""
    parts = Path(folder).parts
    steps = []
    for other in near:
        theirs = Path(other).parts
        shared = next((i for i, (a, b) in enumerate(zip(parts, theirs, strict=False)) if a != b), None)
        common = min(len(parts), len(theirs)) if shared is None else shared
        steps.append(len(parts) + len(theirs) - 2 * common)
    return min(steps, default=0)
