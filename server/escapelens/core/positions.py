"""Byte columns to a client's columns and back.

The compiler counts lines at ``\\n`` only and columns in bytes from 1; LSP ends lines at ``\\n``,
``\\r\\n`` and ``\\r``, counts from 0, in UTF-8, UTF-16 or UTF-32 code units (LSP 3.17, Position).
"""

from __future__ import annotations

from bisect import bisect_right
from typing import Literal

Encoding = Literal["utf-8", "utf-16", "utf-32"]


class LineIndex:
    """The lines of one text, for both ways of counting. Bytes that are not UTF-8 count one
    character each, as an editor shows them.
    """

    def __init__(self, source: bytes) -> None:
        self.source = source
        self._compiler_lines = [0]
        self._client_lines = [0]
        position = 0
        for byte_line in source.splitlines(keepends=True):
            # bytes.splitlines splits on \n, \r\n and \r only, unlike str.splitlines.
            position += len(byte_line)
            if byte_line.endswith((b"\n", b"\r")):
                self._client_lines.append(position)
            if byte_line.endswith(b"\n"):
                self._compiler_lines.append(position)

        self._same_lines = self._compiler_lines == self._client_lines

    def offset(self, line: int, column: int) -> int:
        """The byte offset of a compiler position (1-based line, 1-based byte column), kept inside
        the text and its line.
        """
        if line < 1:
            return 0
        if line > len(self._compiler_lines):
            return len(self.source)
        start = self._compiler_lines[line - 1]
        end = self._compiler_lines[line] if line < len(self._compiler_lines) else len(self.source)
        return min(start + max(0, column - 1), end)

    def to_client(self, line: int, column: int, encoding: Encoding) -> tuple[int, int]:
        """A compiler position as a 0-based (line, character) of the client."""
        starts = self._compiler_lines
        if self._same_lines and 0 < line < len(starts) and 0 < column <= starts[line] - starts[line - 1]:
            # Nearly always: both count the same lines, and the column is inside its line.
            start = starts[line - 1]
            return line - 1, _units(self.source[start : start + column - 1], encoding)
        return self.offset_to_client(self.offset(line, column), encoding)

    def offset_to_client(self, offset: int, encoding: Encoding) -> tuple[int, int]:
        """A byte offset as a 0-based (line, character) of the client."""
        line = bisect_right(self._client_lines, offset) - 1
        return line, _units(self.source[self._client_lines[line] : offset], encoding)

    def from_client(self, line: int, character: int, encoding: Encoding) -> int:
        """The byte offset of a client position, kept inside its line (LSP: a character beyond the
        line's end means its end).
        """
        if line < 0:
            return 0
        if line >= len(self._client_lines):
            return len(self.source)
        start = self._client_lines[line]
        end = self._client_lines[line + 1] if line + 1 < len(self._client_lines) else len(self.source)
        text = self.source[start:end].rstrip(b"\r\n")
        return start + _bytes_of(text, character, encoding)

    def compiler_place(self, offset: int) -> tuple[int, int]:
        """A byte offset as a compiler position."""
        line = bisect_right(self._compiler_lines, offset)
        return line, offset - self._compiler_lines[line - 1] + 1


def _units(text: bytes, encoding: Encoding) -> int:
    if text.isascii():
        return len(text)
    decoded = text.decode("utf-8", "surrogateescape")
    if encoding == "utf-32":
        return len(decoded)
    if encoding == "utf-16":
        return len(decoded) + sum(ord(char) > 0xFFFF for char in decoded)
    # An editor holds U+FFFD (three bytes) where the file has a byte that is not UTF-8.
    return len(text) + 2 * sum(0xDC80 <= ord(char) <= 0xDCFF for char in decoded)


def _bytes_of(text: bytes, units: int, encoding: Encoding) -> int:
    if text.isascii():
        return min(max(units, 0), len(text))
    position = seen = 0
    for char in text.decode("utf-8", "surrogateescape"):
        if seen >= units:
            break
        seen += _units(char.encode("utf-8", "surrogateescape"), encoding)
        position += len(char.encode("utf-8", "surrogateescape"))
    return position
