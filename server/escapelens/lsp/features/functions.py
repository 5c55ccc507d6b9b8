"""The function at a position or in a file, with everything that is said of it, for hovers, lenses and documents."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from lsprotocol import types

from escapelens.core.model import Message, Span
from escapelens.core.syntax import Function, SourceFile, declared_name
from escapelens.lsp.session import Session
from escapelens.lsp.to_lsp import Area


@dataclass(frozen=True, slots=True)
class Found:
    """A declared function with all messages inside it, whatever is filtered."""

    function: Function
    file: SourceFile
    path: str
    messages: list[Message]


@lru_cache(maxsize=8)
def parsed(source: bytes) -> SourceFile:
    """The syntax of a text, kept for the files that are looked at."""
    return SourceFile(source)


def function_named_at(session: Session, uri: str, position: types.Position) -> Found | None:
    """The declared function whose name is at a position."""
    place = session.view.compiler_place(uri, position.line, position.character)
    if place is None:
        return None
    path, source, line, column = place
    file = parsed(source)
    offset = file.offset(line, column)
    function = file.function_at(offset) if offset is not None else None
    if function is None or function.literal or offset is None:
        return None
    name_end = function.name_offset + len(function.name.rpartition(".")[2].encode())
    if not function.name_offset <= offset <= name_end:
        return None
    return Found(function, file, path, _by_function(session, path).get(function.name, []))


def functions_of(session: Session, path: str) -> Iterator[tuple[Found, Area]]:
    """The declared functions of a file that something is said of, each with where its name stands in the editor."""
    mapper = session.view.mapper_for_path(path)
    by_function = _by_function(session, path)
    for found, _ in session.store.messages_of(path)[:1]:
        file = parsed(found.source)
        for function in file.functions:
            messages = by_function.get(function.name, [])
            if mapper is None or function.literal or not messages:
                continue
            line, column = file.place(function.name_offset)
            where = mapper.range(Span(line, column, line, column + 1))
            if where is not None:
                yield Found(function, file, path, messages), where


def _by_function(session: Session, path: str) -> dict[str, list[Message]]:
    found: dict[str, list[Message]] = {}
    for messages, _ in session.store.messages_of(path):
        for message in messages.messages:
            if message.function is not None:
                found.setdefault(declared_name(message.function), []).append(message)
    return found
