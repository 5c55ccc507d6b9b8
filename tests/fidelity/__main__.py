"""``python -m tests.fidelity [--go VERSION|PATH] [--tests] [--resume] PATTERN…``."""

from __future__ import annotations

import argparse
import hashlib
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from tests.fidelity.logs import Go, packages
from tests.fidelity.ranges import Ranges
from tests.fidelity.run import Outcome, State, compare, describe, totals
from tests.tools import TOOLS, go_release


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare and print; 0 if the report equals the compiler's text."""
    parser = argparse.ArgumentParser(prog="python -m tests.fidelity", description=__doc__)
    parser.add_argument("patterns", nargs="*", metavar="PATTERN", help="as for go build")
    parser.add_argument("-C", dest="folder", type=Path, default=Path(), help="run in this folder")
    parser.add_argument("--go", default="go", help="a release (1.26.6) or the path of a go command")
    parser.add_argument("--tests", action="store_true", help="test variants, too")
    parser.add_argument("--resume", action="store_true", help="skip packages known to be equal")
    parser.add_argument("--modules", action="store_true", help="the ten modules, not PATTERN")
    parser.add_argument("--gopls", action="store_true", help="compare with gopls instead")
    parser.add_argument("--first", type=int, default=5, help="lines shown of what is wrong")
    chosen = parser.parse_args(arguments)
    if not chosen.patterns and not chosen.modules:
        parser.error("no PATTERN")
    if chosen.modules:
        from tests.fidelity.modules import prepare

        command = command_of(chosen.go)
        wrong = 0
        for module in prepare(command):
            print(f"== {module.name} ({module.habit})", flush=True)
            go = Go(command, module.folder, {**_ENV, **module.env})
            wrong += run(go, module.patterns, chosen.tests, chosen.resume, chosen.first)
        return 1 if wrong else 0
    go = Go(command_of(chosen.go), chosen.folder.resolve(), _ENV)
    if chosen.gopls:
        from tests.fidelity.gopls import run_gopls

        return run_gopls(go, chosen.patterns, chosen.first)
    return run(go, chosen.patterns, chosen.tests, chosen.resume, chosen.first)


#: Module mode as the user has it, but never another toolchain than the one asked for.
_ENV = {"GOTOOLCHAIN": "local"}


def command_of(name: str) -> str:
    """The path of a go command from a release's number or a path."""
    if name[:1].isdigit():
        found = go_release(name)
        if found is None:
            raise SystemExit(f"Go {name} is not in {TOOLS}")
        return str(found)
    return name


def run(go: Go, patterns: Sequence[str], tests: bool, resume: bool, first: int) -> int:
    """Compare all packages that the patterns name; 1 if anything is lost or invented."""
    version = go.version()
    mark = hashlib.sha256(os.fsencode(go.folder)).hexdigest()[:12]
    name = f"{version}{'-tests' if tests else ''}-{mark}.jsonl"
    state = State(TOOLS / "fidelity" / name)
    paths = packages(go, patterns)
    if not paths:
        print("no packages", file=sys.stderr)
        return 1
    if not resume:
        state.clear()
    known = state.done()
    outcomes: list[Outcome] = [known[path] for path in paths if path in known]
    for outcome in compare(go, [path for path in paths if path not in known], tests=tests):
        outcomes.append(outcome)
        state.add(outcome)
        for line in describe(outcome, first):
            print(line, flush=True)
    total = totals(outcomes)
    print(f"{version}: " + ", ".join(f"{value} {name}" for name, value in total.items()))
    ranges = Ranges()
    for outcome in outcomes:
        ranges.add(outcome.ranges)
    print(
        f"ranges: {ranges.good} of {ranges.total} good, "
        f"{ranges.exact} of {ranges.spelled} exactly the subject where it stands at the point"
    )
    for reason, count in sorted(ranges.bad.items(), key=lambda item: -item[1]):
        print(f"  {count} {reason}")
        for sample in ranges.samples[reason][:first]:
            print(f"      {sample}")
    return 1 if total["problems"] or total["unaccounted"] or total["invented"] else 0


if __name__ == "__main__":
    sys.exit(main())
