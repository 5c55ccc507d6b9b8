"""Go modules that lay a trap each: made here, since editors and git would mend some of these bytes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

GO_MOD = "module example.com/trap\n\ngo {0}\n"


@dataclass(frozen=True)
class Trap:
    """A module: its files, the oldest release that builds it, and its go.mod's language version."""

    name: str
    files: Mapping[str, str | bytes]
    since: tuple[int, int] = (1, 21)
    language: str = "1.21"
    environment: dict[str, str] = field(default_factory=dict)
    folder: str = "."


SORT = """package trap

import "{0}"

var kept []*int

func Sort(values []int) {{
\tslices.SortFunc(values, func(a, b int) int {{ p := new(int); kept = append(kept, p); return a - b }})
}}
"""

GENERIC = """package gen

var Kept []any

type Ring[T any] struct{ items []*T }

func (r *Ring[T]) Add(v T) func() *T {
\tp := new(T)
\tgrow := func() { r.items = append(r.items, &v, p) }
\tgrow()
\treturn func() *T { q := v; return &q }
}

func Map[T, U any](n int, in []T, f func(T) U, more ...int) []U {
\tout := make([]U, 0, len(in))
\tfor _, v := range in {
\t\tout = append(out, f(v))
\t}
\tKept = append(Kept, out, more)
\treturn out
}

func Pick[T any](p *T, q *T) *T { return p }
"""

GENERIC_USER = """package trap

import "example.com/trap/gen"

type Big struct{ a, b, c string }

var Global *Big

func Use() {
\tvar r gen.Ring[Big]
\tGlobal = r.Add(Big{})()
\tvar s gen.Ring[int]
\ts.Add(3)
\t_ = gen.Map(1, []int{1}, func(i int) string { return string(rune(i)) })
\t_ = gen.Map(1, []Big{{}}, func(b Big) *Big { return &b })
\tGlobal = gen.Pick(&Big{}, Global)
}

func Add() func(int) func() *int { return new(gen.Ring[int]).Add }
"""

TEXT = (
    "\ufeffpackage trap\r\n\r\nimport \"fmt\"\r\n\r\nvar Kept []*string\r\n\r\n"
    "// a\x0cb \u2028 c \u2029 \x0b שלום עולם e\u0301 \x85\r\n"
    "func Emoji(größe string) *string {\r\n"
    "\t/* 😀 👩‍👩‍👧 */ schön := größe + \"😀\"; Kept = append(Kept, &schön)\r\n"
    "\tvar \u05e9\u05dc\u05d5\u05dd = \"\u05e9\u05dc\u05d5\u05dd\" /* \u2028 */; fmt.Println(\u05e9\u05dc\u05d5\u05dd, \"e\u0301\x0c\", len(größe))\r\n"
    "\treturn &schön\r\n}\r\n"
)  # fmt: skip

WIDE = (
    "package trap\n\nvar Kept []any\n\nfunc Wide() {\n\t"
    + "/* " + "x" * 240 + " */ near := 1; Kept = append(Kept, &near); far := 2; Kept = append(Kept, &far, make([]int, far), func() int { return near })"
    + "\n}\n"
)  # fmt: skip

RANGE = """package trap

import "iter"

var Kept []*int

func Seq(n int) iter.Seq[int] {
\treturn func(yield func(int) bool) {
\t\tfor i := 0; i < n && yield(i); i++ {
\t\t}
\t}
}

func Over(limit int) (sum int, err error) {
\tfor i := range Seq(limit) {
\t\tkeep := i
\t\tKept = append(Kept, &keep)
\t\tdefer func() { sum += keep }()
\t\tif i > 3 {
\t\t\treturn i, nil
\t\t}
\t}
\treturn
}
"""

LINES = """package trap

var Kept *int

//line grammar.y:10
func FromGrammar() { a := 1; Kept = &a }

//line trap.go:3:7
func Moved() { b := 2; Kept = &b }

/*line other.go:100:1*/ func Other() { c := 3; Kept = &c }
"""

RAW = "package trap\n\nimport \"fmt\"\n\nfunc Raw(n int) {\n\tfmt.Println(`one\n# example.com/not [a.test]\ntwo\n`, n)\n\tfmt.Println(len(`a\nb`)+n, `\"`, '`')\n}\n"  # fmt: skip

TWINS = """package trap

var Kept []*int

func keep(x *int) { Kept = append(Kept, x) }

func one() { x := 1; keep(&x) }

func two() { x := 2; keep(&x) }

func both() { one(); two() }

func Twice() { both(); both() }

func Go() {
\tfor i := 0; i < 3; i++ {
\t\tgo keep(new(int))
\t\tdefer keep(new(int))
\t}
\tx := 1
\tKept[0] = &x
\tKept[1] = &x
}
"""

VARIANTS = {
    "trap.go": "package trap\n\nvar Hook func(*int)\n\nfunc F(p *int) *int { q := *p; return &q }\n\nfunc G() int { x := 1; return *F(&x) }\n",
    "trap_test.go": 'package trap\n\nimport "testing"\n\nfunc TestF(t *testing.T) { x := 1; Hook = func(p *int) { t.Log(p) }; Hook(&x); F(&x) }\n',
    "x_test.go": 'package trap_test\n\nimport (\n\t"testing"\n\n\t"example.com/trap"\n)\n\nfunc TestG(t *testing.T) { t.Log(trap.G(), *trap.F(new(int))) }\n',
    "main/main.go": 'package main\n\nimport "example.com/trap"\n\nfunc main() { println(trap.G()) }\n',
}  # fmt: skip

CONSTANTS = """package trap

import "fmt"

const limit = 32

func Make(n int) []byte {
\tsize := limit
\tvar code any = 300
\tfmt.Println(code, size, limit*2, "a"+"b", true, 'x', 1.5, size+n)
\treturn append(make([]byte, 0, size), make([]byte, n)...)
}
"""

CGO = """package trap

// static void take(void *p) {}
import "C"

import "unsafe"

func Pass() *int {
\tx, y := 1, 2
\tC.take(unsafe.Pointer(&x))
\treturn &y
}
"""

ASSEMBLY = {
    "trap.go": "package trap\n\nfunc Asm(p *int, n uintptr)\n\n//go:noescape\nfunc Quiet(p *int)\n\nfunc Call() { x, y := 1, 2; Asm(&x, 3); Quiet(&y) }\n",
    "trap_amd64.s": "#include \"textflag.h\"\n\nTEXT ·Asm(SB),NOSPLIT,$0-16\n\tRET\n\nTEXT ·Quiet(SB),NOSPLIT,$0-8\n\tRET\n",
}  # fmt: skip

SYSTEMS = {
    "trap.go": "package trap\n\nfunc F() *int { return place() }\n",
    "place_linux.go": "package trap\n\nfunc place() *int { linux := 1; return &linux }\n",
    "place_windows.go": "package trap\n\nfunc place() *int { windows := 1; return &windows }\n",
}

METHODS = """package trap

import "io"

type Inner struct{ buf []byte }

func (i *Inner) Write(p []byte) (int, error) { i.buf = append(i.buf, p...); return len(p), nil }

type Outer struct {
\t*Inner
\tio.Reader
}

type Maker interface{ Make(p *int) *int }

var F = (Maker).Make

var G func([]byte) (int, error)

func Value(o *Outer) io.Writer {
\tG = o.Write
\tdefer o.Write(nil)
\treturn o
}

func init() { G(nil) }

func init() { _ = func() *int { x := 1; return &x }() }

var table = map[string]func() *int{"a": func() *int { x := 2; return &x }}
"""


def long_file() -> str:
    """A file of 60,000 lines."""
    functions = (f"func F{n}() *int {{\n\tx := {n}\n\treturn &x\n}}\n\n\n" for n in range(10_000))
    return "package trap\n\n" + "".join(functions)


TRAPS = [
    Trap("one base name twice", {"sort.go": SORT.format("slices")}),
    Trap("generics from another package", {"trap.go": GENERIC_USER, "gen/gen.go": GENERIC}),
    Trap("text that is no ASCII", {"trap.go": TEXT.encode()}),
    Trap("columns beyond 254", {"trap.go": WIDE}),
    Trap("range over func", {"trap.go": RANGE}, (1, 23), "1.23"),
    Trap("line directives", {"trap.go": LINES}),
    Trap("raw strings", {"trap.go": RAW}),
    Trap("twins", {"trap.go": TWINS}),
    Trap("variants", VARIANTS),
    Trap("constants", {"trap.go": CONSTANTS}),
    Trap("cgo", {"trap.go": CGO}),
    Trap("assembly", ASSEMBLY, environment={"GOARCH": "amd64"}),
    Trap("systems", SYSTEMS),
    Trap("another system", SYSTEMS, environment={"GOOS": "windows"}),
    Trap("methods and initialisers", {"trap.go": METHODS}),
    Trap("an odd folder", {"trap.go": TWINS}, folder="a b#1%20ü/שלום 😀"),
]
