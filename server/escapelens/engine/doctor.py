"""``doctor``: which Go is used, what will be run, and whether it works."""

from __future__ import annotations

import os
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from escapelens import __version__
from escapelens.engine.analyzer import Analyzer
from escapelens.engine.files import TemporaryFolder
from escapelens.engine.target import Target
from escapelens.errors import EscapeLensError
from escapelens.golang.build import BuildOptions, repeat_command

_SAMPLE = "package sample\n\nfunc New() *int {\n\tn := 1\n\treturn &n\n}\n"


async def examine(cwd: Path, options: BuildOptions, go: str | None) -> tuple[list[str], bool]:
    """Lines to print, and whether everything works."""
    version = ".".join(map(str, sys.version_info[:3]))
    lines = [f"EscapeLens {__version__} on Python {version}"]
    with closing(Analyzer(os.environ, go)) as analyzer:
        return await _examine(analyzer, lines, cwd, options)


async def _examine(analyzer: Analyzer, lines: list[str], cwd: Path, options: BuildOptions) -> tuple[list[str], bool]:
    target = Target(cwd, (".",), options)
    try:
        toolchain = await analyzer.toolchain(target)
    except EscapeLensError as error:
        return [*lines, f"Go: {error}"], False
    variables = toolchain.variables
    lines += [
        f"Go: {toolchain.version} at {toolchain.go} (found by {toolchain.origin})",
        f"  for {variables.get('GOOS')}/{variables.get('GOARCH')}",
        f"  GOFLAGS={variables.get('GOFLAGS', '')}",
        f"  go.mod: {variables.get('GOMOD') or 'none'}",
        f"  go.work: {variables.get('GOWORK') or 'none'}",
        f"  downloads: {'as GOPROXY says' if 'GOPROXY' in options.env else 'none (GOPROXY=off)'}",
        f"What will be run: {repeat_command(toolchain, options, ('.',))}",
    ]
    try:
        problem = await _try(analyzer, options)
    except EscapeLensError as error:
        problem = str(error)
    lines.append(f"It does not work: {problem}" if problem else "It works: a sample was compiled and read.")
    return lines, problem is None


async def _try(analyzer: Analyzer, options: BuildOptions) -> str | None:
    """Compile a sample; None if its one heap value was found, else what went wrong."""
    with TemporaryFolder() as folder:
        path = folder / "sample.go"
        path.write_text(_SAMPLE, "utf-8")
        plain = replace(options, tests=False)
        target = Target(folder, ("./sample.go",), plain, only=str(path), script=True)
        result = await analyzer.run(target)
    report = result.reports[0] if result.reports else None
    if report is None or report.status != "ok":
        return (report.error if report else result.said) or "the go command said nothing"
    if not any(message.type == "moved" for message in report.messages):
        return "the sample's heap value was not reported"
    return None
