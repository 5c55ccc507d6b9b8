"""Small Go modules and go commands with a will of their own, for tests."""

from __future__ import annotations

import hashlib
import os
import select
import shlex
import weakref
from collections.abc import Mapping
from pathlib import Path

from tests.tools import ROOT, any_go

HELLO = ROOT / "fixtures" / "hello"
GO_MOD = "module example.com/m\n\ngo 1.21\n"
#: Seconds after which a process that should come or go is taken for stuck.
_STUCK = 30.0
_LEFT_OUT = ("GOFLAGS", "GOOS", "GOARCH", "GOWORK", "GOEXPERIMENT", "GOPROXY", "GOTMPDIR", "CGO_ENABLED", "NO_COLOR")


def write(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    """Write files below a folder; the folder."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def module(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    """Write a module of one package and more; the folder."""
    return write(folder, {"go.mod": GO_MOD, **files})


def hello(folder: Path) -> Path:
    """A copy of fixtures/hello; the folder."""
    return write(folder, {path.name: path.read_bytes() for path in HELLO.iterdir()})


def environment(**more: str) -> dict[str, str]:
    """The environment of a user with Go on PATH and nothing special set."""
    kept = {key: value for key, value in os.environ.items() if key not in _LEFT_OUT}
    path = f"{Path(any_go()).parent}{os.pathsep}{kept.get('PATH', '')}"
    return {**kept, "PATH": path, "PYTHONDONTWRITEBYTECODE": "1", **more}


def listing(folder: Path) -> dict[str, str]:
    """Every file below a folder with a hash of its content."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "folder"
        for path in sorted(folder.rglob("*"))
    }


class FakeGo:
    """A go command that notes its calls, does ``script`` (shell) first, then what Go does.

    In the script, ``$REAL`` is the real command, ``$HERE`` this folder.
    """

    def __init__(self, folder: Path, script: str = "", compiler: str = "") -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.path = folder / "go"
        here = f"HERE={shlex.quote(str(folder))}"
        # What `go list -export -n` prints is what is run later: the compiler is ours there, too.
        plan = """case "$*" in *-export*-n*)
  "$REAL" "$@" 2>"$HERE/script"; status=$?
  "$REAL" tool -n compile >"$HERE/real"
  sed "s#^[^ ]*/compile #$HERE/compile #" "$HERE/script" >&2
  exit $status;;
esac"""
        _write_program(
            self.path,
            f"REAL={shlex.quote(any_go())}",
            here,
            'printf "%s\\n" "$*" >>"$HERE/calls"',
            'printf "%s %s %s\\n" "GOPROXY=$GOPROXY" "GOTMPDIR=$GOTMPDIR" "GOFLAGS=$GOFLAGS" >>"$HERE/environment"',
            script,
            plan,
            'exec "$REAL" "$@"',
        )
        _write_program(
            folder / "compile", here, 'echo compile >>"$HERE/calls"', compiler, 'exec "$(cat "$HERE/real")" "$@"'
        )

    def calls(self) -> list[str]:
        """The arguments of every call so far."""
        path = self.folder / "calls"
        return path.read_text().splitlines() if path.exists() else []

    def compiles(self) -> int:
        """How many calls compiled something, directly or through the go command."""
        calls = [call.split() for call in self.calls()]
        return sum(call == ["compile"] or ("-export" in call and "-n" not in call) for call in calls)

    def environments(self) -> list[str]:
        """What every call had of GOPROXY, GOTMPDIR and GOFLAGS."""
        return (self.folder / "environment").read_text().splitlines()


def _write_program(path: Path, *lines: str) -> None:
    path.write_text("\n".join(("#!/bin/sh", *lines, "")))
    path.chmod(0o755)


class HangingGo(FakeGo):
    """Hangs in the compiles for which ``hangs`` (a shell test) holds, with a child of its own.

    All its processes hold a pipe open: its end tells that the last one is gone.
    """

    def __init__(self, folder: Path, hangs: str = 'mkdir "$HERE/first" 2>/dev/null') -> None:
        hang = f"""if {hangs}; then
    exec 3>"$HERE/pipe"
    echo up >&3
    sleep 10000 &
    sleep 10000
  fi"""
        super().__init__(folder, f'case "$*" in *-export*-n*);; *-export*) {hang};; esac', hang)
        os.mkfifo(folder / "pipe")
        self._read = os.open(folder / "pipe", os.O_RDONLY | os.O_NONBLOCK)
        # Without a writer of our own the pipe would end between two compiles.
        self._hold = os.open(folder / "pipe", os.O_WRONLY)
        self._close_hold = weakref.finalize(self, os.close, self._hold)
        weakref.finalize(self, os.close, self._read)

    def _next(self, seconds: float) -> bytes | None:
        """What is said next: empty if nobody is left to say anything, None if nothing is said."""
        readable, _, _ = select.select([self._read], [], [], seconds)
        return os.read(self._read, 4096) if readable else None

    def wait_up(self) -> None:
        """Wait until it hangs."""
        assert self._next(_STUCK), "the compile never began"

    def wait_gone(self) -> None:
        """Wait until all its processes are gone, children too."""
        self._close_hold()
        while said := self._next(_STUCK):
            continue
        assert said == b"", "processes of the compile outlive it"

    def alive(self) -> bool:
        """Tell whether a process of it lives now."""
        self._close_hold()
        return self._next(0) != b""
