"""Stands between an editor and the server: ``python -m tests.editors.recorder FILE lsp``.

Writes the parameters of ``initialize`` to FILE, and into FILE's folder its own process and the server's, what the
editor says (``said``) and what it is told (``told``); passes everything on as it is. Other words than ``lsp`` go to
the command line.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import BinaryIO

from tests.tools import CHECK_COMMAND


def frame(read: int) -> bytes:
    """The first message, with its header."""
    data = b""
    while b"\r\n\r\n" not in data:
        data += os.read(read, 1) or sys.exit("the editor said nothing")
    length = next(
        int(line.split(b":")[1]) for line in data.split(b"\r\n") if line.lower().startswith(b"content-length")
    )
    while length > 0 and (more := os.read(read, length)):
        data += more
        length -= len(more)
    return data


def tell(server: BinaryIO, log: Path) -> None:
    """Pass on what the server says."""
    with log.open("wb") as copy:
        while data := os.read(server.fileno(), 65536):
            copy.write(data)
            copy.flush()
            os.write(1, data)


def main(target: Path, words: list[str]) -> int:
    """Record and pass on; the server's exit status."""
    command = [*CHECK_COMMAND, *words]
    if words != ["lsp"]:
        return subprocess.run(command, check=False).returncode
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as server:
        assert server.stdin is not None and server.stdout is not None
        (target.parent / f"{os.getpid()}.pids").write_text(f"{os.getpid()} {server.pid}")
        back = threading.Thread(target=tell, args=(server.stdout, target.parent / "told"), daemon=True)
        back.start()
        data = frame(0)
        params = json.loads(data.partition(b"\r\n\r\n")[2])["params"]
        target.write_text(json.dumps(params), "utf-8")
        with (target.parent / "said").open("wb") as copy:
            while data:
                copy.write(data)
                copy.flush()
                server.stdin.write(data)
                server.stdin.flush()
                data = os.read(0, 65536)
        server.stdin.close()
        server.wait()
        back.join(10)
    return server.returncode


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))
