"""The compilers' own text, unprocessed, headed by the command that repeats it."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from escapelens.engine.analyzer import Analyzer
from escapelens.engine.files import TemporaryFolder, read_source
from escapelens.engine.target import Target, is_script
from escapelens.golang import build, process
from escapelens.golang.toolchain import child_environment

Write = Callable[[bytes], None]


async def write_raw(analyzer: Analyzer, target: Target, stand: Path, write: Write) -> int:
    """Write the text of a target as it comes; 0 built, 1 something did not build, 2 nothing there.

    ``stand`` is the folder in which the user stands: where that is in the same module, the text's
    relative paths are relative to it, so that a terminal can follow them.

    Raises the errors of ``Analyzer.toolchain`` and TemporaryFolderError.
    """
    toolchain = await analyzer.toolchain(target)
    where, names = await _place(analyzer, target, stand)
    repeat = build.repeat_command(toolchain, target.options, names)
    head = repeat if where == stand else f"cd {shlex.quote(str(where))} && {repeat}"
    write(f"# {head}\n".encode())
    with TemporaryFolder() as folder:
        env = child_environment(analyzer.environ, target.options.env, folder)
        command = build.list_command(toolchain, target.options, names, build=True)
        finished = await process.run(command, cwd=where, env=env, on_stderr=write)
    packages = build.read_packages(finished.stdout)
    errors = [package.error for package in packages if package.error is not None]
    for error in errors:
        write(f"{error}\n".encode())
    # A pattern that names nothing is listed without a folder.
    if not any(package.dir for package in packages):
        return 2
    return 1 if errors else 0


async def _place(analyzer: Analyzer, target: Target, stand: Path) -> tuple[Path, tuple[str, ...]]:
    """The folder to run in, and the patterns to name there."""
    if target.only is None:
        return target.cwd, target.patterns
    module = (await analyzer.toolchain(target)).variables.get("GOMOD", "")
    if module in ("", os.devnull) or is_script(read_source(target.only) or b""):
        return target.cwd, (f"./{Path(target.only).name}",)
    there = (await analyzer.toolchain(replace(target, cwd=stand))).variables.get("GOMOD", "")
    if there != module:
        return target.cwd, target.patterns
    relative = Path(os.path.relpath(target.cwd, stand)).as_posix()
    return stand, (relative if relative.startswith(".") else f"./{relative}",)
