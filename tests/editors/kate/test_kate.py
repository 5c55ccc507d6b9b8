"""The ready configuration of Kate in the real editor on a virtual screen, driven by keys, with the real server.

What Kate draws cannot be read from outside: what it says and what it is told is.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import pytest

from tests.editors import screen
from tests.editors.common import Command, check_recorded, copy_sample, ends, environment
from tests.tools import ROOT, require

CONFIGURATION = ROOT / "editors" / "kate" / "settings.json"
Found = TypeVar("Found")

pytestmark = pytest.mark.skipif(os.name != "posix", reason="Kate from Debian")


class Kate:
    """One window with the sample's user.go."""

    def __init__(self, display: screen.Screen, command: Command, uri: str, log: Path) -> None:
        self.log = log
        self.display = display
        self.command = command
        self.uri = uri

    def wait(self, what: str, condition: Callable[[], Found | None]) -> Found:
        """Wait until a condition gives something; nothing outside tells when a window has done its work."""
        for _ in range(600):
            found = condition()
            if found:
                return found
            time.sleep(0.1)
        said = [message.get("method") for message in self.command.said()]
        pytest.fail(f"waited in vain for {what}; Kate said {said}, and in its log:\n{self.log.read_text('utf-8')}")

    def diagnostics(self) -> dict[str, dict[str, Any]]:
        """What user.go shows now, by text."""
        sets = [m["params"] for m in self.command.told() if m.get("method") == "textDocument/publishDiagnostics"]
        mine = [params["diagnostics"] for params in sets if params["uri"] == self.uri]
        return {d["message"]: d for d in mine[-1]} if mine else {}

    def count(self, method: str) -> int:
        """How often Kate has said something."""
        return sum(message.get("method") == method for message in self.command.said())

    def answer(self, method: str, nth: int) -> Any:
        """The answer to the nth request of a method, None while there is none."""
        asked = [message["id"] for message in self.command.said() if message.get("method") == method]
        answers = {m["id"]: m.get("result") for m in self.command.told() if "method" not in m}
        return answers.get(asked[nth]) if nth < len(asked) else None


def configure(home: Path, command: Command) -> None:
    """The configuration that the README tells to write, and the yes to Kate's question about the command."""
    folder = home / ".config"
    (folder / "kate" / "lspclient").mkdir(parents=True)
    shutil.copy(CONFIGURATION, folder / "kate" / "lspclient" / "settings.json")
    (folder / "katerc").write_text(
        "[General]\nStartup Session=new\n\n[Kate Plugins]\nlspclientplugin=true\n\n"
        f"[lspclient]\nAllowedServerCommandLines={command.script} lsp\n"
    )


@contextmanager
def kate(tmp_path: Path) -> Iterator[Kate]:
    """Kate on a screen of its own, with the server running."""
    sample = copy_sample(tmp_path)
    command = Command(tmp_path / "bin")
    home = tmp_path / "home"
    configure(home, command)
    (tmp_path / "run").mkdir(mode=0o700)
    with screen.virtual_screen("1280x900") as display:
        variables = command.on_path(environment(home)) | {
            "DISPLAY": display.name,
            "QT_QPA_PLATFORM": "xcb",
            "XDG_RUNTIME_DIR": str(tmp_path / "run"),
        }
        words = ["dbus-run-session", "--", "kate", "-n", "-b", "user.go"]
        path = tmp_path / "kate.log"
        with (
            path.open("w") as log,
            subprocess.Popen(
                words, cwd=sample, env=variables, stdout=log, stderr=log, start_new_session=True
            ) as process,
        ):
            window = Kate(display, command, (sample / "user.go").as_uri(), path)
            try:
                window.wait("the window", lambda: display.window("user.go"))
                window.wait("the server", lambda: window.count("textDocument/didOpen"))
                # Without a window manager nothing has the focus before a click.
                display.click(300, 560)
                yield window
            finally:
                # The session's bus and all that it started, too.
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGTERM)


def test_a_session(tmp_path: Path) -> None:
    absent = screen.missing((*screen.PROGRAMS, "kate", "dbus-run-session"))
    require(not absent, f"{', '.join(absent)} (Debian: kate, xvfb, xdotool, dbus)")
    with kate(tmp_path) as window:
        display = window.display
        display.keys("ctrl+s")
        moved = window.wait("the message", lambda: window.diagnostics().get("moved to heap: u"))
        assert moved["range"]["start"] == {"line": 8, "character": 1}
        assert moved["relatedInformation"]

        # The caret to the value, then the menu's Symbol Info.
        display.keys("ctrl+Home", *["Down"] * 8, "Right", "alt+l", "y")
        hover = window.wait(
            "the hover", lambda: window.answer("textDocument/hover", -1 + window.count("textDocument/hover"))
        )
        assert "moved to heap: u" in hover["contents"]["value"]

        display.keys("Escape", "alt+Return")
        actions = window.wait("the actions", lambda: window.answer("textDocument/codeAction", 0))
        titles = [action["title"] for action in actions]
        display.keys(*["Down"] * (titles.index("Hide Moved to Heap") + 1), "Return")
        window.wait("the message to go", lambda: "moved to heap: u" not in window.diagnostics())
        assert any("&User{...} escapes" in text for text in window.diagnostics())

        display.keys("ctrl+End")
        display.type("var broken int = missing\n")
        display.keys("ctrl+s")
        window.wait("the build error", lambda: any("does not build" in text for text in window.diagnostics()))
        display.keys("ctrl+q")
        assert [pid for pid in window.command.processes() if not ends(pid)] == []
        check_recorded(window.command, tmp_path / "sample", "kate")
