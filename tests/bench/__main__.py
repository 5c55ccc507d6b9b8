"""``python -m tests.bench [--go GO] [--rounds N] [--json FILE] [WORK…]``: measure, print a table, write JSON.

Everything is a ratio of things measured in the same run, in turn, with medians; run it on a quiet machine.
Works: save, again, small, big, std, start, requests (all without a word). Exits 1 if a goal is not reached.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from pathlib import Path

from tests.bench.works import WORKS, house
from tests.tools import any_go


def main() -> int:
    """Measure what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("works", nargs="*", metavar="WORK")
    parser.add_argument("--go", default=None)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", type=Path, default=None)
    arguments = parser.parse_args()
    unknown = set(arguments.works) - set(WORKS)
    if unknown:
        parser.error(f"there is no work {', '.join(sorted(unknown))}; there are {', '.join(WORKS)}")
    go = shutil.which(arguments.go) if arguments.go else any_go()
    assert go is not None, "there is no such go"
    rows = []
    with house(go, arguments.rounds) as home:
        for name in arguments.works or WORKS:
            row = WORKS[name](home)
            print("\n".join(row.lines()), flush=True)
            rows.append(row)
    if arguments.json is not None:
        arguments.json.write_text(json.dumps([row.json() for row in rows], indent=1), "utf-8")
    return 0 if all(row.good for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
