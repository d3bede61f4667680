"""A faulty server for each test."""

import os
from collections.abc import Iterator

import pytest

from tests.crscore_core.claims.llm.endpoint.faulty_server import FaultyServer, faulty

_VARIABLES = ("OPENAI_", "CRSCORE_CLAIMS_")


@pytest.fixture
def server() -> Iterator[FaultyServer]:
    """A server with the faults planned by a test."""
    with faulty() as server:
        yield server


@pytest.fixture(autouse=True)
def _own_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ignore settings of this machine, and make no pauses between retries."""
    for name in list(os.environ):
        if name.startswith(_VARIABLES):
            monkeypatch.delenv(name)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1,localhost")
    monkeypatch.setattr("openai._base_client.INITIAL_RETRY_DELAY", 0.001)
