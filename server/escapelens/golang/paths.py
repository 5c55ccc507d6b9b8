"""Paths as the compiler prints them, made absolute.

The go command prints files below its working directory relative to it, others absolute; with
``-trimpath`` every file has its import path (or ``module@version``) in place of its folder.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path, PurePath, PurePosixPath, PureWindowsPath
from urllib.parse import quote, unquote, urlsplit

from escapelens.core.model import Place
from escapelens.core.text_log import split_line

#: cgo's declarations are written to the go command's temporary folder: no file of anybody.
_GENERATED = frozenset({"_cgo_gotypes.go"})
#: Lines of a package's own files that tell how its folder is printed.
_ENOUGH = 200
_VERSION = re.compile(r"@[^/]+")


def printed_folder(lines: Iterable[str], names: Collection[str]) -> str | None:
    """How a package's own folder is printed in its text: ``.``, ``sub``, ``../x``; None if it never is.

    The go command shortens that folder and all folders above it relative to the working directory of the
    run that compiled (``reportCmd`` in cmd/go/internal/work/shell.go), and replays the text as it is from
    the build cache, wherever it runs then. ``names`` are the package's own files; a text begins with
    what it says of them.
    """
    found: Counter[str] = Counter()
    for line in lines:
        if line.startswith(("/", "<", "\t")):
            continue
        parts = split_line(line)
        file = parts[0].file if parts is not None else None
        if file is None or PurePath(file).is_absolute():
            continue
        folder, _, name = file.replace("\\", "/").rpartition("/")
        if name in names:
            found[folder] += 1
            if found.total() == _ENOUGH:
                break
    return found.most_common(1)[0][0] if found else None


class PathResolver:
    """Turns printed places of one package into places with absolute files; remembers what it resolved.

    ``folder`` is the package's, ``printed`` how the text prints it (None: the text is relative to
    ``folder``). ``folders`` maps import
    paths to folders and is needed only for ``-trimpath`` builds. ``goroot`` is given for packages of
    Go's own library: the build cache knows them by content alone, so the text that it replays may name
    the files of another installation of the same release.
    """

    def __init__(
        self,
        folder: Path,
        printed: str | None = None,
        folders: Mapping[str, str] | None = None,
        goroot: Path | None = None,
    ) -> None:
        steps = [part for part in (printed or ".").split("/") if part not in ("", ".")]
        self._ups = steps.count("..")
        down = steps[self._ups :]
        # The folder in which the compiling run stood, or the nearest one above it that is known.
        known = folder.parts[-len(down) :] == tuple(down) if down else True
        self._base = folder.parents[len(down) - 1] if down and known else folder
        self._goroot = goroot
        self._folders = folders or {}
        self._known: dict[str, str | None] = {}

    def __call__(self, place: Place) -> Place:
        """The place with its file made absolute."""
        if place.file is None:
            return place
        if place.file not in self._known:
            self._known[place.file] = self._resolve(place.file)
        path = self._known[place.file]
        return Place(path, place.line, place.column) if path is not None else Place(None)

    def _resolve(self, printed: str) -> str | None:
        path = PurePath(printed)
        if path.name in _GENERATED:
            return None
        if path.is_absolute():
            return self._in_goroot(printed) or str(path)
        if self._folders:
            folder = self._folders.get(_VERSION.sub("", path.parent.as_posix()))
            if folder is not None:
                return str(Path(folder, path.name))
        parts = [part for part in printed.replace("\\", "/").split("/") if part != "."]
        if parts[: self._ups] == [".."] * self._ups:
            parts = parts[self._ups :]
        return str(Path(*_normal(self._base.joinpath(*parts))))

    def _in_goroot(self, printed: str) -> str | None:
        """The file of this installation that a path inside another one stands for."""
        if self._goroot is None or PurePath(printed).is_relative_to(self._goroot):
            return None
        parts = PurePath(printed).parts
        for index in (i for i, part in enumerate(parts) if part == "src"):
            candidate = self._goroot.joinpath(*parts[index:])
            if candidate.is_file():
                return str(candidate)
        return None


def _normal(path: Path) -> list[str]:
    """Parts without ``.`` and ``..``; symbolic links are left as the user wrote them."""
    parts: list[str] = []
    for part in path.parts:
        if part == ".." and len(parts) > 1:
            parts.pop()
        elif part != ".":
            parts.append(part)
    return parts


def to_uri(path: str, windows: bool = False) -> str:
    """A ``file:`` URI for an absolute path. ``windows`` says whose paths they are."""
    pure: PurePath = PureWindowsPath(path) if windows else PurePosixPath(path)
    text = pure.as_posix()
    if windows and text.startswith("//"):
        return "file:" + quote(text, safe="/")
    if windows and re.match(r"[A-Za-z]:", text):
        # VS Code and Neovim write the drive letter small and its colon as %3A; any client takes it.
        return "file:///" + text[0].lower() + "%3A" + quote(text[2:], safe="/")
    return "file://" + quote(text, safe="/")


def from_uri(uri: str, windows: bool = False) -> str | None:
    """The path of a ``file:`` URI, None for every other scheme."""
    parts = urlsplit(uri)
    if parts.scheme != "file":
        return None
    path = unquote(parts.path)
    if not windows:
        return path
    if parts.netloc:
        return str(PureWindowsPath(f"//{parts.netloc}{path}"))
    return str(PureWindowsPath(path.lstrip("/")))
