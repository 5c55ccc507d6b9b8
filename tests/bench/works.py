"""The works that are measured. Each takes a house (a copy of Go's own tree, a cache) and a number of rounds."""

from __future__ import annotations

import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.bench.goroot import editable_goroot
from tests.bench.measure import (
    Editor,
    Row,
    bare_cut,
    build_with_records,
    front_end,
    median,
    plan_of,
    timed,
)
from tests.lsp.client import Server
from tests.tools import CHECK_COMMAND, SERVER_COMMAND

GOLAND, GOPLS = "go build -gcflags='-m=2 -json=0,DIR'", "go build -gcflags=-json=0,DIR"


@dataclass(slots=True)
class House:
    """Where everything is measured: a go command with a copy of its tree that may be edited, a cold cache."""

    go: str
    root: Path
    environment: dict[str, str]
    cache: Path
    rounds: int

    def editor(self, file: Path, **settings: Any) -> Editor:
        """A new server with this file open soon."""
        return Editor(file, self.go, self.environment, self.cache, **settings)

    def build(self, *packages: str) -> None:
        """Build packages and what they import the ordinary way."""
        subprocess.run([self.go, "build", *packages], env=self.environment, check=True, cwd=self.root / "src")


@contextmanager
def house(go: str, rounds: int) -> Iterator[House]:
    """A house for one run."""
    root, environment = editable_goroot(go)
    with tempfile.TemporaryDirectory(prefix="escapelens-bench-") as cache:
        yield House(go, root, environment, Path(cache), rounds)


@contextmanager
def changing(file: Path) -> Iterator[Callable[[], str]]:
    """Gives texts of a file with one function changed, each another; the file is as before in the end."""
    original = file.read_text("utf-8")
    try:
        yield lambda: f"{original}\nfunc bench() *int {{ n := {time.time_ns() % 1_000_000_000}; return &n }}\n"
    finally:
        file.write_text(original, "utf-8")


def largest(folder: Path) -> Path:
    """The largest source file of a package."""
    return max(folder.glob("*.go"), key=lambda p: p.stat().st_size * (not p.name.endswith("_test.go")))


def save(home: House) -> Row:
    """net/http, one function changed, saved: everything of the plain package published."""
    file = largest(home.root / "src/net/http")
    home.build("net/http")
    times: dict[str, list[float]] = {
        name: [] for name in ("save → published", "bare cut", "fe:subtotal", GOPLS, GOLAND)
    }
    editor = home.editor(file)
    editor.open()
    with changing(file) as text:
        editor.save(text())
        for _ in range(home.rounds):
            times["save → published"].append(editor.save(text()))
            plan = plan_of(file, home.go, home.environment)
            times["bare cut"].append(bare_cut(plan, home.environment))
            for name, flags in ((GOPLS, "-json=0,DIR"), (GOLAND, "-m=2 -json=0,DIR")):
                file.write_text(text(), "utf-8")
                times[name].append(build_with_records(home.go, flags, "net/http", home.environment, file.parent))
            times["fe:subtotal"].append(front_end(plan, home.environment))
        editor.stop()
    found = median(times)
    ours = found["save → published"]
    ratios = {
        "save / bare cut": (ours / found["bare cut"], 1.25),
        "save / gopls's way": (ours / found[GOPLS], 0.48),
        "save / GoLand's way": (ours / found[GOLAND], 0.32),
    }
    return Row("net/http, save with one function changed", found, ratios)


def again(home: House) -> Row:
    """The same file saved again unchanged, and opened in a new, initialised server."""
    file = largest(home.root / "src/net/http")
    home.build("net/http")
    listing = [home.go, "list", "-export", "-deps", "net/http"]
    times: dict[str, list[float]] = {
        name: [] for name in ("saved unchanged", "opened in a new server", "go list -export -deps")
    }
    first = home.editor(file)
    first.open()
    for _ in range(home.rounds):
        times["saved unchanged"].append(first.save())
        later = home.editor(file)
        times["opened in a new server"].append(later.open())
        later.stop()
        times["go list -export -deps"].append(timed(listing, home.environment, file.parent))
    first.stop()
    found = median(times)
    listed = found["go list -export -deps"]
    ratios = {
        f"{name} / go list": (found[name] / listed, 0.5) for name in ("saved unchanged", "opened in a new server")
    }
    return Row("net/http, unchanged", found, ratios)


def small(home: House) -> Row:
    """A package of some 500 lines: save to published, against its own compile command."""
    functions = "".join(
        f"func work{n}(s string) *int {{\n\tn := len(s)\n\tfmt.Fprintln(os.Stderr, s, n)\n\treturn &n\n}}\n\n"
        for n in range(83)
    )
    with tempfile.TemporaryDirectory(prefix="escapelens-bench-") as folder:
        Path(folder, "go.mod").write_text("module example.com/small\n\ngo 1.21\n")
        file = Path(folder, "small.go")
        file.write_text(f'package small\n\nimport (\n\t"fmt"\n\t"os"\n)\n\n{functions}')
        editor = home.editor(file)
        editor.open()
        times: dict[str, list[float]] = {"save → published": [], GOPLS: []}
        with changing(file) as text:
            editor.save(text())
            for _ in range(2 * home.rounds):
                times["save → published"].append(editor.save(text()))
                file.write_text(text(), "utf-8")
                times[GOPLS].append(build_with_records(home.go, "-json=0,DIR", ".", home.environment, Path(folder)))
        editor.stop()
    found = median(times)
    ratios = {"save / gopls's compile command": (found["save → published"] / found[GOPLS], 0.8)}
    return Row("a package of 500 lines, save", found, ratios, "gopls itself: tests/fidelity/gopls.py drives it")


def big(home: House) -> Row:
    """cmd/compile/internal/ssa: what parse, merge and publish add to the front end."""
    file = home.root / "src/cmd/compile/internal/ssa/regalloc.go"
    home.build("cmd/compile/internal/ssa")
    times: dict[str, list[float]] = {"save → published": [], "bare cut": []}
    editor = home.editor(file)
    editor.open()
    with changing(file) as text:
        for _ in range(max(1, home.rounds // 2)):
            times["save → published"].append(editor.save(text()))
            times["bare cut"].append(bare_cut(plan_of(file, home.go, home.environment), home.environment))
        editor.stop()
    found = median(times)
    added = found["save → published"] - found["bare cut"]
    return Row("cmd/compile/internal/ssa, save", found, {"what we add / bare cut": (added / found["bare cut"], 0.15)})


def everything(home: House) -> Row:
    """check std, our store cold, the ordinary build cache warm."""
    home.build("std")
    environment = {**home.environment, "ESCAPELENS_CACHE": ""}
    check = [*CHECK_COMMAND, "check", "--show", "all", "--go", home.go, "std"]
    build = [home.go, "build", "-a", "-gcflags=all=-m=2", "std"]
    found = {
        "escapelens check std": timed(check, environment, home.root / "src"),
        "go build -a -gcflags=all=-m=2 std": timed(build, home.environment, home.root / "src"),
    }
    ours, theirs = found.values()
    return Row("check std", found, {"check / go build -a": (ours / theirs, 0.65)}, "one round")


def start(home: House) -> Row:
    """escapelens lsp from start to the answer of initialize, against a bare pygls server."""
    bare = (
        "from pygls.lsp.server import LanguageServer\n"
        "from lsprotocol import types\n"
        "server = LanguageServer('bare', '1')\n"
        "@server.feature(types.TEXT_DOCUMENT_HOVER)\ndef _(params): return None\n"
        "server.start_io()\n"
    )
    times: dict[str, list[float]] = {"escapelens lsp": [], "a bare pygls server": []}
    for _ in range(2 * home.rounds + 1):
        for name, command in (
            ("escapelens lsp", SERVER_COMMAND),
            ("a bare pygls server", [sys.executable, "-c", bare]),
        ):
            begun = time.perf_counter()
            server = Server(home.environment, home.root, command)
            server.initialize(home.root)
            times[name].append(time.perf_counter() - begun)
            server.shutdown()
            server.stop()
    found = median(times)
    ratio = found["escapelens lsp"] / found["a bare pygls server"]
    return Row("start to the answer of initialize", found, {"ours / bare": (ratio, 1.15)})


def requests(home: House) -> Row:
    """Requests in h2_bundle.go while the module (all of std) is analysed, memory after it, a thousand saves."""
    file = home.root / "src/net/http/h2_bundle.go"
    home.build("std")
    shutil.rmtree(home.cache, ignore_errors=True)
    editor = home.editor(file, show=["escape", "moved", "leak", "can-inline", "inline-call", "other"])
    editor.open()
    server, uri = editor.server, editor.uri
    lines = file.read_text("utf-8").count("\n")
    asked = [
        ("textDocument/hover", lambda n: {"textDocument": {"uri": uri}, "position": {"line": n * 37 % lines, "character": 8}}),
        ("textDocument/inlayHint", lambda n: {"textDocument": {"uri": uri}, "range": _lines(n * 91 % lines, 60)}),
        ("textDocument/codeLens", lambda n: {"textDocument": {"uri": uri}}),
        ("textDocument/codeAction", lambda n: {"textDocument": {"uri": uri}, "range": _lines(n * 53 % lines, 1), "context": {"diagnostics": []}}),
    ]  # fmt: skip
    mark = server.mark()
    number = server.ask(
        "workspace/executeCommand", {"command": "escapelens.analyze", "arguments": [{"uri": uri, "scope": "module"}]}
    )
    times: list[float] = []
    while number not in server.replies and not server.ended:
        method, params = asked[len(times) % len(asked)]
        begun = time.perf_counter()
        server.request(method, params(len(times)))
        times.append(time.perf_counter() - begun)
    server.reply(number)
    times.sort()
    found = {
        f"median of {len(times)} requests": statistics.median(times),
        "99th percentile": times[int(len(times) * 0.99)],
        "slowest": times[-1],
    }
    memory = editor.rss()
    with changing(file) as text:
        for count in range(1000):
            server.edit(uri, {"text": text()}, version=count + 10)
        grown = editor.rss()
    packages = len({s["package"] for s in server.statuses(mark)})
    editor.stop()
    ratios = {
        "99th percentile in ms": (found["99th percentile"] * 1000, 20.0),
        "memory in MB after std": (float(memory), 400.0),
    }
    note = f"{packages} states; after a thousand edits {grown} MB"
    return Row("requests during an analysis of std, all types shown", found, ratios, note)


def _lines(first: int, count: int) -> dict[str, Any]:
    return {"start": {"line": first, "character": 0}, "end": {"line": first + count, "character": 0}}


WORKS: dict[str, Callable[[House], Row]] = {
    "save": save,
    "again": again,
    "small": small,
    "big": big,
    "std": everything,
    "start": start,
    "requests": requests,
}
