"""Texts that the server opens in the editor: files in a folder of our own, removed at the end."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from escapelens.lsp.to_lsp import uri_of


class ShownTexts:
    """The folder is made when the first text is shown."""

    def __init__(self) -> None:
        self._folder: Path | None = None

    def write(self, name: str, text: str) -> str:
        """Write a text and return its URI."""
        if self._folder is None:
            self._folder = Path(tempfile.mkdtemp(prefix="escapelens-"))
        path = self._folder / name
        path.write_text(text, "utf-8", errors="backslashreplace")
        return uri_of(str(path))

    def remove(self) -> None:
        """Remove everything that was written."""
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = None
