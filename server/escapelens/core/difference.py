"""What a save changed, in a few signs: ``+1 in a loop, −2``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from escapelens.core.model import Message

_Key = tuple[str | None, str | None, str, str]


def difference(before: Iterable[Message], after: Iterable[Message]) -> str:
    """The heap values that came and went between two results, free ones apart; empty where none did.

    Values are told apart by file, function, kind and the compiler's words: lines that moved change nothing.
    """
    old, new = _heap(before), _heap(after)
    left = Counter({key: len(found) for key, found in old.items()})
    right = Counter({key: len(found) for key, found in new.items()})
    gone = (left - right).total()
    loops = others = 0
    for key, number in (right - left).items():
        # Of values with equal words those in loops are the ones that matter.
        in_loops = sum(message.loop for message in new[key]) - sum(message.loop for message in old.get(key, ()))
        loops += min(number, max(in_loops, 0))
        others += number - min(number, max(in_loops, 0))
    parts = [f"+{loops} in a loop" if loops == 1 else f"+{loops} in loops"] if loops else []
    parts += [f"+{others}"] if others else []
    parts += [f"−{gone}"] if gone else []
    return ", ".join(parts)


def _heap(messages: Iterable[Message]) -> dict[_Key, list[Message]]:
    found: dict[_Key, list[Message]] = {}
    for message in messages:
        if message.type in ("escape", "moved") and not message.free:
            key = (message.place.file, message.function, message.kind, message.text)
            found.setdefault(key, []).append(message)
    return found
