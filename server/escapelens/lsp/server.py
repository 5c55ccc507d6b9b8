"""The language server: wiring only. What happens is in ``session`` and ``features``."""

from __future__ import annotations

import asyncio
import gc
import logging
import sys
from collections.abc import Callable, Coroutine
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from escapelens import __version__
from escapelens.lsp import explaining
from escapelens.lsp.later import later
from escapelens.lsp.protocol import ACTION_KIND, Abilities, Protocol, abilities_of, command_argument, position_encoding
from escapelens.lsp.signals import end_on_signals

if TYPE_CHECKING:
    from escapelens.core.positions import Encoding
    from escapelens.golang import paths
    from escapelens.lsp import documents, progress, session, shown_text, to_lsp
    from escapelens.lsp.features import (
        choices,
        code_actions,
        code_lens,
        commands,
        comparison,
        general_actions,
        hover,
        inlay_hints,
        messages,
    )
else:
    paths = later("escapelens.golang.paths")
    documents = later("escapelens.lsp.documents")
    progress = later("escapelens.lsp.progress")
    session = later("escapelens.lsp.session")
    shown_text = later("escapelens.lsp.shown_text")
    to_lsp = later("escapelens.lsp.to_lsp")
    choices = later("escapelens.lsp.features.choices")
    code_actions = later("escapelens.lsp.features.code_actions")
    code_lens = later("escapelens.lsp.features.code_lens")
    commands = later("escapelens.lsp.features.commands")
    comparison = later("escapelens.lsp.features.comparison")
    general_actions = later("escapelens.lsp.features.general_actions")
    hover = later("escapelens.lsp.features.hover")
    inlay_hints = later("escapelens.lsp.features.inlay_hints")
    messages = later("escapelens.lsp.features.messages")

logger = logging.getLogger(__name__)

SECTION = "escapelens"


class Server(LanguageServer):
    """A pygls server with one session, which it also serves as the client's side."""

    protocol: Protocol

    def __init__(self) -> None:
        super().__init__("escapelens", __version__, protocol_cls=Protocol)
        self.abilities = Abilities()
        self.options: Any = None
        self._kept: set[asyncio.Future[None]] = set()
        # Before `initialized` nothing may be sent but messages to the user, and those can wait.
        self._ready = False
        self._waiting: list[str] = []

    @cached_property
    def session(self) -> session.Session:
        """The client's session, with the settings that it sent first; not before ``initialize`` is answered."""
        made = session.Session(self)
        made.publisher.related = self.abilities.related
        made.view.encoding = cast("Encoding", position_encoding(self.server_capabilities))
        made.configure(self.options)
        return made

    @cached_property
    def trees(self) -> messages.Trees:
        """The trees that the client looks at."""
        return messages.Trees(self.session)

    @cached_property
    def hints(self) -> inlay_hints.Hints:
        """The inlay hints, and which of them are wanted."""
        return inlay_hints.Hints(self.session)

    @cached_property
    def question(self) -> choices.FilterQuestion:
        """The question which types to show."""
        return choices.FilterQuestion(self.session, self.keep, self.window_show_message_request_async)

    @cached_property
    def shown_texts(self) -> shown_text.ShownTexts:
        """The texts that were opened in the editor."""
        return shown_text.ShownTexts()

    def forget_texts(self) -> None:
        """Remove the texts that were opened in the editor, if there were any."""
        if "shown_texts" in self.__dict__:
            self.shown_texts.remove()

    def ready(self) -> None:
        """The client is ready: say what has waited."""
        self._ready = True
        for text in self._waiting:
            self.warn(text)
        self._waiting.clear()

    def report_server_error(self, error: Exception, source: type[Exception]) -> None:
        """Log; a message box for each malformed message helps nobody."""
        logger.error("%s", error, exc_info=error)

    # -- what the session asks of the client ------------------------------------

    def publish(self, params: str) -> None:
        """Send diagnostics; the parameters are JSON text."""
        self.protocol.notify_text(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS, params)

    def status(self, state: str, package: str, generation: int, message: str) -> None:
        """Send ``escapelens/status``."""
        if not self._ready:
            return
        values = {"state": state, "package": package, "generation": generation, "message": message}
        self.protocol.notify("escapelens/status", values)

    def refresh(self, everything: bool = False) -> None:
        """Ask for inlay hints and lenses again, where the client can; ``everything`` also what is off."""
        if not self._ready:
            return
        settings = self.session.settings
        if (settings.inlay_hints.enable or everything) and self.protocol.supports_refresh("inlay_hint"):
            self._request(types.WORKSPACE_INLAY_HINT_REFRESH)
        if (settings.code_lens.enable or everything) and self.protocol.supports_refresh("code_lens"):
            self._request(types.WORKSPACE_CODE_LENS_REFRESH)

    def _request(self, method: str) -> None:
        future = self.protocol.send_request(method)
        future.add_done_callback(lambda done: done.cancelled() or done.exception())

    def warn(self, text: str) -> None:
        """Show a sentence to the user."""
        if not self._ready:
            self._waiting.append(text)
            return
        self.window_show_message(types.ShowMessageParams(types.MessageType.Warning, text))

    def begin_progress(self, title: str, cancel: Callable[[], Any]) -> progress.Progress:
        """A progress display that appears after half a second."""
        return progress.Progress(self, title, cancel)

    def keep(self, work: Coroutine[Any, Any, None]) -> asyncio.Future[None]:
        """Start work that nobody waits for; asyncio itself holds tasks weakly."""
        task = asyncio.ensure_future(work)
        self._kept.add(task)
        task.add_done_callback(self._kept.discard)
        return task

    # -- helpers of the handlers --------------------------------------------------

    def path(self, uri: str) -> str | None:
        """The path of a ``file:`` URI."""
        return paths.from_uri(uri, windows=sys.platform == "win32")

    async def pull_settings(self) -> None:
        """Ask the client for our section, where it can say."""
        workspace = self.client_capabilities.workspace
        if workspace is None or not workspace.configuration:
            return
        params = types.ConfigurationParams([types.ConfigurationItem(section=SECTION)])
        try:
            values = await self.workspace_configuration_async(params)
        except Exception as error:  # the client's answer may be anything
            logger.warning("the client gave no settings: %s", error)
            return
        if values and values[0] is not None:
            self.session.configure(values[0])

    async def show_text(self, name: str, text: str) -> None:
        """Open a text in the editor, where the client can; else say where it is."""
        uri = self.shown_texts.write(name, text)
        if self.abilities.show_document:
            try:
                shown = await self.window_show_document_async(types.ShowDocumentParams(uri, take_focus=True))
            except Exception as error:  # a client may refuse what it announced
                logger.warning("the client shows no documents: %s", error)
            else:
                if shown.success:
                    return
        words = f"The text is in {self.path(uri)} until the server ends."
        self.window_show_message(types.ShowMessageParams(types.MessageType.Info, words))


def create() -> Server:
    """A server with all its handlers."""
    server = Server()
    _register_lifecycle(server)
    _register_documents(server)
    _register_requests(server)
    _register_commands(server)
    explaining.register(server)
    return server


def _register_lifecycle(server: Server) -> None:

    @server.feature(types.INITIALIZE)
    def _(params: types.InitializeParams) -> None:
        server.options = params.initialization_options
        end_on_signals(server.keep, server.forget_texts)
        server.abilities = abilities_of(params.capabilities)

    @server.feature(types.INITIALIZED)
    async def _(_: types.InitializedParams) -> None:
        begun = server.session
        server.ready()
        begun.warm()
        await _watch_files(server)
        await server.pull_settings()

    @server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
    async def _(params: types.DidChangeConfigurationParams) -> None:
        workspace = server.client_capabilities.workspace
        if workspace is not None and workspace.configuration:
            await server.pull_settings()
        elif params.settings is not None:
            server.session.configure(_plain(params.settings))

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def _(params: types.DidChangeWatchedFilesParams) -> None:
        for change in params.changes:
            path = server.path(change.uri)
            if path is None:
                continue
            if change.type == types.FileChangeType.Deleted:
                server.session.removed(path)
            elif not path.endswith(".go"):
                server.session.environment_changed()
            elif server.session.documents.at(path) is None:
                server.session.changed_outside(path)

    @server.feature(types.SHUTDOWN)
    async def _(_: None) -> None:
        await server.session.close()
        server.forget_texts()


async def _watch_files(server: Server) -> None:
    workspace = server.client_capabilities.workspace
    watched = workspace.did_change_watched_files if workspace else None
    if not (watched and watched.dynamic_registration):
        return
    watchers = [
        types.FileSystemWatcher(glob_pattern=pattern) for pattern in ("**/*.go", "**/go.mod", "**/go.work", "**/go.sum")
    ]
    options = types.DidChangeWatchedFilesRegistrationOptions(watchers)
    registration = types.Registration("escapelens-files", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
    try:
        await server.client_register_capability_async(types.RegistrationParams([registration]))
    except Exception as error:  # a client may refuse what it announced
        logger.warning("the client watches no files: %s", error)


def _register_documents(server: Server) -> None:

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def _(params: types.DidOpenTextDocumentParams) -> None:
        item = params.text_document
        path = server.path(item.uri)
        if path is not None:
            server.session.opened(documents.Document(item.uri, path, item.version, item.text))

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def _(params: types.DidChangeTextDocumentParams) -> None:
        document = server.session.documents.get(params.text_document.uri)
        if document is not None:
            document.change(params.content_changes, server.session.view.encoding, params.text_document.version)
            server.session.changed(document)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE, types.SaveOptions(include_text=False))
    def _(params: types.DidSaveTextDocumentParams) -> None:
        document = server.session.documents.get(params.text_document.uri)
        if document is not None:
            server.session.saved(document)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def _(params: types.DidCloseTextDocumentParams) -> None:
        server.session.closed(params.text_document.uri)


def _register_requests(server: Server) -> None:

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    def _(params: types.HoverParams) -> types.Hover | None:
        found = hover.hover(server.session, params.text_document.uri, params.position)
        return found if server.abilities.markdown else to_lsp.plain_hover(found)

    @server.feature(types.TEXT_DOCUMENT_INLAY_HINT)
    def _(params: types.InlayHintParams) -> list[types.InlayHint]:
        return server.hints.hints(params.text_document.uri, params.range)

    @server.feature(types.TEXT_DOCUMENT_CODE_LENS)
    def _(params: types.CodeLensParams) -> list[types.CodeLens]:
        enabled = server.session.settings.code_lens.enable
        return code_lens.code_lenses(server.session, params.text_document.uri) if enabled else []

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions(code_action_kinds=[ACTION_KIND]))
    def _(params: types.CodeActionParams) -> list[types.CodeAction] | list[types.Command]:
        uri, only = params.text_document.uri, params.context.only
        found = code_actions.code_actions(server.session, server.hints, uri, params.range)
        if not server.abilities.inlay_hints:
            found = [a for a in found if a.command is None or a.command.command != inlay_hints.COMMAND]
        found += general_actions.general_actions(server.session, uri, params.range, only)
        return found if server.abilities.action_literals else to_lsp.as_commands(found)


def _register_commands(server: Server) -> None:

    def path_of(uri: str) -> str:
        return commands.path_of(server.session, uri, server.path)

    @server.command("escapelens.analyze")
    async def _(*arguments: Any) -> dict[str, Any]:
        argument = commands.parse(commands.Analyze, command_argument(arguments))
        path = path_of(argument.uri)
        if not argument.wait:
            server.keep(_forget(commands.analyze(server.session, argument, path)))
            return {"status": "started"}
        return await commands.analyze(server.session, argument, path)

    @server.command("escapelens.setFilter")
    def _(*arguments: Any) -> dict[str, Any]:
        argument = commands.parse(commands.SetFilter, command_argument(arguments))
        server.session.set_filter(argument.types)
        return {"types": argument.types or list(server.session.show.types)}

    @server.command("escapelens.chooseFilter")
    def _(*_: Any) -> dict[str, Any]:
        # Asked after this answer: some clients wait for it, and only for a while.
        server.question.ask()
        return {}

    @server.command("escapelens.clear")
    def _(*_: Any) -> dict[str, Any]:
        server.session.clear()
        return {}

    @server.command("escapelens.messages")
    def _(*arguments: Any) -> dict[str, Any]:
        argument = commands.parse(messages.Messages, command_argument(arguments))
        return server.trees.page(argument, path_of(argument.uri) if argument.uri else "")

    @server.command("escapelens.copy")
    def _(*arguments: Any) -> dict[str, Any]:
        argument = commands.parse(messages.Messages, command_argument(arguments))
        return server.trees.text(argument, path_of(argument.uri) if argument.uri else "")

    @server.command("escapelens.reveal")
    def _(*arguments: Any) -> dict[str, Any]:
        argument = commands.parse(messages.Reveal, command_argument(arguments))
        return server.trees.reveal(argument, path_of(argument.uri))

    @server.command("escapelens.environment")
    async def _(*arguments: Any) -> dict[str, Any]:
        argument = commands.parse(commands.OfFile, command_argument(arguments))
        return await commands.environment(server.session, path_of(argument.uri))

    @server.command("escapelens.cancel")
    async def _(*_: Any) -> dict[str, Any]:
        await server.session.close()
        return {}

    @server.command("escapelens.explain")
    async def _(*arguments: Any) -> dict[str, Any]:
        argument = commands.parse(commands.Explain, command_argument(arguments))
        answer = commands.explain(server.session, argument)
        if argument.show and answer["markdown"]:
            await server.show_text("explain.md", answer["markdown"])
        return answer

    @server.command("escapelens.showRaw")
    async def _(*arguments: Any) -> dict[str, Any]:
        argument = commands.parse(commands.OfFile, command_argument(arguments))
        answer = await commands.show_raw(server.session, argument, path_of(argument.uri))
        if argument.show:
            await server.show_text("raw.txt", answer["text"])
        return answer

    @server.command("escapelens.runs")
    def _(*_: Any) -> dict[str, Any]:
        return {"runs": server.session.runs.list()}

    @server.command("escapelens.compare")
    def _(*arguments: Any) -> dict[str, Any]:
        return commands.compare(server.session, commands.parse(messages.Pair, command_argument(arguments)))

    @server.command("escapelens.showComparison")
    async def _(*arguments: Any) -> dict[str, Any]:
        argument = commands.parse(commands.OfFile, command_argument(arguments))
        text = comparison.comparison_text(server.session, server.trees, path_of(argument.uri))
        await server.show_text("comparison.txt", text)
        return {"text": text}


async def _forget(work: Coroutine[Any, Any, Any]) -> None:
    await work


def _plain(value: Any) -> Any:
    """Settings as plain values; pygls may hand over objects."""
    return dict(vars(value)) if hasattr(value, "__dict__") else value


def serve(host: str | None = None, port: int | None = None) -> None:
    """Run until the client goes: on standard streams, or on a TCP port of one host."""
    logging.basicConfig(level=logging.INFO, stream=sys.stderr, format="%(levelname)s %(message)s")
    # At INFO pygls logs every payload.
    logging.getLogger("pygls").setLevel(logging.WARNING)
    server = create()
    # What is loaded stays; messages are many and have no cycles: the collector has little to look for.
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)
    try:
        if port is not None:
            server.start_tcp(host or "127.0.0.1", port)
        else:
            server.start_io()
    finally:
        server.forget_texts()
    if not server.protocol.was_shut_down:
        # LSP 3.17, exit: without a shutdown before it the status is 1.
        sys.exit(1)
