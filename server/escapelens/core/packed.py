"""Messages as bytes, file by file: small in memory, quick to read back, the same in every process.

The messages of one file travel without their flows; the flows of a file are packed apart and unpacked
when somebody asks. Bytes that are no messages of ours raise ``ValueError`` (msgspec's errors are).
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import lru_cache
from hashlib import blake2b
from sys import intern
from typing import Any, overload

import msgspec

from escapelens.core.model import Message, Way
from escapelens.core.report import sort_key

_encode = msgspec.msgpack.Encoder().encode
_messages = msgspec.msgpack.Decoder(list[Message])
_flows = msgspec.msgpack.Decoder(list[tuple[Way, ...]])
_ways = msgspec.msgpack.Decoder(list[int])

#: Unpacked texts and flows that are kept: those of the files that are looked at.
_KEPT = 12


class PackedText:
    """The text of a file, compressed."""

    __slots__ = ("_packed", "digest")

    def __init__(self, packed: bytes, digest: bytes) -> None:
        self._packed = packed
        self.digest = digest

    @property
    def bytes(self) -> bytes:
        """The text; the same object as long as it is among the last ones used."""
        return _open_text(self)


@lru_cache(maxsize=_KEPT)
def _open_text(text: PackedText) -> bytes:
    return zlib.decompress(text._packed)


class _Flows:
    """The flows of one file's messages, compressed."""

    __slots__ = ("packed",)

    def __init__(self, packed: bytes) -> None:
        self.packed = packed


@lru_cache(maxsize=_KEPT)
def _open_flows(flows: _Flows) -> list[tuple[Way, ...]]:
    return _flows.decode(zlib.decompress(flows.packed))


class PackedWays(Sequence[Way]):
    """The ways of one message: a tuple in every respect, unpacked when it is read."""

    __slots__ = ("_count", "_flows", "_index")

    def __init__(self, flows: _Flows, index: int, count: int) -> None:
        self._flows = flows
        self._index = index
        self._count = count

    def _open(self) -> tuple[Way, ...]:
        return _open_flows(self._flows)[self._index]

    @overload
    def __getitem__(self, index: int) -> Way: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Way, ...]: ...
    def __getitem__(self, index: int | slice) -> Way | tuple[Way, ...]:
        return self._open()[index]

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Way]:
        return iter(self._open())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and self._open() == tuple(other)

    def __hash__(self) -> int:
        return hash(self._open())


@dataclass(frozen=True, slots=True)
class PackedFile:
    """The messages of one file (``path`` None: those without a place), in the order of their positions.

    ``identity`` is equal for equal messages about an equal text. The text of files that are no Go or cannot be
    read is empty.
    """

    path: str | None
    identity: bytes
    messages: bytes
    counts: bytes
    flows: bytes
    text: bytes
    digest: bytes


@dataclass(frozen=True, slots=True)
class TextBytes:
    """A text, compressed, and its digest."""

    packed: bytes
    digest: bytes


def digest_of(text: bytes) -> bytes:
    """What tells one text from another: 16 bytes."""
    return blake2b(text, digest_size=16).digest()


def pack_text(text: bytes) -> TextBytes:
    """Compress a text."""
    return TextBytes(zlib.compress(text, 1), digest_of(text))


_NO_TEXT = pack_text(b"")


def pack(messages: Iterable[Message], text_of: Callable[[str], TextBytes | None]) -> list[PackedFile]:
    """Pack the messages of one compile, the files in the order of their paths. The messages are used up: their
    flows are taken out.
    """
    by_file: dict[str | None, list[Message]] = {}
    for message in messages:
        by_file.setdefault(message.place.file, []).append(message)
    return [
        _pack_file(path, by_file[path], (text_of(path) if path is not None else None) or _NO_TEXT)
        for path in sorted(by_file, key=lambda path: path or "\uffff")
    ]


def _pack_file(path: str | None, messages: list[Message], text: TextBytes) -> PackedFile:
    messages.sort(key=sort_key)
    flows = [message.flows for message in messages]
    for message, ways in zip(messages, flows, strict=True):
        if ways:
            object.__setattr__(message, "flows", ())
    try:
        light, packed_flows = _encode(messages), _encode(flows)
    except UnicodeEncodeError:
        # Bytes that are no UTF-8, kept as lone surrogates until here: written out as escapes.
        light, packed_flows = _encode(_printable(messages)), _encode(_printable(flows))
    identity = blake2b(light, digest_size=16)
    identity.update(packed_flows)
    identity.update(text.digest)
    return PackedFile(
        path=path,
        identity=identity.digest(),
        messages=zlib.compress(light, 1),
        counts=_encode(list(map(len, flows))),
        flows=zlib.compress(packed_flows, 1),
        text=text.packed,
        digest=text.digest,
    )


def _printable(value: Any) -> Any:
    """The same value without lone surrogates."""
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode("utf-8")
    if isinstance(value, list | tuple):
        return type(value)(map(_printable, value))
    if is_dataclass(value) and not isinstance(value, type):
        return replace(value, **{field.name: _printable(getattr(value, field.name)) for field in fields(value)})
    return value


def unpack(packed: PackedFile) -> tuple[Message, ...]:
    """The messages of a file. Raises ValueError (or zlib.error) for bytes that are none."""
    messages = _messages.decode(zlib.decompress(packed.messages))
    flows = _Flows(packed.flows)
    shared: dict[str | None, str | None] = {packed.path: packed.path}
    # Frozen values are finished before anybody sees them; equal words of many messages become one.
    finish = object.__setattr__
    for index, (message, count) in enumerate(zip(messages, _ways.decode(packed.counts), strict=True)):
        finish(message, "flows", PackedWays(flows, index, count) if count else ())
        finish(message.place, "file", packed.path)
        finish(message, "kind", intern(message.kind))
        finish(message, "package", intern(message.package))
        finish(message, "function", shared.setdefault(message.function, message.function))
        finish(message, "subject", shared.setdefault(message.subject, message.subject))
        finish(message, "text", shared.setdefault(message.text, message.text))
    return tuple(messages)


def text_of(packed: PackedFile) -> PackedText:
    """The text that a file's messages speak of."""
    return PackedText(packed.text, packed.digest)
