"""Columns against the language server protocol's own rules, computed here by the codecs."""

from __future__ import annotations

import pytest
from escapelens.core.positions import Encoding, LineIndex
from hypothesis import given
from hypothesis import strategies as st

CODECS: dict[Encoding, tuple[str, int]] = {
    "utf-8": ("utf-8", 1),
    "utf-16": ("utf-16-le", 2),
    "utf-32": ("utf-32-le", 4),
}
PIECES = [
    "a",
    "\t",
    "é",
    "e\u0301",
    "漢",
    "😀",
    "👩‍👩‍👧",
    "שלום",
    "\f",
    "\u2028",
    "\x0b",
    "\x85",
    "\n",
    "\r\n",
    "\r",
    " := &x",
]


def lines_of(text: str) -> list[str]:
    """Lines as LSP 3.17 defines them: the ends are \\n, \\r\\n and \\r."""
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


@pytest.mark.parametrize("encoding", list(CODECS))
@given(pieces=st.lists(st.sampled_from(PIECES), max_size=40), data=st.data())
def test_every_byte_offset_is_where_the_specification_says(
    encoding: Encoding, pieces: list[str], data: st.DataObject
) -> None:
    text = "".join(pieces)
    cut = data.draw(st.integers(0, len(text)))
    if text[cut - 1 : cut + 1] == "\r\n":
        cut += 1
    before = text[:cut]
    codec, size = CODECS[encoding]
    expected = len(lines_of(before)) - 1, len(lines_of(before)[-1].encode(codec)) // size
    index = LineIndex(text.encode())
    offset = len(before.encode())
    assert index.offset_to_client(offset, encoding) == expected
    assert index.from_client(*expected, encoding) == offset
    line, column = index.compiler_place(offset)
    assert (line, column) == (before.count("\n") + 1, len(before.rpartition("\n")[2].encode()) + 1)
    assert index.to_client(line, column, encoding) == expected


def test_positions_never_leave_the_document() -> None:
    index = LineIndex("ab\ncé\n".encode())
    assert index.from_client(0, 99, "utf-16") == 2
    assert index.from_client(9, 0, "utf-16") == len(index.source)
    assert index.from_client(-1, 0, "utf-16") == 0
    assert index.to_client(1, 99, "utf-8") == (1, 0)
    assert index.to_client(99, 1, "utf-8") == (2, 0)
    assert index.to_client(0, 0, "utf-8") == (0, 0)


def test_bytes_that_are_not_utf8_count_one_character() -> None:
    index = LineIndex(b"a\xff\xfeb")
    assert index.offset_to_client(3, "utf-16") == (0, 3)
    assert index.from_client(0, 3, "utf-16") == 3


@given(st.text(alphabet="ab\t é漢😀\r\n", max_size=60), st.integers(-2, 12), st.integers(-2, 20))
def test_a_position_is_that_of_its_offset(text: str, line: int, column: int) -> None:
    index = LineIndex(text.encode())
    for encoding in CODECS:
        expected = index.offset_to_client(index.offset(line, column), encoding)
        assert index.to_client(line, column, encoding) == expected
