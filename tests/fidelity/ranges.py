"""What is underlined: every message's range against the source, with a syntax tree of its own.

A range is good if it is not empty, contains the compiler's point, and is a whole node of the
syntax. Where the subject's text stands in the source at the point, the range has to cover exactly it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from tests.fidelity.meaning import parse

_SAMPLES = 5
_WORD = re.compile(rb"[\w\x80-\xff]")


@dataclass(slots=True)
class Ranges:
    """Counts over many messages; ``bad`` has a number a reason, ``samples`` a few of each."""

    total: int = 0
    good: int = 0
    spelled: int = 0
    exact: int = 0
    bad: dict[str, int] = field(default_factory=dict)
    samples: dict[str, list[str]] = field(default_factory=dict)

    @classmethod
    def restored(cls, value: Mapping[str, Any]) -> Ranges:
        """The counts as they were written to a file."""
        return cls(**value)

    def add(self, other: Ranges) -> None:
        """Add another package's counts."""
        self.total += other.total
        self.good += other.good
        self.spelled += other.spelled
        self.exact += other.exact
        for reason, count in other.bad.items():
            self.bad[reason] = self.bad.get(reason, 0) + count
            kept = self.samples.setdefault(reason, [])
            kept.extend(other.samples.get(reason, [])[: _SAMPLES - len(kept)])

    def fault(self, reason: str, message: Mapping[str, Any]) -> None:
        """Count one exception, and keep it as a sample while there are few."""
        self.bad[reason] = self.bad.get(reason, 0) + 1
        kept = self.samples.setdefault(reason, [])
        if len(kept) < _SAMPLES:
            place = f"{message['file']}:{message['line']}:{message['column'] or 0}"
            kept.append(f"{place}: {message['message'][:100]} {_ends(message['range'])}")


def _ends(span: Mapping[str, int] | None) -> str:
    if span is None:
        return "no range"
    return f"[{span['line']}:{span['column']}-{span['endLine']}:{span['endColumn']}]"


@lru_cache(maxsize=256)
def _lines(path: str) -> tuple[bytes, tuple[int, ...]]:
    with open(path, "rb") as file:
        text = file.read()
    starts = [0]
    starts.extend(match.end() for match in re.finditer(rb"\n", text))
    return text, tuple(starts)


def check_ranges(messages: Iterable[Mapping[str, Any]]) -> Ranges:
    """Check the ranges of all messages that have a file."""
    result = Ranges()
    for message in messages:
        if message["file"] is None:
            continue
        result.total += 1
        reason = _fault(message)
        if reason is None:
            result.good += 1
        else:
            result.fault(reason, message)
        spelled = _spelled(message)
        if spelled is not None:
            result.spelled += 1
            if spelled:
                result.exact += 1
            else:
                result.fault("not exactly the subject", message)
    return result


def _fault(message: Mapping[str, Any]) -> str | None:
    """Why a range is not good, None if it is."""
    span = message["range"]
    if span is None:
        return "no range"
    begin, end = (span["line"], span["column"]), (span["endLine"], span["endColumn"])
    if begin >= end:
        return "empty"
    line, column = message["line"], message["column"]
    if column is None:
        if not begin[0] <= line <= end[0]:
            return "line not inside"
    elif not begin <= (line, column) < end:
        return "point not inside"
    tree = parse(message["file"])
    if tree is None:
        return "no such file"
    _, starts = _lines(message["file"])
    if end[0] > len(starts):
        return "beyond the end of the file"
    first, last = starts[begin[0] - 1] + begin[1] - 1, starts[end[0] - 1] + end[1] - 1
    node = tree.root_node.descendant_for_byte_range(first, last)
    if node is None or (node.start_byte, node.end_byte) != (first, last):
        return "not a whole node"
    return None


def _spelled(message: Mapping[str, Any]) -> bool | None:
    """Whether the range is exactly the subject's text; None if that does not stand at the point."""
    subject, column, span = message["subject"], message["column"], message["range"]
    if column is None or not subject or span is None or parse(message["file"]) is None:
        return None
    text, starts = _lines(message["file"])
    if message["line"] > len(starts):
        return None
    begin = starts[message["line"] - 1] + column - 1
    word = subject.encode("utf-8", "surrogateescape")
    after = text[begin + len(word) : begin + len(word) + 1]
    # The compiler prints -1.0 as -1.
    longer = _WORD.match(after) or (after == b"." and word.lstrip(b"-").isdigit())
    if not text.startswith(word, begin) or (_WORD.match(word[-1:]) and longer):
        return None
    line = message["line"] + word.count(b"\n")
    tail = len(word) if b"\n" not in word else len(word) - word.rindex(b"\n") - 1
    ends = (line, tail + (column if b"\n" not in word else 1))
    return (span["line"], span["column"]) == (message["line"], column) and (
        span["endLine"], span["endColumn"]) == ends  # fmt: skip
