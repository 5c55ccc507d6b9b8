"""Remembers how packages are compiled: in this process and, checked by stamps, from one start to the next."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import msgspec

from escapelens.engine.cache import Cache, key_of
from escapelens.engine.target import Target
from escapelens.errors import GoNotFoundError
from escapelens.golang.inputs import Stamps
from escapelens.golang.plan import NoPlanError, Plan, look_again
from escapelens.golang.toolchain import Toolchain, find_go

#: The environment that Go and its tools look at (go help environment, cmd/go/internal/envcmd).
_VARIABLES = ("GO", "CGO_", "CC", "CXX", "FC", "AR", "PKG_CONFIG")
_NAMED = frozenset({"PATH", "HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "USERPROFILE", "LOCALAPPDATA", "APPDATA"})


@dataclass(frozen=True, slots=True)
class Kept:
    """A package's plan with the toolchain that it belongs to."""

    toolchain: Toolchain
    plan: Plan


_kept = msgspec.msgpack.Decoder(Kept)


class Planner:
    """The plans of single packages, by folder, options and environment."""

    def __init__(self, environ: Mapping[str, str], go: str | None, cache: Cache) -> None:
        self._environ = environ
        self._go = go
        self._cache = cache
        self._plans: dict[str, Kept] = {}

    def key(self, target: Target) -> str | None:
        """What a target's plan is remembered by; None without a Go."""
        env = {**self._environ, **target.options.env}
        try:
            go, _ = find_go(self._go, env)
        except GoNotFoundError:
            return None
        wanted = sorted(f"{k}={v}" for k, v in env.items() if k.startswith(_VARIABLES) or k in _NAMED)
        options = target.options
        return key_of(
            [go, str(target.cwd), *target.patterns, "tags", *options.tags, "flags", *options.gcflags, *wanted]
        )

    def remembered(self, target: Target) -> Kept | None:
        """The plan of a target with its sources as they are now, if they are still compiled by it.

        Texts of ``target.overlay`` stand for those on disk. Starts no process. What the plan depends on beside its
        sources has to be looked at before a result is shown: ``is_current``.
        """
        key = self.key(target)
        kept = (self._plans.get(key) or self._from_cache(key)) if key is not None else None
        if key is None or kept is None:
            return None
        plan = kept.plan
        try:
            sources = tuple(look_again(source, target.overlay.get(source.path)) for source in plan.sources)
        except NoPlanError:
            return None
        if [source.head.digest for source in sources] != [source.head.digest for source in plan.sources]:
            return None
        found = Kept(kept.toolchain, replace(plan, sources=sources))
        if not target.overlay:
            self._plans[key] = found
        return found

    @staticmethod
    def is_current(kept: Kept) -> bool:
        """Tell whether nothing that a plan depends on beside its sources has changed."""
        plan = kept.plan
        return Stamps().changed(plan.files, plan.folders, plan.exports) is None

    def _from_cache(self, key: str) -> Kept | None:
        packed = self._cache.get("plan", key)
        if packed is None:
            return None
        try:
            return _kept.decode(packed)
        except ValueError:
            return None

    def keep(self, target: Target, kept: Kept, *, lasting: bool) -> None:
        """Remember a plan; ``lasting`` also for the next start."""
        key = self.key(target)
        if key is not None and lasting:
            self._plans[key] = kept
            self._cache.put("plan", key, msgspec.msgpack.encode(kept))


def result_key(kept: Kept) -> str:
    """What a plan's result is kept by: everything that the compiler reads, and our own code."""
    plan = kept.plan
    parts: list[bytes | str] = [kept.toolchain.version, *plan.words, "env"]
    parts += [f"{name}={value}" for name, value in sorted(plan.env.items())]
    for name, content in sorted(plan.written.items()):
        parts += [name, content]
    for source in plan.sources:
        parts += [source.path, source.digest]
    parts += [f"{path}={folder}" for path, folder in sorted(plan.paths.items())]
    # A profile is named in the command, what it says is not.
    parts += [f"{file.path} {file.stamp}" for file in plan.files if file.path.endswith(".pgo")]
    return key_of(parts)
