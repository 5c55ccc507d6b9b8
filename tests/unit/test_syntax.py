"""Functions and ranges, against what the compiler prints for the same source."""

from __future__ import annotations

import pytest
from escapelens.core.model import Place
from escapelens.core.ranges import find_span
from escapelens.core.syntax import SourceFile, declared_name

SOURCE = """package p

import "fmt"

var table = func() int { return 1 }()

type L[T any] struct{ v []T }

func (l *L[T]) Push(x T) { func() { l.v = append(l.v, x) }() }

func (t T) Val() {}

func F(a int) (named *int) {
\tf := func() { go func() { _ = a }() }
\tg := func() {}
\treturn &a
}

func init() {}
func init() { fmt.Println("é", a+1, &T{}, []int{1}, x.y) }
"""


def test_names_are_spelled_as_the_compiler_prints_them() -> None:
    # As Go 1.25 prints them for such code.
    names = [function.name for function in SourceFile(SOURCE.encode()).functions]
    assert names == [
        "init.func1", "(*L).Push", "(*L).Push.func1", "T.Val", "F", "F.func1", "F.func1.1", "F.func2",
        "init.0", "init.1",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "declared"),
    [
        ("(*T).M.func1.2", "(*T).M"),
        ("F-range1", "F"),
        ("F", "F"),
        ("init.0.func1", "init.0"),
        ("T.function", "T.function"),
    ],
)
def test_closures_belong_to_their_declaration(name: str, declared: str) -> None:
    assert declared_name(name) == declared


RANGE_OVER_FUNC = """package p

func Over(n int) {
\tfor i := range Seq(n) {
\t\tkeep := i
\t\tfor range 3 {
\t\t\tuse(&keep)
\t\t}
\t}
}
"""


def test_the_body_of_a_range_over_func_loop_has_the_compilers_name() -> None:
    # "can inline Over-range1" stands at the loop's keyword: only the log knows that the loop is one.
    file = SourceFile(RANGE_OVER_FUNC.encode(), {(4, 2): "Over-range1"})
    places = {(4, 6): "Over-range1", (5, 3): "Over-range1", (7, 9): "Over-range1", (4, 2): "Over", (4, 20): "Over"}
    assert {place: file.function_name(*place) for place in places} == places
    assert SourceFile(RANGE_OVER_FUNC.encode()).function_name(5, 3) == "Over"


def test_generic_code_and_results_are_known() -> None:
    file = SourceFile(SOURCE.encode())
    assert [f.name for f in file.functions if f.generic] == ["(*L).Push", "(*L).Push.func1"]
    assert file.result_names(14, 1) == ("named",)
    assert file.function_name(5, 13) == "init"
    assert file.function_name(14, 7) == "F"


RANGES = [
    # The compiler's point, as printed by Go 1.26 for this line, and the words to underline.
    ("a+1", "+", "escapes-to-heap", "a + 1", "a+1"),
    ("&T{}", "&", "escapes-to-heap", "&T{}", "&T{}"),
    ("[]int{1}", "{", "escapes-to-heap", "[]int{...}", "[]int{1}"),
    ("x.y", ".", "escapes-to-heap", "x.y", "x.y"),
    ('fmt.Println("é"', "(", "inlining-call", "fmt.Println", 'fmt.Println("é", a+1, &T{}, []int{1}, x.y)'),
    ('fmt.Println("é"', "(", "does-not-escape", "... argument", '("é", a+1, &T{}, []int{1}, x.y)'),
]


@pytest.mark.parametrize(("where", "point", "kind", "subject", "underlined"), RANGES)
def test_ranges(where: str, point: str, kind: str, subject: str, underlined: str) -> None:
    data = SOURCE.encode()
    line = SOURCE[: SOURCE.index(where)].count("\n") + 1
    text = data.split(b"\n")[line - 1]
    column = text.index(where.encode()) + where.encode().index(point.encode()) + 1
    span = find_span(SourceFile(data), Place("a.go", line, column), kind, subject)
    assert span.line == span.end_line == line
    assert text[span.column - 1 : span.end_column - 1].decode() == underlined
    assert span.contains(line, column)


def test_a_lost_column_takes_the_subject_beyond_column_254() -> None:
    source = "package p\n\nfunc F() { " + "/*" + "x" * 260 + "*/ " + "value := 1; sink = &value }\n"
    span = find_span(SourceFile(source.encode()), Place("a.go", 3, None), "moved-to-heap", "nowhere")
    assert (span.line, span.column) == (3, 255)
    span = find_span(SourceFile(source.encode()), Place("a.go", 3, None), "escapes-to-heap", "sink")
    assert source.split("\n")[2][span.column - 1 : span.end_column - 1] == "sink"


@pytest.mark.parametrize("place", [Place("a.go", 999, 1), Place("a.go", 2, 50), Place("a.go", 1, 1)])
def test_a_range_is_never_empty(place: Place) -> None:
    span = find_span(SourceFile(SOURCE.encode()), place, "moved-to-heap", "x")
    assert (span.line, span.column) < (span.end_line, span.end_column)
