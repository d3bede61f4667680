"""The command as a user calls it, in this process, and a fast encoder."""

from collections.abc import Callable
from typing import NamedTuple

import pytest

from crscore_cli import main
from crscore_eval.run import BatchOptions
from tests.crscore_eval.run.corpus import word_setup


class Ended(NamedTuple):
    """Exit status, standard output and standard error of a command."""

    status: int
    output: str
    errors: str


Command = Callable[..., Ended]


@pytest.fixture
def crscore(capsys: pytest.CaptureFixture[str]) -> Command:
    """Run a command and return how it ended."""

    def run(*arguments: object) -> Ended:
        with pytest.raises(SystemExit) as ended:
            main([*map(str, arguments)])
        captured = capsys.readouterr()
        return Ended(int(ended.value.code or 0), captured.out, captured.err)

    return run


@pytest.fixture
def word_encoder(monkeypatch: pytest.MonkeyPatch) -> None:
    """Score files with a bag of words for an encoder."""
    monkeypatch.setattr(BatchOptions, "setup", lambda _: word_setup())
