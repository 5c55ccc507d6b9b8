"""VS Code (code-server) with the extension in a fresh profile, and a browser that shows it."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any

from tests.editors.vscode.build import vsix
from tests.editors.vscode.install import modules, node
from tests.editors.vscode.probe import Probe, write_vsix
from tests.tools import TOOLS

HERE = Path(__file__).resolve().parent

#: Nothing that reaches out, and nothing that covers the editor.
QUIET = {
    "telemetry.telemetryLevel": "off",
    "update.mode": "none",
    "extensions.autoCheckUpdates": False,
    "extensions.autoUpdate": False,
    "extensions.ignoreRecommendations": True,
    "workbench.enableExperiments": False,
    "workbench.startupEditor": "none",
    "workbench.tips.enabled": False,
    "workbench.secondarySideBar.defaultVisibility": "hidden",
    "workbench.colorTheme": "Dark Modern",
    "chat.disableAIFeatures": True,
    "git.enabled": False,
    "files.autoSave": "off",
    "editor.minimap.enabled": False,
    "editor.scrollBeyondLastLine": False,
    "editor.occurrencesHighlight": "off",
}


def find_chromium() -> str | None:
    """A Chromium or Chrome on PATH."""
    names = ("chromium", "chromium-browser", "google-chrome", "chrome")
    return next((found for name in names if (found := shutil.which(name))), None)


class Workbench:
    """One editor window. A context manager; every method waits until the window shows its effect."""

    def __init__(
        self,
        home: Path,
        folder: Path,
        settings: Mapping[str, Any],
        environment: Mapping[str, str],
        *,
        trusted: bool = True,
        extension: bool = True,
    ) -> None:
        self._home = home
        self._folder = folder
        self._trusted = trusted
        self._extension = extension
        self._environment = {
            **os.environ,
            **environment,
            "XDG_CONFIG_HOME": str(home / "config"),
            "EXTENSIONS_GALLERY": "{}",
            "ESCAPELENS_PROBE": str(home / "probe"),
            # As from a terminal: the environment is this one, not a login shell's.
            "VSCODE_CLI": "1",
        }
        for part in ("User", "Machine"):
            file = home / "data" / part / "settings.json"
            file.parent.mkdir(parents=True)
            file.write_text(json.dumps({**QUIET, **settings}))
        self.probe = Probe(home / "probe")
        self._processes: list[subprocess.Popen[str]] = []

    def __enter__(self) -> Workbench:
        try:
            wanted = [write_vsix(self._home / "probe.vsix"), *([vsix(TOOLS)] if self._extension else [])]
            self._code_server(*(f"--install-extension={path}" for path in wanted)).wait(timeout=120)
            browser = [str(node(TOOLS)), str(HERE / "driver.mjs"), str(modules(TOOLS))]
            self._driver = self._start([*browser, str(find_chromium()), str(self._home / "browser")])
            self._answer()
            self.request("open", url=self._serve())
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the browser, then the editor, by closing what they read or ending them."""
        self.probe.close()
        for process in reversed(self._processes):
            if process.stdin:
                process.stdin.close()
            if process.args[1] != str(HERE / "driver.mjs"):  # type: ignore[index]
                process.terminate()
            process.wait(timeout=60)
            if process.stdout:
                process.stdout.close()

    def request(self, request: str, /, **values: Any) -> Any:
        """Ask the driver; raises AssertionError with what the browser said."""
        _write(self._driver.stdin, json.dumps({"request": request, **values}) + "\n")
        answer = self._answer()
        assert "error" not in answer, f"{request} {values}: {answer['error']}"
        return answer.get("result")

    def inside(self, script: str, /, **values: Any) -> Any:
        """Run a script inside the extension host; see ``Probe.run``."""
        return self.probe.run(script, values)

    def marks(self, **expected: str) -> dict[str, str]:
        """Marks by line, as soon as they are as expected; what was last seen otherwise."""
        found: dict[str, str] = self.request("marks", expected=expected)
        return found

    def _answer(self) -> dict[str, Any]:
        assert self._driver.stdout is not None
        line = self._driver.stdout.readline()
        assert line, "the browser's driver has ended"
        answer: dict[str, Any] = json.loads(line)
        return answer

    def _serve(self) -> str:
        server = self._code_server(
            "--auth=none",
            "--bind-addr=127.0.0.1:0",
            "--disable-telemetry",
            "--disable-update-check",
            *(["--disable-workspace-trust"] if self._trusted else []),
            "--disable-getting-started-override",
        )
        assert server.stdout is not None
        for line in server.stdout:
            found = re.search(r"listening on (http://127\.0\.0\.1:\d+)", line)
            if found:
                threading.Thread(target=server.stdout.read, daemon=True).start()
                return f"{found[1]}/?folder={self._folder}"
        raise AssertionError("code-server has ended")

    def _code_server(self, *arguments: str) -> subprocess.Popen[str]:
        entry = modules(TOOLS) / "code-server" / "out" / "node" / "entry.js"
        folders = [
            f"--user-data-dir={self._home / 'data'}",
            f"--extensions-dir={self._home / 'extensions'}",
            f"--session-socket={self._home / 'socket'}",
        ]
        return self._start([str(node(TOOLS)), str(entry), *folders, *arguments])

    def _start(self, command: list[str]) -> subprocess.Popen[str]:
        # Without its native modules code-server complains at length of every log that it cannot write.
        with (self._home / "errors.txt").open("a") as errors:
            process = subprocess.Popen(
                command,
                env=self._environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
            )
        self._processes.append(process)
        return process


def _write(stream: IO[str] | None, text: str) -> None:
    assert stream is not None
    stream.write(text)
    stream.flush()
