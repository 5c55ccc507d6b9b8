"""Servers for tests; each is ended with its test or module."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.lsp.client import Server
from tests.lsp.gomod import environment, hello

Start = Callable[..., Server]

if os.name != "posix":
    collect_ignore_glob = ["test_*.py"]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Start servers with environment variables of their own, ended with the test."""
    servers: list[Server] = []

    def starter(**more: str) -> Server:
        servers.append(Server(environment(**more), tmp_path))
        return servers[-1]

    yield starter
    for server in servers:
        server.stop()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of fixtures/hello for one test module."""
    return hello(tmp_path_factory.mktemp("hello"))


@pytest.fixture(scope="module")
def greeted(folder: Path) -> Iterator[Server]:
    """A server with fixtures/hello open and analysed, for tests that only read."""
    server = Server(environment(), folder)
    options = {"codeLens": {"enable": True}}
    capabilities = {"window": {"showDocument": {"support": True}, "workDoneProgress": True}}
    server.initialize(folder, options=options, capabilities=capabilities)
    server.opened(folder / "user.go")
    yield server
    server.stop()


@pytest.fixture(scope="module")
def uri(folder: Path) -> str:
    """The URI of the file that is open in ``greeted``."""
    return (folder / "user.go").as_uri()
