"""Choices by ``window/showMessageRequest``: the filter, in editors that have no window of ours for it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

from lsprotocol import types

from escapelens.core.model import TYPE_LABELS
from escapelens.lsp.session import Session

logger = logging.getLogger(__name__)

BACK = "Back to the settings"

#: Seconds between an answer and a question that follows from it.
APART = 0.2

Keep = Callable[[Coroutine[Any, Any, None]], "asyncio.Future[None]"]
Request = Callable[[types.ShowMessageRequestParams], Awaitable[types.MessageActionItem | None]]


class FilterQuestion:
    """Asks which types to show. ``keep`` starts work that nobody waits for, ``request`` asks the client."""

    def __init__(self, session: Session, keep: Keep, request: Request) -> None:
        self._session = session
        self._keep = keep
        self._request = request
        self._open: asyncio.Future[None] | None = None

    def ask(self) -> None:
        """Ask. A question that nobody has answered yet is given up."""
        if self._open is not None:
            self._open.cancel()
        self._open = self._keep(self._ask())

    async def _ask(self) -> None:
        # jsonrpc.el of Emacs 28 leaves what comes in one read with an awaited answer until the next read.
        await asyncio.sleep(APART)
        text, answers = filter_question(self._session)
        items = [types.MessageActionItem(answer) for answer in answers]
        try:
            chosen = await self._request(types.ShowMessageRequestParams(types.MessageType.Info, text, items))
        except Exception as error:  # a client may know no such question
            logger.warning("the client asks no questions: %s", error)
            return
        if chosen is not None:
            choose_filter(self._session, chosen.title)


def filter_question(session: Session) -> tuple[str, list[str]]:
    """What is asked, and the answers."""
    shown = [label for kind, label in TYPE_LABELS.items() if kind in session.show.types]
    text = f"Shown: {', '.join(shown) or 'nothing'}."
    answers = [f"{'Hide' if kind in session.show.types else 'Show'} {label}" for kind, label in TYPE_LABELS.items()]
    return text, [*answers, BACK]


def choose_filter(session: Session, answer: str) -> None:
    """Show or hide what the answer names."""
    if answer == BACK:
        session.set_filter(None)
        return
    for kind, label in TYPE_LABELS.items():
        if answer == f"Hide {label}":
            session.set_filter([t for t in TYPE_LABELS if t in session.show.types and t != kind])
        elif answer == f"Show {label}":
            session.set_filter([t for t in TYPE_LABELS if t in session.show.types or t == kind])
