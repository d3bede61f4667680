"""Data by name, and the examples of the Score page."""

import json
from pathlib import Path
from shutil import copytree

import pytest

from crscore_core.errors import InputError
from crscore_eval.data.examples import example_ratings, load_examples
from crscore_eval.data.ratings import Question, Ratings
from crscore_eval.data.shipped import SHIPPED_RUN, shipped_run
from crscore_eval.data.sources import KINDS, open_data
from crscore_eval.table.one_review import review_score
from tests.crscore_core.changes import PYTHON


def test_study_is_the_shipped_run() -> None:
    assert open_data("study").reviews["id"].tolist() == shipped_run().reviews["id"].tolist()


def test_file_of_reviews_is_scored(tmp_path: Path) -> None:
    file = tmp_path / "reviews.jsonl"
    file.write_text(json.dumps({"id": "1", "diff": PYTHON, "review": "Why is [] returned?"}))
    run = open_data(str(file))
    assert run.reviews["relevance"].notna().all()
    assert "human_relevance" not in run.reviews


@pytest.mark.parametrize("name", ["nowhere", "", "stud"])
def test_rejects_unknown_data(name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path / "empty")
    with pytest.raises(InputError):
        open_data(name)


def test_rejects_a_name_of_shipped_data_and_of_a_run(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    copytree(SHIPPED_RUN, tmp_path / "study")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match=r"\./study"):
        open_data("study")
    assert len(open_data("./study").reviews) == len(shipped_run().reviews)


def test_kinds_have_six_reviews_of_each_commit() -> None:
    rows = [json.loads(line) for line in KINDS.read_text(encoding="utf-8").splitlines()]
    assert len(rows) == 144
    assert len({row["change"] for row in rows}) == 24
    assert {name for row in rows for name in row if name.startswith("label_")} == {
        "label_on_topic", "label_right", "label_worth",
    }  # fmt: skip


def test_examples_of_the_study_come_with_scores_and_ratings() -> None:
    examples = load_examples()
    of_study = {name: example for name, example in examples.items() if example.rows}
    assert of_study
    for example in of_study.values():
        assert len(example.rows) == len(example.reviews)
        assert example_ratings(example).between(1, 5).all()
        scores = [review_score(shipped_run(), row) for row in example.rows]
        assert [score.review for score in scores] == list(example.reviews.values())


def test_score_of_a_row_is_that_of_the_table() -> None:
    run = shipped_run()
    for row in range(0, len(run.reviews), 300):
        score, expected = review_score(run, row), run.reviews.iloc[row]
        assert score.relevance == pytest.approx(expected["relevance"], nan_ok=True)
        at_one = review_score(run, row, tau=1.0)
        assert not at_one.relevance


def test_ratings_of_a_run_are_joined_when_it_is_opened(tmp_path: Path) -> None:
    copytree(SHIPPED_RUN, tmp_path / "run")
    review = shipped_run().reviews.iloc[0]
    question = Question(review["id"], "relevance", (1, 2, 3, 4, 5))
    Ratings(tmp_path / "run").give("ann", question, 1)
    rated = open_data(str(tmp_path / "run")).reviews.iloc[0]
    assert rated["label_relevance_given_here"] == 1
    assert rated["human_relevance"] == review["human_relevance"]
