"""From joined values to messages: variants, folding, ranges, functions, causes.

Pure: the texts of the files are handed in. Nothing is lost: what is no message is counted by
``Merged.meaningless``, and lines that nobody understood stay in ``Merged.unparsed``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from escapelens.core.causes import find_cause, is_free
from escapelens.core.fold import Folded, fold, is_meaningless
from escapelens.core.join import Value
from escapelens.core.model import Message, Place, Span, Variant
from escapelens.core.ranges import find_span, word_span
from escapelens.core.syntax import RANGE_BODY, SourceFile, strip_type_arguments
from escapelens.core.text_log import Unknown

ReadSource = Callable[[str], bytes | None]

_HEAP = frozenset({"moved-to-heap", "escapes-to-heap"})
_FUNCTION_KINDS = frozenset({"can-inline", "cannot-inline"})


@dataclass(frozen=True, slots=True)
class Merged:
    """What one compile said: messages, lines not understood, and headers that mean nothing."""

    messages: tuple[Message, ...]
    unparsed: tuple[str, ...]
    meaningless: int


class Sources:
    """Parsed files, by absolute path; files that are no Go or not there are None."""

    def __init__(self, read: ReadSource) -> None:
        self._read = read
        self._files: dict[str, SourceFile | None] = {}
        self._hints: dict[str, dict[tuple[int, int], str]] = {}
        self._spans: dict[tuple[Place, str, str], Span] = {}

    def learn(self, values: Iterable[Value]) -> None:
        """Take the names of functions that only the compiler's log knows."""
        for value in values:
            place = value.place
            if value.kind in _FUNCTION_KINDS and place.file and place.column:
                name = strip_type_arguments(value.subject)
                name = name.replace("glob..func", "init.func", 1)
                if RANGE_BODY.search(name):
                    # The body of a range-over-func loop; of inlined copies the end of the name is the same.
                    self._hints.setdefault(place.file, {})[place.line, place.column] = name
                if name.startswith("init.") and "." not in name.removeprefix("init."):
                    self._hints.setdefault(place.file, {})[place.line, place.column] = name

    def get(self, path: str) -> SourceFile | None:
        """The syntax of a Go file, None if it cannot be read or is not Go."""
        if path not in self._files:
            source = self._read(path) if path.endswith(".go") else None
            # Names that are learned later count, too: functions are named when they are first asked for.
            hints = self._hints.setdefault(path, {})
            self._files[path] = SourceFile(source, hints) if source is not None else None
        return self._files[path]

    def text(self, path: str) -> bytes | None:
        """The text of a file that was parsed."""
        file = self._files.get(path)
        return file.source if file is not None else None

    def expect(self, value: Value) -> None:
        """Find a value's range now, while there is time: the compiler is still at work."""
        file = self.get(value.place.file) if value.place.file else None
        if file is not None:
            self.span(file, value)

    def span(self, file: SourceFile, value: Value) -> Span:
        """The range of a value in its file."""
        key = (value.place, value.kind, value.subject)
        found = self._spans.get(key)
        if found is None:
            found = self._spans[key] = find_span(file, *key)
        return found


def split_unknown(records: Iterable[Value | Unknown]) -> tuple[list[Value], list[str]]:
    """Part values from lines that were not understood."""
    values: list[Value] = []
    unknown: list[str] = []
    for record in records:
        if isinstance(record, Unknown):
            unknown.append(record.line)
        else:
            values.append(record)
    return values, unknown


def subtract(values: Sequence[Value], known: Sequence[Value]) -> list[Value]:
    """What ``values`` says beyond ``known``: the plain package's words are not said again by a
    test variant. Equal lines are counted, so a second variable with equal words stays.
    """
    left = Counter(map(_identity, known))
    extra: list[Value] = []
    for value in values:
        identity = _identity(value)
        if left[identity] > 0:
            left[identity] -= 1
        else:
            extra.append(value)
    return extra


def _identity(value: Value) -> tuple[object, ...]:
    return value.place, value.kind, value.text, value.function


def merge(
    values: Sequence[Value],
    unparsed: Sequence[str],
    sources: Sources,
    package: str,
    variant: Variant | None,
) -> Merged:
    """Make the messages of one compile."""
    sources.learn(values)
    files = {path: sources.get(path) for path in {v.place.file for v in values} if path}
    folded = fold(values, files)
    explain = _Explainer(values)
    inlined = _Inlined(values, files)
    messages = [_message(item, files, sources, explain, inlined, package, variant) for item in folded]
    meaningless = sum(is_meaningless(v, files.get(v.place.file or "")) for v in values)
    return Merged(tuple(messages), tuple(unparsed), meaningless)


def _message(
    item: Folded,
    files: dict[str, SourceFile | None],
    sources: Sources,
    explain: _Explainer,
    inlined: _Inlined,
    package: str,
    variant: Variant | None,
) -> Message:
    value, place = item.value, item.value.place
    file = files.get(place.file) if place.file else None
    span = function = None
    if file is not None:
        span = sources.span(file, value)
        function = file.function_name(place.line, place.column)
    elif place.file is not None:
        span = word_span(b"", place.line, place.column or 1)
        function = strip_type_arguments(value.function or "") or "init"
    return Message(
        kind=value.kind,
        text=value.text,
        place=place,
        subject=value.subject,
        span=span,
        package=package,
        variant=variant,
        function=function,
        cause=explain.cause(value, file),
        free=is_free(value) or None,
        flows=value.ways,
        inlined_from=value.inlined or inlined.origin(value, file),
        instantiations=item.instantiations,
    )


class _Explainer:
    """Finds causes; knows the values and the functions of one compile."""

    def __init__(self, values: Sequence[Value]) -> None:
        self._functions = {v.subject.partition("[")[0] for v in values if v.kind in _FUNCTION_KINDS}
        self._holders: dict[tuple[str | None, str], Value] = {}
        for value in values:
            if value.kind in _HEAP and value.ways:
                self._holders.setdefault((value.function, value.subject), value)

    def _lookup(self, function: str | None, name: str) -> Value | None:
        return self._holders.get((function, name))

    def cause(self, value: Value, file: SourceFile | None) -> str | None:
        """The cause of a heap value or leak, None for everything else."""
        if not value.ways:
            return None
        results = file.result_names(value.place.line, value.place.column) if file else ()
        return find_cause(value, results, self._functions, self._lookup)


class _Inlined:
    """Finds the callee's place for the copies that inlining made at a call."""

    def __init__(self, values: Sequence[Value], files: dict[str, SourceFile | None]) -> None:
        self._calls: dict[Place, set[str]] = {}
        self._origins: dict[tuple[str, str, str], set[Place]] = {}
        for value in values:
            if value.kind == "inlining-call":
                self._calls.setdefault(value.place, set()).add(strip_type_arguments(value.subject))
        for value in values:
            file = files.get(value.place.file) if value.place.file else None
            if file is not None and value.kind != "inlining-call":
                name = file.function_name(value.place.line, value.place.column)
                key = (name, value.kind, value.subject)
                self._origins.setdefault(key, set()).add(value.place)

    def origin(self, value: Value, file: SourceFile | None) -> tuple[Place, ...]:
        """Where the value stands in the callee; empty unless exactly one place can be meant."""
        names = self._calls.get(value.place)
        if not names or file is None or value.kind == "inlining-call":
            return ()
        found: set[Place] = set()
        for name in names:
            found |= self._origins.get((name, value.kind, value.subject), set())
        found.discard(value.place)
        return tuple(found) if len(found) == 1 else ()
