"""From joined values to messages: variants, folding, ranges, functions, causes.

Pure: the texts of the files are handed in. Nothing is lost:
what is no message is left out by ``fold``, lines that nobody understood stay in ``Merged.unparsed``.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import cast

from escapelens.core.causes import NOTHING, decide
from escapelens.core.compiled import Compiled
from escapelens.core.fold import Folded, fold
from escapelens.core.free import free_reason, may_allocate
from escapelens.core.join import Value
from escapelens.core.model import Message, Place, Span, Variant
from escapelens.core.packed import TextBytes, pack_text
from escapelens.core.ranges import find_span, word_span
from escapelens.core.scope import scope_of
from escapelens.core.signal import Signal, signal_of
from escapelens.core.syntax import RANGE_BODY, SourceFile, strip_type_arguments
from escapelens.core.text_log import Unknown

ReadSource = Callable[[str], bytes | None]

#: The kinds that have a cause.
_DECIDED = frozenset(
    {"moved-to-heap", "escapes-to-heap", "leaking-param", "leaking-param-content", "leaking-param-to-result"}
)
_HEAP = frozenset({"moved-to-heap", "escapes-to-heap"})
_NO_SIGNAL = Signal()
_FUNCTION_KINDS = frozenset({"can-inline", "cannot-inline"})


@dataclass(frozen=True, slots=True)
class Merged:
    """What one compile said: messages, and lines not understood."""

    messages: tuple[Message, ...]
    unparsed: tuple[str, ...]


class KeptFiles:
    """Parsed files from one compile to the next: most files are what they were. Holds so many bytes of source."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._files: OrderedDict[str, SourceFile] = OrderedDict()
        self._held = 0

    def get(self, path: str, source: bytes) -> SourceFile:
        """The syntax of a text, parsed again only if it is another one than before."""
        file = self._files.pop(path, None)
        if file is not None:
            self._held -= len(file.source)
        if file is None or file.source != source:
            file = SourceFile(source)
        self._files[path] = file
        self._held += len(source)
        while self._held > self._most and len(self._files) > 1:
            _, oldest = self._files.popitem(last=False)
            self._held -= len(oldest.source)
        return file


class Sources:
    """The files of one compile, by absolute path; those that are no Go or not there are None."""

    def __init__(self, read: ReadSource, kept: KeptFiles | None = None) -> None:
        self._read = read
        self._kept = kept or KeptFiles(0)
        self._files: dict[str, SourceFile | None] = {}
        self._hints: dict[str, dict[tuple[int, int], str]] = {}

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
        for path, file in self._files.items():
            if file is not None:
                file.teach(self._hints.get(path, {}))

    def get(self, path: str) -> SourceFile | None:
        """The syntax of a Go file, None if it cannot be read or is not Go."""
        if path not in self._files:
            source = self._read(path) if path.endswith(".go") else None
            file = self._kept.get(path, source) if source is not None else None
            if file is not None and path in self._hints:
                # Without: what an earlier compile taught stays until ``learn`` has heard this one.
                file.teach(self._hints[path])
            self._files[path] = file
        return self._files[path]

    def prepare(self, path: str) -> None:
        """Parse a file and find its functions, while the compiler has said nothing yet."""
        file = self.get(path)
        if file is not None and file.functions:
            scope_of(file)

    def text(self, path: str) -> TextBytes | None:
        """The text of a file that was parsed, compressed."""
        file = self._files.get(path)
        if file is None:
            return None
        packed = file.memo.get(TextBytes)
        if packed is None:
            packed = file.memo[TextBytes] = pack_text(file.source)
        return cast(TextBytes, packed)

    def expect(self, value: Value) -> None:
        """Find what the syntax says of a value now, while there is time: the compiler is still at work."""
        file = self.get(value.place.file) if value.place.file else None
        if file is not None:
            span_in(file, value)
            if value.kind in _HEAP:
                _signal_in(file, value)


def span_in(file: SourceFile, value: Value) -> Span:
    """The range of a value in its file; found once as long as the file is kept."""
    key = (value.place.line, value.place.column, value.kind, value.subject)
    found = file.memo.get(key)
    if found is None:
        found = file.memo[key] = find_span(file, value.place, value.kind, value.subject)
    return cast(Span, found)


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
    compiled = Compiled(values, files)
    inlined = _Inlined(values, files)
    messages = [_message(item, files, compiled, inlined, package, variant) for item in folded]
    return Merged(tuple(messages), tuple(unparsed))


def _message(
    item: Folded,
    files: dict[str, SourceFile | None],
    compiled: Compiled,
    inlined: _Inlined,
    package: str,
    variant: Variant | None,
) -> Message:
    value, place = item.value, item.value.place
    file = files.get(place.file) if place.file else None
    span = function = None
    if file is not None:
        span = span_in(file, value)
        function = file.function_name(place.line, place.column)
    elif place.file is not None:
        span = word_span(b"", place.line, place.column or 1)
        function = strip_type_arguments(value.function or "") or "init"
    decision, signal, free = NOTHING, _NO_SIGNAL, None
    if value.kind in _DECIDED:
        decision = decide(value, compiled)
    if value.kind in _HEAP:
        signal = _signal_in(file, value) if file is not None else _NO_SIGNAL
        if decision.cause == "panic":
            signal = Signal(False, "panic", signal.origin)
        free = free_reason(value, compiled, decision.cause in ("boxed", "panic"))
    return Message(
        kind=value.kind,
        text=value.text,
        place=place,
        subject=value.subject,
        span=span,
        package=package,
        variant=variant,
        function=function,
        cause=decision.cause,
        free=True if free else None,
        decides=decision.place,
        callee=decision.callee,
        through=decision.through,
        loop=signal.loop,
        cold=signal.cold,
        origin=signal.origin,
        free_reason=free,
        may_allocate=may_allocate(value, compiled),
        flows=value.ways,
        inlined_from=value.inlined or inlined.origin(value, file),
        instantiations=item.instantiations,
    )


def _signal_in(file: SourceFile, value: Value) -> Signal:
    """Where in its function a heap value stands; found once as long as the file is kept."""
    moved = value.kind == "moved-to-heap"
    key = (Signal, value.place.line, value.place.column, moved)
    found = file.memo.get(key)
    if found is None:
        found = file.memo[key] = signal_of(scope_of(file), value.place, moved)
    return cast(Signal, found)


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
