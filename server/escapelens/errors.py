"""Every error a user can meet. Each message says what happened, where, and what to do next."""

from __future__ import annotations


class EscapeLensError(Exception):
    """The root of the tree; ``str(error)`` is the sentence for the user."""


class GoNotFoundError(EscapeLensError):
    """No Go toolchain was found."""


class GoTooOldError(EscapeLensError):
    """The Go release is older than 1.21."""


class GoFailedError(EscapeLensError):
    """The go command could not do its work: it crashed, or said why it cannot."""


class TimeLimitError(EscapeLensError):
    """A child process said nothing for too long and was ended."""


class UsageError(EscapeLensError):
    """Bad arguments, a bad place, or nothing that matches."""


class TemporaryFolderError(EscapeLensError):
    """The folder for temporary files cannot be written."""


class WorkerError(EscapeLensError):
    """A worker process ended or failed."""

    def __init__(self, traceback: str = "") -> None:
        reason = f" It said:\n{traceback}" if traceback else ""
        super().__init__(
            "The process that reads the compiler's text ended unexpectedly. Save again to repeat the analysis; "
            f"if it happens again, please report it.{reason}"
        )
        self.traceback = traceback
