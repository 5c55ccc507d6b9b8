"""``check --format json``: the contract's report, field by field."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import Done, check_json, escapelens
from tests.cli.schema import check_report
from tests.lsp.gomod import hello, module

GENERIC = """package m

import "cmp"

type List[T any] struct{ items []*T }

func (l *List[T]) Push(v T) { l.items = append(l.items, &v) }

func Map[A, B any](in []A, f func(A) B) []B {
	out := make([]B, len(in))
	for i, v := range in {
		out[i] = f(v)
	}
	return out
}

func Max[T cmp.Ordered](a, b T) *T {
	m := max(a, b)
	return &m
}

func Use() (any, any, any) {
	l := &List[int]{}
	l.Push(1)
	s := &List[string]{}
	s.Push("x")
	func() {
		defer func() { recover() }()
		s.Push("y")
	}()
	return Map([]int{1}, func(i int) string { return "x" }), Max(1, 2), Max("a", "b")
}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return hello(tmp_path_factory.mktemp("hello"))


def of(done: Done, **fields: Any) -> list[dict[str, Any]]:
    """The messages with these fields."""
    return [m for m in done.report["messages"] if all(m[name] == value for name, value in fields.items())]


def test_the_fixture(folder: Path) -> None:
    done = check_json("--show", "all", cwd=folder)
    assert done.status == 0
    report = done.report
    check_report(report)
    assert report["go"]["version"].startswith("go1.")
    assert report["go"]["gcflags"] == []
    (package,) = report["packages"]
    assert (package["importPath"], package["dir"]) == ("example.com/hello", str(folder))
    assert (package["variant"], package["status"], package["error"]) == (None, "ok", None)
    assert package["unparsed"] == []
    assert len(report["messages"]) == 21
    places = [(m["line"], m["column"]) for m in report["messages"]]
    assert places == sorted(places)


def test_one_message_whole(folder: Path) -> None:
    file = str(folder / "user.go")
    (moved,) = of(check_json(cwd=folder), message="moved to heap: u")
    assert moved == {
        "type": "moved",
        "kind": "moved-to-heap",
        "message": "moved to heap: u",
        "file": file,
        "line": 11,
        "column": 2,
        "range": {"line": 11, "column": 2, "endLine": 11, "endColumn": 3},
        "package": "example.com/hello",
        "variant": None,
        "function": "NewUser",
        "subject": "u",
        "cause": "returned",
        "free": None,
        "freeReason": None,
        "mayAllocate": None,
        "decides": {"file": file, "line": 12, "column": 2},
        "callee": None,
        "through": None,
        "loop": False,
        "cold": None,
        "origin": None,
        "flows": [
            [
                {
                    "to": "~r0",
                    "from": "&u",
                    "steps": [
                        {"expression": "&u", "reason": "address-of", "file": file, "line": 12, "column": 9},
                        {"expression": "return &u", "reason": "return", "file": file, "line": 12, "column": 2},
                    ],
                }
            ]
        ],
        "inlinedFrom": [],
        "instantiations": [],
    }


def test_every_verdict_of_the_compiler_is_a_message(folder: Path) -> None:
    """Each line of the raw text that is no header and no flow is a message, to the letter and at its point."""
    raw = escapelens("raw", cwd=folder).lines
    verdicts = [
        line
        for line in raw
        if line.startswith("./") and ":   " not in line and not line.endswith(":") and " with derefs=" not in line
    ]
    said = {
        f"./user.go:{m['line']}:{m['column']}: {m['message']}"
        for m in check_json("--show", "all", cwd=folder).report["messages"]
    }
    assert sorted(verdicts) == sorted(said)


@pytest.mark.parametrize("types", ["moved", "escape,leak", "can-inline,inline-call,other", "all"])
def test_show_filters_messages_never_packages(folder: Path, types: str) -> None:
    report = check_json("--show", types, cwd=folder).report
    check_report(report)
    assert [p["importPath"] for p in report["packages"]] == ["example.com/hello"]
    wanted = set(types.split(","))
    assert types == "all" or {m["type"] for m in report["messages"]} == wanted


def test_generic_code(tmp_path: Path) -> None:
    folder = module(tmp_path / "m", {"m.go": GENERIC})
    done = check_json("--show", "all", cwd=folder)
    check_report(done.report)
    assert done.report["packages"][0]["unparsed"] == []
    # Two shapes at the source and two wrappers at the function's name: each raw verdict is kept.
    values = {"(*List).Push": ("moved to heap: v", 7, 24, 6), "Max": ("moved to heap: m", 18, 2, 6)}
    for function, (text, line, column, name) in values.items():
        (found,) = of(done, function=function, type="moved")
        assert (found["message"], found["line"], found["column"]) == (text, line, column)
        places = sorted((i["message"], i["column"]) for i in found["instantiations"])
        assert places == sorted([(text, column)] * 2 + [(text, name)] * 2)
    (out,) = of(done, function="Map", type="escape")
    assert out["line"] == 10 and out["instantiations"]
    # Inlined into its callers each copy is a message of its own, at the call.
    copies = [(m["line"], m["function"]) for m in of(done, message="moved to heap: v") if m["line"] > 20]
    assert copies == [(24, "Use"), (26, "Use"), (29, "Use.func1")]


def test_two_flows_are_two_ways(tmp_path: Path) -> None:
    text = "package m\n\nvar a, b *int\n\nfunc F() {\n\tx := 1\n\ta = &x\n\tb = &x\n}\n"
    folder = module(tmp_path / "m", {"m.go": text})
    (moved,) = of(check_json(cwd=folder), type="moved")
    assert [way[-1]["to"] for way in moved["flows"]] == ["{heap}", "{heap}"]
    assert [[step["line"] for hop in way for step in hop["steps"]] for way in moved["flows"]] == [[7, 7], [8, 8]]


def test_an_inlined_copy_names_its_origin(tmp_path: Path) -> None:
    text = "package m\n\nfunc inner() *int {\n\tx := 1\n\treturn &x\n}\n\nvar sink *int\n\nfunc Outer() { sink = inner() }\n"
    folder = module(tmp_path / "m", {"m.go": text})
    origin, copy = of(check_json(cwd=folder), message="moved to heap: x")
    assert (origin["line"], origin["function"], origin["inlinedFrom"]) == (4, "inner", [])
    assert (copy["line"], copy["function"]) == (10, "Outer")
    assert [place["line"] for place in copy["inlinedFrom"]] == [4]


def test_a_statement_without_a_verdict(tmp_path: Path) -> None:
    """A ``go`` with arguments allocates its closure: a header without a verdict is a message."""
    text = "package m\n\nfunc f(n int) {}\n\nfunc Go(n int) {\n\tgo f(n)\n}\n"
    folder = module(tmp_path / "m", {"m.go": text})
    (found,) = of(check_json(cwd=folder), type="escape")
    assert found["line"] == 6 and found["function"] == "Go" and found["cause"] == "goroutine"


def test_a_column_that_was_lost(tmp_path: Path) -> None:
    """Beyond 254 bytes the compiler prints no column; the range is still there."""
    line = f"\t/* {'x' * 260} */ y := 1; return &y\n"
    folder = module(tmp_path / "m", {"m.go": f"package m\n\nfunc F() *int {{\n{line}}}\n"})
    done = check_json(cwd=folder)
    check_report(done.report)
    (moved,) = of(done, type="moved")
    assert (moved["line"], moved["column"]) == (4, None)
    where, at = moved["range"], line.index("y := 1") + 1
    assert where["line"] == where["endLine"] == 4
    assert 254 < where["column"] <= at < where["endColumn"] <= len(line)


def test_bytes_that_are_no_utf8(tmp_path: Path) -> None:
    """A string of any bytes may stand in a message; the report stays UTF-8 and JSON."""
    text = b'package m\n\nvar sink any\n\nfunc F(s string) { sink = "\\xff\\xfe" + s }\n'
    done = check_json("--show", "all", cwd=module(tmp_path / "m", {"m.go": text}))
    check_report(done.report)
    assert of(done, type="escape")


def test_test_variants(tmp_path: Path) -> None:
    files = {
        "m.go": "package m\n\nfunc A() *int { a := 1; return &a }\n",
        "m_test.go": "package m\n\nfunc helper() *int { t := 1; return &t }\n\nvar _ = helper\n",
        "x_test.go": "package m_test\n\nfunc outer() *int { x := 1; return &x }\n\nvar _ = outer\n",
    }
    folder = module(tmp_path / "m", files)
    plain = check_json(cwd=folder)
    assert plain.texts() == ["moved to heap: a"]
    done = check_json("--tests", cwd=folder)
    check_report(done.report)
    # A variant adds only what its plain package does not say.
    assert [(m["message"], m["variant"]) for m in done.report["messages"]] == [
        ("moved to heap: a", None),
        ("moved to heap: t", "test"),
        ("moved to heap: x", "xtest"),
    ]
    packages = [(p["importPath"], p["variant"]) for p in done.report["packages"]]
    assert packages == [("example.com/m", None), ("example.com/m", "test"), ("example.com/m_test", "xtest")]


def test_no_recompiled_dependencies(tmp_path: Path) -> None:
    """A package recompiled for another one's test (``q [p.test]``) is left out."""
    one = "package {0}\n\nfunc F() *int {{ {0} := 1; return &{0} }}\n"
    files = {
        "p/p.go": one.format("p"),
        "p/p_test.go": "package p\n\nvar Export = F\n",
        "p/x_test.go": 'package p_test\n\nimport (\n\t"example.com/m/p"\n\t"example.com/m/q"\n)\n\nvar _, _ = p.Export, q.F\n',
        "q/q.go": 'package q\n\nimport _ "example.com/m/p"\n\nfunc F() *int { q := 1; return &q }\n',
    }
    done = check_json("--tests", "./p", cwd=module(tmp_path / "m", files))
    names = [(p["importPath"], p["variant"]) for p in done.report["packages"]]
    assert names == [("example.com/m/p", None), ("example.com/m/p", "test"), ("example.com/m/p_test", "xtest")]
    assert done.texts("moved") == ["moved to heap: p"]


def test_a_package_that_does_not_build(tmp_path: Path) -> None:
    files = {
        "m.go": "package m\n\nfunc A() *int { a := 1; return &a }\n",
        "bad/b.go": "package bad\n\nvar x int = nowhere\n",
    }
    done = check_json("./...", cwd=module(tmp_path / "m", files))
    check_report(done.report)
    assert done.status == 1
    states = {p["importPath"]: (p["status"], p["error"]) for p in done.report["packages"]}
    assert states["example.com/m"] == ("ok", None)
    status, error = states["example.com/m/bad"]
    assert status == "failed" and error is not None and "undefined: nowhere" in error
    assert done.texts() == ["moved to heap: a"]


def test_back_end_facts(tmp_path: Path) -> None:
    text = "package m\n\nfunc At(s []int, i int) int { return s[i] }\n\nfunc Deref(p *[100000]int, i int) int { return p[i&0xfff] }\n"
    folder = module(tmp_path / "m", {"m.go": text})
    kinds = {m["kind"] for m in check_json("--show", "other", cwd=folder).report["messages"]}
    done = check_json("--show", "other", "--back-end", cwd=folder)
    check_report(done.report)
    more = {m["kind"] for m in done.report["messages"]}
    assert more - kinds >= {"bounds-check", "nil-check"}
    (bounds,) = of(done, kind="bounds-check")
    assert (bounds["line"], bounds["function"]) == (3, "At")
    # The facts come from files that a build-cache hit would not write: twice is the same.
    assert [
        m["message"] for m in check_json("--show", "other", "--back-end", cwd=folder).report["messages"]
    ] == done.texts()


def test_what_is_certainly_free(folder: Path) -> None:
    """A constant in an interface is read-only data: the log says escape, nothing is allocated."""
    done = check_json("--show", "escape", cwd=folder)
    assert {m["message"]: m["free"] for m in of(done, type="escape")} == {
        '"hello" escapes to heap': True,
        "u.Name escapes to heap": None,
        "func literal escapes to heap": None,
        "make([]int, n) escapes to heap": None,
    }
    assert done.report["hiddenFree"] == 0
    # Hidden unless it is asked for, and counted.
    done = check_json(cwd=folder)
    assert not [m for m in done.report["messages"] if m["free"]]
    assert done.report["hiddenFree"] == 1


def test_initialisers_and_methods(tmp_path: Path) -> None:
    text = (
        "package m\n\nvar V = func() *int { v := 1; return &v }()\n\nfunc init() { i := 1; p = &i }\n\nvar p *int\n\n"
        "type T struct{}\n\nfunc (T) Val() *int { a := 1; return &a }\n\nfunc (*T) Ptr() *int { b := 1; return &b }\n\n"
        "func F() func() *int { return func() *int { c := 1; return &c } }\n"
    )
    done = check_json("--show", "moved", cwd=module(tmp_path / "m", {"m.go": text}))
    placed = [(m["subject"], m["function"]) for m in done.report["messages"] if m["file"]]
    assert placed == [
        ("v", "init.func1"),
        ("v", "init"),
        ("i", "init.0"),
        ("a", "T.Val"),
        ("b", "(*T).Ptr"),
        ("c", "F.func1"),
    ]
    # The wrapper (*T).Val has no source.
    assert [(m["subject"], m["range"]) for m in done.report["messages"] if not m["file"]] == [("a", None)]
