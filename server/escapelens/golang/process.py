"""Children in process groups of their own, with a time limit, ended as a whole tree.

No shell. A child that says nothing for ``silence`` seconds is taken for hung. Whatever the reason
for leaving (end, error, cancel), the whole group is ended first: the go command's compilers too.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from escapelens.errors import GoFailedError, TimeLimitError

#: Seconds without a byte of output after which a child is ended. A single big package may compile
#: for a minute without a word.
SILENCE = 300.0

_CHUNK = 1 << 16

OnChunk = Callable[[bytes], None]


@dataclass(frozen=True, slots=True)
class Finished:
    """A child's end: its exit status and its standard output."""

    status: int
    stdout: bytes


def group_arguments(platform: str) -> dict[str, object]:
    """The ``subprocess`` arguments that give a child a process group of its own."""
    if platform == "win32":
        # CREATE_NEW_PROCESS_GROUP (winbase.h); the constant exists on Windows only.
        return {"creationflags": 0x00000200}
    return {"start_new_session": True}


def kill_command(platform: str, pid: int) -> list[str] | None:
    """The command that ends a process tree where there are no process groups, else None."""
    if platform == "win32":
        return ["taskkill", "/F", "/T", "/PID", str(pid)]
    return None


def kill_group(pid: int, platform: str = sys.platform) -> None:
    """End a child and everything it started. Does nothing if it is gone already."""
    command = kill_command(platform, pid)
    if command is not None:
        subprocess.run(command, check=False, capture_output=True)
        return
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)


async def run(
    arguments: Sequence[str],
    *,
    cwd: Path,
    env: Mapping[str, str],
    on_stderr: OnChunk,
    silence: float = SILENCE,
) -> Finished:
    """Run a child to its end. ``on_stderr`` gets its error stream as it comes.

    Raises GoFailedError if it cannot be started, TimeLimitError if it was silent for too long.
    """
    try:
        child = await asyncio.create_subprocess_exec(
            *arguments,
            cwd=cwd,
            # Go takes its working directory from PWD, as the user wrote it, where that is the same folder.
            env={**env, "PWD": str(cwd)},
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            **group_arguments(sys.platform),  # type: ignore[arg-type]
        )
    except OSError as error:
        raise GoFailedError(
            f"{arguments[0]} could not be started: {error.strerror or error}. "
            "Check the path in the setting go.path, or what PATH finds."
        ) from error
    assert child.stdout is not None and child.stderr is not None
    clock = asyncio.get_running_loop().time
    last = [clock()]
    stdout: list[bytes] = []

    async def drain(stream: asyncio.StreamReader, take: OnChunk) -> None:
        while chunk := await stream.read(_CHUNK):
            last[0] = clock()
            take(chunk)

    work = asyncio.ensure_future(_all(drain(child.stdout, stdout.append), drain(child.stderr, on_stderr), child.wait()))
    try:
        while not work.done():
            left = last[0] + silence - clock()
            if left <= 0:
                raise TimeLimitError(
                    f"{' '.join(arguments[:3])} … said nothing for {silence:g} seconds and was ended. "
                    "Run `escapelens doctor` to see whether Go works here."
                )
            await asyncio.wait({work}, timeout=left)
        work.result()
    finally:
        if not work.done() or child.returncode is None:
            kill_group(child.pid)
            work.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await work
            await child.wait()
    return Finished(child.returncode or 0, b"".join(stdout))


async def _all(*work: Awaitable[object]) -> None:
    await asyncio.gather(*work)
