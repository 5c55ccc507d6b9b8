"""The language server as a black box: whole conversations over its own wire."""
