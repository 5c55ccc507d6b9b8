"""What ``check`` prints."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path
from typing import TextIO

import click

from escapelens.core.model import MESSAGE_TYPES, TYPE_LABELS, Message
from escapelens.core.report import DEFAULT_TYPES, Show, report_lines, sort_key
from escapelens.engine.check import Outcome

_COLOURS = {"moved": "red", "escape": "yellow", "leak": "cyan"}


def print_json(outcome: Outcome, show: Show, out: TextIO) -> None:
    """The JSON report, one object in UTF-8. Bytes that are no UTF-8 are escaped."""
    variables = outcome.toolchain.variables
    go = {
        "version": outcome.toolchain.version,
        "goos": variables.get("GOOS", ""),
        "goarch": variables.get("GOARCH", ""),
        "gcflags": list(outcome.gcflags),
    }
    out.flush()
    hidden = _hidden_free(outcome, show)
    for piece in report_lines(go, outcome.reports, lambda m: show(m) and _wanted(outcome, m), hidden):
        out.buffer.write(piece.encode("utf-8", "backslashreplace"))
    out.buffer.flush()


def print_text(outcome: Outcome, show: Show, cwd: Path, flow: bool, out: TextIO, err: TextIO) -> None:
    """One message a line; failures and the summary on the error stream."""
    messages = [m for r in outcome.reports for m in r.messages if show(m) and _wanted(outcome, m)]
    messages.sort(key=sort_key)
    colour = out.isatty() and "NO_COLOR" not in os.environ
    names: dict[str, str] = {}
    lines: list[str] = []
    for message in messages:
        lines.append(_line(message, names, cwd, colour))
        lines.extend(_flow_lines(message, names, cwd) if flow else ())
    text = "\n".join(lines)
    if text:
        out.write(text.encode("utf-8", "backslashreplace").decode("utf-8") + "\n")
    out.flush()
    for failed in outcome.reports:
        if failed.status != "ok":
            err.write(f"{failed.import_path or failed.dir}: {failed.status}: {failed.error}\n")
    if outcome.said:
        err.write(f"{outcome.said}\n")
    err.write(_summary(outcome, messages, show) + "\n")


def _wanted(outcome: Outcome, message: Message) -> bool:
    return not outcome.only or message.place.file in outcome.only


def _line(message: Message, names: dict[str, str], cwd: Path, colour: bool) -> str:
    place = message.place
    where = f"{_name(place.file, names, cwd)}:{place.line}:{place.column or 0}"
    kind = click.style(message.type, fg=_COLOURS.get(message.type)) if colour else message.type
    return f"{where}: {kind}: {' '.join(message.text.split(chr(10)))}"


def _flow_lines(message: Message, names: dict[str, str], cwd: Path) -> list[str]:
    lines = []
    for hop in (hop for way in message.flows for hop in way):
        lines.append(f"    {hop.source} → {hop.to}")
        for step in hop.steps:
            place = step.place
            where = f"{_name(place.file, names, cwd)}:{place.line}:{place.column or 0}"
            lines.append(f"      {where}: {' '.join(step.expression.split())} ({step.reason})")
    return lines


def _name(file: str | None, names: dict[str, str], cwd: Path) -> str:
    """A path as the contract prints it: relative below the working directory, else absolute."""
    if file is None:
        return "-"
    if file not in names:
        path = Path(file)
        names[file] = str(path.relative_to(cwd)) if path.is_relative_to(cwd) else file
    return names[file]


def _hidden_free(outcome: Outcome, show: Show) -> int:
    """How many values are not listed because they certainly cost nothing."""
    return sum(show.hides_free(m) and _wanted(outcome, m) for r in outcome.reports for m in r.messages)


def _summary(outcome: Outcome, messages: list[Message], show: Show) -> str:
    counts = Counter(message.type for message in messages)
    shown = " · ".join(f"{counts[t]} {TYPE_LABELS[t]}" for t in MESSAGE_TYPES if counts[t])
    ok = sum(r.status == "ok" for r in outcome.reports)
    rest = len(outcome.reports) - ok
    unparsed = sum(len(r.unparsed) for r in outcome.reports)
    free = _hidden_free(outcome, show)
    parts = [
        f"{ok} package{'s' if ok != 1 else ''} with {outcome.toolchain.version}",
        f"{rest} not analysed" if rest else "",
        shown or "nothing to show",
        f"{free} more {'is' if free == 1 else 'are'} free (--show {','.join(DEFAULT_TYPES)} lists them)"
        if free
        else "",
        f"{unparsed} lines not understood" if unparsed else "",
    ]
    return ": ".join([parts[0], " · ".join(part for part in parts[1:] if part)])
