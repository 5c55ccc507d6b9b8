"""The oracle's raw material: what the go command lists, and the text that its compiles print.

``go list -export -gcflags=-m=2`` compiles into the ordinary build cache, links nothing, and prints
(or replays) every compile's text on stderr under a line ``# package`` or ``# package [variant]``.

The text is kept in the cache as it was printed, with paths relative to the folder in which that run
stood, and replayed like this in any other. The oracle's flags therefore name its folder, by a flag
that does nothing else (``-D``, the path for local imports): what it replays, it has compiled there.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.fidelity.oracle import Reader, Record

Key = tuple[str, str | None]
"""Import path of the package, and None, ``test`` or ``xtest``."""

_HEADER = re.compile(r"# (\S+)(?: \[\S+\])?")


@dataclass(frozen=True, slots=True)
class Go:
    """A go command and the folder and environment in which it runs."""

    path: str
    folder: Path
    env: Mapping[str, str]

    def run(self, *arguments: str) -> subprocess.CompletedProcess[bytes]:
        """Run the go command; both outputs are kept as bytes."""
        return subprocess.run(
            [self.path, *arguments],
            cwd=self.folder,
            env={**os.environ, **self.env},
            capture_output=True,
            check=False,
        )

    def version(self) -> str:
        """The release, as in ``go1.26.6``."""
        return self.run("env", "GOVERSION").stdout.decode().strip()


@dataclass(frozen=True, slots=True)
class Log:
    """One compile: its records, or the words of the go command if it did not build."""

    records: tuple[Record, ...] = ()
    failed: str | None = None


def packages(go: Go, patterns: Sequence[str]) -> list[str]:
    """The import paths of all packages with Go files that the patterns name, in order."""
    done = go.run("list", "-e", "-json=ImportPath,GoFiles,CgoFiles", "--", *patterns)
    found = []
    decoder, text = json.JSONDecoder(), done.stdout.decode()
    while text := text.lstrip():
        value, end = decoder.raw_decode(text)
        text = text[end:]
        if value.get("GoFiles") or value.get("CgoFiles"):
            found.append(value["ImportPath"])
    return found


def logs(go: Go, paths: Sequence[str], *, tests: bool = False) -> dict[Key, Log]:
    """Compile packages and return what each compile printed, by package and variant."""
    done = go.run(
        "list", "-e", "-export", *(["-test"] if tests else []), f"-gcflags=-m=2 '-D={go.folder}'",
        "-f", "{{.ImportPath}}\t{{with .Error}}{{printf \"%q\" .Err}}{{end}}", "--", *paths,
    )  # fmt: skip
    listed: dict[str, str] = {}
    for line in done.stdout.decode("utf-8", "replace").splitlines():
        name, _, error = line.partition("\t")
        listed[name] = error
    texts = _by_header(done.stderr.decode("utf-8", "surrogateescape"), listed)
    found: dict[Key, Log] = {}
    for name, error in listed.items():
        key = key_of(name)
        if key is None or (key[0] not in paths):
            continue
        if error:
            found[key] = Log(failed=error)
        else:
            found[key] = Log(tuple(Reader(str(go.folder)).read(texts.get(name, ()))))
    return found


def key_of(listed: str) -> Key | None:
    """Package and variant of a name that ``go list -test`` prints; None for the test's main."""
    name, mark, main = listed.partition(" [")
    if not mark:
        return None if name.endswith(".test") else (name, None)
    tested = main.removesuffix(".test]")
    if name == tested:
        return name, "test"
    return (tested, "xtest") if name == f"{tested}_test" else None


def _by_header(text: str, listed: Iterable[str]) -> dict[str, list[str]]:
    """Split the go command's stderr at its ``# package`` lines.

    Copies that are compiled for a main package with a profile (``# p [main]``) are not listed, but
    say what they compile to as well: they are kept apart under their own names.
    """
    names = {name.partition(" ")[0] for name in listed}
    found: dict[str, list[str]] = {}
    current: list[str] = []
    lines = text.split("\n")
    if lines and not lines[-1]:
        lines.pop()
    for line in lines:
        match = _HEADER.fullmatch(line)
        if match is not None and match[1] in names:
            current = found.setdefault(line[2:], [])
        else:
            current.append(line)
    return found
