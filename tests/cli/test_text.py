"""``check`` as text: lines for editors and grep, exit statuses."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.cli.command import escapelens
from tests.lsp.gomod import HELLO, hello, module
from tests.tools import CHECK_COMMAND

DEFAULT = """user.go:10:14: leak: leaking param: name
user.go:11:2: moved: moved to heap: u
user.go:16:12: leak: leaking param content: u
user.go:17:24: escape: u.Name escapes to heap
user.go:31:2: moved: moved to heap: count
user.go:32:5: escape: func literal escapes to heap
user.go:40:13: escape: make([]int, n) escapes to heap
"""
LINE = re.compile(r"(?P<path>[^:]+):(?P<line>\d+):(?P<column>\d+): (?P<type>[a-z-]+): .+")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return hello(tmp_path_factory.mktemp("hello"))


def test_default(folder: Path) -> None:
    done = escapelens("check", cwd=folder)
    assert (done.status, done.out) == (0, DEFAULT)
    assert "1 package with go1." in done.err and "2 Moved to Heap" in done.err


@pytest.mark.parametrize(
    ("show", "types"),
    [
        ("moved", {"moved": 2}),
        ("moved,leak", {"moved": 2, "leak": 3}),
        (" inline-call , can-inline ", {"inline-call": 1, "can-inline": 5}),
        ("all", {"escape": 4, "moved": 2, "leak": 3, "can-inline": 5, "inline-call": 1, "other": 6}),
    ],
)
def test_show(folder: Path, show: str, types: dict[str, int]) -> None:
    done = escapelens("check", "--show", show, cwd=folder)
    found: dict[str, int] = {}
    for line in done.lines:
        match = LINE.fullmatch(line)
        assert match, line
        found[match["type"]] = found.get(match["type"], 0) + 1
    assert (done.status, found) == (0, types)


def test_flow(folder: Path) -> None:
    done = escapelens("check", "--show", "moved", "--flow", cwd=folder)
    first = done.out.partition("user.go:31:2")[0].splitlines()
    assert first[0] == "user.go:11:2: moved: moved to heap: u"
    assert all(line.startswith(" ") for line in first[1:])
    assert [line.strip() for line in first[2:]] == [
        "user.go:12:9: &u (address-of)",
        "user.go:12:2: return &u (return)",
    ]


def test_no_colours_and_no_progress_when_piped(folder: Path) -> None:
    for more in ({}, {"FORCE_COLOR": ""}, {"TERM": "xterm-256color", "COLORTERM": "truecolor"}):
        done = escapelens("check", "--show", "all", "--flow", cwd=folder, env=more)
        assert "\x1b" not in done.out + done.err


def test_paths_are_relative_below_the_working_directory_else_absolute(tmp_path: Path) -> None:
    one = "package {0}\n\nfunc A() *int {{ a := 1; return &a }}\n"
    folder = module(tmp_path / "m", {"m.go": one.format("m"), "sub dir/s.go": "", "sub/s.go": one.format("sub")})
    (folder / "sub dir" / "s.go").unlink()
    below = escapelens("check", "./...", cwd=folder)
    assert [line.partition(":")[0] for line in below.lines] == ["m.go", str(Path("sub", "s.go"))]
    beside = escapelens("check", "..", cwd=folder / "sub")
    assert [line.partition(":")[0] for line in beside.lines] == [str(folder / "m.go")]


def test_paths_do_not_depend_on_who_compiled_first(tmp_path: Path) -> None:
    """The build cache replays text with paths relative to the folder in which it was first printed."""
    one = "package {0}\n\nfunc A() *int {{ {0} := 1; return &{0} }}\n"
    folder = module(tmp_path / "m", {"a.go": one.format("m"), "sub/a.go": one.format("sub")})
    whole = [
        "a.go:3:17: moved: moved to heap: m",
        f"{Path('sub', 'a.go')}:3:17: moved: moved to heap: sub",
    ]
    first = [
        ((".",), folder / "sub", whole[1].replace("sub/", "", 1)),
        (("..",), folder / "sub", str(folder / whole[0])),
        ((str(folder / "a.go"),), tmp_path, f"m/{whole[0]}"),
    ]
    for patterns, cwd, expected in first:
        assert escapelens("check", *patterns, cwd=cwd).lines == [expected]
    assert escapelens("check", "./...", cwd=folder).lines == whole


def test_a_message_without_a_place(tmp_path: Path) -> None:
    """A method that embedding promotes is compiled without a source."""
    text = "package m\n\ntype T struct{ n int }\n\nfunc (t *T) N() int { return t.n }\n\ntype U struct{ *T }\n\nvar V any = U{}\n"
    folder = module(tmp_path / "m", {"m.go": text})
    done = escapelens("check", "--show", "inline-call", cwd=folder)
    assert "-:0:0: inline-call: inlining call to (*T).N" in done.lines


def test_a_file_limits_what_is_shown(tmp_path: Path) -> None:
    text = "package m\n\nfunc {0}() *int {{ x := 1; return &x }}\n"
    folder = module(tmp_path / "m", {f"{name}.go": text.format(name.upper()) for name in "abc"})
    assert [line.partition(":")[0] for line in escapelens("check", "b.go", cwd=folder).lines] == ["b.go"]
    assert [line.partition(":")[0] for line in escapelens("check", "c.go", "a.go", cwd=folder).lines] == [
        "a.go",
        "c.go",
    ]
    elsewhere = escapelens("check", str(folder / "b.go"), cwd=tmp_path)
    assert [line.partition(":")[0] for line in elsewhere.lines] == [str(Path("m", "b.go"))]
    assert len(escapelens("check", "b.go", ".", cwd=folder).lines) == 3


def test_odd_names(tmp_path: Path) -> None:
    folder = hello(tmp_path / "größe #1 50% 日本")
    done = escapelens("check", cwd=folder)
    assert (done.status, done.out) == (0, DEFAULT)
    report = escapelens("check", str(folder / "user.go"), cwd=tmp_path)
    assert len(report.lines) == len(DEFAULT.splitlines())


def test_a_symbolic_link(tmp_path: Path) -> None:
    """Paths stay as the user sees them: below the link in which he stands."""
    hello(tmp_path / "real")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    for pattern in (".", "user.go"):
        done = escapelens("check", pattern, cwd=tmp_path / "link", env={"PWD": str(tmp_path / "link")})
        assert (done.status, done.out) == (0, DEFAULT)


def test_a_reader_that_stops(folder: Path) -> None:
    """``escapelens check | head -1`` ends without a traceback."""
    command = ["sh", "-c", '"$@" | head -1', "sh"]
    done = escapelens("check", "--show", "all", "fmt", "strconv", cwd=folder, command=[*command, *CHECK_COMMAND])
    assert len(done.lines) == 1
    assert "Traceback" not in done.err and "BrokenPipe" not in done.err


STATUSES: list[tuple[tuple[str, ...], int, str]] = [
    ((".",), 0, ""),
    (("./good",), 0, ""),
    (("./bad",), 1, "cannot use"),
    (("./good", "./bad"), 1, "cannot use"),
    (("./...",), 1, "cannot use"),
    (("./nothing",), 2, "nothing"),
    (("./excluded",), 2, "excluded"),
    (("./good", "./excluded"), 0, ""),
    (("./empty",), 2, "no Go files"),
    (("missing.go",), 2, "missing.go"),
    (("--show", "nonsense"), 2, "nonsense"),
    (("--env", "nonsense"), 2, "K=V"),
    (("--nonsense",), 2, "--nonsense"),
    (("--go", "/nowhere/go"), 2, "/nowhere/go"),
    (("no/such/package",), 2, "no/such/package"),
]


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    good = "package good\n\nfunc A() *int { a := 1; return &a }\n"
    files = {
        "m.go": good.replace("good", "m"),
        "good/g.go": good,
        "bad/b.go": 'package bad\n\nvar X int = "words"\n',
        "excluded/x.go": "//go:build never\n\npackage excluded\n",
        "empty/readme.txt": "",
    }
    return module(tmp_path_factory.mktemp("mixed"), files)


@pytest.mark.parametrize(("arguments", "status", "words"), STATUSES, ids=[" ".join(s[0]) for s in STATUSES])
@pytest.mark.parametrize("form", ["text", "json"])
def test_exit_status(mixed: Path, arguments: tuple[str, ...], status: int, words: str, form: str) -> None:
    done = escapelens("check", "--format", form, *arguments, cwd=mixed)
    assert done.status == status, done.err
    assert words in done.err + (done.out if form == "json" else "")
    assert "Traceback" not in done.err


def test_the_others_are_printed_when_one_does_not_build(mixed: Path) -> None:
    done = escapelens("check", "./...", cwd=mixed)
    assert [line.partition(":")[0] for line in done.lines] == [str(Path("good", "g.go")), "m.go"]
    assert 'b.go:3:13: cannot use "words"' in done.err


def test_the_fixture_is_what_this_test_believes() -> None:
    """The expectations above are the compiler's lines, in the order of their places."""
    raw = escapelens("raw", cwd=HELLO)
    for line in DEFAULT.splitlines():
        place, _, message = line.split(": ", 2)
        assert f"./{place}: {message}" in raw.lines
