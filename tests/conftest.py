"""Tests never use the user's own cache."""

from __future__ import annotations

import os
import tempfile

import pytest


def pytest_configure(config: pytest.Config) -> None:
    folder = tempfile.TemporaryDirectory(prefix="escapelens-cache-")
    config.add_cleanup(folder.cleanup)
    os.environ["ESCAPELENS_CACHE"] = folder.name
