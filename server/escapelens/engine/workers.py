"""The worker processes of one server or command: started when needed, so many at most, ended at the end."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
import threading
from collections.abc import AsyncIterator
from pathlib import Path
from typing import IO

import msgspec

import escapelens
from escapelens.engine.jobs import (
    MANY,
    Answer,
    Broken,
    Cancel,
    CompileJob,
    Rejected,
    TextJob,
    Understood,
    read_frame,
    write_frame,
)
from escapelens.errors import WorkerError
from escapelens.golang import process

_answers = msgspec.msgpack.Decoder(Answer)

#: Seconds that a worker has to let a job go before it is ended with everything it started.
_GRACE = 1.0


class _Worker:
    """One process and the job that it is at; ``low`` lets everybody else go first, its compiles too."""

    def __init__(self, *, low: bool) -> None:
        self._loop = asyncio.get_running_loop()
        self._answer: asyncio.Future[bytes] | None = None
        self.lost = False
        command = [sys.executable, "-m", "escapelens.engine.worker", *([MANY] if low else [])]
        # Not where the server stands: Python looks for modules there, and it may be anybody's workspace.
        home = Path(escapelens.__file__).parent.parent
        self._child = process.start(command, home, os.environ, talks=True)
        if low:
            process.lower(self._child.pid)
        assert self._child.stdout is not None
        threading.Thread(target=self._read, args=(self._child.stdout,), daemon=True).start()

    def _read(self, stream: IO[bytes]) -> None:
        with stream, contextlib.suppress(OSError, ValueError):
            while (frame := read_frame(stream)) is not None:
                self._post(frame)
        self._post(None)

    def _post(self, answer: bytes | None) -> None:
        # The loop may be gone when the last words come.
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._take, answer)

    def _take(self, answer: bytes | None) -> None:
        self.lost = self.lost or answer is None
        if self._answer is not None and not self._answer.done():
            if answer is None:
                self._answer.set_exception(WorkerError())
            else:
                self._answer.set_result(answer)

    async def do(self, job: CompileJob | TextJob) -> Answer:
        """Do one job. Cancelled, it lets the job go first. Raises WorkerError."""
        self._answer = answer = self._loop.create_future()
        try:
            self._send(job)
            packed = await asyncio.shield(answer)
        except asyncio.CancelledError:
            with contextlib.suppress(OSError):
                self._send(Cancel())
            await asyncio.wait({answer}, timeout=_GRACE)
            if not answer.done():
                self.end()
            answer.cancel()
            raise
        except OSError as error:
            self.lost = True
            raise WorkerError() from error
        return _answers.decode(packed)

    def _send(self, job: CompileJob | TextJob | Cancel) -> None:
        assert self._child.stdin is not None
        write_frame(self._child.stdin, job)

    def end(self) -> None:
        """End the process and everything that it started."""
        self.lost = True
        process.kill_group(self._child.pid)
        self._child.wait()
        if self._child.stdin is not None:
            with contextlib.suppress(OSError):
                self._child.stdin.close()


class Workers:
    """A bounded set of workers. What somebody waits for does not queue behind a module's many packages, and these
    leave the processor to it.
    """

    def __init__(self, at_once: int | None = None) -> None:
        count = at_once or min(4, os.cpu_count() or 1)
        self._slots = {urgent: asyncio.Semaphore(max(2, count)) for urgent in (False, True)}
        self._idle: dict[bool, list[_Worker]] = {False: [], True: []}
        self._all: set[_Worker] = set()

    def warm(self) -> None:
        """Start a worker before it is needed."""
        if not self._all:
            self._idle[True].append(self._start(True))

    def _start(self, urgent: bool) -> _Worker:
        worker = _Worker(low=not urgent)
        self._all.add(worker)
        return worker

    @contextlib.asynccontextmanager
    async def _one(self, urgent: bool) -> AsyncIterator[_Worker]:
        idle = self._idle[urgent]
        async with self._slots[urgent]:
            while idle and idle[-1].lost:
                self._forget(idle.pop())
            worker = idle.pop() if idle else self._start(urgent)
            try:
                yield worker
            finally:
                if worker.lost:
                    self._forget(worker)
                else:
                    idle.append(worker)

    def _forget(self, worker: _Worker) -> None:
        worker.end()
        self._all.discard(worker)

    async def do(self, job: CompileJob | TextJob, *, urgent: bool) -> Understood | Rejected:
        """Do a job in the next free worker; once more in a fresh one if that process was lost.

        Raises WorkerError if it is lost again, or if the worker itself failed.
        """
        try:
            answer = await self._once(job, urgent)
        except WorkerError:
            answer = await self._once(job, urgent)
        if isinstance(answer, Broken):
            raise WorkerError(answer.traceback)
        return answer

    async def _once(self, job: CompileJob | TextJob, urgent: bool) -> Answer:
        async with self._one(urgent) as worker:
            return await worker.do(job)

    def close(self) -> None:
        """End all workers."""
        for worker in self._all:
            worker.end()
        self._all.clear()
        for idle in self._idle.values():
            idle.clear()
