"""EscapeLens: what the Go compiler decided about memory, in any editor."""

__version__ = "0.1.0"
