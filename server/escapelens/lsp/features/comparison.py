"""The newest run against the one before it, as text: for editors without a window of ours for trees."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from escapelens.lsp.features.messages import Messages, Pair, Trees
from escapelens.lsp.session import Session


def comparison_text(session: Session, trees: Trees, path: str) -> str:
    """What changed in the package of a file, one message a line that editors can jump to."""
    folder = Path(path).parent
    runs: list[dict[str, Any]] = session.runs.list()
    after = next((r for r in runs if r["previous"] and _is_around(r["root"], path, folder)), None)
    if after is None:
        return "# There is no run before the last one of this package: change something and save.\n"
    pair = Pair(a=after["previous"], b=after["id"])
    found: str = trees.text(Messages(scope="package", compare=pair), path)["text"]
    head = f"# What changed in {folder.name} from run {pair.a} to run {pair.b}\n"
    return head + (found or "# Nothing\n")


def _is_around(root: str, path: str, folder: Path) -> bool:
    return root == path or folder == Path(root) or Path(root) in folder.parents
