"""Markdown of ours as plain text, for clients that render none."""

from __future__ import annotations

import re

_FENCE = "```"
_LINK = re.compile(r"\[((?:[^\[\]\\]|\\.)*)\]\(<?[^()\s]*>?\)")
_CODE = re.compile(r"(`+)(.+?)\1(?!`)")
_STRONG = re.compile(r"\*\*(?=\S)(.+?)(?<=\S)\*\*")
_EMPHASIS = re.compile(r"(?<![\w*])([*_])(?=[^\s*_])([^*\n]*?[^\s*_]|[^\s*_])\1(?![\w*])")
_HEADING = re.compile(r"^#{1,6} +")
_ESCAPED = re.compile(r"\\([\\`*_{}\[\]()#+\-.!|<>~])")
_ENTITIES = {"&lt;": "<", "&gt;": ">", "&nbsp;": " ", "&amp;": "&"}

#: Stands where a code span was taken out, so that nothing in it is read as markdown.
_HOLE = "\x00"


def plain(markdown: str) -> str:
    """The same words without the marks: links as their text, code as it stands, code blocks indented."""
    lines: list[str] = []
    fenced = False
    for line in markdown.split("\n"):
        if line.lstrip().startswith(_FENCE):
            fenced = not fenced
        elif fenced:
            lines.append(f"    {line}")
        else:
            lines.append(_line(line))
    return "\n".join(lines)


def _line(line: str) -> str:
    codes: list[str] = []

    def take(found: re.Match[str]) -> str:
        code = found[2]
        codes.append(code[1:-1] if code.startswith(" ") and code.endswith(" ") and code.strip() else code)
        return _HOLE

    text = _HEADING.sub("", _CODE.sub(take, line))
    text = _LINK.sub(r"\1", text)
    text = _STRONG.sub(r"\1", text)
    text = _EMPHASIS.sub(r"\2", text)
    text = _ESCAPED.sub(r"\1", text).removesuffix("  ")
    for entity, character in _ENTITIES.items():
        text = text.replace(entity, character)
    for code in codes:
        text = text.replace(_HOLE, code, 1)
    return text
