"""Packed messages are the messages; damaged bytes are an error, not messages."""

from __future__ import annotations

import zlib
from dataclasses import replace

import pytest
from escapelens.core.model import FlowHop, FlowStep, Message, Place, Span
from escapelens.core.packed import pack, pack_text, text_of, unpack

STEP = FlowStep("&u", "address-of", Place("/a.go", 12, 9))
WAY = (FlowHop("~r0", "&u", (STEP,)), FlowHop("{heap}", "x", (), "warning: cut"))
MESSAGES = [
    Message("moved-to-heap", "moved to heap: u", Place("/a.go", 11, 2), "u", Span(11, 2, 11, 3), flows=(WAY, WAY)),
    Message("can-inline", "can inline F \udcff", Place("/a.go", 3, 6), "F"),
    Message("leaking-param", "leaking param: p", Place("/b.go", 1, None), "p", flows=(WAY,)),
    Message("moved-to-heap", "moved to heap: #next", Place(None), "#next"),
]
SOURCE = "package a // ü\n".encode()


def packed() -> list[Message]:
    # Packing uses its messages up.
    copies = [replace(message) for message in MESSAGES]
    return [m for file in pack(copies, lambda path: pack_text(SOURCE)) for m in unpack(file)]


def test_what_comes_out_is_what_went_in() -> None:
    expected = sorted(
        (replace(m, text=m.text.replace("\udcff", r"\udcff")) for m in MESSAGES),
        key=lambda m: (m.place.file or "\uffff", m.place.line),
    )
    found = packed()
    assert found == expected
    assert [tuple(m.flows) for m in found] == [tuple(m.flows) for m in expected]
    assert found[1].flows[0] == WAY and found[1].flows[1:] == (WAY,) and bool(found[0].flows) is False


def test_texts_and_identities() -> None:
    first = pack([replace(m) for m in MESSAGES[:1]], lambda path: pack_text(SOURCE))
    second = pack([replace(m) for m in MESSAGES[:1]], lambda path: pack_text(b"other"))
    assert text_of(first[0]).bytes == SOURCE
    assert first[0].identity != second[0].identity
    again = pack([replace(m) for m in MESSAGES[:1]], lambda path: pack_text(SOURCE))
    assert again[0].identity == first[0].identity
    other = pack([replace(m, flows=(WAY,)) for m in MESSAGES[:1]], lambda path: pack_text(SOURCE))
    assert other[0].identity != first[0].identity


def test_damage_is_an_error() -> None:
    (file,) = pack([replace(MESSAGES[0])], lambda path: pack_text(SOURCE))
    with pytest.raises((ValueError, zlib.error)):
        unpack(replace(file, messages=file.messages[:-6]))
    with pytest.raises((ValueError, zlib.error)):
        unpack(replace(file, messages=zlib.compress(b"\x81\xa1")))
