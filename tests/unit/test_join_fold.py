"""Joining headers with verdicts, and folding generic code, on hand-made logs with known answers."""

from __future__ import annotations

from collections import Counter

from escapelens.core.fold import Folded, fold
from escapelens.core.join import Value, join
from escapelens.core.merge import subtract
from escapelens.core.syntax import SourceFile
from escapelens.core.text_log import parse


def values_of(log: str) -> list[Value]:
    return [v for v in join(parse(log.strip().split("\n"))) if isinstance(v, Value)]


def folded(log: str, source: str) -> list[Folded]:
    return fold(values_of(log), {"a.go": SourceFile(source.encode())})


def test_several_headers_belong_to_one_verdict() -> None:
    log = """
a.go:3:2: x escapes to heap in F:
a.go:3:2:   flow: {heap} ← &x:
a.go:3:2:     from &x (address-of) at a.go:4:7
a.go:3:2:     from ch <- &x (send) at a.go:4:5
a.go:3:2: x escapes to heap in F:
a.go:3:2:   flow: {heap} ← &x:
a.go:3:2:     from &x (address-of) at a.go:5:9
a.go:3:2:     from sink = &x (assign) at a.go:5:7
a.go:3:2: moved to heap: x
"""
    (value,) = values_of(log)
    assert [way[-1].steps[-1].reason for way in value.ways] == ["send", "assign"]


def test_two_variables_of_one_name_at_one_point_stay_two() -> None:
    header = "a.go:9:7: x escapes to heap in F:\na.go:9:7:   flow: {heap} ← &x:\n"
    verdict = "a.go:9:7: moved to heap: x\n"
    values = values_of(header + header + verdict + verdict)
    assert len(values) == 2
    assert all(len(value.ways) == 1 for value in values)


def test_a_verdict_may_have_other_words_than_its_header() -> None:
    log = """
a.go:5:9: append(s, x) escapes to heap in F:
a.go:5:9:   flow: ~r0 ← &{storage for append(s, x)}:
a.go:6:9: c escapes to heap in F:
a.go:6:9:   flow: {heap} ← &{storage for c}:
a.go:5:9: append escapes to heap
a.go:6:9: 300 escapes to heap
"""
    first, second = values_of(log)
    assert (first.text, len(first.ways), first.function) == ("append escapes to heap", 1, "F")
    assert (second.text, len(second.ways)) == ("300 escapes to heap", 1)


def test_a_goroutine_closure_is_a_message_without_verdict() -> None:
    log = """
a.go:5:2: func literal escapes to heap in F:
a.go:5:2:   flow: {heap} ← &{storage for func literal}:
a.go:5:2:     from func literal (spill) at a.go:5:2
a.go:6:2: moved to heap: y
"""
    made, moved = sorted(values_of(log), key=lambda v: v.place.line)
    assert made.header_only and made.kind == "escapes-to-heap"
    assert made.text == "func literal escapes to heap in F"
    assert moved.ways == ()


def test_leaks_go_to_the_verdict_of_their_destination() -> None:
    log = """
a.go:3:8: parameter p leaks to {heap} for F with derefs=1:
a.go:3:8:   flow: {heap} ← *p:
a.go:3:8: parameter p leaks to ~r0 for F with derefs=0:
a.go:3:8:   flow: ~r0 ← p:
a.go:3:8: leaking param content: p
a.go:3:8: leaking param: p to result ~r0 level=0
"""
    content, result = values_of(log)
    assert [hop.to for way in content.ways for hop in way] == ["{heap}"]
    assert [hop.to for way in result.ways for hop in way] == ["~r0"]


GENERIC = """package p

func Map[T any](n int, xs []T) []T {
\tout := make([]T, 0, len(xs))
\treturn out
}
"""


def test_shapes_and_wrappers_are_one_message_that_lists_them() -> None:
    log = """
a.go:3:6: can inline Map[go.shape.int] with cost 9 as: func() { }
a.go:3:6: can inline Map[go.shape.string] with cost 9 as: func() { }
a.go:3:6: can inline Map[int] with cost 12 as: func() { }
a.go:4:13: make([]go.shape.int, 0, len(xs)) escapes to heap in Map[go.shape.int]:
a.go:4:13:   flow: ~r0 ← &{storage for make([]go.shape.int, 0, len(xs))}:
a.go:4:13: make([]go.shape.int, 0, len(xs)) escapes to heap
a.go:4:13: make([]go.shape.string, 0, len(xs)) escapes to heap in Map[go.shape.string]:
a.go:4:13:   flow: ~r0 ← &{storage for make([]go.shape.string, 0, len(xs))}:
a.go:4:13: make([]go.shape.string, 0, len(xs)) escapes to heap
a.go:3:6: make([]go.shape.int, 0, len(xs)) escapes to heap in Map[int]:
a.go:3:6:   flow: ~r0 ← &{storage for make([]go.shape.int, 0, len(xs))}:
a.go:3:6: make([]go.shape.int, 0, len(xs)) escapes to heap
"""
    found = {f.value.kind: f for f in folded(log, GENERIC)}
    assert [i.name for i in found["can-inline"].instantiations] == [
        "Map[go.shape.int]",
        "Map[go.shape.string]",
        "Map[int]",
    ]
    made = found["escapes-to-heap"]
    assert (made.value.place.line, made.value.place.column) == (4, 13)
    assert [(i.name, i.line) for i in made.instantiations] == [
        ("Map[go.shape.int]", 4),
        ("Map[go.shape.string]", 4),
        ("Map[int]", 3),
    ]


def test_two_variables_inside_a_shape_stay_two() -> None:
    once = """
a.go:4:13: x escapes to heap in Map[SHAPE]:
a.go:4:13:   flow: {heap} ← &x:
a.go:4:13: x escapes to heap in Map[SHAPE]:
a.go:4:13:   flow: {heap} ← &x:
a.go:4:13: moved to heap: x
a.go:4:13: moved to heap: x"""
    log = once.replace("SHAPE", "go.shape.int") + once.replace("SHAPE", "go.shape.string")
    found = folded(log, GENERIC)
    assert [[i.name for i in f.instantiations] for f in found] == [["Map[go.shape.int]", "Map[go.shape.string]"]] * 2


def test_leak_headers_mean_something_only_in_generic_code() -> None:
    generic = "a.go:3:24: parameter xs leaks to ~r0 for Map[go.shape.int] with derefs=0:\na.go:3:24:   flow: ~r0 ← xs:"
    scalar = (
        "a.go:3:17: parameter n leaks to {heap} for Map[go.shape.int] with derefs=0:\na.go:3:17:   flow: {heap} ← n:"
    )
    (kept,) = folded(f"{generic}\n{scalar}", GENERIC)
    assert (kept.value.subject, kept.value.kind) == ("xs", "leaking-param-to-result")
    assert kept.value.text == "parameter xs leaks to ~r0 for Map[go.shape.int] with derefs=0"
    plain = "package p\n\nfunc Map(n int, xs []int) []int { return xs }\n"
    assert folded(generic.replace("Map[go.shape.int]", "Map"), plain) == []


def test_a_test_variant_adds_only_what_the_plain_package_does_not_say() -> None:
    plain = values_of("a.go:3:2: moved to heap: x\na.go:3:2: moved to heap: x")
    variant = values_of("a.go:3:2: moved to heap: x\n" * 3 + "a_test.go:1:2: moved to heap: t")
    extra = subtract(variant, plain)
    assert Counter((v.place.file, v.subject) for v in extra) == {("a.go", "x"): 1, ("a_test.go", "t"): 1}
