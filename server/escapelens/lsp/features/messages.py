"""``escapelens.messages`` and its relatives: what trees, pickers and gutters of every editor show.

A tree is built once for what it was asked of and kept while that does not change: opening a node of 50,000 messages
reads a list. Only the messages of a page are placed in the client's texts, but for files that were edited, where
messages on changed lines are left out.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field
from pygls.exceptions import JsonRpcInvalidParams

from escapelens.core import tree
from escapelens.core.model import TYPE_LABELS, Message, Place
from escapelens.core.report import Show, sort_key
from escapelens.core.tree import Group, Item, Tree
from escapelens.errors import EscapeLensError
from escapelens.lsp.session import Session
from escapelens.lsp.to_lsp import Area, Placed, Spot, uri_of
from escapelens.settings import MessageTypeName

Scope = Literal["file", "package", "module"]

#: Trees that are kept: one view's, one gutter's a visible file.
_TREES = 8


class _Argument(BaseModel):
    model_config = ConfigDict(extra="ignore", populate_by_name=True)


class Filter(_Argument):
    """Which messages; ``types`` null means what the session shows."""

    types: list[MessageTypeName] | None = None
    text: str = ""


class Pair(_Argument):
    """Two runs: what changed from ``a`` to ``b`` is shown."""

    a: str
    b: str


class Forest(_Argument):
    """What a tree is of: the newest results, a kept run, or what changed between two."""

    uri: str = ""
    scope: Scope = "file"
    group_by: list[tree.GroupBy] = Field(default_factory=list, alias="groupBy")
    filter: Filter = Field(default_factory=Filter)
    sort: tree.Sort = "position"
    run: str | None = None
    compare: Pair | None = None


class Messages(Forest):
    """``escapelens.messages``; ``escapelens.copy`` without the page."""

    parent: list[str] = Field(default_factory=list)
    offset: int = Field(0, ge=0)
    limit: int = Field(tree.PAGE, ge=1)


class At(_Argument):
    """A position, zero-based."""

    line: int = Field(ge=0)
    character: int = Field(ge=0)


class Reveal(Forest):
    """``escapelens.reveal``: where the message at ``position`` of ``uri`` is in the tree."""

    position: At


@dataclass(frozen=True, slots=True)
class _Grown:
    """A tree with what it was made from; ``sources`` keeps alive what ``state`` identifies."""

    state: tuple[object, ...]
    sources: tuple[object, ...]
    tree: Tree
    placed: dict[int, Placed]
    types: dict[str, int]


@dataclass(frozen=True, slots=True)
class _Found:
    """Items in the order of their positions, and the places that are known already, by id of the message.

    ``state`` and ``sources`` as in ``_Grown``.
    """

    items: list[Item]
    placed: dict[int, Placed]
    state: tuple[object, ...] = ()
    sources: tuple[object, ...] = ()


class Trees:
    """The trees of one session."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._grown: OrderedDict[str, _Grown] = OrderedDict()
        self._files: dict[str, _Found] = {}

    def page(self, argument: Messages, path: str) -> dict[str, Any]:
        """One page of one node's children; ``types`` counts all messages that pass the text filter, by type.

        Raises JsonRpcInvalidParams for a run that is not kept.
        """
        grown = self._grow(argument, path)
        nodes = grown.tree.children(argument.parent)
        page = nodes[argument.offset : argument.offset + min(argument.limit, tree.PAGE)]
        return {"nodes": [self._node(grown, node) for node in page], "total": len(nodes), "types": grown.types}

    def text(self, argument: Messages, path: str) -> dict[str, Any]:
        """All messages below a node as text, one a line: ``path:line:column: type: message``."""
        grown = self._grow(argument, path)
        lines = [_line(item) for item in grown.tree.items(argument.parent)]
        return {"text": "".join(f"{line}\n" for line in lines)}

    def reveal(self, argument: Reveal, path: str) -> dict[str, Any]:
        """The message nearest to a position, on its way from the root: each node with its ``index`` among its
        siblings, ``total`` in number.

        An empty list if the file has no message in the tree.
        """
        grown = self._grow(argument, path)
        item = self._nearest(grown, path, argument.position)
        if item is None:
            return {"path": []}
        keys = grown.tree.path_of(item)
        way = []
        for level in range(len(keys) + 1):
            siblings: Sequence[Group | Item] = grown.tree.children(keys[:level])
            wanted = keys[level] if level < len(keys) else ""
            index = next(i for i, node in enumerate(siblings) if _is_on_way(node, item, wanted))
            way.append({**self._node(grown, siblings[index]), "index": index, "total": len(siblings)})
        return {"path": way}

    def _nearest(self, grown: _Grown, path: str, position: At) -> Item | None:
        def distance(item: Item) -> tuple[int, int]:
            where = self._range(grown, item)
            same = where.start.line == position.line
            return abs(where.start.line - position.line), abs(where.start.character - position.character) * same

        inside = [i for i in grown.tree.items(()) if i.message.place.file == path and i.change != "gone"]
        return min(inside, key=distance, default=None)

    # -- growing ----------------------------------------------------------------

    def _grow(self, argument: Forest, path: str) -> _Grown:
        session = self._session
        wanted = argument.filter.types
        show = session.show if wanted is None else Show(wanted)
        name = repr((argument.model_dump(include=set(Forest.model_fields) - {"uri"}), self._around(argument, path)))
        sources, state = self._state(argument, path)
        known = self._grown.get(name)
        if known is None or known.state != state:
            found = self._found(argument, path)
            has_text = tree.matches(argument.filter.text)
            items = [item for item in found.items if has_text(item.message)]
            counts: Counter[str] = Counter(item.message.type for item in items)
            shown = [item for item in items if show(item.message)]
            qualified = argument.scope != "file" or argument.run is not None or argument.compare is not None
            grown = Tree(shown, argument.group_by, argument.sort, qualified)
            known = self._grown[name] = _Grown(state, sources, grown, found.placed, dict(counts))
        self._grown.move_to_end(name)
        while len(self._grown) > _TREES:
            self._grown.popitem(last=False)
        return known

    def _around(self, argument: Forest, path: str) -> object:
        if argument.run is not None or argument.compare is not None:
            return path if argument.scope == "file" else ""
        if argument.scope == "file":
            return path
        return [snapshot.key for snapshot in self._session.snapshots(argument.scope, path)]

    def _state(self, argument: Forest, path: str) -> tuple[tuple[object, ...], tuple[object, ...]]:
        """What a tree depends on, and a value that is equal as long as that is the same."""
        session = self._session
        sources: tuple[object, ...]
        if argument.compare is not None:
            sources = (self._run(argument.compare.a), self._run(argument.compare.b))
        elif argument.run is not None:
            sources = (self._run(argument.run),)
        elif argument.scope == "file":
            sources = tuple(item for pair in session.store.messages_of(path) for item in pair)
        else:
            sources = tuple(session.snapshots(argument.scope, path))
        texts = tuple((d.path, d.changes, d.version) for d in session.documents)
        return (*sources, session.show), (tuple(map(id, sources)), id(session.show), texts, session.view.encoding)

    def _run(self, number: str) -> Any:
        try:
            return self._session.runs.get(number)
        except EscapeLensError as error:
            raise JsonRpcInvalidParams(str(error)) from None

    def _found(self, argument: Forest, path: str) -> _Found:
        only = path if argument.scope == "file" else None
        if argument.compare is not None:
            return _Found(list(self._compared(argument.compare, only)), {})
        if argument.run is not None:
            run = sorted(self._run(argument.run).messages, key=sort_key)
            return _Found([Item(m) for m in run if _is_listed(m, only)], {})
        if only is not None:
            return self._placed(only)
        files: dict[str, None] = {}
        for snapshot in self._session.snapshots(argument.scope, path):
            files.update(dict.fromkeys(snapshot.files))
        parts = [self._file(file) for file in sorted(files)]
        self._files = {file: self._files[file] for file in files}
        items = [item for part in parts for item in part.items]
        return _Found(items, {key: place for part in parts for key, place in part.placed.items()})

    def _file(self, path: str) -> _Found:
        """The newest messages of a file, kept while they are: those of a file that is not edited get their places
        when they are shown.
        """
        session = self._session
        document = session.documents.at(path)
        edited = document is not None and (document.version, document.changes)
        sources = tuple(file for file, _ in session.store.messages_of(path))
        state = (edited, session.view.encoding, *map(id, sources))
        known = self._files.get(path)
        if known is None or known.state != state:
            if document is None or all(document.equals(file.source) for file in sources):
                items = [Item(message) for message in _union([file.messages for file in sources])]
                known = _Found(items, {}, state, sources)
            else:
                found = self._placed(path)
                known = _Found(found.items, found.placed, state, sources)
            self._files[path] = known
        return known

    def _placed(self, path: str) -> _Found:
        """The newest messages of a file, in their places."""
        placed = self._session.view.placed(path, lambda message: True)
        return _Found([Item(p.message) for p in placed], {id(p.message): p for p in placed})

    def _compared(self, pair: Pair, only: str | None) -> Iterator[Item]:
        result = self._session.runs.compare(pair.a, pair.b, lambda m: m.place.file is not None)
        items = [Item(m, "gone", line=line) for m, line in zip(result.gone, result.gone_lines, strict=True)]
        items += [Item(m, "new") for m in result.new]
        items += [Item(after, "moved", before) for before, after in result.moved]
        order = {"new": 0, "gone": 1, "moved": 2}
        items.sort(key=lambda item: (order[item.change or ""], sort_key(item.message)))
        return (item for item in items if _is_listed(item.message, only))

    # -- nodes ------------------------------------------------------------------

    def _node(self, grown: _Grown, node: Group | Item) -> dict[str, Any]:
        if isinstance(node, Group):
            return {
                "node": "group",
                "by": node.by,
                "key": node.key,
                "label": node.label,
                "count": node.count,
                "types": node.types,
                "loop": node.loop,
                "uri": self._uri(node.key) if node.by == "file" else None,
            }
        message, place = node.message, node.message.place
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
            "freeReason": message.free_reason,
            "loop": tree.in_loop(message),
            "cold": message.cold,
            "origin": message.origin,
            "uri": self._uri(place.file),
            "range": _range_json(self._range(grown, node)),
            "stale": self._is_stale(grown, node),
            "change": node.change,
            "before": _place_json(node.before.place) if node.before is not None else None,
        }

    def _uri(self, path: str | None) -> str | None:
        """The URI of a file as the client spells it, where it has it open."""
        document = self._session.documents.at(path) if path else None
        return document.uri if document is not None else uri_of(path) if path else None

    def _range(self, grown: _Grown, item: Item) -> Area:
        message = item.message
        known = grown.placed.get(id(message))
        if known is not None:
            return known.range
        mapper = self._session.view.mapper_for_path(message.place.file or "")
        if message.span is not None and mapper is not None and item.change != "gone":
            where = mapper.range(message.span)
            if where is not None:
                return where
        place = message.place if item.line is None else Place(message.place.file, item.line, message.place.column)
        location = self._session.view.locate(place)
        return location.range if location is not None else Area(Spot(0, 0), Spot(0, 0))

    def _is_stale(self, grown: _Grown, item: Item) -> bool:
        if item.change is not None:
            return False
        known = grown.placed.get(id(item.message))
        if known is not None:
            return known.stale
        return any(stale for _, stale in self._session.store.messages_of(item.message.place.file or ""))


def _union(by_snapshot: list[tuple[Message, ...]]) -> list[Message]:
    """What several packages say of one file, each thing once."""
    if len(by_snapshot) == 1:
        return [m for m in by_snapshot[0] if m.span is not None]
    found: list[Message] = []
    seen: set[tuple[object, ...]] = set()
    for messages in by_snapshot:
        found += [m for m in messages if m.span is not None and _identity(m) not in seen]
        seen |= {_identity(m) for m in messages}
    found.sort(key=sort_key)
    return found


def _identity(message: Message) -> tuple[object, ...]:
    return message.place, message.kind, message.text


def _is_listed(message: Message, only: str | None) -> bool:
    return message.span is not None and only in (None, message.place.file)


def _is_on_way(node: Group | Item, item: Item, key: str) -> bool:
    return node.key == key if isinstance(node, Group) else node is item


def _range_json(where: Area) -> dict[str, Any]:
    return {
        "start": {"line": where.start.line, "character": where.start.character},
        "end": {"line": where.end.line, "character": where.end.character},
    }


def _place_json(place: Place) -> dict[str, Any]:
    return {"uri": uri_of(place.file) if place.file else None, "line": place.line, "column": place.column}


def _line(item: Item) -> str:
    message, place = item.message, item.message.place
    change = f"{item.change}: " if item.change else ""
    return f"{place.file or '-'}:{place.line}:{place.column or 0}: {change}{message.type}: {message.text}"
