"""A worker process: compiles and understands one package at a time, so that the server never waits.

``python -m escapelens.engine.worker`` reads jobs on standard input and writes answers on standard output.
Its compiles run in its own process group and end with it.
"""

from __future__ import annotations

import contextlib
import gc
import os
import queue
import sys
import threading
import traceback
from pathlib import Path
from typing import BinaryIO

import msgspec

from escapelens.core.merge import KeptFiles
from escapelens.engine.jobs import (
    MANY,
    Answer,
    Broken,
    Cancel,
    CompileJob,
    Job,
    Rejected,
    TextJob,
    Understood,
    read_frame,
    write_frame,
)
from escapelens.engine.understand import Understanding
from escapelens.errors import EscapeLensError
from escapelens.golang import process
from escapelens.golang.front_end import FrontEnd

_jobs = msgspec.msgpack.Decoder(Job)


#: Bytes of parsed source that are kept, and bytes of memory that a worker may have held before it is replaced.
_KEPT, _KEPT_OF_MANY = 12_000_000, 1_000_000
_MOST_MEMORY, _MOST_MEMORY_OF_MANY = 700_000_000, 350_000_000


def _peak() -> int:
    """The most memory that this process has held, in bytes; 0 where the system does not tell."""
    if sys.platform == "win32":
        return 0
    with contextlib.suppress(OSError, StopIteration, ValueError):
        # proc(5): getrusage would count what the parent held when it started this process, which survives exec.
        lines = Path("/proc/self/status").read_text("ascii", "replace").splitlines()
        return int(next(line for line in lines if line.startswith("VmHWM:")).split()[1]) * 1024
    import resource

    # getrusage(2): kilobytes on Linux, bytes on macOS.
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


class _Cancelled(Exception):
    """The job at hand was let go."""


class Worker:
    """Takes jobs from one thread, which also ends the compile at hand when it is cancelled or nobody listens."""

    def __init__(self, source: BinaryIO, sink: BinaryIO, *, many: bool) -> None:
        self._most_memory = _MOST_MEMORY_OF_MANY if many else _MOST_MEMORY
        self._source = source
        self._sink = sink
        self._waiting: queue.SimpleQueue[CompileJob | TextJob] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._compile: FrontEnd | None = None
        self._cancelled = False
        self._kept = KeptFiles(_KEPT_OF_MANY if many else _KEPT)

    def run(self) -> None:
        """Work until the input ends, or until too much memory is held."""
        threading.Thread(target=self._listen, daemon=True).start()
        while True:
            job = self._waiting.get()
            write_frame(self._sink, self._answer(job))
            # Values of one job are never garbage of the next: only now is the time to look for cycles.
            gc.collect(1)
            if _peak() > self._most_memory:
                # What a huge package took is not given back: a new process takes the next job. The thread that
                # listens holds standard input: an ordinary end of the interpreter would abort.
                os._exit(0)

    def _listen(self) -> None:
        while (frame := read_frame(self._source)) is not None:
            job = _jobs.decode(frame)
            if isinstance(job, Cancel):
                self._let_go()
            else:
                with self._lock:
                    self._cancelled = False
                self._waiting.put(job)
        # Nobody listens any more: this process ends with everything that it started.
        process.kill_group(os.getpid())
        os._exit(0)

    def _let_go(self) -> None:
        with self._lock:
            self._cancelled = True
            if self._compile is not None:
                self._compile.kill()

    def _answer(self, job: CompileJob | TextJob) -> Answer:
        try:
            if isinstance(job, CompileJob):
                return self._compiled(job)
            understanding = Understanding(job.reading, self._kept)
            return Understood(tuple(map(understanding.text, job.texts)))
        except _Cancelled:
            return Broken("")
        except EscapeLensError as error:
            return Rejected(str(error))
        except Exception:
            return Broken(traceback.format_exc())

    def _compiled(self, job: CompileJob) -> Answer:
        understanding = Understanding(job.reading, self._kept)
        compile_ = FrontEnd(job.words, folder=Path(job.folder), cwd=Path(job.cwd), env=job.env)
        with self._lock:
            self._compile = compile_
            if self._cancelled:
                compile_.kill()
        try:
            understanding.prepare(job.package)
            report = understanding.compile(job.package, compile_.lines())
        finally:
            compile_.kill()
            with self._lock:
                self._compile = None
                cancelled = self._cancelled
        if cancelled:
            raise _Cancelled
        if compile_.failed:
            return Rejected("\n".join([*report.unparsed, compile_.said]))
        return Understood((report,))


def main() -> None:
    """Serve standard input and output."""
    # Messages are many and have no cycles: the collector would only look at them again and again.
    gc.disable()
    sink = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    # Whatever prints must not break the frames.
    sys.stdout = sys.stderr
    Worker(sys.stdin.buffer, sink, many=MANY in sys.argv[1:]).run()


if __name__ == "__main__":
    main()
