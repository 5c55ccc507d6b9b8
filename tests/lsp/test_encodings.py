"""One text, three encodings of positions: the same words are underlined."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from tests.lsp.client import Server
from tests.lsp.gomod import module
from tests.lsp.texts import lines_of, position_of, range_of, underlined

#: Wide characters, combining marks, right-to-left text and tabs before the point; lines that only some
#: editors would end: form feed, vertical tab, NEL and U+2028 end no line in Go nor in LSP; a lone CR
#: ends one in LSP and none in Go.
TEXT = (
    "package m\r\n"
    "\n"
    "// form\ffeed, vertical\vtab, next\u0085line, \u2028line and \u2029paragraph separator, lone\rreturn\r\n"
    "func A() *int {\r\n"
    "\t/* 😀 e\u0301 שלום 👩\u200d👩\u200d👧 */ größe := 1 /* 😀 */\n"
    "\treturn &größe\r\n"
    "}\n"
    "\n"
    'func B(s string) any {\n\t\t_ = "\u2028😀"; return any("😀é" + s) // ש\n}\n'
    "\n"
    "func C(名前 *string) *string { 𝒳 := 名前; sink = 𝒳; return nil }\n"
    "\n"
    "var sink *string\n"
)
WORDS = {
    "moved to heap: größe": "größe",
    '"😀é" + s escapes to heap': '"😀é" + s',
    'any("😀é" + s) escapes to heap': 'any("😀é" + s)',
    "leaking param: 名前": "名前",
}
#: What a client offers, and what may be agreed on: without an offer, and for unknown names, UTF-16.
OFFERS: list[tuple[Sequence[str] | None, set[str]]] = [
    (["utf-8"], {"utf-8"}),
    (["utf-16"], {"utf-16"}),
    (["utf-32"], {"utf-32"}),
    (["utf-8", "utf-16", "utf-32"], {"utf-8", "utf-16", "utf-32"}),
    (["utf-32", "utf-16"], {"utf-32", "utf-16"}),
    (None, {"utf-16"}),
    ([], {"utf-16"}),
    (["utf-7", "utf-16"], {"utf-16"}),
]


CASES = [(offer, agreed, b"") for offer, agreed in OFFERS]
CASES += [([encoding], {encoding}, b"\xef\xbb\xbf") for encoding in ("utf-8", "utf-16", "utf-32")]


@pytest.mark.parametrize(("offer", "agreed", "bom"), CASES)
def test_the_same_words(
    tmp_path: Path,
    start: Callable[..., Server],
    offer: Sequence[str] | None,
    agreed: set[str],
    bom: bytes,
) -> None:
    folder = module(tmp_path / "m", {"m.go": bom + TEXT.encode()})
    server = start()
    server.initialize(folder, encodings=offer)
    encoding = server.capabilities.get("positionEncoding", "utf-16")
    assert encoding in agreed
    uri = server.opened(folder / "m.go")
    assert {d["message"]: underlined(TEXT, d["range"], encoding) for d in server.diagnostics[uri]} == WORDS
    assert {n["message"]: underlined(TEXT, n["range"], encoding) for n in server.messages(uri)} == WORDS
    at = position_of(TEXT, "größe :=", encoding)
    found = server.request("textDocument/hover", {"textDocument": {"uri": uri}, "position": at})
    assert underlined(TEXT, found["range"], encoding) == "größe"
    steps = next(d for d in server.diagnostics[uri] if "größe" in d["message"])["relatedInformation"]
    assert steps[0]["location"]["range"]["start"] == position_of(TEXT, "&größe", encoding)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
def test_edits_land_where_the_editor_meant_them(tmp_path: Path, start: Callable[..., Server], encoding: str) -> None:
    """Edits around odd characters move messages as in the editor's own copy of the text."""
    folder = module(tmp_path / "m", {"m.go": TEXT})
    server = start()
    server.initialize(folder, encodings=[encoding])
    uri = server.opened(folder / "m.go")
    text = TEXT
    for number, (word, new) in enumerate(
        [("package m", "// 😀\r\n\npackage m"), ("// ש", "/* שש */"), ("vertical", "")]
    ):
        server.edit(uri, {"range": range_of(text, word, encoding), "text": new}, version=number + 2)
        text = text.replace(word, new, 1)
    words = {m: w for m, w in WORDS.items() if "+ s" not in m}
    assert {n["message"]: underlined(text, n["range"], encoding) for n in server.messages(uri)} == words


def test_lines_end_as_in_the_specification() -> None:
    """The yardstick itself: CRLF, LF and CR end lines, nothing else does."""
    assert lines_of("a\r\nb\rc\nd\u2028\fe") == ["a", "b", "c", "d\u2028\fe"]
