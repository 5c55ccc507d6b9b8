"""The commands of the contract. Each takes one object and returns plain JSON values."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, TypeVar

from lsprotocol import types
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pygls.exceptions import JsonRpcInvalidParams

from escapelens.core import tree
from escapelens.core.model import TYPE_LABELS, Message
from escapelens.core.report import Show
from escapelens.engine.check import raw_text
from escapelens.errors import EscapeLensError
from escapelens.golang.build import BuildOptions
from escapelens.lsp.features.hover import hover
from escapelens.lsp.session import Session
from escapelens.lsp.to_lsp import Placed, uri_of
from escapelens.settings import MessageTypeName

Scope = Literal["file", "package", "module"]
Argument = TypeVar("Argument", bound="_Argument")


class _Argument(BaseModel):
    model_config = ConfigDict(extra="ignore", populate_by_name=True)


class Analyze(_Argument):
    """``escapelens.analyze``: a run with ``env``, ``tags`` or ``gcflags`` keeps a result of its own."""

    uri: str
    scope: Scope = "package"
    env: dict[str, str] = Field(default_factory=dict)
    tags: tuple[str, ...] = ()
    gcflags: tuple[str, ...] = ()
    types: list[MessageTypeName] | None = None


class SetFilter(_Argument):
    """``escapelens.setFilter``; null goes back to the settings."""

    types: list[MessageTypeName] | None


class OfFile(_Argument):
    """``escapelens.showRaw``; ``show`` opens the text in the editor."""

    uri: str
    show: bool = False


class Filter(_Argument):
    """The filter of ``escapelens.messages``."""

    types: list[MessageTypeName] | None = None
    text: str = ""


class Messages(_Argument):
    """``escapelens.messages``."""

    uri: str = ""
    scope: Scope = "file"
    group_by: list[tree.GroupBy] = Field(default_factory=list, alias="groupBy")
    parent: list[str] = Field(default_factory=list)
    filter: Filter = Field(default_factory=Filter)
    sort: tree.Sort = "position"
    offset: int = Field(0, ge=0)
    limit: int = Field(tree.PAGE, ge=1)


class At(_Argument):
    """A position, zero-based."""

    line: int = Field(ge=0)
    character: int = Field(ge=0)


class Explain(_Argument):
    """``escapelens.explain``; ``show`` opens the text in the editor."""

    uri: str
    position: At
    show: bool = False


class Compare(_Argument):
    """``escapelens.compare``: ids of two runs."""

    a: str
    b: str


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
    label = " ".join([*words, *argument.tags, *argument.gcflags])
    try:
        run = await session.analyze(path, argument.scope, options, label)
    except EscapeLensError as error:
        return {"status": "failed", "messages": 0, "error": str(error)}
    return {"status": run.status, "messages": run.messages, "run": run.run}


def messages(session: Session, argument: Messages, path: str) -> dict[str, Any]:
    """One page of one node's children."""
    show = session.show if argument.filter.types is None else Show(argument.filter.types)
    keep = tree.matches(argument.filter.text, show)
    placed = _in_scope(session, argument.scope, path, keep)
    by_message = {id(p.message): p for p in placed}
    nodes = tree.children([p.message for p in placed], argument.group_by, argument.parent, argument.sort)
    page = nodes[argument.offset : argument.offset + min(argument.limit, tree.PAGE)]
    rows = [_message_node(by_message[id(node)]) if isinstance(node, Message) else _group_node(node) for node in page]
    return {"nodes": rows, "total": len(nodes)}


def _in_scope(session: Session, scope: Scope, path: str, keep: Callable[[Message], bool]) -> list[Placed]:
    if scope == "file":
        return session.view.placed(path, keep)
    files: dict[str, None] = {}
    for snapshot in session.snapshots(scope, path):
        files.update(dict.fromkeys(sorted(snapshot.files)))
    return [placed for file in files for placed in session.view.placed(file, keep)]


def _group_node(group: tree.Group) -> dict[str, Any]:
    return {
        "node": "group",
        "by": group.by,
        "key": group.key,
        "label": group.label,
        "count": group.count,
        "types": group.types,
    }


def _message_node(placed: Placed) -> dict[str, Any]:
    message = placed.message
    start, end = placed.range.start, placed.range.end
    place = message.place
    return {
        "node": "message",
        "id": f"{place.file}:{place.line}:{place.column}:{message.kind}:{message.text}",
        "type": message.type,
        "kind": message.kind,
        "message": message.text,
        "label": TYPE_LABELS[message.type],
        "function": message.function,
        "subject": message.subject,
        "cause": message.cause,
        "free": message.free,
        "uri": placed.uri,
        "range": {
            "start": {"line": start.line, "character": start.character},
            "end": {"line": end.line, "character": end.character},
        },
        "stale": placed.stale,
    }


def explain(session: Session, argument: Explain) -> dict[str, Any]:
    """Everything known about a position, whatever is filtered."""
    position = types.Position(argument.position.line, argument.position.character)
    found = hover(session, argument.uri, position, lambda message: True)
    content = found.contents if found is not None else None
    return {"markdown": content.value if isinstance(content, types.MarkupContent) else None}


async def show_raw(session: Session, argument: OfFile, path: str) -> dict[str, Any]:
    """The compiler's own text for the package of a file."""
    options = session.options(str(Path(path).parent))
    try:
        text = await raw_text(Path(path), options, session.settings.go.path or None)
    except EscapeLensError as error:
        return {"text": f"# {error}\n", "uri": argument.uri}
    return {"text": text, "uri": argument.uri}


def compare(session: Session, argument: Compare) -> dict[str, Any]:
    """What is gone, new and moved between two runs."""
    try:
        result = session.runs.compare(argument.a, argument.b)
    except EscapeLensError as error:
        raise JsonRpcInvalidParams(str(error)) from None
    return {
        "gone": [_with_uri(raw) for raw in result.gone],
        "new": [_with_uri(raw) for raw in result.new],
        "moved": [{"before": _with_uri(a), "after": _with_uri(b)} for a, b in result.moved],
        "same": result.same,
    }


def _with_uri(raw: Any) -> dict[str, Any]:
    file = raw.get("file")
    return {**raw, "uri": uri_of(file) if file else None}
