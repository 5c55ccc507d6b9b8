"""Who pays for a leaking parameter, and which parameter takes a value away: over all packages that are known."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from tree_sitter import Node

from escapelens.core.callee import printed_callee, split_arguments
from escapelens.core.model import FlowStep, Message, Place
from escapelens.core.render import Link
from escapelens.core.scope import Scope, package_names
from escapelens.core.syntax import SourceFile, strip_type_arguments
from escapelens.core.words import code, counted, shorten

#: Payers in one hover; the rest is counted.
_MOST = 5


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter's rank among the printed arguments (a receiver is the first), and whether it is the ``...`` one."""

    rank: int
    variadic: bool


class Price:
    """Joins calls with the parameters that leak.

    ``messages`` are those of all known packages, ``read`` gives the text that a file's messages speak of.
    """

    def __init__(self, messages: Iterable[Message], read: Callable[[str], bytes | None]) -> None:
        self._messages = messages if isinstance(messages, Sequence) else list(messages)
        self._read = read
        self._scopes: dict[str, Scope | None] = {}

    def lines(self, message: Message, link: Link) -> list[str]:
        """Who pays, or who takes the value away, as lines of markdown; empty where nothing is known."""
        if message.type == "leak" and message.kind != "leaking-param-to-result":
            return _listing("Pays: ", self.payers(message), link, "no caller that is analysed")
        lines: list[str] = []
        takers = self.takers(message)
        if takers:
            names = ", ".join(f"{code(shorten(taker.subject, 40))} at {link(taker.place)}" for taker in takers[:_MOST])
            lines.append(f"The parameter that takes it: {names}")
        if message.type in ("escape", "moved"):
            lines.extend(self._copies(message, link))
        return lines

    def _copies(self, message: Message, link: Link) -> list[str]:
        """Where the function was inlined, its value was decided anew: what was said of it there."""
        function = message.function
        if function is None or message.subject in ("... argument", "append"):
            return []
        names = {same: printed_names(message.package, function, same) for same in (True, False)}
        calls = {
            m.place
            for m in self._messages
            if m.kind == "inlining-call" and strip_type_arguments(m.subject) in names[m.package == message.package]
        }
        if not calls:
            return []
        said = [m for m in self._messages if m.place in calls and m.subject == message.subject]
        stays = sorted({m.place for m in said if m.kind == "does-not-escape"}, key=_order)
        heap = sorted({m.place for m in said if m.type in ("escape", "moved")}, key=_order)
        parts = [
            f"{words} at {', '.join(link(place) for place in places[:_MOST])}{' …' if len(places) > _MOST else ''}"
            for words, places in (("on the stack", stays), ("on the heap", heap))
            if places
        ]
        return [f"Where {code(function)} is inlined it is decided anew: {', '.join(parts)}."] if parts else []

    def payers(self, leak: Message) -> list[Message]:
        """The heap values and leaks in callers whose way goes through a leaking parameter."""
        function = leak.function
        parameter = self._parameter(leak.place)
        if function is None or parameter is None:
            return []
        found: list[Message] = []
        names = {other: printed_names(leak.package, function, other) for other in (True, False)}
        for message in self._messages:
            if message.callee is None or message.cause not in ("leaking-callee", "boxed"):
                continue
            same = message.package == leak.package
            if message.callee in names[same] and _passes(message, parameter):
                found.append(message)
        return found

    def takers(self, message: Message) -> list[Message]:
        """The leaking parameters of the callee that takes a value away, where its package is known."""
        callee = message.callee
        if callee is None:
            return []
        bare = callee.rpartition(".")[2]
        found: list[Message] = []
        for leak in self._messages:
            if not leak.kind.startswith("leaking-param") or leak.kind == "leaking-param-to-result":
                continue
            if leak.function is None or leak.function.rpartition(".")[2] != bare:
                continue
            if callee not in printed_names(leak.package, leak.function, leak.package == message.package):
                continue
            parameter = self._parameter(leak.place)
            if parameter is not None and _passes(message, parameter) and leak.place not in {f.place for f in found}:
                found.append(leak)
        return found

    def _parameter(self, place: Place) -> Parameter | None:
        """The parameter that is declared at a place."""
        scope = self._scope(place.file)
        path = scope.path_of(place) if scope is not None else ()
        if not path or path[0].type not in ("function_declaration", "method_declaration"):
            return None
        names = _parameters(path[0])
        offset = scope.offset(place) if scope is not None else None
        for rank, (name, variadic) in enumerate(names):
            if name.start_byte == offset:
                return Parameter(rank, variadic)
        return None

    def _scope(self, file: str | None) -> Scope | None:
        if file is None:
            return None
        if file not in self._scopes:
            source = self._read(file)
            self._scopes[file] = Scope(SourceFile(source)) if source is not None else None
        return self._scopes[file]


def _order(place: Place) -> tuple[str, int, int]:
    return place.file or "", place.line, place.column or 0


def printed_names(package: str, function: str, same: bool) -> frozenset[str]:
    """How the log prints a call of a function: in its own package, or in another."""
    if same:
        return frozenset({function})
    if function.startswith("(*"):
        return frozenset(f"(*{name}.{function[2:]}" for name in package_names(package))
    return frozenset(f"{name}.{function}" for name in package_names(package))


def _parameters(declaration: Node) -> list[tuple[Node, bool]]:
    """The names of a declaration's receiver and parameters, each with whether it is variadic."""
    found: list[tuple[Node, bool]] = []
    for field in ("receiver", "parameters"):
        holder = declaration.child_by_field_name(field)
        for parameter in holder.named_children if holder is not None else ():
            names = parameter.children_by_field_name("name")
            if parameter.type in ("parameter_declaration", "variadic_parameter_declaration"):
                # A nameless parameter has a rank as well.
                found.extend((name, parameter.type.startswith("variadic")) for name in names or [parameter])
    return found


def _passes(message: Message, parameter: Parameter) -> bool:
    """Tell whether the call that decides passes the value for this parameter."""
    for way in message.flows:
        before: FlowStep | None = None
        for hop in way:
            for step in hop.steps:
                if step.reason == "call parameter" and step.place == message.decides:
                    given = {hop.source.lstrip("&*"), before.expression if before is not None else ""}
                    given.add(hop.source.lstrip("&*").removeprefix("{storage for ").removesuffix("}"))
                    return _rank(step, given, parameter)
                before = step
            before = None
    return False


def _rank(step: FlowStep, given: set[str], parameter: Parameter) -> bool:
    arguments = split_arguments(printed_callee(step.expression)[1])
    arguments = [a for a in arguments if not a.startswith(("&.dict", "(*[")) or ".dict" not in a]
    ranks = [rank for rank, a in enumerate(arguments) if a.removesuffix("...") in given or a in given]
    return any(rank == parameter.rank or (parameter.variadic and rank >= parameter.rank) for rank in ranks)


def _listing(head: str, found: Sequence[Message], link: Link, nobody: str) -> list[str]:
    if not found:
        return [f"{head}{nobody}."]
    rows = [f"{code(shorten(strip_type_arguments(m.subject), 40))} at {link(m.place)}" for m in found[:_MOST]]
    more = f", and {counted(len(found) - _MOST, 'more')}" if len(found) > _MOST else ""
    return [f"{head}{', '.join(rows)}{more.removesuffix('s') if more else ''}"]
