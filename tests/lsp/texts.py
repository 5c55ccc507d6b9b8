"""Texts and positions, computed here anew: the server's own arithmetic is what is tested."""

from __future__ import annotations

import re
from typing import Any

_LINE_END = re.compile("\r\n|\n|\r")
_WIDTHS = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}


def lines_of(text: str) -> list[str]:
    """The lines as LSP defines them: ended by LF, CRLF or CR and nothing else."""
    return _LINE_END.split(text)


def units(text: str, encoding: str) -> int:
    """The length of a text in an encoding's code units."""
    codec, width = _WIDTHS[encoding]
    return len(text.encode(codec)) // width


def underlined(text: str, where: dict[str, Any], encoding: str = "utf-16") -> str:
    """The part of a text that a range covers."""
    lines = lines_of(text)
    start, end = where["start"], where["end"]
    if start["line"] == end["line"]:
        return _cut(lines[start["line"]], encoding, start["character"], end["character"])
    middle = lines[start["line"] + 1 : end["line"]]
    first = _cut(lines[start["line"]], encoding, start["character"], None)
    return "\n".join([first, *middle, _cut(lines[end["line"]], encoding, 0, end["character"])])


def _cut(line: str, encoding: str, start: int, end: int | None) -> str:
    codec, width = _WIDTHS[encoding]
    data = line.encode(codec)
    assert start * width <= len(data), "the position is behind its line"
    return data[start * width : None if end is None else end * width].decode(codec)


def position_of(text: str, word: str, encoding: str = "utf-16", nth: int = 0) -> dict[str, int]:
    """The position of the nth occurrence of a word."""
    at = -1
    for _ in range(nth + 1):
        at = text.index(word, at + 1)
    before = lines_of(text[:at])
    return {"line": len(before) - 1, "character": units(before[-1], encoding)}


def range_of(text: str, word: str, encoding: str = "utf-16") -> dict[str, dict[str, int]]:
    """The range of the first occurrence of a word."""
    start = position_of(text, word, encoding)
    return {"start": start, "end": {**start, "character": start["character"] + units(word, encoding)}}


EVERYTHING = {"start": {"line": 0, "character": 0}, "end": {"line": 1_000_000, "character": 0}}
