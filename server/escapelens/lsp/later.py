"""Modules that nobody needs before ``initialize`` is answered: loaded when they are first used."""

from __future__ import annotations

import importlib.util
import sys
from types import ModuleType


def later(name: str) -> ModuleType:
    """A module that is loaded by the first look at one of its names. Raises ImportError if there is none."""
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.find_spec(name)
    if spec is None or spec.loader is None:
        raise ImportError(f"there is no module {name}")
    loader = importlib.util.LazyLoader(spec.loader)
    spec.loader = loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    loader.exec_module(module)
    return module
