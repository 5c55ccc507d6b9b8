"""Expectations written in the Go fixtures: ``//= TYPE SUBJECT`` at the end of a line, several in a row.

The subject is the compiler's, without spaces; ``literal`` stands for ``func literal``. The type ``free`` is an
``escape`` that the product hides because it certainly costs nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from tests.tools import ROOT

_MARK = re.compile(r"//= (\S+) (\S+)")

#: (file name, line, type, subject)
Mark = tuple[str, int, str, str]

#: The fixtures that carry marks, one Go module each.
MARKED = sorted(
    {path.parent for path in (ROOT / "fixtures").rglob("*.go") if "//= " in path.read_text("utf-8", "replace")}
)


def squeeze(subject: str) -> str:
    """A subject as marks spell it."""
    return "".join(subject.replace("func literal", "literal").split())


def wanted(folder: Path, free: bool = False) -> Counter[Mark]:
    """The marks of all files in a folder; those of free values only where they are asked for, as ``escape``."""
    return Counter(
        (path.name, number, "escape" if kind == "free" else kind, subject)
        for path in folder.glob("*.go")
        for number, line in enumerate(path.read_text("utf-8").split("\n"), 1)
        for kind, subject in _MARK.findall(line)
        if free or kind != "free"
    )


def differences(expected: Counter[Mark], found: Iterable[Mark]) -> list[str]:
    """One line for each mark that is missing and each message that is not marked."""
    seen = Counter(found)
    missing = [f"missing: {mark}" for mark in (expected - seen).elements()]
    return missing + [f"not marked: {mark}" for mark in (seen - expected).elements()]
