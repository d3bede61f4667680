"""The command as a person calls it, in this process."""

from collections.abc import Callable
from typing import NamedTuple

import pytest

from crscore_cli import main


class Ended(NamedTuple):
    """Exit status, standard output and standard error of a command."""

    status: int
    output: str
    errors: str


Command = Callable[..., Ended]


@pytest.fixture
def crscore(capsys: pytest.CaptureFixture[str]) -> Command:
    def run(*arguments: object) -> Ended:
        with pytest.raises(SystemExit) as ended:
            main([*map(str, arguments)])
        captured = capsys.readouterr()
        return Ended(int(ended.value.code or 0), captured.out, captured.err)

    return run
