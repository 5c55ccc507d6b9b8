"""When what is compiled: debounce, cancel, and never more than a few compiles at once."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

logger = logging.getLogger(__name__)

#: Seconds to wait for more of the same before a run begins; several files are often saved together.
DEBOUNCE = 0.05

Job = Callable[[], Awaitable[None]]


class Scheduler:
    """Runs one job a key; a newer job for a key ends the older one first, with its processes."""

    def __init__(self, at_once: int = 2, debounce: float = DEBOUNCE) -> None:
        self._slots = asyncio.Semaphore(at_once)
        self._debounce = debounce
        self._tasks: dict[str, asyncio.Task[None]] = {}

    def submit(self, key: str, job: Job, delay: float | None = None) -> asyncio.Task[None]:
        """Start ``job`` for ``key`` after ``delay`` seconds; by default at once, or after the debounce if a job of
        the key is at work: more of the same may follow.
        """
        before = self._tasks.get(key)
        if before is not None:
            before.cancel()
        if delay is None:
            delay = self._debounce if before is not None else 0.0
        task = asyncio.ensure_future(self._run(job, delay, before))
        self._tasks[key] = task
        task.add_done_callback(lambda done: self._done(key, done))
        return task

    async def _run(self, job: Job, delay: float, before: asyncio.Task[None] | None) -> None:
        if before is not None:
            # Two runs of one key never overlap: the older one's processes are gone first.
            await asyncio.wait({before})
        if delay:
            await asyncio.sleep(delay)
        async with self._slots:
            await job()

    def _done(self, key: str, task: asyncio.Task[None]) -> None:
        if self._tasks.get(key) is task:
            del self._tasks[key]
        if not task.cancelled() and (error := task.exception()) is not None:
            logger.error("the run for %s failed", key, exc_info=error)

    async def settled(self, key: str, task: asyncio.Task[None]) -> None:
        """Wait for a job of a key, or where a newer one takes its place for that one.

        Whoever is cancelled while it waits ends the job, too. An error of the job is raised.
        """
        while True:
            try:
                await asyncio.wait({task})
            except asyncio.CancelledError:
                task.cancel()
                raise
            newer = self._tasks.get(key)
            if not task.cancelled() or newer is None or newer is task:
                break
            task = newer
        if not task.cancelled():
            task.result()

    def is_superseded(self, key: str) -> bool:
        """Tell whether the job that asks is not the newest of its key: another one is to follow."""
        newest = self._tasks.get(key)
        return newest is not None and newest is not asyncio.current_task()

    def cancel(self, key: str) -> bool:
        """End the job of a key; False if there is none."""
        task = self._tasks.get(key)
        return task is not None and task.cancel()

    async def close(self) -> None:
        """End everything and wait until it is gone."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
