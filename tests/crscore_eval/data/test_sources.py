"""Data by name, and the score of a row."""

import json
from pathlib import Path
from shutil import copytree

import pytest

from crscore_core.errors import InputError
from crscore_eval.data.ratings import Question, Ratings
from crscore_eval.data.shipped import SHIPPED_RUN, shipped_run
from crscore_eval.data.sources import KINDS, open_data
from crscore_eval.run.parts import BatchOptions
from crscore_eval.table import decide_layout
from crscore_eval.table.one_review import review_score
from tests.crscore_eval.run.corpus import rows_of, word_scorer, write_rows


def test_opens_files_and_rejects_unknown_and_ambiguous_names(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(BatchOptions, "scorer", lambda options: word_scorer(options.tau))
    write_rows(tmp_path / "reviews.jsonl", rows_of(1))
    assert open_data("reviews.jsonl").reviews["relevance"].notna().any()
    for name in ("nowhere", "", "stud"):
        with pytest.raises(InputError):
            open_data(name)
    copytree(SHIPPED_RUN, tmp_path / "study")
    with pytest.raises(InputError, match=r"\./study"):
        open_data("study")
    review = shipped_run().reviews.iloc[0]
    Ratings(tmp_path / "study").give("ann", Question(review["id"], "relevance", (1, 2, 3)), 1)
    rated = open_data("./study").reviews
    assert len(rated) == len(shipped_run().reviews)
    assert rated["label_relevance_given_here"][0] == 1
    assert rated["human_relevance"][0] == review["human_relevance"]


def test_kinds_have_six_reviews_of_each_commit() -> None:
    rows = [json.loads(line) for line in KINDS.read_text(encoding="utf-8").splitlines()]
    assert len(rows) == 144
    assert len({row["change"] for row in rows}) == 24
    read_as = {role.read_as for role in decide_layout(KINDS).roles if role.kind == "label"}
    assert read_as == {"label_on_topic", "label_right_by_model", "label_worth_by_model"}


def test_the_score_of_a_row_equals_that_in_the_table() -> None:
    run = shipped_run()
    for row in range(0, len(run.reviews), 300):
        score, expected = review_score(run, row), run.reviews.iloc[row]
        assert score.relevance == pytest.approx(expected["relevance"], nan_ok=True)
        at_one = review_score(run, row, tau=1.0)
        assert not at_one.relevance
