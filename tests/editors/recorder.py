"""Stands between an editor and the server: ``python -m tests.editors.recorder FILE lsp``.

Writes the parameters of ``initialize`` to FILE, and its own process and the server's to FILE's folder; passes
everything else on as it is. Other words than ``lsp`` go to the command line.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

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


def main(target: Path, words: list[str]) -> int:
    """Record and pass on; the server's exit status."""
    command = [*CHECK_COMMAND, *words]
    if words != ["lsp"]:
        return subprocess.run(command, check=False).returncode
    with subprocess.Popen(command, stdin=subprocess.PIPE) as server:
        assert server.stdin is not None
        (target.parent / f"{os.getpid()}.pids").write_text(f"{os.getpid()} {server.pid}")
        data = frame(0)
        params = json.loads(data.partition(b"\r\n\r\n")[2])["params"]
        target.write_text(json.dumps(params), "utf-8")
        while data:
            server.stdin.write(data)
            server.stdin.flush()
            data = os.read(0, 65536)
        server.stdin.close()
    return server.returncode


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))
