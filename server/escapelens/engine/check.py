"""The command line's way through the engine: check, explain, raw."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from escapelens.core.explain import explain_text, messages_at
from escapelens.core.model import PackageReport
from escapelens.engine.analyzer import Analyzer
from escapelens.engine.files import read_source
from escapelens.engine.raw import write_raw
from escapelens.engine.result import RunResult
from escapelens.engine.target import NO_MODULE, Target, target_for_file, target_for_patterns
from escapelens.errors import UsageError
from escapelens.golang import build
from escapelens.golang.toolchain import Toolchain

OnProgress = Callable[[PackageReport | None, int | None], None]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What ``check`` found. ``only`` limits the messages to named files, if files were named."""

    toolchain: Toolchain
    reports: tuple[PackageReport, ...]
    gcflags: tuple[str, ...]
    only: frozenset[str]
    said: str

    @property
    def exit_status(self) -> int:
        """0 analysed, 1 some package did not build, 2 nothing to analyse."""
        # A pattern that names nothing is listed by the go command without a folder.
        states = {report.status for report in self.reports if report.dir}
        if "failed" in states:
            return 1
        return 0 if "ok" in states else 2


async def check_patterns(
    patterns: Sequence[str],
    cwd: Path,
    options: build.BuildOptions,
    go: str | None,
    on_progress: OnProgress | None,
) -> Outcome:
    """Analyse what the patterns name.

    Raises UsageError, GoNotFoundError, GoTooOldError, GoFailedError, TimeLimitError,
    TemporaryFolderError.
    """
    results: list[RunResult] = []
    only: set[str] = set()
    whole = False
    counted = (lambda total: on_progress(None, total)) if on_progress else None
    reported = (lambda package: on_progress(package.report, None)) if on_progress else None
    with closing(Analyzer(os.environ, go)) as analyzer:
        for target in target_for_patterns(patterns, cwd, options):
            only |= {target.only} if target.only else set()
            if target.only is not None and _is_known(results, target):
                continue
            results.append(await analyzer.run(target, reported, on_count=counted))
            whole = whole or target.only is None
    said = "\n".join(result.said for result in results if result.said)
    reports = tuple(report for result in results for report in result.reports)
    if not reports:
        hint = " Name a .go file to analyse it without a module." if NO_MODULE.search(said) else ""
        raise UsageError(f"{said or 'Nothing matches ' + ' '.join(patterns)}.{hint}")
    return Outcome(results[0].toolchain, reports, options.gcflags, frozenset() if whole else frozenset(only), said)


def _is_known(results: list[RunResult], target: Target) -> bool:
    """Tell whether the package of a file was analysed already, for another file or a pattern."""
    return any(target.only in report.files for result in results for report in result.reports)


async def explain_place(
    path: Path, line: int, column: int | None, options: build.BuildOptions, go: str | None
) -> str | None:
    """Everything known about one place (1-based line, 1-based byte column), None if nothing is.

    Raises UsageError for a bad place, and the errors of ``check_patterns``.
    """
    target = target_for_file(path, options)
    source = read_source(target.only or "") or b""
    lines = source.count(b"\n") + 1
    if not 1 <= line <= lines:
        raise UsageError(f"{path} has no line {line}; it has {lines}.")
    with closing(Analyzer(os.environ, go)) as analyzer:
        result = await analyzer.run(target)
    failed = [r for r in result.reports if r.status != "ok"]
    if failed and not any(r.messages for r in result.reports):
        raise UsageError(failed[0].error or f"{path} could not be analysed.")
    messages = [m for r in result.reports for m in r.messages if m.place.file == target.only]
    found = messages_at(messages, source, line, column)
    known = [m for r in result.reports for m in r.messages]
    return explain_text(found, read_source, known) if found else None


async def print_raw(
    patterns: Sequence[str], cwd: Path, options: build.BuildOptions, go: str | None, out: TextIO
) -> int:
    """Print the compilers' text as it comes; the exit status of ``check``.

    Raises the errors of ``check_patterns``.
    """
    analyzer = Analyzer(os.environ, go)
    states = [
        await write_raw(analyzer, target, cwd, lambda chunk: _write(out, chunk))
        for target in target_for_patterns(patterns, cwd, options)
    ]
    return 1 if 1 in states else min(states, default=2)


async def raw_text(path: Path, options: build.BuildOptions, go: str | None) -> str:
    """The compilers' text for the package of a file.

    Raises the errors of ``check_patterns``.
    """
    target = target_for_file(path, options)
    chunks: list[bytes] = []
    await write_raw(Analyzer(os.environ, go), target, target.cwd, chunks.append)
    return b"".join(chunks).decode("utf-8", "backslashreplace")


def _write(out: TextIO, chunk: bytes) -> None:
    out.flush()
    out.buffer.write(chunk)
    out.buffer.flush()
