"""Runs oracle and product over packages, keeps each package's result, and prints the difference."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from tests.fidelity.account import Account, account
from tests.fidelity.logs import Go, Key, Log, logs
from tests.fidelity.meaning import is_leak
from tests.fidelity.oracle import Record
from tests.fidelity.ranges import Ranges, check_ranges

_CHUNK = 12
_ORDER = {None: 0, "test": 1, "xtest": 2}
_NUMBERS = ("lines", "messages", "folded", "repeated", "nothing", "undecided")


@dataclass(slots=True)
class Outcome:
    """One package: a finished account of every variant, and the ranges of its messages."""

    package: str
    accounts: dict[str, Account] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    ranges: Ranges = field(default_factory=Ranges)

    @property
    def clean(self) -> bool:
        """Whether the report and the log agree to the letter."""
        return not self.problems and all(a.clean for a in self.accounts.values())


class State:
    """Results that survive an interrupted run: one JSON file, a line a package."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def done(self) -> dict[str, Outcome]:
        """The packages that were clean when they were last compared."""
        if not self._path.exists():
            return {}
        found: dict[str, Outcome] = {}
        for line in self._path.read_text("utf-8", "surrogateescape").splitlines():
            value = json.loads(line)
            outcome = Outcome(
                value["package"],
                {name: Account(**numbers) for name, numbers in value["accounts"].items()},
                value["problems"],
                Ranges.restored(value["ranges"]),
            )
            if outcome.clean:
                found[outcome.package] = outcome
            else:
                found.pop(outcome.package, None)
        return found

    def add(self, outcome: Outcome) -> None:
        """Append one result."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("a", encoding="utf-8", errors="surrogateescape") as file:
            file.write(json.dumps(asdict(outcome)) + "\n")

    def clear(self) -> None:
        """Forget everything: a run that does not resume starts anew."""
        self._path.unlink(missing_ok=True)


def report(go: Go, paths: Sequence[str], *, tests: bool, more: Sequence[str] = ()) -> dict[str, Any]:
    """The product's JSON report on packages. Raises RuntimeError if there is none."""
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        done = subprocess.run(
            [
                sys.executable, "-m", "escapelens", "check", "--show", "all", "--format", "json",
                "--flow", "--tests" if tests else "--no-tests", "--go", go.path, *more, *paths,
            ],
            cwd=go.folder,
            env={**os.environ, **go.env},
            stdout=output,
            stderr=errors,
            check=False,
        )  # fmt: skip
        output.seek(0)
        errors.seek(0)
        try:
            return dict(json.loads(output.read().decode("utf-8", "surrogateescape")))
        except ValueError:
            words = errors.read().decode("utf-8", "replace").strip()[-2000:]
            raise RuntimeError(f"no report, exit {done.returncode}: {words}") from None


def compare(go: Go, paths: Sequence[str], *, tests: bool = False) -> Iterator[Outcome]:
    """Compare packages a few at a time; with tests one at a time.

    The go command applies gcflags to every package that is named, so that naming several would
    compile the copies of one that another's tests need, as well.
    """
    size = 1 if tests else _CHUNK
    for start in range(0, len(paths), size):
        chunk = paths[start : start + size]
        found = logs(go, chunk, tests=tests)
        try:
            answer = report(go, chunk, tests=tests)
        except RuntimeError as error:
            if len(chunk) > 1:
                for path in chunk:
                    yield from compare(go, [path], tests=tests)
            else:
                yield Outcome(chunk[0], problems=[str(error)])
            continue
        yield from _outcomes(chunk, found, answer)


def _outcomes(chunk: Sequence[str], found: dict[Key, Log], answer: dict[str, Any]) -> Iterator[Outcome]:
    said: dict[Key, list[dict[str, Any]]] = defaultdict(list)
    for message in answer["messages"]:
        said[message["package"].removesuffix("_test") if message["variant"] == "xtest"
             else message["package"], message["variant"]].append(message)  # fmt: skip
    status = {_key(p): p for p in answer["packages"]}
    for path in chunk:
        outcome = Outcome(path)
        told: list[tuple[Record, ...]] = []
        for key in sorted((k for k in found if k[0] == path), key=lambda k: _ORDER[k[1]]):
            name = key[1] or "plain"
            log, entry = found[key], status.pop(key, None)
            if entry is None:
                outcome.problems.append(f"{name}: not in the report's packages")
                continue
            outcome.problems.extend(f"{name}: unparsed: {line}" for line in entry["unparsed"])
            if log.failed or entry["status"] != "ok":
                if not log.failed or entry["status"] != "failed":
                    outcome.problems.append(f"{name}: {entry['status']} {entry['error']}, go says {log.failed or 'ok'}")
                continue
            outcome.accounts[name] = account(log.records, said[key], told, is_leak)
            told.append(log.records)
            outcome.ranges.add(check_ranges(said[key]))
        yield outcome
    for key in status:
        yield Outcome(key[0], problems=[f"{key[1] or 'plain'}: in the report, not asked for"])


def _key(entry: dict[str, Any]) -> Key:
    path: str = entry["importPath"]
    return (
        path.removesuffix("_test") if entry["variant"] == "xtest" else path,
        entry["variant"],
    )


def totals(outcomes: Iterable[Outcome]) -> Counter[str]:
    """Sums over all packages and variants."""
    total: Counter[str] = Counter()
    for outcome in outcomes:
        total["packages"] += 1
        total["problems"] += len(outcome.problems)
        for result in outcome.accounts.values():
            for name in _NUMBERS:
                total[name] += getattr(result, name)
            total["unaccounted"] += len(result.unaccounted)
            total["invented"] += len(result.invented)
    return total


def describe(outcome: Outcome, first: int) -> Iterator[str]:
    """What is wrong with a package, at most ``first`` lines of each sort."""
    for problem in outcome.problems[:first]:
        yield f"{outcome.package}: {problem}"
    for name, result in outcome.accounts.items():
        if result.clean:
            continue
        yield (
            f"{outcome.package} ({name}): {result.lines} lines, {result.messages} messages, "
            f"{len(result.unaccounted)} unaccounted, {len(result.invented)} invented"
        )
        yield from (f"  lost      {line}" for line in result.unaccounted[:first])
        yield from (f"  invented  {line}" for line in result.invented[:first])
