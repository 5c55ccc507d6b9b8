"""A hundred messages of Go's own library with the words that are underlined, drawn with a fixed seed.

``python -m tests.golden.ranges`` writes ``ranges.txt`` anew; read what changed before you commit it.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
from pathlib import Path

from tests.tools import CHECK_COMMAND, need_release

RELEASE = "1.26.6"
PACKAGES = (
    "bufio",
    "bytes",
    "encoding/json",
    "fmt",
    "go/parser",
    "maps",
    "net/http",
    "sort",
    "strings",
    "sync",
    "time",
)
LIST = Path(__file__).parent / "ranges.txt"


def drawn() -> list[str]:
    """One line a message: place, kind, subject, and the underlined words in their line."""
    go = need_release(RELEASE)
    command = [*CHECK_COMMAND, "check", "--show", "all", "--format", "json", "--go", go, *PACKAGES]
    environment = {**os.environ, "GOFLAGS": "", "GOTOOLCHAIN": "local"}
    done = subprocess.run(command, env=environment, capture_output=True, check=True)
    messages = [m for m in json.loads(done.stdout)["messages"] if m["file"]]
    chosen = random.Random(2026).sample(range(len(messages)), 100)
    return [_line(messages[number]) for number in sorted(chosen)]


def _line(message: dict[str, object]) -> str:
    file = Path(str(message["file"]))
    span = message["range"]
    assert isinstance(span, dict)
    source = file.read_bytes().split(b"\n")
    first = source[span["line"] - 1]
    end = span["endColumn"] - 1 if span["endLine"] == span["line"] else len(first)
    before, words, after = first[: span["column"] - 1], first[span["column"] - 1 : end], first[end:]
    more = f" (+{span['endLine'] - span['line']} lines)" if span["endLine"] > span["line"] else ""
    marked = f"{before.decode().lstrip()}⟦{words.decode()}⟧{after.decode()}{more}"
    name = "/".join(file.parts[file.parts.index("src") + 1 :])
    subject = " ".join(str(message["subject"]).split())[:60]
    return f"{name}:{message['line']}:{message['column']} {message['kind']} {subject} | {marked[:180]}"


if __name__ == "__main__":
    LIST.write_text("\n".join(drawn()) + "\n", "utf-8")
