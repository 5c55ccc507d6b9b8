"""The meanings of ``call parameter``: what the call in a flow's step is, told by its print and the syntax.

The compiler prints a call as it stands after type checking: a method of a known type as ``(*T).M(x, …)`` or
``T.M(x, …)`` with its receiver among the arguments, a method of an interface or a func value as it is
written. A step in an inlined body stands at the call that was inlined, so its print may have no counterpart
in the source; names of another package's locals then carry that package.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

from escapelens.core.model import FlowStep
from escapelens.core.scope import Scope, text_of
from escapelens.core.syntax import strip_type_arguments

Sort = Literal["known", "unknown", "append", "copy", "panic", "c"]

_DOTTED = re.compile(r"[\w·]+(?:\.[\w·]+)*")
_SIMPLE = re.compile(r"(\(\*[\w./·]+\)\.[\w·]+|[\w.·]+)\(")
_METHOD = re.compile(r"\(\*[\w./·]+\)\.[\w·]+")
#: Parameters of func type, as people name them: an inlined body's ``slices.cmp(a, b)`` calls one.
_FUNC_NAMES = frozenset({
    "accept", "act", "action", "apply", "body", "callback", "cb", "cmp", "convert", "do", "emit", "eq", "equal",
    "f", "fn", "fun", "get", "h", "handle", "handler", "hash", "hook", "init", "keep", "less", "match", "new",
    "newf", "next", "op", "pred", "report", "run", "set", "task", "test", "visit", "walk", "work", "yield",
})  # fmt: skip
#: Packages of Go's own library that inlined bodies name without the file importing them.
_KNOWN_PACKAGES = frozenset({
    "abi", "atomic", "base64", "big", "binary", "bits", "bufio", "bytealg", "bytes", "context", "driver",
    "errors", "exec", "filepath", "filetype", "flag", "fmt", "hex", "http", "io", "iotest", "itoa", "json",
    "log", "maps", "math", "netip", "os", "path", "poll", "rand", "reflect", "regexp", "runtime", "scanner",
    "slices", "slog", "sort", "strconv", "strings", "subtle", "sync", "syntax", "syscall", "template",
    "textproto", "time", "token", "types", "unicode", "unique", "unsafe", "url", "utf16", "utf8", "xml",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Callee:
    """Who is called: ``name`` as printed, without type arguments."""

    sort: Sort
    name: str


def printed_callee(expression: str) -> tuple[str, str]:
    """Split a printed call into what is called and its arguments: ``f(x)(a, b)`` → ``f(x)``, ``a, b``.

    Two empty strings if it is no call.
    """
    if not expression.endswith(")"):
        return "", ""
    if ")(" not in expression:
        match = _SIMPLE.match(expression)
        if match is not None:
            return match[1], expression[match.end() : -1]
    depth = 0
    quote = ""
    opened: list[int] = []
    last = -1
    index = 0
    while index < len(expression):
        char = expression[index]
        if quote:
            if char == "\\" and quote != "`":
                index += 1
            elif char == quote:
                quote = ""
        elif char in "\"'`":
            quote = char
        elif char in "([{":
            opened.append(index)
            depth += 1
        elif char in ")]}" and opened:
            start = opened.pop()
            if not opened and char == ")":
                last = start
        index += 1
    if last < 0 or opened or quote:
        return _cut_callee(expression)
    return expression[:last], expression[last + 1 : -1]


def _cut_callee(expression: str) -> tuple[str, str]:
    """The callee of a print whose constants are cut in the middle of a quote (Go 1.22 and later)."""
    match = re.match(r"(\(\*?[\w./·\[\]{},* ]+\)\.[\w·]+|[\w./·]+(?:\[.*?\])?)\(", expression, re.DOTALL)
    return (match[1], expression[match.end() : -1]) if match is not None else ("", "")


def split_arguments(arguments: str) -> list[str]:
    """Split printed arguments at their commas."""
    parts = [""]
    depth = 0
    quote = ""
    for position, char in enumerate(arguments):
        if quote:
            if char == quote and (quote == "`" or arguments[position - 1 : position] != "\\"):
                quote = ""
        elif char in "\"'`":
            quote = char
        elif char in "([{":
            depth += 1
        elif char in ")]}":
            depth -= 1
        if char == "," and depth == 0 and not quote:
            parts.append("")
        else:
            parts[-1] += char
    return [part.strip() for part in parts if part.strip()]


def callee_of(step: FlowStep, functions: Collection[str], packages: Collection[str], scope: Scope | None) -> Callee:
    """Who is called in a step with the reason ``call parameter``.

    ``functions`` are the package's own, as the log names them; ``packages`` those that the log names in inlined
    calls; ``scope`` is the syntax of the step's file, None where it is not Go.
    """
    printed, arguments = printed_callee(step.expression)
    name = strip_type_arguments(printed).strip()
    if name in ("append", "copy", "panic"):
        return Callee(name, name)  # type: ignore[arg-type]
    if "_Cfunc_" in name or name.startswith("_cgo_"):
        return Callee("c", name)
    if name.startswith("C.") and scope is not None and "C" in scope.imports:
        # Go 1.27 prints the call as it is written.
        return Callee("c", name)
    if name in functions:
        return Callee("known", name)
    if _METHOD.fullmatch(name):
        return Callee("known", name)
    if not _DOTTED.fullmatch(name):
        return Callee("unknown", name or printed)
    return Callee("known" if _is_function(name, arguments, step, packages, scope) else "unknown", name)


def _is_function(name: str, arguments: str, step: FlowStep, packages: Collection[str], scope: Scope | None) -> bool:
    """Tell whether a dotted name is a function or a method of a known type, not a variable."""
    parts = name.split(".")
    if len(parts) == 1:
        if scope is None:
            return False
        function = scope.declaration_of(step.place)
        return any(f.name == name for f in scope.file.functions) and not (
            function is not None and scope.declares(function, name)
        )
    written = _written(step, scope)
    head, *middle, last = parts
    imported = scope is not None and head in scope.imports
    known = head in packages or head in _KNOWN_PACKAGES
    if scope is not None and (imported or known):
        function = scope.declaration_of(step.place)
        if function is not None and scope.declares(function, head):
            # A variable hides the package.
            imported, known = False, head in packages
    if written == name:
        # Written as printed: an interface's method, a func value, or a function of a package.
        return imported and not middle and last[:1].isupper()
    # A receiver among the arguments, or an inlined body, where another package's locals carry its name.
    package = imported or known
    if len(parts) == 2:
        if last[:1].isupper():
            return package or head[:1].isupper()
        return package and last not in _FUNC_NAMES
    return package and len(middle) == 1 and middle[0][:1].isupper()


def _written(step: FlowStep, scope: Scope | None) -> str:
    """What is called as the source spells it, without type arguments and white space."""
    call = scope.call_at(step.place) if scope is not None else None
    function = call.child_by_field_name("function") if call is not None else None
    return "".join(strip_type_arguments(text_of(function)).split())
