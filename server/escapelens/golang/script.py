"""The commands that ``go list -export -n`` prints, read back.

With ``-n`` the go command prints what it would run and runs nothing (``cmd/go/internal/work/shell.go``,
``exec.go``): a banner names the package that is compiled next, ``cd`` a folder, ``cat`` and ``echo`` write
small files; ``$WORK`` stands for its temporary folder.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePath

#: The go command's name for its temporary folder.
WORK = "$WORK"

_HEREDOC = re.compile(r"cat >(.+) << 'EOF'(?: # internal)?")
_ECHO = re.compile(r"echo (?:-n|'(.*)') > (.+?)(?: # internal)?")


@dataclass(frozen=True, slots=True)
class Command:
    """One program to run in ``cwd``; its words may hold ``$WORK``."""

    words: tuple[str, ...]
    cwd: str

    @property
    def tool(self) -> str:
        """The program's name without folder and ``.exe``."""
        return PurePath(self.words[0].replace("\\", "/")).name.removesuffix(".exe")

    def value(self, flag: str) -> str | None:
        """The word after a flag, None without it."""
        return next((self.words[i + 1] for i, word in enumerate(self.words[:-1]) if word == flag), None)


@dataclass(frozen=True, slots=True)
class Script:
    """``compiles`` by the package that the banner names (``p``, ``p [p.test]``): several where main packages have
    profiles, which their imports are compiled with once more. All other commands by the file that they make, and
    the texts of the files that the go command writes itself.
    """

    compiles: dict[str, list[Command]]
    makers: dict[str, Command]
    files: dict[str, str]


def read_script(text: str) -> Script:
    """Read the printed commands. A line that is not understood makes nothing: whoever needs what it would
    make does not find it.
    """
    script = Script({}, {}, {})
    name = cwd = ""
    lines = iter(text.split("\n"))
    for line in lines:
        if line == "#":
            name = next(lines, "").removeprefix("# ")
            next(lines, "")
        elif line.startswith("cd "):
            cwd = line[3:]
        elif (heredoc := _HEREDOC.fullmatch(line)) is not None:
            script.files[heredoc[1]] = "".join(f"{text}\n" for text in _until_end(lines))
        elif (echo := _ECHO.fullmatch(line)) is not None:
            script.files[echo[2]] = f"{echo[1]}\n" if echo[1] is not None else ""
        elif words := _words(line):
            command = Command(tuple(words), cwd)
            if command.tool == "compile":
                script.compiles.setdefault(name, []).append(command)
            elif (output := command.value("-o")) is not None:
                script.makers[output] = command
    return script


def _until_end(lines: Iterator[str]) -> Iterator[str]:
    for line in lines:
        if line == "EOF":
            return
        yield line


def _words(line: str) -> list[str]:
    try:
        return shlex.split(line)
    except ValueError:
        return []
