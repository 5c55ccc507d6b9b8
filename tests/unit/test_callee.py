"""The meanings of ``call parameter``, and calls as the compiler prints them."""

from __future__ import annotations

import pytest
from escapelens.core.callee import callee_of, printed_callee, split_arguments
from escapelens.core.model import FlowStep, Place
from escapelens.core.scope import Scope
from escapelens.core.syntax import SourceFile

TEXT = """package p

import (
	"fmt"
	xio "io"
)

var hook = func(p *int) {}

func known(p *int) {}

func F(w xio.Writer, f func(*int), b *B, url U, p *int, s []*int) {
	fmt.Println(p)
	w.Write(nil)
	f(p)
	hook(p)
	known(p)
	b.Write(p)
	url.Open(p)
	append(s, p)
	panic(p)
	b.next.w.Write(p)
}
"""
FUNCTIONS = {"F", "known", "(*B).Write", "T.Val"}


def sort(written: str, printed: str) -> str:
    """What the call is that stands in the text as ``written`` and in the log as ``printed``."""
    line = next(n for n, text in enumerate(TEXT.split("\n"), 1) if text.strip() == written)
    column = TEXT.split("\n")[line - 1].index("(") + 1
    step = FlowStep(printed, "call parameter", Place("/p/a.go", line, column))
    return callee_of(step, FUNCTIONS, {"slices"}, Scope(SourceFile(TEXT.encode()))).sort


CASES = [
    ("fmt.Println(p)", "fmt.Println(... argument...)", "known"),
    ("fmt.Println(p)", "fmt.Fprintln(os.Stdout, fmt.a...)", "known"),
    ("w.Write(nil)", "w.Write(nil)", "unknown"),
    ("f(p)", "f(p)", "unknown"),
    ("hook(p)", "hook(p)", "unknown"),
    ("known(p)", "known(p)", "known"),
    ("b.Write(p)", "(*B).Write(b, p)", "known"),
    ("b.Write(p)", "(*bufio.Writer).Write(bufio.b, p)", "known"),
    ("url.Open(p)", "url.Open(p)", "unknown"),
    ("url.Open(p)", "T.Val(url, p)", "known"),
    ("append(s, p)", "append(s, p)", "append"),
    ("panic(p)", "panic(p)", "panic"),
    ("known(p)", "_Cfunc_known(p)", "c"),
    ("b.next.w.Write(p)", "b.next.w.Write(p)", "unknown"),
    ("known(p)", "slices.cmp(a, b)", "unknown"),
    ("known(p)", "slices.insertionSort(a, b)", "known"),
    ("known(p)", "reflect.Value.Set(v, x)", "known"),
    ("known(p)", "handlers[i](p)", "unknown"),
    ("known(p)", "Map[go.shape.int](&.dict.Map[int], p)", "unknown"),
]


@pytest.mark.parametrize(("written", "printed", "expected"), CASES, ids=[f"{c[1]} for {c[0]}" for c in CASES])
def test_meanings(written: str, printed: str, expected: str) -> None:
    assert sort(written, printed) == expected


def test_printed_calls() -> None:
    assert printed_callee("f(x)(a, b)") == ("f(x)", "a, b")
    assert printed_callee('fmt.Printf("( %s", x)') == ("fmt.Printf", '"( %s", x')
    assert printed_callee("(*T[go.shape.int]).M(x, f(y))") == ("(*T[go.shape.int]).M", "x, f(y)")
    # Go 1.22 and later cut long constants without their closing quote.
    assert printed_callee('fmt.Printf("a long constant…, x)')[0] == "fmt.Printf"
    assert printed_callee("return x") == ("", "")


def test_arguments() -> None:
    assert split_arguments('w, "a, b", f(x, y), []int{1, 2}, ... argument...') == [
        "w", '"a, b"', "f(x, y)", "[]int{1, 2}", "... argument...",
    ]  # fmt: skip
