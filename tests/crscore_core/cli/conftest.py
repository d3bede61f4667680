"""The command line as a person runs it, within this process."""

import json
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from crscore_core.cli.main import main


class Finished(NamedTuple):
    """Exit status of a command, and what it wrote."""

    status: int
    out: str
    err: str

    @property
    def document(self) -> dict[str, Any]:
        """Printed JSON of a command that succeeded."""
        assert self.status == 0, self.err
        document: dict[str, Any] = json.loads(self.out)
        return document

    @property
    def complaint(self) -> str:
        """The one line on standard error with which bad input is refused; nothing else comes."""
        assert (self.status, self.out, self.err.count("\n")) == (2, "", 1), self
        return self.err


Crscore = Callable[..., Finished]


@pytest.fixture
def crscore(capsys: pytest.CaptureFixture[str]) -> Crscore:
    def run(*arguments: object) -> Finished:
        with pytest.raises(SystemExit) as stopped:
            main([str(argument) for argument in arguments])
        return Finished(int(stopped.value.code or 0), *capsys.readouterr())

    return run
