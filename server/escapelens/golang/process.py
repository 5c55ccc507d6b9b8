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
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO, Any

from escapelens.errors import GoFailedError, TimeLimitError

#: Seconds without a byte of output after which a child is ended. A single big package may compile
#: for a minute without a word.
SILENCE = 300.0

_CHUNK = 1 << 16

#: Seconds to wait for a child that was ended.
_GRACE = 5.0

OnChunk = Callable[[bytes], None]


@dataclass(frozen=True, slots=True)
class Finished:
    """A child's end: its exit status and its standard output."""

    status: int
    stdout: bytes


def group_arguments(platform: str) -> dict[str, Any]:
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


def lower(pid: int) -> None:
    """Let everybody else go before a child and what it starts, where the system knows of that."""
    if hasattr(os, "setpriority"):
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PGRP, pid, 10)


async def run(
    arguments: Sequence[str],
    *,
    cwd: Path,
    env: Mapping[str, str],
    on_stderr: OnChunk,
    silence: float = SILENCE,
    low: bool = False,
) -> Finished:
    """Run a child to its end. ``on_stderr`` gets its error stream as it comes; ``low`` lets everybody else go first.

    Raises GoFailedError if it cannot be started, TimeLimitError if it was silent for too long.
    """
    child = start(arguments, cwd, env)
    if low:
        lower(child.pid)
    loop = asyncio.get_running_loop()
    last = [loop.time()]
    stdout: list[bytes] = []
    ended: asyncio.Future[int] = loop.create_future()

    def take(sink: OnChunk, chunk: bytes) -> None:
        last[0] = loop.time()
        sink(chunk)

    def end(status: int) -> None:
        if not ended.done():
            ended.set_result(status)

    _follow(child, loop, partial(take, stdout.append), partial(take, on_stderr), end)
    try:
        while not ended.done():
            left = last[0] + silence - loop.time()
            if left <= 0:
                raise TimeLimitError(
                    f"{' '.join(arguments[:3])} … said nothing for {silence:g} seconds and was ended. "
                    "Run `escapelens doctor` to see whether Go works here."
                )
            await asyncio.wait({ended}, timeout=left)
    finally:
        if not ended.done():
            kill_group(child.pid)
            await asyncio.wait({ended}, timeout=_GRACE)
    return Finished(ended.result(), b"".join(stdout))


def start(
    arguments: Sequence[str], cwd: Path, env: Mapping[str, str], *, own_group: bool = True, talks: bool = False
) -> subprocess.Popen[bytes]:
    """Start a child with pipes, in a group of its own unless it is to end with ours; ``talks`` gives it a pipe to
    read from, and our error stream.

    Not by asyncio: cancelled while it starts, asyncio ends the child alone and its children live on.

    Raises GoFailedError.
    """
    try:
        return subprocess.Popen(
            list(arguments),
            cwd=cwd,
            # Go takes its working directory from PWD, as the user wrote it, where that is the same folder.
            env={**env, "PWD": str(cwd)},
            stdin=subprocess.PIPE if talks else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=None if talks else subprocess.PIPE,
            **(group_arguments(sys.platform) if own_group else {}),
        )
    except OSError as error:
        raise GoFailedError(
            f"{arguments[0]} could not be started: {error.strerror or error}. "
            "Check the path in the setting go.path, or what PATH finds."
        ) from error


def _follow(
    child: subprocess.Popen[bytes],
    loop: asyncio.AbstractEventLoop,
    on_stdout: OnChunk,
    on_stderr: OnChunk,
    on_end: Callable[[int], None],
) -> None:
    """Read a child in threads of its own and hand everything to the event loop, the end last."""

    def send(callback: Callable[..., None], value: object) -> None:
        # The loop may be gone when the last words come.
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(callback, value)

    def read(stream: IO[bytes], take: OnChunk) -> None:
        with stream:
            while chunk := os.read(stream.fileno(), _CHUNK):
                send(take, chunk)

    def wait(readers: Sequence[threading.Thread]) -> None:
        for reader in readers:
            reader.join()
        send(on_end, child.wait())

    assert child.stdout is not None and child.stderr is not None
    readers = [
        threading.Thread(target=read, args=(child.stdout, on_stdout), daemon=True),
        threading.Thread(target=read, args=(child.stderr, on_stderr), daemon=True),
    ]
    for thread in (*readers, threading.Thread(target=wait, args=(readers,), daemon=True)):
        thread.start()
