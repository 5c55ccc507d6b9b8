"""Work that takes longer than half a second shows itself, and can be cancelled."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any

from lsprotocol import types
from pygls.lsp.server import LanguageServer

logger = logging.getLogger(__name__)

#: Seconds before a progress display appears: quick work shows nothing.
PATIENCE = 0.5


class Progress:
    """One piece of work. ``end`` must be called; ``cancel`` runs when the user cancels."""

    def __init__(self, server: LanguageServer, title: str, cancel: Callable[[], Any]) -> None:
        self._server = server
        self._title = title
        self._cancel = cancel
        self._token = f"escapelens-{id(self)}"
        self._begun = False
        window = server.client_capabilities.window
        supported = bool(window and window.work_done_progress)
        self._task = asyncio.ensure_future(self._begin()) if supported else None

    async def _begin(self) -> None:
        await asyncio.sleep(PATIENCE)
        display = self._server.work_done_progress
        await display.create_async(self._token)
        display.begin(self._token, types.WorkDoneProgressBegin(title=self._title, cancellable=True))
        self._begun = True
        display.tokens[self._token].add_done_callback(self._stopped)

    def _stopped(self, token: Any) -> None:
        if token.cancelled():
            self._cancel()

    def end(self) -> None:
        """The work is done."""
        if self._task is not None:
            self._task.cancel()
        display = self._server.work_done_progress
        if self._begun:
            display.end(self._token, types.WorkDoneProgressEnd())
        # pygls keeps tokens for ever (#607).
        display.tokens.pop(self._token, None)
