"""The back end's facts from the compiler's ``-json=0`` records: bounds and nil checks, big copies.

Only these are taken: what the text says as well (escapes, leaks, inlining) is complete there and not
here, where two source files with one base name overwrite each other (go#78700). Nothing raises.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any

from escapelens.core.join import Value
from escapelens.core.model import Place

KINDS: dict[str, str] = {
    "nilcheck": "nil-check",
    "isInBounds": "bounds-check",
    "isSliceInBounds": "slice-bounds-check",
    "copy": "copy",
    "cannotInlineCall": "cannot-inline-call",
}

#: Records that the text log has, too.
_IN_TEXT = frozenset({"escape", "escapes", "leak", "canInlineFunction", "cannotInlineFunction", "inlineCall"})


def parse_json(lines: Iterable[str], to_path: Callable[[str], str | None]) -> tuple[list[Value], list[str]]:
    """Read the records of one file; the first line names it. Columns count bytes from 1.

    Returns the facts and the lines that were not understood.
    """
    values: list[Value] = []
    unknown: list[str] = []
    file: str | None = None
    for line in lines:
        if not line.strip():
            continue
        try:
            record = json.loads(line)
            if "version" in record:
                name = record.get("file", "")
                file = name if name and not name.startswith("<") else None
                continue
            code = record["code"]
            if code in _IN_TEXT:
                continue
            values.append(_value(record, KINDS[code], file, to_path))
        except (ValueError, KeyError, TypeError):
            unknown.append(line)
    return values, unknown


def _value(record: dict[str, Any], kind: str, file: str | None, to_path: Callable[[str], str | None]) -> Value:
    place = _place(record["range"], file)
    message = record.get("message") or ""
    chain = [r for r in record.get("relatedInformation") or () if r.get("message") == "inlineLoc"]
    inlined = tuple(_place(r["location"]["range"], to_path(r["location"]["uri"])) for r in chain)
    code = record["code"]
    return Value(place, kind, f"{code}: {message}" if message else code, code, inlined=inlined)


def _place(found: dict[str, Any], file: str | None) -> Place:
    start = found["start"]
    # A column of 255 stands for every column beyond 254 (cmd/internal/src: colMax).
    column = start["character"] if 0 < start["character"] < 255 else None
    return Place(file, start["line"], column) if file is not None else Place(None)
