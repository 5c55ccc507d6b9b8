"""What is made from ``settings.py``: VS Code's configuration, the README's table, Neovim's help and Lua types.

``python -m tests.tidy.generated`` writes them; a test compares.
"""

from __future__ import annotations

import json
import textwrap
from pathlib import Path
from typing import Any

from escapelens.settings import flat_schema

from tests.tools import ROOT

PACKAGE_JSON = ROOT / "editors" / "vscode" / "package.json"
README = ROOT / "README.md"
HELP = ROOT / "editors" / "nvim" / "doc" / "escapelens.txt"
LUA_TYPES = ROOT / "editors" / "nvim" / "lua" / "escapelens" / "_meta" / "settings.lua"
HELP_BEGIN, HELP_END = "SETTINGS MADE BY python -m tests.tidy.generated ~", "END OF SETTINGS ~"
HELP_WIDTH = 78
BEGIN, END = "<!-- settings: made by python -m tests.tidy.generated -->", "<!-- end of settings -->"

#: Settings that only the VS Code client knows; kept as they stand in its package.json.
VSCODE_OWN = tuple(
    f"escapelens.{name}"
    for name in ("server.command", "server.python", "gutter", "underline", "overviewRuler", "trace.server")
)

#: The client draws marks of its own, and a workspace must not choose programs.
VSCODE_OVERRIDES: dict[str, dict[str, Any]] = {
    "diagnostics": {"default": "off"},
    "go.path": {"scope": "machine"},
}


def vscode_settings() -> dict[str, Any]:
    """The server's settings as VS Code's package.json lists them."""
    found: dict[str, Any] = {}
    for name, value in flat_schema().items():
        schema = {**value, **VSCODE_OVERRIDES.get(name, {})}
        if schema.get("default") is None:
            schema["type"] = [schema["type"], "null"]
        found[f"escapelens.{name}"] = schema
    return found


def package_json() -> str:
    """VS Code's package.json as it must be."""
    package = json.loads(PACKAGE_JSON.read_text("utf-8"))
    properties = package["contributes"]["configuration"]["properties"]
    own = {name: properties[name] for name in VSCODE_OWN}
    package["contributes"]["configuration"]["properties"] = {**own, **vscode_settings()}
    return json.dumps(package, indent=2, ensure_ascii=False) + "\n"


def table() -> str:
    """The settings as a table in markdown."""
    rows = ["| setting | default | meaning |", "|---|---|---|"]
    for name, value in flat_schema().items():
        default = json.dumps(value.get("default"), ensure_ascii=False).replace("null", "unset")
        choices = value.get("enum") or value.get("items", {}).get("enum")
        words = f" One of {', '.join(f'`{c}`' for c in choices)}." if value.get("enum") else ""
        rows.append(f"| `{name}` | `{default}` | {value['description']}{words} |")
    return "\n".join(rows)


def readme() -> str:
    """The README as it must be."""
    text = README.read_text("utf-8")
    head, _, rest = text.partition(BEGIN)
    _, _, tail = rest.partition(END)
    return f"{head}{BEGIN}\n\n{table()}\n\n{END}{tail}"


#: The plugin draws marks and hints of its own.
NVIM_OVERRIDES: dict[str, dict[str, Any]] = {"diagnostics": {"default": "off"}}


def nvim_settings() -> dict[str, dict[str, Any]]:
    """The server's settings with the defaults that ``lsp/escapelens.lua`` gives them."""
    return {name: {**value, **NVIM_OVERRIDES.get(name, {})} for name, value in flat_schema().items()}


def help_file() -> str:
    """Neovim's help as it must be: each setting with a tag of its own."""
    entries = []
    for name, value in nvim_settings().items():
        tag = f"*escapelens.{name}*"
        default = json.dumps(value.get("default"), ensure_ascii=False).replace("null", "unset")
        choices = value.get("enum") or value.get("items", {}).get("enum") or ()
        text = f"{value['description']} Default: `{default}`."
        if choices:
            text += f" One of {', '.join(choices)}." if value.get("enum") else f" Of {', '.join(choices)}."
        lines = textwrap.wrap(text, HELP_WIDTH - 4, break_long_words=False, break_on_hyphens=False)
        head = f"{name}{tag:>{max(HELP_WIDTH - len(name), len(tag) + 1)}}"
        entries.append("\n".join([head, *(f"    {line}" for line in lines)]))
    body = "\n\n".join(entries)
    head, _, rest = HELP.read_text("utf-8").partition(HELP_BEGIN)
    _, _, tail = rest.partition(HELP_END)
    return f"{head}{HELP_BEGIN}\n\n{body}\n\n{HELP_END}{tail}"


def lua_types() -> str:
    """The settings as classes of the Lua language server."""
    classes: dict[str, list[str]] = {"escapelens.Settings": []}
    for name, value in nvim_settings().items():
        outer, _, inner = name.rpartition(".")
        owner = f"escapelens.Settings.{outer}" if outer else "escapelens.Settings"
        if outer and owner not in classes:
            classes[owner] = []
            classes["escapelens.Settings"].append(f"---@field {outer}? {owner}")
        classes[owner].append(f"---@field {inner}? {_lua_type(value)} {value['description']}")
    head = "--- The server's settings, for the Lua language server.\n--- Made by python -m tests.tidy.generated.\n"
    body = "\n\n".join("\n".join([f"---@class {name}", *fields]) for name, fields in classes.items())
    return f"---@meta\n\n{head}\n{body}\n"


def _lua_type(value: dict[str, Any]) -> str:
    if value.get("enum"):
        return "|".join(f"'{choice}'" for choice in value["enum"])
    if value.get("type") == "array":
        inner = _lua_type(value.get("items", {}))
        return f"({inner})[]" if "|" in inner else f"{inner}[]"
    if value.get("type") == "object":
        return f"table<string, {_lua_type(value.get('additionalProperties', {}))}>"
    return {"boolean": "boolean", "integer": "integer"}.get(str(value.get("type")), "string")


GENERATED: dict[Path, Any] = {PACKAGE_JSON: package_json, README: readme, HELP: help_file, LUA_TYPES: lua_types}

if __name__ == "__main__":
    for path, make in GENERATED.items():
        path.write_text(make(), "utf-8")
