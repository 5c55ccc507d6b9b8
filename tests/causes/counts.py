"""Shares over Go's own library and three modules: with a cause, free, in loops, on rare paths.

``python -m tests.causes.counts`` prints a table in markdown, the one in this folder's README.
"""

from __future__ import annotations

import subprocess
from collections import Counter
from collections.abc import Iterable, Iterator

from escapelens.core.model import Message, PackageReport

from tests.causes.corpus import MODULES, RELEASE, go, library, module_folder, reports

COLUMNS = ("heap values", "leaks", "with a cause", "free", "in loops", "rare paths", "in loops, not rare, not free")


def packages_of(pattern: str, folder: str) -> list[str]:
    """The import paths that a pattern names."""
    done = subprocess.run(
        [go(), "list", pattern], cwd=folder, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return done.stdout.split()


def count(messages: Iterable[Message]) -> Counter[str]:
    """The numbers of one corpus."""
    found: Counter[str] = Counter()
    for message in messages:
        if message.type not in ("escape", "moved", "leak"):
            continue
        found["caused"] += message.cause is not None
        if message.type == "leak":
            found["leaks"] += 1
            continue
        found["heap"] += 1
        found["free"] += bool(message.free)
        found["loops"] += message.loop
        found["cold"] += message.cold is not None
        found["worth"] += message.loop and message.cold is None and not message.free
    return found


def row(name: str, found: Counter[str]) -> str:
    """One row of the table."""
    heap, leaks = found["heap"], found["leaks"]
    shares = [f"{found[key] / heap:.1%}" for key in ("free", "loops", "cold", "worth")]
    return f"| {name} | {heap:,} | {leaks:,} | {found['caused'] / (heap + leaks):.2%} | {' | '.join(shares)} |"


def rows() -> Iterator[str]:
    """The table, corpus by corpus."""
    yield f"| Go {RELEASE} | {' | '.join(COLUMNS)} |"
    yield f"|---|{'---|' * len(COLUMNS)}"
    corpora = [("std", library(), "std"), *((f"{n} {v}", module_folder(n), "./...") for n, v in MODULES)]
    for name, folder, pattern in corpora:
        total: Counter[str] = Counter()
        report: PackageReport
        for report in reports(folder, packages_of(pattern, str(folder))):
            total += count(report.messages)
        yield row(name, total)


if __name__ == "__main__":
    for line in rows():
        print(line, flush=True)
