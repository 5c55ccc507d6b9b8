"""The commands beside hovers and hints: which hints are wanted, and a way as a list of locations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from escapelens.lsp.later import later
from escapelens.lsp.protocol import command_argument

if TYPE_CHECKING:
    from escapelens.lsp.features import commands, inlay_hints
    from escapelens.lsp.server import Server
else:
    commands = later("escapelens.lsp.features.commands")
    inlay_hints = later("escapelens.lsp.features.inlay_hints")


def register(server: Server) -> None:
    """Register the commands ``escapelens.hints`` and ``escapelens.flow``."""

    @server.command("escapelens.hints")
    def _(*arguments: Any) -> dict[str, Any]:
        server.hints.set(commands.parse(inlay_hints.SetHints, command_argument(arguments)).which)
        return {"which": server.hints.which}

    @server.command("escapelens.flow")
    async def _(*arguments: Any) -> dict[str, Any]:
        argument = commands.parse(commands.Explain, command_argument(arguments))
        answer = commands.flow(server.session, argument)
        if argument.show and answer["text"]:
            await server.show_text("way.txt", answer["text"])
        return answer
