"""The end by a signal: runs, their processes and temporary files go first."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import os
import signal
from collections.abc import Callable, Coroutine
from typing import Any

Keep = Callable[[Coroutine[Any, Any, None]], Any]


def end_on_signals(keep: Keep, clean: Callable[[], None]) -> None:
    """Let a SIGTERM or SIGHUP end the runs with their processes first, then ``clean``.

    ``keep`` starts work that nobody waits for. Called from the task that reads the client's messages.
    """
    loop = asyncio.get_running_loop()
    reader = asyncio.current_task()

    async def end(number: int) -> None:
        work = asyncio.all_tasks() - {asyncio.current_task(), reader}
        for task in work:
            task.cancel()
        await asyncio.gather(*work, return_exceptions=True)
        clean()
        # The thread that reads standard input cannot be interrupted.
        os._exit(128 + number)

    def start(number: int) -> None:
        keep(end(number))

    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        with contextlib.suppress(NotImplementedError):
            if number is not None:
                loop.add_signal_handler(number, functools.partial(start, number))
