"""The command ``escapelens``: check, explain, compare, raw, doctor, lsp."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import shlex
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from escapelens import __version__
from escapelens.core.model import MESSAGE_TYPES
from escapelens.errors import EscapeLensError, UsageError

if TYPE_CHECKING:
    # The language server starts from here, too: it waits for nothing that only other commands need.
    from escapelens.core.model import PackageReport
    from escapelens.golang.build import BuildOptions

FAILED = 1
UNUSABLE = 2


def main() -> None:
    """Run the command; errors of ours end it with status 2 and one sentence."""
    try:
        cli(standalone_mode=True, prog_name="escapelens")
    except EscapeLensError as error:
        click.echo(f"escapelens: {error}", err=True)
        sys.exit(UNUSABLE)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="escapelens")
def cli() -> None:
    """Shows what the Go compiler decided about memory: what goes to the heap, why, what was inlined."""


def _build_options(command: Any) -> Any:
    """The options that every command which compiles has."""
    for option in reversed(
        (
            click.option("--tests/--no-tests", default=False, help="Analyse test variants too."),
            click.option("--go", metavar="PATH", help="The go command to use."),
            click.option("--goos", metavar="OS", help="Compile for this GOOS."),
            click.option("--goarch", metavar="ARCH", help="Compile for this GOARCH."),
            click.option("--tags", metavar="a,b", default="", help="Build tags."),
            click.option("--gcflags", metavar="FLAGS", default="", help="Compiler flags, e.g. '-l -N'."),
            click.option("--env", metavar="K=V", multiple=True, help="An environment variable for Go."),
        )
    ):
        command = option(command)
    return command


def _options(values: dict[str, Any]) -> BuildOptions:
    from escapelens.golang.build import BuildOptions

    env = {}
    for setting in values["env"]:
        key, equals, value = setting.partition("=")
        if not equals or not key:
            raise click.BadParameter(f"{setting!r} is not K=V", param_hint="--env")
        env[key] = value
    for name in ("goos", "goarch"):
        if values[name]:
            env[name.upper()] = values[name]
    return BuildOptions(
        tests=values["tests"],
        tags=tuple(tag for tag in values["tags"].replace(" ", ",").split(",") if tag),
        gcflags=tuple(shlex.split(values["gcflags"])),
        env=env,
    )


def _types(_: click.Context, __: click.Parameter, value: str | None) -> list[str] | None:
    from escapelens.core.report import parse_types

    try:
        return parse_types(value) if value is not None else None
    except ValueError as error:
        raise click.BadParameter(str(error)) from None


@cli.command()
@click.argument("patterns", nargs=-1)
@click.option("--show", callback=_types, metavar="TYPE,…", help=f"all, or some of {', '.join(MESSAGE_TYPES)}.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text")
@click.option("--back-end", is_flag=True, help="Add bounds and nil checks, from a full compile.")
@click.option("--flow", is_flag=True, help="Print the flow under each message (text).")
@_build_options
def check(
    patterns: Sequence[str], show: list[str] | None, form: str, flow: bool, back_end: bool, **values: Any
) -> None:
    """Print the messages of packages or files."""
    from escapelens.core.report import Show
    from escapelens.engine.check import check_patterns
    from escapelens.engine.output import print_json, print_text

    options = replace(_options(values), back_end=back_end)
    with _progress() as on_report:
        outcome = asyncio.run(check_patterns(patterns or (".",), Path.cwd(), options, values["go"], on_report))
    shown = Show(show)
    if form == "json":
        print_json(outcome, shown, sys.stdout)
    else:
        print_text(outcome, shown, Path.cwd(), flow, sys.stdout, sys.stderr)
    sys.exit(outcome.exit_status)


@contextlib.contextmanager
def _progress() -> Iterator[Any]:
    """A counter on the terminal's error stream; nothing where there is no terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("compiling", total=None)

        def on_report(report: PackageReport | None, total: int | None) -> None:
            if total is not None:
                progress.update(task, total=total)
            if report is not None:
                progress.update(task, advance=1, description=report.import_path)

        yield on_report


@cli.command()
@click.argument("place", metavar="FILE:LINE[:COLUMN]")
@_build_options
def explain(place: str, **values: Any) -> None:
    """Print everything known about one place: message, cause, flow, advice."""
    from escapelens.engine.check import explain_place

    file, line, column = _split_place(place)
    text = asyncio.run(explain_place(Path(file), line, column, _options(values), values["go"]))
    if text is None:
        click.echo(f"Nothing is said about {place}.", err=True)
        sys.exit(FAILED)
    click.echo(text)


def _split_place(place: str) -> tuple[str, int, int | None]:
    parts = place.rsplit(":", 2)
    with contextlib.suppress(ValueError):
        if len(parts) == 3 and parts[1].isdigit():
            return parts[0], int(parts[1]), int(parts[2])
        file, _, line = place.rpartition(":")
        if file:
            return file, int(line), None
    raise UsageError(f"{place!r} is no place. Write FILE:LINE or FILE:LINE:COLUMN.")


@cli.command()
@click.argument("before", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("after", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--fail-on", type=click.Choice(["new"]), help="Exit with 3 if there is something new.")
def compare(before: Path, after: Path, fail_on: str | None) -> None:
    """Compare two JSON reports: gone, new, moved only because lines moved."""
    from escapelens.core.compare import compare as compare_messages

    (old_version, old_messages), (new_version, new_messages) = _report(before), _report(after)
    result = compare_messages(old_messages, new_messages, (old_version, new_version))
    for title, found in (("gone", result.gone), ("new", result.new)):
        for raw in found:
            click.echo(f"{title}: {_raw_line(raw)}")
    for old, new in result.moved:
        click.echo(f"moved: {_raw_line(new)} (was line {old.get('line')})")
    click.echo(
        f"{len(result.gone)} gone, {len(result.new)} new, {len(result.moved)} moved, {result.same} same",
        err=True,
    )
    if fail_on == "new" and result.new:
        sys.exit(3)


def _report(path: Path) -> tuple[str, list[dict[str, Any]]]:
    """The release of Go that made a report, and its messages."""
    try:
        report = json.loads(path.read_text("utf-8"))
        messages = report["messages"]
        if not str(report["schema"]).startswith("escapelens/") or not isinstance(messages, list):
            raise KeyError
        version = str((report.get("go") or {}).get("version", ""))
    except (ValueError, KeyError, TypeError, AttributeError):
        raise UsageError(f"{path} is no report of EscapeLens. Make one with: escapelens check --format json") from None
    return version, messages


def _raw_line(raw: Mapping[str, Any]) -> str:
    where = f"{raw.get('file') or '-'}:{raw.get('line') or 0}:{raw.get('column') or 0}"
    return f"{where}: {raw.get('type')}: {raw.get('message')}"


@cli.command()
@click.argument("patterns", nargs=-1)
@_build_options
def raw(patterns: Sequence[str], **values: Any) -> None:
    """Print the compiler's own text, headed by the command that repeats it."""
    from escapelens.engine.check import print_raw

    status = asyncio.run(print_raw(patterns or (".",), Path.cwd(), _options(values), values["go"], sys.stdout))
    sys.exit(status)


@cli.command()
@_build_options
def doctor(**values: Any) -> None:
    """Say which Go is used, what will be run, and whether it works."""
    from escapelens.engine.doctor import examine

    lines, works = asyncio.run(examine(Path.cwd(), _options(values), values["go"]))
    click.echo("\n".join(lines))
    sys.exit(0 if works else FAILED)


@cli.command()
@click.option("--tcp", metavar="HOST:PORT", help="Listen there instead of using standard streams.")
def lsp(tcp: str | None) -> None:
    """Run the language server."""
    from escapelens.lsp.server import serve

    host, port = None, None
    if tcp is not None:
        host, _, number = tcp.rpartition(":")
        if not number.isdigit():
            raise UsageError(f"{tcp!r} is no address. Write HOST:PORT, for example 127.0.0.1:7777.")
        port = int(number)
    serve(host or None, port)
