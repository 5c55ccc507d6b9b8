"""Several servers on one machine: none disturbs another."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from urllib.parse import unquote, urlsplit

from tests.lsp.client import Server
from tests.lsp.gomod import module

TEXT = "package m\n\nfunc A() *int {\n\tx := 1\n\treturn &x\n}\n"


def test_two_servers_on_one_module(tmp_path: Path, start: Callable[..., Server]) -> None:
    folder = module(tmp_path, {"m.go": TEXT})
    one, other = start(), start()
    for server in (one, other):
        server.initialize(folder, capabilities={"window": {"showDocument": {"support": True}}})
    since = [server.mark() for server in (one, other)]
    uri = one.open(folder / "m.go")
    other.open(folder / "m.go")
    for server, mark in zip((one, other), since, strict=True):
        assert server.settled(mark)["state"] == "idle"
        assert [d["message"] for d in server.diagnostics[uri]] == ["moved to heap: x"]

    # What one hides the other still shows.
    one.command("setFilter", {"types": []})
    one.wait(lambda: one.diagnostics[uri] == [], "the first to hide everything")
    assert other.messages(uri)

    # Both analyse while the text changes; each ends with the newest text's messages.
    for name in ("y", "z"):
        text = TEXT.replace("x", name)
        (folder / "m.go").write_text(text)
        marks = [server.mark() for server in (one, other)]
        for server in (one, other):
            server.edit(uri, {"text": text}, version=ord(name))
            server.save(uri)
        for server, mark in zip((one, other), marks, strict=True):
            assert server.settled(mark)["state"] == "idle"
    assert [d["message"] for d in other.diagnostics[uri]] == ["moved to heap: z"]

    # The end of one leaves the texts of the other alone.
    for server in (one, other):
        server.command("showRaw", {"uri": uri, "show": True})
    shown = [Path(unquote(urlsplit(s.of("window/showDocument")[-1]["uri"]).path)) for s in (one, other)]
    assert shown[0] != shown[1]
    one.shutdown()
    assert one.wait_end() == 0
    assert not shown[0].exists()
    assert "moved to heap: z" in shown[1].read_text("utf-8")
    assert [m["message"] for m in other.messages(uri)] == ["moved to heap: z"]
