"""What systems and the options of a list are called, and figures in words."""

from pathlib import Path

import pytest

from crscore_core.corpus.model import GROUND_TRUTH
from crscore_core.statistics import Interval
from pages.components.names import between, distinct, number, system_name
from pages.components.source.load import study_source
from pages.components.source.model import Source, SourceKind
from tests.crscore_core.datasets.study.made_comparison import Made, made_comparison


def imported() -> Source:
    return Source.of(SourceKind.FILE, "mine", "", made_comparison(Made(0, (1, 1, 1), [[0.5]])))


def test_only_the_study_s_systems_have_names_in_the_paper(study_dir: Path) -> None:
    study = study_source(str(study_dir))
    assert system_name(study, "gpt3.5") == "GPT-3.5"
    assert system_name(study, GROUND_TRUTH) == "Ground Truth"
    assert system_name(study, "mine") == "mine"
    assert system_name(imported(), "gpt3.5") == "gpt3.5"


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ([], []),
        (["a", "b"], ["a", "b"]),
        (["a", "b", "a", "a"], ["a (1)", "b", "a (2)", "a (3)"]),
        (["a", "a (1)", "a"], ["a (2)", "a (1)", "a (3)"]),
        (["a", "a", "a (1)", "a (1)"], ["a (2)", "a (3)", "a (1) (1)", "a (1) (2)"]),
    ],
)
def test_no_two_options_have_the_same_name(names: list[str], expected: list[str]) -> None:
    assert distinct(names) == expected
    assert len(set(expected)) == len(names)


def test_figures_and_intervals_in_words() -> None:
    assert (number(0.12345), number(0.12345, 1), number(None)) == ("0.123", "0.1", "–")
    assert between(Interval(0.1, 0.25, 0.95)) == "0.100 to 0.250"
    assert between(Interval(1.0, 3.0, 0.95), 0) == "1 to 3"
    assert (between(None), between(None, nothing="")) == ("–", "")
