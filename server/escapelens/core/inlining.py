"""Whether a function inlines: its cost against the budget, or the reason why not."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from escapelens.core.model import Message
from escapelens.core.words import shorten

#: The budget of cmd/compile/internal/inline (inlineMaxBudget); calls inside very big functions have less
#: (inlineBigFunctionMaxCost), calls that a profile calls hot have more.
BUDGET = 80
BIG_BUDGET = 20
#: Within this share of the budget a function misses or makes it narrowly.
_NEAR = 0.1

_CAN = re.compile(r"can inline .*? with cost (\d+) as: .*", re.DOTALL)
_COST = re.compile(r".*cost (\d+) exceeds budget (\d+)", re.DOTALL)
_REASONS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), words)
    for pattern, words in (
        (r"marked go:noinline", "it is marked go:noinline"),
        (r"marked go:(\w+)", r"it is marked go:\1"),
        (r"no function body", "it has no Go body"),
        (r"call to recover", "it calls recover"),
        (r"recursive", "it calls itself"),
        (r"unhandled op (\w+)", r"it holds a \1 statement"),
    )
)


@dataclass(frozen=True, slots=True)
class Inlining:
    """What the compiler says of one function. ``cost`` and ``budget`` are in its nodes, None if not told."""

    can: bool
    cost: int | None = None
    budget: int = BUDGET
    reason: str = ""

    @property
    def near(self) -> bool:
        """Whether the cost lies within ten percent of the budget."""
        return self.cost is not None and abs(self.cost - self.budget) <= self.budget * _NEAR

    @property
    def words(self) -> str:
        """One line: ``can inline (cost 57 of 80)``, ``does not inline: cost 83, budget 80 (near)``."""
        near = ", near the limit" if self.near else ""
        if self.can:
            return f"can inline (cost {self.cost} of {self.budget}{near})" if self.cost is not None else "can inline"
        if self.cost is not None:
            return f"does not inline: cost {self.cost}, budget {self.budget}{near}"
        return f"does not inline: {self.reason}" if self.reason else "does not inline"


def inlining_of(messages: Iterable[Message]) -> Inlining | None:
    """What is said of a function itself, among the messages at it; None if nothing is."""
    for message in messages:
        if message.kind == "can-inline":
            match = _CAN.fullmatch(message.text)
            return Inlining(True, int(match[1]) if match else None)
        if message.kind == "cannot-inline":
            match = _COST.fullmatch(message.text)
            if match is not None:
                return Inlining(False, int(match[1]), int(match[2]))
            return Inlining(False, reason=_reason(message.text))
    return None


def _reason(text: str) -> str:
    said = text.partition(": ")[2]
    for pattern, words in _REASONS:
        match = pattern.fullmatch(said)
        if match is not None:
            return match.expand(words).replace("DEFER", "defer").replace(" GO ", " go ").replace("SELECT", "select")
    return shorten(said, 80)
