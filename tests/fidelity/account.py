"""Every raw line against the report, and every word of the report against the raw lines.

The rules, in the order in which they are tried:

1. A message (or, where it lists any, each of its ``instantiations``) claims one verdict line of the
   same place and words, else one header line that has no verdict.
2. A way in ``flows`` claims one header with its flow lines at the same place, of the same value:
   the same subject and function, and for leaks the result that the verdict speaks of. No message
   does without one while another of the same place and words has two.
3. A header that no way claims is *folded* if its value is listed in the ``instantiations`` of a
   message that keeps a flow, or *repeated* if a test variant says what was told before.
4. A leak header without a verdict *means nothing* for scalars and for wrappers that the compiler
   made (``decide``); where that cannot be told from outside it is counted as *undecided*.

What is left of the raw lines is unaccounted, what is left of the report is invented. Counts
always have to match: equal words never explain two lines by one message.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.fidelity.oracle import Hop, Point, Record, Step, known
from tests.fidelity.values import Verdicts

Said = tuple[Point, str]
"""What one line says, and where."""

Explained = tuple[tuple[Hop, ...], bool]
"""A way, and whether the compiler broke it off at a cycle."""

Decide = Callable[[Record], bool | None]
"""Tells whether a leak header without a verdict is a leak: yes, no, or not to be known."""


@dataclass(slots=True)
class Account:
    """The result for one package and variant. Numbers are raw lines, except ``messages``."""

    lines: int = 0
    messages: int = 0
    folded: int = 0
    repeated: int = 0
    nothing: int = 0
    undecided: int = 0
    unaccounted: list[str] = field(default_factory=list)
    invented: list[str] = field(default_factory=list)

    @property
    def clean(self) -> bool:
        """Whether nothing is lost and nothing is made up."""
        return not self.unaccounted and not self.invented


@dataclass(slots=True)
class _Claim:
    """A message of the report in the oracle's terms."""

    lines: list[Said]
    ways: list[Explained]
    points: frozenset[Point]
    texts: frozenset[Said]
    explained: bool = False


def account(
    records: Iterable[Record],
    messages: Iterable[Mapping[str, Any]],
    told: Sequence[Sequence[Record]] = (),
    decide: Decide = lambda _: None,
) -> Account:
    """Compare the records of one compile with the messages of the same package and variant.

    ``told`` are the records of the compiles that come before a test variant: the plain package's,
    and for ``p_test`` also those of ``p [p.test]``. What one of them says as often is not expected.
    """
    return _Ledger(list(records), [_claim(m) for m in messages], told, decide).settle()


def _claim(message: Mapping[str, Any]) -> _Claim:
    file = message["file"]
    own = (known((file, message["line"], message["column"])), message["message"])
    entries = [
        (known((file, entry["line"], entry["column"])), entry["message"]) for entry in message.get("instantiations", ())
    ]
    lines = entries if own in entries else [own, *entries]
    ways = [(tuple(map(_hop, way)), any(hop.get("note") for hop in way)) for way in message.get("flows", ())]
    return _Claim(lines, ways, frozenset(point for point, _ in lines), frozenset(lines))


def _hop(hop: Mapping[str, Any]) -> Hop:
    steps = tuple(Step(s["expression"], s["reason"], known((s["file"], s["line"], s["column"]))) for s in hop["steps"])
    return Hop(hop["to"], hop["from"], steps)


def _said(record: Record) -> Said:
    return record.point, record.text


def show(said: Said, flow: int = 0) -> str:
    """One line of the log as a person reads it."""
    (file, line, column), text = said
    more = f" [with {flow} flow lines]" if flow else ""
    return f"{file or '-'}:{line}:{column or 0}: {text}{more}"


class _Ledger:
    """The state of one comparison: what is still to be explained."""

    def __init__(
        self,
        records: list[Record],
        claims: list[_Claim],
        told: Sequence[Sequence[Record]],
        decide: Decide,
    ) -> None:
        self._records = records
        self._claims = claims
        self._decide = decide
        self._verdicts = Verdicts(records)
        self._headers = [record for record in records if record.header]
        self._headers_at: dict[Point, list[Record]] = defaultdict(list)
        for header in self._headers:
            self._headers_at[header.point].append(header)
        self._alone = [h for h in self._headers if not self._verdicts.owners(h)]
        self._told: Counter[Said] = Counter()
        told_headers: Counter[Said] = Counter()
        self._told_alone: Counter[Said] = Counter()
        for log in told:
            verdicts = Verdicts(log)
            alone = (r for r in log if r.header and not verdicts.owners(r))
            self._told |= Counter(_said(r) for r in log if r.what == "verdict")
            self._told_alone |= Counter(map(_said, alone))
            told_headers |= Counter(_said(r) for r in log if r.header)
        self._elsewhere = self._said_elsewhere(told_headers)
        self._alone_claimed: Counter[Said] = Counter()
        self._by_way: set[int] = set()
        self.result = Account(sum(r.lines for r in records), len(claims))

    def _said_elsewhere(self, told_headers: Counter[Said]) -> Counter[Said]:
        """Verdicts whose words were told before, but of another function: a header (1.25 and later
        name the function) was not. A report may have them or not.
        """
        found: Counter[Said] = Counter()
        new = Counter(_said(h) for h in self._headers) - told_headers
        for header in self._headers if self._told else ():
            if new[_said(header)] > 0:
                new[_said(header)] -= 1
                found.update({_said(owner) for owner in self._verdicts.owners(header)})
        return found

    def settle(self) -> Account:
        """Try the rules in their order and return what came of it."""
        for record in self._records:
            if record.what == "unknown":
                self.result.unaccounted.append(f"not understood: {record.text}")
        self._claim_lines()
        self._claim_ways()
        self._miss_ways()
        self._settle_headers()
        return self.result

    def _claim_lines(self) -> None:
        said = Counter(_said(r) for r in self._records if r.what == "verdict")
        open_lines = said - self._told
        alone = Counter(map(_said, self._alone)) - self._told_alone
        elsewhere = said & self._told & self._elsewhere
        self.result.repeated += (said & self._told).total()
        for claim in self._claims:
            self.result.folded += len(claim.lines) - 1
            for line in claim.lines:
                if open_lines[line] > 0:
                    open_lines[line] -= 1
                elif alone[line] > self._alone_claimed[line]:
                    self._alone_claimed[line] += 1
                elif elsewhere[line] > 0:
                    elsewhere[line] -= 1
                    self.result.repeated -= 1
                else:
                    self.result.invented.append(show(line))
        for line, count in (+open_lines).items():
            self.result.unaccounted.extend([show(line)] * count)

    def _claim_ways(self) -> None:
        """Give each way the header that says the same, of the value that the message is about."""
        by_way: dict[tuple[Point, Explained], list[int]] = defaultdict(list)
        for index, header in enumerate(self._headers):
            by_way[header.point, (header.way, header.truncated)].append(index)
        for claim in self._claims:
            if not claim.ways:
                continue
            fitting = [
                [
                    index
                    for point in claim.points
                    for index in by_way.get((point, way), ())
                    if index not in self._by_way and self._belongs(self._headers[index], claim)
                ]
                for way in claim.ways
            ]
            function = self._function(fitting)
            for way, indices in zip(claim.ways, fitting, strict=True):
                found = next(
                    (
                        index
                        for index in sorted(indices)
                        if index not in self._by_way and self._headers[index].function == function
                    ),
                    None,
                )
                if found is None:
                    lines = sum(1 + len(hop.steps) for hop in way[0])
                    self.result.invented.append(f"flow of {show(claim.lines[0], lines)}")
                else:
                    self._by_way.add(found)
                    claim.explained = True

    def _function(self, fitting: list[list[int]]) -> str:
        """The one function that a message's ways are about (named from 1.25 on): that which has a
        header for most of them, and the fewest beside them.
        """
        most: Counter[str] = Counter()
        for indices in {tuple(indices) for indices in fitting}:
            wanted = fitting.count(list(indices))
            having = Counter(self._headers[index].function for index in indices)
            most.update({name: min(wanted, count) for name, count in having.items()})
        if not most:
            return ""
        first = self._headers[next(index for indices in fitting for index in indices)]
        beside = Counter(header.function for header in self._headers_at[first.point] if header.subject == first.subject)
        return min(most, key=lambda name: (-most[name], beside[name]))

    def _miss_ways(self) -> None:
        """As many headers as verdicts of the same place and words: then each message has a way."""
        headers: Counter[Said] = Counter()
        for header in self._headers:
            headers.update({_said(owner) for owner in self._verdicts.owners(header)})
        claims = Counter(line for claim in self._claims for line in set(claim.lines))
        for claim in self._claims:
            if not claim.explained and any(headers[said] >= claims[said] for said in claim.lines):
                self.result.unaccounted.append(f"flow of {show(claim.lines[0])}")

    def _belongs(self, header: Record, claim: _Claim) -> bool:
        if _said(header) in claim.texts:
            return True
        return any(_said(owner) in claim.texts for owner in self._verdicts.owners(header))

    def _settle_headers(self) -> None:
        listed = {line for c in self._claims if len(c.lines) > 1 and c.explained for line in c.lines}
        alone_left = Counter(self._alone_claimed)
        told_alone = Counter(self._told_alone)
        waiting: list[Record] = []
        for index, header in enumerate(self._headers):
            if index not in self._by_way:
                waiting.append(header)
            elif alone_left[_said(header)] > 0:
                alone_left[_said(header)] -= 1
                self._check_meaning(header)
        for header in waiting:
            said = _said(header)
            owners = self._verdicts.owners(header)
            if owners:
                if any(_said(owner) in listed for owner in owners):
                    self.result.folded += header.lines
                elif any(self._told[_said(owner)] for owner in owners):
                    self.result.repeated += header.lines
                else:
                    self._lose(header)
            elif alone_left[said] > 0 and said in listed:
                alone_left[said] -= 1
                self._check_meaning(header)
                self.result.folded += header.lines - 1
            elif told_alone[said] > 0:
                told_alone[said] -= 1
                self.result.repeated += header.lines
            else:
                self._settle_alone(header)

    def _check_meaning(self, header: Record) -> None:
        if header.what == "leak" and self._decide(header) is False:
            self.result.invented.append(f"means nothing: {show(_said(header))}")

    def _settle_alone(self, header: Record) -> None:
        """A header without a verdict that the report does not have."""
        meaning = self._decide(header) if header.what == "leak" else True
        if meaning is None:
            self.result.undecided += header.lines
        elif meaning:
            self._lose(header)
        else:
            self.result.nothing += header.lines

    def _lose(self, header: Record) -> None:
        self.result.unaccounted.append(show(_said(header), header.lines - 1))
