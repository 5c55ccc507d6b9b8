"""Who pays for a leaking parameter, over two packages that were really compiled."""

from __future__ import annotations

from pathlib import Path

import pytest
from escapelens.core.model import Message
from escapelens.core.price import Price, printed_names
from escapelens.engine.files import read_source
from escapelens.golang.build import BuildOptions

from tests.causes.corpus import analysed
from tests.causes.situations import link
from tests.tools import any_go

KEEPER = """package keeper

var kept [9]*int

type Cache struct{ one *int }

//go:noinline
func (c *Cache) Put(look, keep *int) { c.one = keep; _ = *look }

//go:noinline
func All(first *int, rest ...*int) { kept[0] = rest[0]; _ = *first }
"""
PAYER = """package payer

import "example.com/m/keeper"

func Pay(c *keeper.Cache, n int) {
	looked := n
	given := n
	c.Put(&looked, &given)
	shown := n
	passed := n
	keeper.All(&shown, &passed)
}
"""


@pytest.fixture(scope="module")
def messages(tmp_path_factory: pytest.TempPathFactory) -> list[Message]:
    folder = tmp_path_factory.mktemp("price")
    files = {"go.mod": "module example.com/m\n\ngo 1.21\n", "keeper/keeper.go": KEEPER, "payer/payer.go": PAYER}
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    return [m for report in analysed(folder, ("./...",), BuildOptions(), any_go()) for m in report.messages]


def one(messages: list[Message], text: str) -> Message:
    (found,) = [m for m in messages if m.text == text]
    return found


def test_the_callers_of_a_parameter(messages: list[Message]) -> None:
    price = Price(messages, read_source)
    assert [m.subject for m in price.payers(one(messages, "leaking param: keep"))] == ["given"]
    (rest,) = [m for m in messages if m.type == "leak" and m.subject == "rest"]
    # The variadic slice stays, what it holds goes.
    assert {m.subject for m in price.payers(rest)} <= {"passed", "... argument"}


def test_the_parameter_that_takes_a_value(messages: list[Message]) -> None:
    price = Price(messages, read_source)
    given = one(messages, "moved to heap: given")
    assert [(m.subject, Path(m.place.file or "").name) for m in price.takers(given)] == [("keep", "keeper.go")]
    (line,) = price.lines(given, link)
    assert "`keep` at [keeper.go:8:" in line


def test_what_only_looks_is_on_the_stack(messages: list[Message]) -> None:
    moved = {m.subject for m in messages if m.kind == "moved-to-heap"}
    assert moved == {"given", "passed"}


def test_nobody_pays(messages: list[Message]) -> None:
    alone = [m for m in messages if m.package.endswith("keeper")]
    price = Price(alone, read_source)
    assert price.lines(one(alone, "leaking param: keep"), link) == ["Pays: no caller that is analysed."]


def test_names_as_the_log_prints_them() -> None:
    assert printed_names("example.com/go-yaml/v3", "(*T).M", True) == {"(*T).M"}
    assert "(*yaml.T).M" in printed_names("example.com/go-yaml/v3", "(*T).M", False)
    assert "yaml.F" in printed_names("gopkg.in/yaml.v3", "F", False)
    assert "log.T.M" in printed_names("log", "T.M", False)
