"""How lines move while a file is edited between two results.

Lines here end at ``\\n`` only and count from 0. A line is the same line as long as its text stays; a
changed line has no origin, and messages on it go until the next result.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

BOM = b"\xef\xbb\xbf"

#: Stretches longer than this many lines are not matched line by line.
_MATCH_LIMIT = 2000


class LineTracker:
    """For each line of the current text the line of the base text that it was, or None."""

    def __init__(self, text: bytes) -> None:
        self.origins: list[int | None] = list(range(text.count(b"\n") + 1))
        self._targets: dict[int, int] | None = None

    def edit(self, text: bytes, start: int, end: int, new: bytes) -> bytes:
        """Replace the bytes ``start`` to ``end`` of the current ``text`` by ``new``.

        Returns the new text; offsets outside the text are kept inside.
        """
        start = max(0, min(start, len(text)))
        end = max(start, min(end, len(text)))
        first = text.count(b"\n", 0, start)
        last = first + text.count(b"\n", start, end)
        line_start = text.rfind(b"\n", 0, start) + 1
        line_end = text.find(b"\n", end)
        line_end = len(text) if line_end < 0 else line_end
        old_lines = text[line_start:line_end].split(b"\n")
        new_lines = (text[line_start:start] + new + text[end:line_end]).split(b"\n")
        kept = _match(old_lines, new_lines)
        before = self.origins[first : last + 1]
        after: list[int | None] = [None] * len(new_lines)
        for old, current in kept.items():
            after[current] = before[old]
        self.origins[first : last + 1] = after
        self._targets = None
        return text[:start] + new + text[end:]

    def targets(self) -> dict[int, int]:
        """Base lines to current lines; base lines that changed are missing."""
        if self._targets is None:
            self._targets = {origin: line for line, origin in enumerate(self.origins) if origin is not None}
        return self._targets


def match_lines(base: bytes, current: bytes) -> dict[int, int]:
    """Lines of ``base`` that stand unchanged in ``current``, for texts that were not followed edit
    by edit (a file changed outside the editor). Line ends may differ.
    """
    old = [line.rstrip(b"\r") for line in base.removeprefix(BOM).split(b"\n")]
    new = [line.rstrip(b"\r") for line in current.removeprefix(BOM).split(b"\n")]
    return _match(old, new)


def _match(old: Sequence[bytes], new: Sequence[bytes]) -> dict[int, int]:
    """Old lines to the new lines that are equal, in order: start and end first, then what lies between."""
    head, tail = _common(old, new)
    found = {line: line for line in range(head)}
    middle_old, middle_new = old[head : len(old) - tail], new[head : len(new) - tail]
    if middle_old and middle_new and len(middle_old) + len(middle_new) <= _MATCH_LIMIT:
        matcher = SequenceMatcher(None, middle_old, middle_new, autojunk=False)
        for block in matcher.get_matching_blocks():
            found.update({head + block.a + n: head + block.b + n for n in range(block.size)})
    found.update({len(old) - n: len(new) - n for n in range(tail, 0, -1)})
    return found


def _common(old: Sequence[bytes], new: Sequence[bytes]) -> tuple[int, int]:
    """How many lines at the start, and then at the end, are equal."""
    shorter = min(len(old), len(new))
    head = next((n for n in range(shorter) if old[n] != new[n]), shorter)
    rest = shorter - head
    tail = next((n for n in range(rest) if old[-1 - n] != new[-1 - n]), rest)
    return head, tail
