"""Remembered plans and kept results: never a wrong answer, and no process where nothing changed.

What is expected is the go command's own text, asked anew after every change.
"""

from __future__ import annotations

import asyncio
import re
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from escapelens.engine.analyzer import Analyzer
from escapelens.engine.cache import Cache
from escapelens.engine.target import target_for_file
from escapelens.engine.workers import Workers
from escapelens.golang.build import BuildOptions

from tests.lsp.gomod import FakeGo, environment, write
from tests.tools import any_go

GO_MOD = "module example.com/m\n\ngo 1.21\n"
P = """package p

import "example.com/m/q"

func New() int {
	n, k := 1, 2
	q.Use(&n)
	return k
}
"""
KEEPING, LETTING = (
    f"package q\n\nvar kept *int\n\n//go:noinline\nfunc Use(n *int) {{ {b} }}\n" for b in ("kept = n", "*n = 1")
)
_VERDICT = re.compile(r"^(\S+\.go):(\d+):(\d+): ((?:moved to heap|leaking param).*|.* escapes to heap)$", re.MULTILINE)
Said = set[tuple[str, int, int, str]]


class House:
    """A module of two packages, a go command that counts its calls, and a cache of their own."""

    def __init__(self, folder: Path) -> None:
        self.folder = write(
            folder / "m", {"go.mod": GO_MOD, "p/p.go": P, "p/data.txt": "x", "q/q.go": KEEPING, "r/r.go": "package r\n"}
        )
        self.go = FakeGo(folder / "go")
        self.cache = Cache(folder / "cache")
        self.environment = environment(GOENV=str(folder / "goenv"), GOPROXY="off")
        self.file = self.folder / "p" / "p.go"

    def analyzer(self) -> Analyzer:
        """A new one, as in a new server."""
        return Analyzer(self.environment, str(self.go.path), cache=self.cache, workers=Workers())

    def change(self, **files: str | None) -> None:
        """Write files (``p__x_go`` is p/x.go), remove those that are None, and let the clock go on."""
        for name, text in files.items():
            path = self.folder / name.replace("__", "/").replace("_go", ".go").replace("_mod", ".mod").replace(
                "_work", ".work"
            )
            if text is None:
                path.unlink()
            else:
                write(self.folder, {str(path.relative_to(self.folder)): text})
        self.rest()

    def configure(self, text: str) -> None:
        """What ``go env -w`` writes."""
        (self.folder.parent / "goenv").write_text(text)

    def rest(self) -> None:
        """Wait until nothing is younger than what a stamp can tell."""
        newest = max(path.stat().st_ctime_ns for path in self.folder.rglob("*"))
        while time.time_ns() < newest + 40_000_000:
            time.sleep(0.005)

    def expected(self) -> Said:
        """What the go command says now."""
        command = [any_go(), "list", "-e", "-export", "-gcflags=-m=2", "./p"]
        done = subprocess.run(
            command, cwd=self.folder, env=self.environment, capture_output=True, text=True, check=False
        )
        return {(Path(m[1]).name, int(m[2]), int(m[3]), m[4]) for m in _VERDICT.finditer(done.stderr)}


@pytest.fixture
def house(tmp_path: Path) -> House:
    found = House(tmp_path)
    found.rest()
    return found


@pytest.fixture
def analyzer(house: House) -> Iterator[Analyzer]:
    found = house.analyzer()
    yield found
    found._workers.close()


async def said(house: House, analyzer: Analyzer, options: BuildOptions | None = None) -> Said:
    result = await analyzer.run(target_for_file(house.file, options or BuildOptions()))
    messages = [m for report in result.reports for m in report.messages if m.type in ("moved", "escape", "leak")]
    return {(Path(m.place.file or "").name, m.place.line, m.place.column or 0, m.text) for m in messages}


ESCAPING = "package p\n\nfunc More() *int { m := 1; return &m }\n"

CHANGES: dict[str, Callable[[House], None]] = {
    "a function": lambda house: house.change(p__p_go=P.replace("return k", "return k + *more()\n}\n\nfunc more() *int {\n\tm := 3\n\treturn &m")),
    "a dependency": lambda house: house.change(q__q_go=LETTING),
    "a new file": lambda house: house.change(p__more_go=ESCAPING),
    "a new file for another system": lambda house: house.change(p__more_windows_go=ESCAPING),
    "a new import": lambda house: house.change(p__p_go=P.replace('import "', 'import (\n"fmt"\n"').replace('q"', 'q"\n)').replace("q.Use", "fmt.Println(k)\n\tq.Use")),
    "an import that is not there": lambda house: house.change(p__p_go=P.replace("m/q", "m/nowhere")),
    "a constraint": lambda house: house.change(p__p_go="//go:build never\n\n" + P, p__more_go=ESCAPING),
    "embedding": lambda house: house.change(p__p_go=P.replace('import "', 'import _ "embed"\nimport "') + '\n//go:embed data.txt\nvar data string\n'),
    "a package that is internal to others": lambda house: house.change(p__p_go=P.replace('import "', 'import _ "runtime/internal/sys"\nimport "')),
    "the language": lambda house: house.change(go_mod=GO_MOD.replace("1.21", "1.22")),
    "a workspace": lambda house: house.change(go_work="go 1.21\n\nuse ./r\n", r__go_mod="module example.com/r\n"),
    "settings of the go command": lambda house: house.configure("GOFLAGS=-gcflags=all=-l\n"),
    "it does not compile": lambda house: house.change(p__p_go=P + "\nfunc broken() { nothing }\n"),
}  # fmt: skip


@pytest.mark.parametrize("name", CHANGES)
async def test_after_every_change_the_answer_is_the_compilers(house: House, analyzer: Analyzer, name: str) -> None:
    before = await said(house, analyzer)
    assert before == house.expected() and ("p.go", 6, 2, "moved to heap: n") in before
    CHANGES[name](house)
    expected = house.expected()
    if name == "a constraint":
        house.file = house.folder / "p" / "more.go"
    assert await said(house, analyzer) == expected
    # And in a server that is started now, with what was kept.
    later = house.analyzer()
    assert await said(house, later) == expected
    later._workers.close()


async def test_a_changed_function_asks_the_compiler_only(house: House, analyzer: Analyzer) -> None:
    await said(house, analyzer)
    before = len(house.go.calls())
    CHANGES["a function"](house)
    assert ("p.go", 12, 2, "moved to heap: m") in await said(house, analyzer)
    assert house.go.calls()[before:] == ["compile"]


async def test_without_a_change_no_process_is_started(house: House, analyzer: Analyzer) -> None:
    first = await said(house, analyzer)
    before = len(house.go.calls())
    assert await said(house, analyzer) == first
    # Editors write beside a file and rename it: the folder is another one, what it holds is not.
    house.change(p__p_go=P)
    (house.folder / "p" / ".p.go.swp").touch()
    assert await said(house, analyzer) == first
    later = house.analyzer()
    assert await said(house, later) == first
    later._workers.close()
    assert house.go.calls()[before:] == []


async def test_a_text_that_was_seen_before_is_not_compiled_again(house: House, analyzer: Analyzer) -> None:
    first = await said(house, analyzer)
    CHANGES["a function"](house)
    await said(house, analyzer)
    before = len(house.go.calls())
    house.change(p__p_go=P)
    assert await said(house, analyzer) == first
    assert house.go.calls()[before:] == []


async def test_a_module_that_is_replaced_by_another(house: House, analyzer: Analyzer) -> None:
    for version, text in (("one", KEEPING), ("two", LETTING)):
        write(house.folder.parent / version, {"go.mod": "module example.com/other\n", "q.go": text})

    def using(version: str) -> str:
        return f"{GO_MOD}\nrequire example.com/other v1.0.0\n\nreplace example.com/other => ../{version}\n"

    house.change(
        go_mod=using("one"), p__p_go=P.replace("example.com/m/q", "example.com/other").replace("q.Use", "other.Use")
    )
    write(house.folder, {"p/p.go": (house.folder / "p/p.go").read_text().replace('import "', 'import other "')})
    house.rest()
    assert ("p.go", 6, 2, "moved to heap: n") in await said(house, analyzer)
    house.change(go_mod=using("two"))
    assert await said(house, analyzer) == house.expected() == set()
    # The replacing folder is no version: its files may be edited.
    write(house.folder.parent / "two", {"q.go": KEEPING})
    await asyncio.sleep(0.05)
    assert ("p.go", 6, 2, "moved to heap: n") in await said(house, analyzer)


async def test_options_have_plans_of_their_own(house: House, analyzer: Analyzer) -> None:
    house.change(p__more_go="//go:build extra\n\n" + ESCAPING)
    plain = await said(house, analyzer)
    extra = await said(house, analyzer, BuildOptions(tags=("extra",)))
    assert extra - plain == {("more.go", 5, 20, "moved to heap: m")}
    assert await said(house, analyzer) == plain


async def test_unsaved_text_is_compiled_by_the_same_plan(house: House, analyzer: Analyzer) -> None:
    await said(house, analyzer)
    before = len(house.go.calls())
    target = target_for_file(house.file, BuildOptions())
    text = P.replace("return k", "return k + *more()\n}\n\nfunc more() *int {\n\tm := 3\n\treturn &m").encode()
    unsaved = type(target)(target.cwd, target.patterns, target.options, target.only, overlay={str(house.file): text})
    (report,) = (await analyzer.run(unsaved)).reports
    assert "moved to heap: m" in [m.text for m in report.messages]
    assert {m.place.file for m in report.messages if m.type == "moved"} == {str(house.file)}
    assert house.go.calls()[before:] == ["compile"]
    broken = type(target)(
        target.cwd, target.patterns, target.options, target.only, overlay={str(house.file): text + b"func ("}
    )
    (report,) = (await analyzer.run(broken)).reports
    assert report.status == "failed"


@pytest.mark.parametrize("damage", [b"", b"xxxxyyyy", None], ids=["empty", "other bytes", "cut"])
async def test_damaged_entries_are_as_good_as_none(house: House, analyzer: Analyzer, damage: bytes | None) -> None:
    first = await said(house, analyzer)
    entries = [path for path in (house.folder.parent / "cache").rglob("*") if path.is_file()]
    while len(entries) < 2:  # what is kept is written beside the answer
        await asyncio.sleep(0.01)
        entries = [path for path in (house.folder.parent / "cache").rglob("*") if path.is_file()]
    for path in entries:
        path.write_bytes(damage if damage is not None else path.read_bytes()[:-9])
    later = house.analyzer()
    assert await said(house, later) == first
    later._workers.close()


async def test_servers_with_one_cache_do_not_disturb_each_other(house: House) -> None:
    analyzers = [house.analyzer() for _ in range(3)]
    for text in (P, P.replace("k := 1, 2", "k := 2, 3"), P):
        house.change(p__p_go=text)
        expected = house.expected()
        assert [found == expected for found in await asyncio.gather(*(said(house, a) for a in analyzers))] == [True] * 3
    for analyzer in analyzers:
        analyzer._workers.close()
