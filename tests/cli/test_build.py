"""The user's way of building is respected: flags, tags, modules, vendor, workspaces; nothing is fetched."""

from __future__ import annotations

import subprocess
import uuid
from pathlib import Path

import pytest

from tests.cli.command import check_json, escapelens
from tests.cli.schema import check_report
from tests.lsp.gomod import FakeGo, environment, hello, listing, module, write
from tests.tools import any_go

GOOD = "package m\n\nfunc A() *int { a := 1; return &a }\n"


def subjects(*arguments: str, cwd: Path, env: dict[str, str] | None = None) -> list[str]:
    """What is moved to the heap."""
    done = check_json("--show", "moved", *arguments, cwd=cwd, env=env)
    assert done.status == 0, done.err
    check_report(done.report)
    return [m["subject"] for m in done.report["messages"]]


TAGGED = {
    "m.go": GOOD,
    "x.go": "//go:build extra && more\n\npackage m\n\nfunc X() *int { x := 1; return &x }\n",
    "w_windows.go": "package m\n\nfunc W() *int { w := 1; return &w }\n",
    "arm_arm64.go": "package m\n\nfunc R() *int { r := 1; return &r }\n",
}


@pytest.mark.parametrize(
    ("arguments", "env", "expected"),
    [
        ([], {"GOOS": "linux", "GOARCH": "amd64"}, ["a"]),
        (["--tags", "extra,more"], {"GOARCH": "amd64"}, ["a", "x"]),
        (["--tags", "extra more"], {"GOARCH": "amd64"}, ["a", "x"]),
        ([], {"GOFLAGS": "-tags=extra,more", "GOARCH": "amd64"}, ["a", "x"]),
        (["--tags", "other"], {"GOFLAGS": "-tags=extra,more", "GOARCH": "amd64"}, ["a"]),
        (["--goos", "windows", "--goarch", "amd64"], {}, ["a", "w"]),
        (["--goos", "linux", "--goarch", "arm64"], {}, ["r", "a"]),
        (["--env", "GOOS=windows", "--env", "GOARCH=arm64"], {}, ["r", "a", "w"]),
        (["--goos", "linux", "--goarch", "amd64"], {"GOOS": "windows"}, ["a"]),
    ],
)
def test_which_files(tmp_path: Path, arguments: list[str], env: dict[str, str], expected: list[str]) -> None:
    assert subjects(*arguments, cwd=module(tmp_path / "m", TAGGED), env={"GOOS": "linux", **env}) == expected


def test_the_report_names_what_was_built(tmp_path: Path) -> None:
    done = check_json("--goos", "windows", "--goarch", "arm64", "--gcflags", "-l -N", cwd=hello(tmp_path / "m"))
    go = done.report["go"]
    assert (go["goos"], go["goarch"], go["gcflags"]) == ("windows", "arm64", ["-l", "-N"])


def test_compiler_flags(tmp_path: Path) -> None:
    """Without inlining nothing can be inlined, and what inlining saved escapes."""
    text = "package m\n\nfunc p() *int { v := 1; return &v }\n\nfunc Use() int { return *p() }\n"
    folder = module(tmp_path / "m", {"m.go": text})
    assert check_json("--show", "all", cwd=folder).texts("can-inline")
    for arguments, env in (
        (["--gcflags", "-l"], {}),
        ([], {"GOFLAGS": "-gcflags=-l"}),
        ([], {"GOFLAGS": "'-gcflags=all=-l -N'"}),
    ):
        done = check_json("--show", "all", *arguments, cwd=folder, env=env)
        assert done.status == 0 and not done.texts("can-inline"), (arguments, env)
        assert done.texts("moved")


FLAGS = (
    "-trimpath",
    "-mod=mod",
    "-mod=readonly",
    "-race=false -trimpath",
    "-v",
    "-x",
    "-p=1 -trimpath -mod=mod",
    "-buildvcs=false",
)


@pytest.mark.parametrize("flags", FLAGS)
def test_goflags(tmp_path: Path, flags: str) -> None:
    """Whatever the user has in GOFLAGS: files are absolute and there, and nothing of the tree is rewritten."""
    folder = hello(tmp_path / "m")
    before = listing(folder)
    done = check_json("--show", "all", "--flow", cwd=folder, env={"GOFLAGS": flags})
    assert done.status == 0, done.err
    check_report(done.report)
    assert len(done.report["messages"]) == 21
    assert done.report["packages"][0]["unparsed"] == []
    steps = [s for m in done.report["messages"] for way in m["flows"] for hop in way for s in hop["steps"]]
    assert all(Path(m["file"]).is_file() for m in [*done.report["messages"], *steps])
    assert listing(folder) == before


def dependency(folder: Path, name: str) -> Path:
    """A module that others need."""
    text = f"package {name}\n\n// F returns the address of its variable.\nfunc F() *int {{ {name} := 1; return &{name} }}\n"
    return write(folder, {"go.mod": f"module example.com/{name}\n\ngo 1.21\n", f"{name}.go": text})


USER = 'package m\n\nimport "example.com/dep"\n\nvar p = dep.F()\n\nfunc A() *int { a := 1; return &a }\n'


def test_replace(tmp_path: Path) -> None:
    dependency(tmp_path / "dep", "dep")
    go_mod = "module example.com/m\n\ngo 1.21\n\nrequire example.com/dep v1.0.0\n\nreplace example.com/dep => ../dep\n"
    folder = write(tmp_path / "m", {"go.mod": go_mod, "m.go": USER})
    before = listing(tmp_path)
    assert subjects(cwd=folder) == ["dep.dep", "a"]
    for env in ({"GOFLAGS": "-mod=mod"}, {"GOFLAGS": "-trimpath"}):
        assert subjects(".", "example.com/dep", cwd=folder, env=env) == ["dep", "dep.dep", "a"]
    assert listing(tmp_path) == before


def test_vendor(tmp_path: Path) -> None:
    go_mod = "module example.com/m\n\ngo 1.21\n\nrequire example.com/dep v1.0.0\n"
    modules = "# example.com/dep v1.0.0\n## explicit; go 1.21\nexample.com/dep\n"
    folder = write(tmp_path / "m", {"go.mod": go_mod, "m.go": USER, "vendor/modules.txt": modules})
    dependency(folder / "vendor/example.com/dep", "dep")
    (folder / "vendor/example.com/dep/go.mod").unlink()
    assert subjects(cwd=folder) == ["dep.dep", "a"]
    done = check_json("--show", "moved", "example.com/dep", cwd=folder, env={"GOFLAGS": "-trimpath"})
    (moved,) = done.report["messages"]
    assert moved["file"] == str(folder / "vendor/example.com/dep/dep.go")


def test_workspace(tmp_path: Path) -> None:
    dependency(tmp_path / "dep", "dep")
    go_mod = "module example.com/m\n\ngo 1.21\n\nrequire example.com/dep v1.0.0\n"
    folder = write(tmp_path / "m", {"go.mod": go_mod, "m.go": USER})
    write(tmp_path, {"go.work": "go 1.21\n\nuse (\n\t./m\n\t./dep\n)\n"})
    assert subjects(cwd=folder) == ["dep.dep", "a"]
    assert subjects("./m", "./dep", cwd=tmp_path) == ["dep", "dep.dep", "a"]
    done = check_json(cwd=folder, env={"GOWORK": "off"})
    assert done.status == 1 and "example.com/dep" in done.report["packages"][0]["error"]


def test_a_package_outside_the_working_module(tmp_path: Path) -> None:
    """``example.com/...`` and the standard library are patterns too."""
    done = check_json("container/list", cwd=hello(tmp_path / "m"))
    assert done.status == 0
    assert {p["importPath"] for p in done.report["packages"]} == {"container/list"}
    assert all(Path(m["file"]).is_file() for m in done.report["messages"])


def test_a_missing_module_is_not_fetched(tmp_path: Path) -> None:
    files = {"go.mod": "module m\n\ngo 1.21\n\nrequire example.com/none v1.0.0\n", "m.go": USER.replace("dep", "none")}
    folder = write(tmp_path / "m", files)
    before = listing(folder)
    go = FakeGo(tmp_path / "fake")
    done = escapelens(
        "check", "--go", str(go.path), cwd=folder, env={"GOPROXY": "https://example.com", "GOFLAGS": "-mod=mod"}
    )
    assert done.status == 1
    # The go command's own sentence.
    assert "example.com/none" in done.err and "go.sum" in done.err
    assert {line.split()[0] for line in go.environments()} == {"GOPROXY=off"}
    assert listing(folder) == before


def test_a_proxy_that_was_named_is_asked(tmp_path: Path) -> None:
    go = FakeGo(tmp_path / "fake")
    escapelens("check", "--go", str(go.path), "--env", "GOPROXY=file:///nowhere", cwd=hello(tmp_path / "m"))
    assert {line.split()[0] for line in go.environments()} == {"GOPROXY=file:///nowhere"}


def test_no_toolchain_is_fetched(tmp_path: Path) -> None:
    folder = write(tmp_path / "m", {"go.mod": "module m\n\ngo 1.999\n\ntoolchain go1.999.1\n", "m.go": GOOD})
    done = escapelens("check", cwd=folder, env={"GOTOOLCHAIN": "auto", "GOPROXY": "https://example.com"})
    assert done.status == 2
    assert "1.999" in done.err and "Traceback" not in done.err


def test_the_build_cache_of_ordinary_builds_is_reused(tmp_path: Path) -> None:
    """Dependencies that an ordinary build has compiled are not compiled again."""
    dependency(tmp_path / "dep", "dep")
    go_mod = "module example.com/m\n\ngo 1.21\n\nrequire example.com/dep v1.0.0\n\nreplace example.com/dep => ../dep\n"
    # A text that was never compiled before, whatever the cache holds from earlier tests.
    folder = write(tmp_path / "m", {"go.mod": go_mod, "m.go": f"{USER}\n// {uuid.uuid4()}\n"})
    subprocess.run([any_go(), "build", "./..."], cwd=folder, env=environment(), check=True)
    # With -x the go command prints what it runs.
    script = """case "$*" in *-export*)
  shift; "$REAL" list -x "$@" 2>"$HERE/text"; status=$?
  cat "$HERE/text" >&2
  exit $status;;
esac"""
    go = FakeGo(tmp_path / "fake", script)
    done = escapelens("check", "--go", str(go.path), cwd=folder)
    assert done.lines == ["m.go:5:14: moved: moved to heap: dep.dep", "m.go:7:17: moved: moved to heap: a"]
    compiles = [line for line in (go.folder / "text").read_text().splitlines() if "/compile -o " in line]
    assert [" -p example.com/m " in line for line in compiles] == [True]
