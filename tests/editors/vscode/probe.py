"""An extension for tests alone: runs scripts inside the extension host, where the API tells what is really there."""

from __future__ import annotations

import io
import json
import socket
import zipfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
_MANIFEST = """<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata><Identity Language="en-US" Id="probe" Version="1.0.0" Publisher="escapelens"/>
  <DisplayName>Probe</DisplayName><Description>Tests</Description></Metadata>
  <Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation><Dependencies/>
  <Assets><Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/></Assets>
</PackageManifest>"""
_TYPES = """<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
  <Default Extension=".json" ContentType="application/json"/>
  <Default Extension=".js" ContentType="application/javascript"/>
  <Default Extension=".vsixmanifest" ContentType="text/xml"/>
</Types>"""
_PACKAGE = {
    "name": "probe",
    "publisher": "escapelens",
    "version": "1.0.0",
    "engines": {"vscode": "^1.91.0"},
    "main": "./probe.js",
    "activationEvents": ["*"],
    "capabilities": {"untrustedWorkspaces": {"supported": True}},
    "extensionKind": ["workspace"],
}


def write_vsix(path: Path) -> Path:
    """Pack the probe; the path."""
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("[Content_Types].xml", _TYPES)
        archive.writestr("extension.vsixmanifest", _MANIFEST)
        archive.writestr("extension/package.json", json.dumps(_PACKAGE))
        archive.write(HERE / "probe.js", "extension/probe.js")
    return path


class Probe:
    """The test's end of the probe: the extension host connects to a socket when it starts."""

    def __init__(self, path: Path) -> None:
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(path))
        self._listener.listen()
        self._listener.settimeout(60)
        self._lines: io.BufferedRWPair | None = None

    def run(self, script: str, values: dict[str, Any]) -> Any:
        """Run a script inside the extension host, as soon as it is there.

        The script sees ``vscode``, ``inside`` (what the extension's activate returned, undefined before) and
        ``values``. Raises AssertionError with what it threw.
        """
        lines = self._lines or self._accepted()
        lines.write(json.dumps({"script": script, "values": values}).encode() + b"\n")
        lines.flush()
        answer = json.loads(lines.readline())
        assert "error" not in answer, answer["error"]
        return answer["result"]

    def _accepted(self) -> io.BufferedRWPair:
        connection, _ = self._listener.accept()
        connection.settimeout(60)
        with connection:
            self._lines = connection.makefile("rwb")
        return self._lines

    def forget(self) -> None:
        """The extension host starts anew: the next script waits for that one."""
        if self._lines is not None:
            self._lines.close()
            self._lines = None

    def close(self) -> None:
        """End."""
        self.forget()
        self._listener.close()
