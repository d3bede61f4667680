"""The command as a user calls it, in this process, and a fast encoder."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import pytest

from crscore_cli import main
from crscore_core.claims import Answer
from crscore_eval.run.parts import BatchOptions
from tests.crscore_eval.run.corpus import word_scorer


class Ended(NamedTuple):
    """Exit status, standard output and standard error of a command."""

    status: int
    output: str
    errors: str


Command = Callable[..., Ended]


class Model:
    """A language model that gives these grades of worth, the last one again and again."""

    name = "scripted"

    def __init__(self, *grades: int) -> None:
        self._grades = [*grades]

    def count_tokens(self, text: str) -> int:
        return len(text)

    def answer(self, prompts: Sequence[str], _: object) -> list[Answer]:
        grade = self._grades.pop(0) if len(self._grades) > 1 else self._grades[0]
        answer = f'{{"findings": [], "worth": {grade}, "relevance": 1}}'
        return [Answer(answer)] * len(prompts)


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
    monkeypatch.setattr(BatchOptions, "scorer", lambda _: word_scorer())
