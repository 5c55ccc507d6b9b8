"""Settings as clients send them."""

from __future__ import annotations

import pytest
from escapelens.settings import Settings, flat_schema, load


@pytest.mark.parametrize("raw", [None, {}, {"escapelens": {}}, {"show": None}])
def test_nothing_set_means_the_defaults(raw: object) -> None:
    assert load(raw) == (Settings(), [])


@pytest.mark.parametrize(
    "raw",
    [
        {"go": {"path": "/x/go", "tags": "a,b"}, "inlayHints": {"enable": False}},
        {"go.path": "/x/go", "go.tags": ["a", "b"], "inlayHints.enable": False},
        {"escapelens": {"go": {"path": "/x/go", "tags": ["a", "b"]}, "inlayHints.enable": False}},
    ],
)
def test_nested_dotted_and_with_section(raw: object) -> None:
    settings, problems = load(raw)
    assert problems == []
    assert (settings.go.path, settings.go.tags, settings.inlay_hints.enable) == ("/x/go", ("a", "b"), False)


@pytest.mark.parametrize(
    ("raw", "named"),
    [
        ({"shwo": ["escape"]}, "escapelens.shwo"),
        ({"show": ["escape", "bogus"]}, "escapelens.show"),
        ({"go": {"pth": "x"}}, "escapelens.go.pth"),
        ({"go": 3}, "escapelens.go"),
        ({"inlayHints": {"enable": "maybe"}}, "escapelens.inlayHints.enable"),
        ({"severity": {"moved": "loud"}}, "escapelens.severity.moved"),
        ([1], "escapelens"),
    ],
)
def test_a_bad_key_is_named_and_the_rest_holds(raw: object, named: str) -> None:
    good = {"tests": "off"}
    settings, problems = load({**good, **raw} if isinstance(raw, dict) else raw)
    assert len(problems) == 1 and named in problems[0]
    assert settings == (Settings(tests="off") if isinstance(raw, dict) else Settings())


def test_environment_names_may_hold_dots() -> None:
    settings, problems = load({"go": {"env": {"GOOS": "js", "a.b": "c"}}})
    assert (settings.go.env, problems) == ({"GOOS": "js", "a.b": "c"}, [])


def test_every_setting_of_the_contract_is_there() -> None:
    names = "run scope show diagnostics severity tests go.path go.env go.tags go.gcflags"
    assert list(flat_schema()) == [
        *names.split(),
        "inlayHints.enable",
        "inlayHints.which",
        "codeLens.enable",
        "backEnd",
    ]
    assert all(value["description"] for value in flat_schema().values())
