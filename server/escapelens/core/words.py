"""The product's words: labels, causes, advice, and the compiler's own words translated."""

from __future__ import annotations

import re

from escapelens.core.model import TYPE_LABELS, MessageType

#: What the cause means; what usually helps; when to leave it.
CAUSE_TEXTS: dict[str, tuple[str, str, str]] = {
    "returned": (
        "Its address is handed to the caller, so it must outlive this function.",
        "return the value itself, or let the caller pass a buffer.",
        "in constructors, for big structs, and where the caller inlines this.",
    ),
    "stored": (
        "A pointer to it is kept in something that lives longer.",
        "copy the value, or shorten the holder's life.",
        "where keeping it is the purpose: caches, trees, fields of an object.",
    ),
    "outlives-loop": (
        "A variable declared outside the loop keeps it beyond one round.",
        "index a slice, keep a copy of the value, or declare that variable inside.",
        "when the loop is short or cold.",
    ),
    "outlives-call": (
        "A closure hands its address to a variable outside, and may run at any time.",
        "keep a copy of the value instead of its address.",
        "where the closure is the design.",
    ),
    "unknown-callee": (
        "It is passed to a call whose target the compiler cannot see (an interface's method, a func value), "
        "so it assumes the worst.",
        "a known function or a concrete type, a wrapper that inlines, or a reused buffer.",
        "when the call does I/O.",
    ),
    "leaking-callee": (
        "It is passed to a function whose own parameter leaks.",
        "look at that function's parameter.",
        "where it is a library's API.",
    ),
    "boxed": (
        "The value becomes an interface (any, error, Stringer …), which points to a copy of it.",
        "a typed API, a guard around the call, or strconv in place of fmt.",
        "on error paths. Integers under 256, empty strings and nil slices cost nothing.",
    ),
    "captured": (
        "A closure that lives longer keeps it.",
        "pass it as an argument, or do not reassign it after the capture; the closure itself stays.",
        "when the closure is inlined, or keeping state is its purpose.",
    ),
    "goroutine": (
        "A goroutine uses it, which may run after this function returned.",
        "pass every value as an argument, or do not reassign what is captured.",
        "nearly always; starting the goroutine costs more.",
    ),
    "deferred-in-loop": (
        "A defer in a loop runs when the function returns, so each round keeps its own.",
        "move the loop's body into a function of its own.",
        "when the loop is short, or what is deferred has to wait.",
    ),
    "in-container": (
        "What a map or a growing slice points to lives on the heap.",
        "store values or indices instead of pointers.",
        "where the container lives long anyway.",
    ),
    "sent": (
        "What is pointed to through a channel lives on the heap.",
        "send values instead of pointers.",
        "where handing it over is the design.",
    ),
    "too-large": (
        "It is too large for the stack: over 64 KiB for make, new and literals, over 128 KiB for a variable "
        "(10 MiB before Go 1.24).",
        "a smaller piece, or one reused buffer.",
        "when it is made once at start.",
    ),
    "size-unknown": (
        "Its size is known only at run time.",
        "a constant size, or the caller's buffer; from Go 1.25 on 32 bytes of it may stay on the stack.",
        "when it is usually large.",
    ),
    "panic": (
        "What a program panics with lives on the heap.",
        "nothing.",
        "always; the program is ending.",
    ),
    "method-value": (
        "A method kept as a func value hides a closure that holds its receiver.",
        "call the method directly, or make the func value once and keep it.",
        "when it is made rarely.",
    ),
    "passed-to-c": (
        "It is passed to C, which the compiler cannot see into.",
        "#cgo noescape and nocallback (Go 1.24), where C keeps no pointer to it and calls nothing back.",
        "when the C call costs more.",
    ),
    "unsafe": (
        "A directive or a conversion for unsafe pointers keeps it on the heap; the way names it.",
        "nothing.",
        "nearly always.",
    ),
}  # fmt: skip

FREE_TEXTS: dict[str, str] = {
    "constant": "Free: a constant in an interface points to read-only data. The slice of a variadic call is another "
    "value.",
    "zero-size": "Free: it has no bytes, so nothing is allocated.",
    "single-byte": "Free: a single byte in an interface points into a table of the runtime. The slice of a variadic "
    "call is another value.",
    "no-captures": "Free: a function that captures nothing is made at build time.",
}

MAY_ALLOCATE_TEXTS: dict[str, str] = {
    "size": "May still allocate: the stack holds it only while it is small at run time (32 bytes, from Go 1.25).",
    "buffer": "May still allocate: a string or []byte of over 32 bytes does not fit the buffer on the stack.",
    "map": "May still allocate: up to eight entries stay on the stack; a map that holds more is allocated.",
    "append": "May still allocate: the stack holds a small first array (32 bytes); growing past it does not stay.",
}

COLD_WORDS: dict[str, str] = {
    "init": "runs once, at start",
    "main": "runs once, in main",
    "error": "on an error path",
    "panic": "on a path that panics",
}

ORIGIN_WORDS: dict[str, str] = {"test": "in a test", "generated": "in generated code"}

#: The notes of a flow, in words.
REASON_WORDS: dict[str, str] = {
    "address-of": "its address is taken",
    "assign": "assigned",
    "assign-pair": "assigned",
    "assign-pair-dot-type": "assigned",
    "assign-pair-mapr": "read from a map",
    "assign-pair-receive": "received",
    "spill": "gets its storage",
    "return": "returned",
    "call parameter": "passed",
    "receiver": "passed as receiver",
    "callee operand": "called",
    "dot": "a field of it",
    "dot of pointer": "a field behind it",
    "indirection": "what it points to",
    "struct literal element": "put into a struct",
    "array literal element": "put into an array",
    "slice-literal-element": "put into a slice",
    "map literal key": "put into a map as key",
    "map literal value": "put into a map",
    "key of map put": "put into a map as key",
    "interface-converted": "made an interface",
    "captured by a closure": "kept by a closure",
    "reference": "kept by reference",
    "range": "ranged over",
    "range-deref": "ranged over",
    "slice": "sliced",
    "slice-to-array": "seen as an array",
    "fixed-array-index-of": "an element of it",
    "switch case": "switched on",
    "send": "sent",
    "appendee slice": "what the slice held, after growing",
    "appended slice...": "appended",
    "copied slice": "copied elements",
    "too large for stack": "too large for the stack",
    "too aligned for stack": "too aligned for the stack",
    "non-constant size": "its size is not constant",
    "conversion to unsafe.Pointer": "made an unsafe.Pointer",
}

_DICTIONARY = re.compile(
    r"&\.dict\.\w+(?:\[[^\]]*\])?(?:, )?|\(\*\[\d+\]uintptr\)\(\.dict\[\d+\]\)(?:, )?|\.dict(?:, )?"
)
_SHAPE = re.compile(r"go\.shape\.(\*uint8|)")
_NAMES: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"\.\.\. argument\.\.\."), "the variadic slice"),
    (re.compile(r"\.\.\. argument"), "the variadic slice"),
    (re.compile(r"\.autotmp_\d+"), "a temporary"),
    (re.compile(r"#state\d+"), "the loop's state"),
    (re.compile(r"#next"), "the loop's next step"),
    (re.compile(r"#rv\d+"), "the function's result"),
    (re.compile(r"\.this\b"), "the receiver"),
)
_RESULT = re.compile(r"(?<![\w.])(?:\w+\.)?~[rR](\d+)")


def label(kind: MessageType) -> str:
    """The label of a message type, as in every filter."""
    return TYPE_LABELS[kind]


def plain_expression(text: str) -> str:
    """An expression of the log without the compiler's own names: shapes, dictionaries, temporaries, results."""
    if text == "func literal":
        return "the closure"
    if "go.shape." in text:
        # A pointer's shape stands for every pointer.
        text = _SHAPE.sub(lambda match: "*T" if match[1] else "", text)
    if ".dict" in text:
        text = _DICTIONARY.sub("", text)
    for pattern, words in _NAMES:
        text = pattern.sub(words, text)
    return _RESULT.sub(lambda match: _result(int(match[1])), text)


def plain_name(name: str) -> str:
    """A location of a flow in plain words: ``{heap}`` → the heap, ``~r0`` → the result."""
    stripped = name.lstrip("*&")
    marks = name[: len(name) - len(stripped)]
    if stripped == "{heap}":
        return "the heap"
    if stripped == "{temp}":
        return "a temporary"
    if stripped.startswith("{storage for ") and stripped.endswith("}"):
        # "The address of the storage for &T{…}" is what the expression says already.
        value = plain_expression(stripped[len("{storage for ") : -1])
        return value if marks == "&" else f"{marks}{value}"
    return marks + plain_expression(stripped)


def _result(number: int) -> str:
    return "the result" if number == 0 else f"result {number + 1}"


def code(text: str) -> str:
    """Text as inline markdown code, whatever backquotes it holds."""
    text = " ".join(text.split())
    fence = "`"
    while fence in text:
        fence += "`"
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def shorten(text: str, width: int = 80) -> str:
    """One line of at most ``width`` characters."""
    text = " ".join(text.split())
    return text if len(text) <= width else text[: width - 1] + "…"


def counted(number: int, word: str) -> str:
    """A number with its word: ``1 leak``, ``2 leaks``."""
    return f"{number} {word}" if number == 1 else f"{number} {word}s"
