"""Thirty-five situations in ``fixtures/situations``, one folder each, with what their hover says.

Marks at the end of a line: ``//? SUBJECT`` is hovered (``function``: the function's name), its text is kept in the
folder's ``hover.md``; ``//: CAUSE SUBJECT`` has this cause; ``//: none`` puts nothing that costs anything on the heap.
``python -m tests.causes.situations`` writes the texts anew.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from escapelens.core.function_hover import function_markdown
from escapelens.core.model import Message, Place
from escapelens.core.price import Price
from escapelens.core.render import message_markdown
from escapelens.core.syntax import SourceFile, declared_name
from escapelens.engine.files import read_source
from escapelens.golang.build import BuildOptions

from tests.causes.corpus import analysed
from tests.tools import ROOT, need_release

FOLDER = ROOT / "fixtures" / "situations"
#: The release of the texts; what only an older one says has its own.
RELEASE = "1.26.6"
OLDER = {"size-unknown": "1.24.11"}
NAMES = sorted(path.parent.name for path in FOLDER.glob("*/s.go"))

_HOVERED = re.compile(r"//\? (.*?)(?= //: |$)")
_CAUSE = re.compile(r"//: (\S+)(?: (.*?))?(?= //: |$)")


@dataclass(frozen=True, slots=True)
class Situation:
    """One folder: its text, and what the compiler said of it."""

    name: str
    path: str
    source: bytes
    messages: tuple[Message, ...]

    def lines(self) -> Iterator[tuple[int, str]]:
        """The numbered lines."""
        yield from enumerate(self.source.decode().split("\n"), 1)

    def hover(self) -> str:
        """The hover at the mark, with links relative to the folder."""
        number, subject = next((n, m[1]) for n, line in self.lines() if (m := _HOVERED.search(line)))
        if subject == "function":
            file = SourceFile(self.source)
            function = next(f for f in file.functions if file.place(f.name_offset)[0] == number)
            inside = [m for m in self.messages if declared_name(m.function or "") == function.name]
            return function_markdown(function, inside, link, file, self.path) + "\n"
        found = [m for m in self.messages if m.place.line == number and m.subject == subject]
        found = [m for m in found if m.type in ("escape", "moved", "leak") or m.may_allocate]
        assert found, f"{self.name}: nothing is said of {subject} in line {number}"
        price = Price(self.messages, read_source)
        return message_markdown(found[0], link, self._line, price.lines(found[0], link)) + "\n"

    def _line(self, place: Place) -> str | None:
        source = read_source(place.file) if place.file else None
        lines = source.decode().split("\n") if source is not None else []
        # The marks are no part of what a reader sees.
        text = lines[place.line - 1].partition("//? ")[0].partition("//: ")[0] if place.line <= len(lines) else ""
        return text.strip() or None

    def wrong_causes(self) -> list[str]:
        """One line for each mark that does not hold."""
        wrong: list[str] = []
        for number, line in self.lines():
            here = [m for m in self.messages if m.place.line == number and m.type in ("escape", "moved", "leak")]
            for cause, subject in _CAUSE.findall(line):
                if cause == "none":
                    heap = [m.text for m in here if m.type != "leak" and not m.free]
                    wrong += [f"{self.name}:{number}: nothing expected: {text}" for text in heap]
                    continue
                causes = {m.cause for m in here if m.subject == subject}
                if causes != {cause}:
                    wrong.append(f"{self.name}:{number}: {subject}: {cause} expected, found {causes}")
        return wrong


def link(place: Place) -> str:
    """A link that is the same on every machine."""
    name = Path(place.file or "?").name
    return f"[{name}:{place.line}:{place.column}](#L{place.line},{place.column})"


def situations(release: str) -> dict[str, Situation]:
    """All situations as one release compiles them."""
    found: dict[str, Situation] = {}
    for report in analysed(FOLDER, ("./...",), BuildOptions(), need_release(release)):
        path = Path(report.dir) / "s.go"
        assert report.status == "ok" and not report.unparsed, report
        found[path.parent.name] = Situation(path.parent.name, str(path), path.read_bytes(), tuple(report.messages))
    return found


def main() -> None:
    """Write the texts anew."""
    newer = situations(RELEASE)
    for name in NAMES:
        situation = situations(OLDER[name])[name] if name in OLDER else newer[name]
        (FOLDER / name / "hover.md").write_text(situation.hover(), "utf-8")
        print("\n".join(situation.wrong_causes()) or f"{name}: ok")


if __name__ == "__main__":
    main()
