"""The commands of the contract. Each takes one object and returns plain JSON values."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, TypeVar

from lsprotocol import types
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pygls.exceptions import JsonRpcInvalidParams

from escapelens.core.model import Message
from escapelens.core.report import message_json
from escapelens.core.words import REASON_WORDS, plain_expression
from escapelens.engine.check import raw_text
from escapelens.errors import EscapeLensError
from escapelens.golang.build import BuildOptions
from escapelens.golang.toolchain import inspect
from escapelens.lsp.features.hover import contains, document, hover
from escapelens.lsp.features.messages import At, Pair
from escapelens.lsp.session import Session
from escapelens.lsp.to_lsp import uri_of
from escapelens.settings import MessageTypeName

Scope = Literal["file", "package", "module"]
Argument = TypeVar("Argument", bound=BaseModel)


class _Argument(BaseModel):
    model_config = ConfigDict(extra="ignore", populate_by_name=True)


class Analyze(_Argument):
    """``escapelens.analyze``: a run with ``env``, ``tags`` or ``gcflags`` keeps a result of its own.

    Without ``wait`` the answer comes at once.
    """

    uri: str
    scope: Scope = "package"
    env: dict[str, str] = Field(default_factory=dict)
    tags: tuple[str, ...] = ()
    gcflags: tuple[str, ...] = ()
    types: list[MessageTypeName] | None = None
    wait: bool = True


class SetFilter(_Argument):
    """``escapelens.setFilter``; null goes back to the settings."""

    types: list[MessageTypeName] | None


class OfFile(_Argument):
    """``escapelens.showRaw``; ``show`` opens the text in the editor."""

    uri: str
    show: bool = False


class Explain(_Argument):
    """``escapelens.explain``; ``show`` opens the text in the editor."""

    uri: str
    position: At
    show: bool = False


def parse(kind: type[Argument], raw: dict[str, Any]) -> Argument:
    """Check a command's argument. Raises JsonRpcInvalidParams that names what is wrong."""
    try:
        return kind.model_validate(raw)
    except ValidationError as error:
        detail = error.errors()[0]
        where = ".".join(map(str, detail["loc"])) or "the argument"
        raise JsonRpcInvalidParams(f"{where}: {detail['msg']}") from None


def path_of(session: Session, uri: str, to_path: Callable[[str], str | None]) -> str:
    """The path of a command's URI. Raises JsonRpcInvalidParams for URIs that are no files."""
    document = session.documents.get(uri)
    path = document.path if document is not None else to_path(uri)
    if path is None:
        raise JsonRpcInvalidParams(f"uri: {uri!r} is no file")
    return path


async def analyze(session: Session, argument: Analyze, path: str) -> dict[str, Any]:
    """Run, and answer when the run is done."""
    options = None
    if argument.env or argument.tags or argument.gcflags:
        base = session.options(str(Path(path).parent))
        options = BuildOptions(
            tests=base.tests,
            tags=argument.tags or base.tags,
            gcflags=argument.gcflags or base.gcflags,
            env={**base.env, **argument.env},
        )
    if argument.types is not None:
        session.set_filter(list(argument.types))
    words = [f"{key}={value}" for key, value in argument.env.items()]
    tags = [f"-tags={','.join(argument.tags)}"] if argument.tags else []
    label = " ".join([*words, *tags, *argument.gcflags])
    try:
        run = await session.analyze(path, argument.scope, options, label)
    except EscapeLensError as error:
        return {"status": "failed", "messages": 0, "error": str(error)}
    return {"status": run.status, "messages": run.messages, "run": run.run}


def explain(session: Session, argument: Explain) -> dict[str, Any]:
    """Everything known about a position, whatever is filtered; at a function's name the whole function."""
    position = types.Position(argument.position.line, argument.position.character)
    whole = document(session, argument.uri, position)
    if whole is not None:
        return {"markdown": whole}
    found = hover(session, argument.uri, position, lambda message: True)
    content = found.contents if found is not None else None
    return {"markdown": content.value if isinstance(content, types.MarkupContent) else None}


def flow(session: Session, argument: Explain) -> dict[str, Any]:
    """The ways of the values at a position, step by step: locations, and as lines that editors can jump to."""
    opened = session.documents.get(argument.uri)
    position = types.Position(argument.position.line, argument.position.character)
    steps: list[dict[str, Any]] = []
    lines: list[str] = []
    for placed in session.view.placed(opened.path, session.show) if opened is not None else ():
        if not contains(placed.range, position):
            continue
        for step in (step for way in placed.message.flows for hop in way for step in hop.steps):
            location = session.view.locate(step.place)
            if location is None:
                continue
            words = f"{plain_expression(step.expression)} ({REASON_WORDS.get(step.reason, step.reason)})"
            start, end = location.range.start, location.range.end
            steps.append({
                "uri": location.uri, "text": words, "decides": step.place == placed.message.decides,
                "range": {"start": {"line": start.line, "character": start.character},
                          "end": {"line": end.line, "character": end.character}},
            })  # fmt: skip
            lines.append(f"{step.place.file}:{step.place.line}:{step.place.column or 1}: {words}")
    return {"locations": steps, "text": "".join(f"{line}\n" for line in lines)}


async def show_raw(session: Session, argument: OfFile, path: str) -> dict[str, Any]:
    """The compiler's own text for the package of a file."""
    folder = str(Path(path).parent)
    try:
        text = await raw_text(Path(path), session.options(folder), session.settings.go.path or None)
    except EscapeLensError as error:
        text = f"# {error}\n"
    return {"text": text, "uri": argument.uri, "folder": folder}


async def environment(session: Session, path: str) -> dict[str, Any]:
    """Which Go compiles a file's package, and how: what is in force there, settings and variables alike."""
    folder = Path(path).parent
    options = session.options(str(folder))
    try:
        found = await inspect(session.settings.go.path or None, folder, os.environ, options.env)
    except EscapeLensError as error:
        return {"error": str(error)}
    return {
        "go": found.version,
        "path": found.go,
        "goos": found.variables.get("GOOS", ""),
        "goarch": found.variables.get("GOARCH", ""),
        "tags": list(options.tags),
        "gcflags": list(options.gcflags),
    }


def compare(session: Session, argument: Pair) -> dict[str, Any]:
    """What is gone, new and moved between two runs."""
    try:
        result = session.runs.compare(argument.a, argument.b, session.show)
    except EscapeLensError as error:
        raise JsonRpcInvalidParams(str(error)) from None
    return {
        "gone": [_message(m) for m in result.gone],
        "new": [_message(m) for m in result.new],
        "moved": [{"before": _message(a), "after": _message(b)} for a, b in result.moved],
        "same": result.same,
    }


def _message(message: Message) -> dict[str, Any]:
    file = message.place.file
    return {**message_json(message), "uri": uri_of(file) if file else None}
