"""The command as users call it, run in this process and in a test's folder, and a fast encoder."""

import json
import re
import shlex
from collections.abc import Callable
from itertools import cycle, product
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from crscore_cli import main
from crscore_eval.run.parts import BatchOptions
from tests.crscore_core.claims.llm.scripted_model import ScriptedModel
from tests.crscore_eval.run.corpus import word_scorer


class Ended(NamedTuple):
    """Exit status, standard output and standard error of a command."""

    status: int
    output: str
    errors: str

    @property
    def json(self) -> Any:  # noqa: ANN401 - JSON
        return json.loads(self.output)


Command = Callable[[str], Ended]


def expanded(lines: str) -> list[str]:
    """Expand the alternatives in brackets: `rank [a|b]` becomes `rank a` and `rank b`."""
    parts = (re.split(r"\[([^]]*\|[^]]*)\]", line) for line in lines.strip().splitlines())
    choices = (
        [part.split("|") if at % 2 else [part] for at, part in enumerate(of)] for of in parts
    )
    return ["".join(chosen) for each in choices for chosen in product(*each)]


def judge(*grades: int) -> ScriptedModel:
    """A language model that cycles through these grades of worth."""
    answers = cycle(f'{{"findings": [], "worth": {grade}, "relevance": 1}}' for grade in grades)
    return ScriptedModel(lambda _: next(answers))


@pytest.fixture(autouse=True)
def _folder_of_the_test(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")


@pytest.fixture
def crscore(capsys: pytest.CaptureFixture[str]) -> Command:
    """Run a command line, without the word crscore, and return its outcome."""

    def run(line: str) -> Ended:
        with pytest.raises(SystemExit) as ended:
            main(shlex.split(line))
        captured = capsys.readouterr()
        return Ended(int(ended.value.code or 0), captured.out, captured.err)

    return run


@pytest.fixture
def word_encoder(monkeypatch: pytest.MonkeyPatch) -> None:
    """Score files with a bag-of-words encoder."""
    monkeypatch.setattr(BatchOptions, "scorer", lambda options: word_scorer(options.tau))
