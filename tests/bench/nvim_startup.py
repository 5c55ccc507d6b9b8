"""What the Neovim plugin adds to the start with a file that is no Go: ``python -m tests.bench.nvim_startup [--rounds 20]``.

Reads ``--startuptime`` of the real editor: the time of sourcing the plugin's own files, and the whole start in turn
without it, with it, and both again where another server is enabled: the first ``vim.lsp.enable`` loads Neovim's own
client. Prints medians in milliseconds as JSON; exits 1 if the plugin adds 1 ms or more to a start with another server.
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.editors.nvim import editor

LIMIT_MS = 1.0

#: ``clock  self+sourced  self:  sourcing FILE`` or ``require('MODULE')``; times in milliseconds.
_LINE = re.compile(r"^\d+\.\d+\s+(\d+\.\d+)\s+(\d+\.\d+): (.*)$")
_STARTED = re.compile(r"^(\d+\.\d+)\s+\d+\.\d+: --- NVIM STARTED ---")

OTHER = "vim.lsp.enable('other')\n"
OURS = "vim.opt.rtp:append(vim.env.ESCAPELENS_PLUGIN)\nvim.lsp.enable('escapelens')\n"
STARTS = {"nothing": "", "the plugin": OURS, "another server": OTHER, "both": OTHER + OURS}


def start(neovim: Path, folder: Path, init: str) -> tuple[float, float]:
    """One start: milliseconds of the plugin's files, and of the whole."""
    (folder / "init.lua").write_text(init, "utf-8")
    (folder / "notes.txt").write_text("No Go here.\n", "utf-8")
    log = folder / "startup.log"
    log.unlink(missing_ok=True)
    command = [str(neovim), "--clean", "--headless", "-u", "init.lua", "--startuptime", str(log), "notes.txt", "+qall!"]
    subprocess.run(command, cwd=folder, env=editor.environment(folder / "home"), check=True, timeout=60)
    ours, whole = 0.0, 0.0
    for line in log.read_text("utf-8").splitlines():
        found = _LINE.match(line)
        if found and (str(editor.PLUGIN) in found[3] or "require('escapelens" in found[3]):
            ours += float(found[2])
        begun = _STARTED.match(line)
        # An editor without a screen writes two lists, its own last.
        whole = float(begun[1]) if begun else whole
    return ours, whole


def main() -> int:
    """Measure and print; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=20)
    rounds = parser.parse_args().rounds
    neovim = editor.find_neovim()
    if neovim is None:
        sys.exit("not found: Neovim 0.11 or later")
    files: list[float] = []
    wholes: dict[str, list[float]] = {name: [] for name in STARTS}
    with tempfile.TemporaryDirectory() as scratch:
        for _ in range(rounds + 1):
            for name, init in STARTS.items():
                ours, whole = start(neovim, Path(scratch), init)
                wholes[name].append(whole)
                if "escapelens" in init:
                    files.append(ours)
    # The first round fills the file cache.
    result = {f"start with {name}": statistics.median(times[1:]) for name, times in wholes.items()}
    result["plugin's files"] = statistics.median(files[2:])
    added = result["start with both"] - result["start with another server"]
    result["added beside another server"] = added
    print(json.dumps({name: round(value, 3) for name, value in result.items()}, indent=2))
    if added >= LIMIT_MS or result["plugin's files"] == 0:
        print(f"The plugin must be sourced, and add less than {LIMIT_MS} ms.", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
