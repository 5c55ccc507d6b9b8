"""Recorded compiler text of seven releases, and what the core makes of it, without Go.

``python -m tests.golden.recorded`` compiles the modules with every release that is installed for tests and
writes ``fixtures/logs/RELEASE/NAME.txt`` (the raw text) and ``NAME.json`` (the messages, one a line).
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

from escapelens.core.join import join
from escapelens.core.merge import Sources, merge, split_unknown
from escapelens.core.model import Message, Place
from escapelens.core.report import span_json
from escapelens.core.text_log import parse

from tests.tools import RELEASES, ROOT, go_release
from tests.traps.sources import GO_MOD, TRAPS, Trap

LOGS = ROOT / "fixtures" / "logs"
HELLO = Trap("hello", {"user.go": (ROOT / "fixtures" / "hello" / "user.go").read_text("utf-8")})
NAMES = ("twins", "constants", "raw strings", "range over func", "methods and initialisers", "text that is no ASCII")
RECORDED = [HELLO, *(trap for trap in TRAPS if trap.name in NAMES)]


def cases() -> Iterator[tuple[Trap, str]]:
    """Each module with each release that builds it."""
    for trap in RECORDED:
        for release in RELEASES:
            if tuple(map(int, release.split(".")[:2])) >= trap.since:
                yield trap, release


def log_path(trap: Trap, release: str) -> Path:
    """Where the raw text is kept; the messages lie beside it."""
    return LOGS / release / f"{trap.name.replace(' ', '-')}.txt"


def messages(trap: Trap, release: str, text: str) -> list[str]:
    """The core's messages for a raw text, one JSON object a line."""

    def read(path: str) -> bytes | None:
        source = trap.files.get(path.removeprefix("./"))
        return source.encode() if isinstance(source, str) else source

    lines = [line for line in text.split("\n") if not line.startswith("# example.com/trap")]
    records = join(parse(lines, multiline=release.startswith("1.21")))
    values, unparsed = split_unknown(records)
    merged = merge(values, unparsed, Sources(read), "example.com/trap", None)
    assert not merged.unparsed
    return [json.dumps(_row(m), ensure_ascii=False) for m in merged.messages]


def _row(message: Message) -> dict[str, object]:
    return {
        "kind": message.kind,
        "at": _at(message.place),
        "text": message.text,
        "range": list((span_json(message.span) or {}).values()),
        "function": message.function,
        "subject": message.subject,
        "cause": message.cause,
        "free": message.free,
        "ways": [[f"{hop.source} → {hop.to}" for hop in way] for way in message.flows],
        "copies": [_at(place) for place in message.inlined_from],
        "instantiations": [i.name for i in message.instantiations],
    }


def _at(place: Place) -> str:
    return f"{place.file}:{place.line}:{place.column}"


def record(trap: Trap, release: str) -> str:
    """The raw text of a real compile, its paths relative. Raises CalledProcessError if it fails."""
    go = go_release(release)
    assert go is not None, f"Go {release} is not installed: python -m tests tools"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "go.mod").write_text(GO_MOD.format(trap.language))
        for file, text in trap.files.items():
            (folder / file).write_bytes(text if isinstance(text, bytes) else text.encode())
        done = subprocess.run(
            [str(go), "list", "-export", "-gcflags=-m=2", "."], cwd=folder, capture_output=True, check=True,
            env={**os.environ, "GOFLAGS": "", "GOTOOLCHAIN": "local"},
        )  # fmt: skip
        # Other files are those of the Go installation: its folder is no fact of the release.
        root = subprocess.run([str(go), "env", "GOROOT"], capture_output=True, check=True, text=True).stdout.strip()
        return done.stderr.decode("utf-8").replace(root, "GOROOT")


def main() -> None:
    """Write everything anew."""
    for trap, release in cases():
        path = log_path(trap, release)
        path.parent.mkdir(parents=True, exist_ok=True)
        text = record(trap, release)
        path.write_text(text, "utf-8", newline="")
        path.with_suffix(".json").write_text("\n".join(messages(trap, release, text)) + "\n", "utf-8")


if __name__ == "__main__":
    main()
