"""The ready configurations: what the READMEs tell to write is what the tests have run."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools import ROOT

EDITORS = ROOT / "editors"
CONFIGURATIONS = [
    "emacs/eglot.el",
    "emacs/lsp-mode.el",
    "vim/ale.vim",
    "vim/vim-lsp.vim",
    "kate/settings.json",
    "helix/languages.toml",
    "sublime/LSP.sublime-settings",
    "zed/settings.json",
]


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_the_readme_shows_the_file(name: str) -> None:
    path = EDITORS / name
    comment = {".el": ";", ".vim": '"'}.get(path.suffix, "#")
    lines = [line for line in path.read_text("utf-8").splitlines() if not line.startswith(comment)]
    readme = (path.parent / "README.md").read_text("utf-8")
    assert "\n".join(lines).strip() in readme


def test_every_folder_is_in_the_overview() -> None:
    overview = (EDITORS / "README.md").read_text("utf-8")
    folders = [path.name for path in EDITORS.iterdir() if path.is_dir() and path.name != "pictures"]
    assert [name for name in folders if f"]({name}/README.md)" not in overview] == []
    assert all(Path(EDITORS / name / "README.md").is_file() for name in folders)
