"""One change that a user entered: an edited review, a saved run, and a run's name."""

from pathlib import Path

import pytest

from crscore_core import CRScorer
from crscore_core.errors import InputError
from crscore_eval.run.folder import MAX_NAME, open_run, read_settings, rename_run
from crscore_eval.run.own_change import edited_score, save_scores
from crscore_eval.table import run_signature
from tests.crscore_core.changes import PYTHON
from tests.word_encoder import WordEncoder

REVIEWS = ["The bare except hides every error. Thanks!", ""]
SCORER = CRScorer(encoder=WordEncoder(), tau=0.3)


def test_an_edited_review_has_the_score_of_its_text() -> None:
    first = SCORER.score(PYTHON, "Thanks!")
    edited = edited_score(first, REVIEWS[0], WordEncoder())
    expected = SCORER.score(PYTHON, REVIEWS[0])
    assert edited.to_dict() == expected.to_dict()
    assert edited.relevance != first.relevance


def test_saved_scores_are_those_of_the_run(tmp_path: Path) -> None:
    scores = SCORER.score_many(PYTHON, REVIEWS)
    folder = tmp_path / "runs" / "mine"
    save_scores(folder, scores, ["ann", "bob"], (PYTHON, ""))
    run = open_run(folder)
    assert run.reviews["system"].tolist() == ["ann", "bob"]
    assert run.reviews["relevance"].iloc[0] == scores[0].relevance
    assert run.reviews["warnings"].map(list).tolist() == [list(one.warnings) for one in scores]
    assert str(run_signature(run.settings)) == str(scores[0].signature)


def test_a_run_is_renamed_and_a_blank_name_is_refused(tmp_path: Path) -> None:
    save_scores(tmp_path / "run", [SCORER.score(PYTHON, REVIEWS[0])], ["a"], (PYTHON, ""))
    before = read_settings(tmp_path / "run")
    rename_run(tmp_path / "run", " a \n b " + "x" * MAX_NAME)
    after = read_settings(tmp_path / "run")
    assert after["name"] == ("a b " + "x" * MAX_NAME)[:MAX_NAME]
    assert {**after, "name": ""} == {**before, "name": ""}
    with pytest.raises(InputError):
        rename_run(tmp_path / "run", " \n")
