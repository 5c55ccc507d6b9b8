"""The VS Code extension in the real editor."""
