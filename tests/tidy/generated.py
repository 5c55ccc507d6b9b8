"""What is made from ``settings.py``: VS Code's configuration and the README's table.

``python -m tests.tidy.generated`` writes them; a test compares.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from escapelens.settings import flat_schema

from tests.tools import ROOT

PACKAGE_JSON = ROOT / "editors" / "vscode" / "package.json"
README = ROOT / "README.md"
BEGIN, END = "<!-- settings: made by python -m tests.tidy.generated -->", "<!-- end of settings -->"

#: Settings that only the VS Code client knows; kept as they stand in its package.json.
VSCODE_OWN = ("escapelens.server.command", "escapelens.gutter")

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


GENERATED: dict[Path, Any] = {PACKAGE_JSON: package_json, README: readme}

if __name__ == "__main__":
    for path, make in GENERATED.items():
        path.write_text(make(), "utf-8")
