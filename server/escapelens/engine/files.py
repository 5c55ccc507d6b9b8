"""Reading files that may not be there, and a temporary folder of our own."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from escapelens.errors import TemporaryFolderError


class TemporaryFolder:
    """A folder of our own, removed with everything in it on leaving. Raises TemporaryFolderError on entering."""

    def __enter__(self) -> Path:
        try:
            self.path = Path(tempfile.mkdtemp(prefix="escapelens-"))
        except OSError as error:
            raise TemporaryFolderError(
                f"No temporary folder can be made: {error.strerror or error}. "
                "Free some space, or set TMPDIR to a folder that can be written."
            ) from error
        return self.path

    def __exit__(self, *_: object) -> None:
        shutil.rmtree(self.path, ignore_errors=True)


def read_source(path: str) -> bytes | None:
    """The bytes of a file, None if it cannot be read."""
    try:
        return Path(path).read_bytes()
    except (OSError, ValueError):
        return None


def modified(path: str) -> int:
    """When a file was modified, in nanoseconds; 0 if it is not there."""
    try:
        return Path(path).stat().st_mtime_ns
    except (OSError, ValueError):
        return 0
