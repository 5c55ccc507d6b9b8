"""What pygls needs to be told, each point with its upstream issue."""

from __future__ import annotations

import asyncio
import inspect
import logging
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

from cattrs import Converter
from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams, JsonRpcInvalidRequest
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol
from pygls.protocol.json_rpc import JsonRPCNotification

logger = logging.getLogger(__name__)

#: The kind of our code actions.
ACTION_KIND = "source.escapelens"

#: Stands for a message that was answered already; pygls passes over an unknown JSON-RPC version.
_ANSWERED = JsonRPCNotification(method="", jsonrpc="answered", params=None)


class Protocol(LanguageServerProtocol):
    """The language server protocol with pygls 2.1.1's gaps closed."""

    def __init__(self, server: LanguageServer, converter: Converter) -> None:
        super().__init__(server, converter)
        self._begun = False
        self._inner: dict[str | int, Future[Any]] = {}
        self._writing: set[asyncio.Future[Any]] = set()

    def structure_message(self, data: dict[str, Any]) -> Any:
        """Answer malformed parameters with -32602 (pygls #438: no reply at all).

        Forgets the result type of a request that failed (#608: kept for ever).
        """
        if not isinstance(data, dict) or "jsonrpc" not in data:
            return data
        if "error" in data:
            self._result_types.pop(data.get("id", ""), None)
        try:
            return super().structure_message(data)
        except JsonRpcException:
            if "method" in data and "id" in data:
                error = JsonRpcInvalidParams(f"Bad parameters for {data['method']}")
                self._send_response(data["id"], error=error.to_response_error())
            else:
                logger.warning("a malformed message was dropped: %s", data.get("method", "a reply"))
            return _ANSWERED

    def handle_message(self, message: Any) -> None:
        """Pass over what is no JSON-RPC message (a batch, a number) instead of failing."""
        if not hasattr(message, "jsonrpc"):
            logger.warning("a message that is no JSON-RPC was dropped")
        elif not self._begun and getattr(message, "method", "") not in ("initialize", "exit"):
            # LSP 3.17, initialize: requests before it get -32002, notifications are dropped.
            if hasattr(message, "id") and hasattr(message, "method"):
                code = types.ErrorCodes.ServerNotInitialized.value
                self._send_response(message.id, error=types.ResponseError(code, "Not initialized yet"))
        elif self._shutdown and hasattr(message, "id") and hasattr(message, "method"):
            # LSP 3.17, shutdown: requests after it are answered with InvalidRequest; pygls says nothing.
            error = JsonRpcInvalidRequest("The server has been shut down")
            self._send_response(message.id, error=error.to_response_error())
        else:
            self._begun = True
            super().handle_message(message)

    @property
    def was_shut_down(self) -> bool:
        """Tell whether the client has sent ``shutdown``."""
        return self._shutdown

    def _execute_handler(
        self,
        msg_id: str | int,
        handler: Callable[..., Any],
        callback: Callable[[Future[Any]], None],
        args: tuple[Any, ...] | None = None,
        kwargs: dict[str, Any] | None = None,
    ) -> None:
        """Forget a request's future when it is done (pygls #607: kept for ever)."""
        super()._execute_handler(msg_id, handler, callback, args, kwargs)
        future = self._request_futures.get(msg_id)
        if future is None:
            return
        future.add_done_callback(lambda _: self._request_futures.pop(msg_id, None))
        outer = self.msg_id
        if outer is not None and outer != msg_id:
            # A command runs under an id of pygls's own, inside the client's request.
            self._inner[outer] = future
            future.add_done_callback(lambda _: self._inner.pop(outer, None))

    def _handle_response(self, msg_id: str | int, result: Any | None = None, error: Any | None = None) -> None:
        """Pass over a reply to a request of ours that was cancelled (pygls #621: InvalidStateError)."""
        future = self._request_futures.get(msg_id)
        if future is not None and future.done():
            self._request_futures.pop(msg_id, None)
            return
        super()._handle_response(msg_id, result, error)

    def _handle_cancel_notification(self, msg_id: str | int) -> None:
        """Cancel what still runs, a command's own work too; a request that is done needs no warning."""
        inner = self._inner.pop(msg_id, None)
        if msg_id in self._request_futures:
            super()._handle_cancel_notification(msg_id)
        if inner is not None:
            inner.cancel()

    def notify_text(self, method: str, params: str) -> None:
        """Send a notification whose parameters are JSON text already (ASCII): nothing is looked at value by value."""
        if self.writer is None:
            return
        body = f'{{"jsonrpc":"{self.VERSION}","method":"{method}","params":{params}}}'.encode()
        # pygls has two sorts of writers; both take bytes, one gives an awaitable.
        written = self.writer.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        if inspect.isawaitable(written):
            writing = asyncio.ensure_future(written)
            self._writing.add(writing)
            writing.add_done_callback(self._writing.discard)

    def supports_refresh(self, feature: str) -> bool:
        """Tell whether the client takes ``workspace/<feature>/refresh``."""
        workspace = self.client_capabilities.workspace
        section = getattr(workspace, feature, None) if workspace else None
        return bool(section and section.refresh_support)


@dataclass(frozen=True, slots=True)
class Abilities:
    """What a client said at ``initialize`` that it can; capabilities decide, not names of editors."""

    #: Diagnostics with locations (``publishDiagnostics.relatedInformation``).
    related: bool = False
    #: Hovers in markdown (``hover.contentFormat``); plain text without.
    markdown: bool = False
    #: Code actions as objects (``codeAction.codeActionLiteralSupport``); commands without.
    action_literals: bool = False
    #: Inlay hints (``inlayHint``); without, nothing is offered that only changes them.
    inlay_hints: bool = False
    #: Texts opened by us (``window.showDocument``); a message that says where they are without.
    show_document: bool = False


def abilities_of(capabilities: types.ClientCapabilities) -> Abilities:
    """Read a client's capabilities; what is not announced is not there (LSP 3.17)."""
    document = capabilities.text_document or types.TextDocumentClientCapabilities()
    diagnostics, hover, action = document.publish_diagnostics, document.hover, document.code_action
    window = capabilities.window
    formats = [str(getattr(f, "value", f)) for f in (hover.content_format if hover else None) or ()]
    return Abilities(
        related=bool(diagnostics and diagnostics.related_information),
        markdown="markdown" in formats,
        action_literals=bool(action and action.code_action_literal_support),
        inlay_hints=document.inlay_hint is not None,
        show_document=bool(window and window.show_document and window.show_document.support),
    )


def command_argument(arguments: tuple[Any, ...]) -> dict[str, Any]:
    """The one object that a command of ours takes; empty if there is none.

    Raises JsonRpcInvalidParams for anything else.
    """
    if not arguments or arguments[0] is None:
        return {}
    value = arguments[0]
    if isinstance(value, dict):
        return value
    if hasattr(value, "__dict__"):
        return dict(vars(value))
    raise JsonRpcInvalidParams("The argument must be one object")


def position_encoding(capabilities: types.ServerCapabilities) -> str:
    """The encoding of positions that was agreed on; UTF-16 where none was (LSP 3.17)."""
    agreed = capabilities.position_encoding
    return str(getattr(agreed, "value", agreed) or "utf-16")
