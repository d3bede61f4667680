"""Ratings: answers are kept and joined with the file's ratings; questions come in a blind order."""

import itertools
from pathlib import Path

import pandas as pd
import pytest

from crscore_core.errors import InputError
from crscore_eval.data.ratings import (
    CANNOT_TELL,
    METRIC_QUESTIONS,
    QUALITY_QUESTIONS,
    Question,
    Ratings,
    describe_agreement,
    describe_ratings,
    next_question,
    rating_progress,
    with_ratings,
)
from crscore_eval.table import ANSWER_COLUMNS, Run

MODES = pytest.mark.parametrize("questions", [QUALITY_QUESTIONS, METRIC_QUESTIONS])


def _run(n_changes: int = 5, **columns: list[float]) -> Run:
    """Two systems reviewed each change; the first review states nothing, the last is empty."""
    rows = [(f"{at}/{system}", f"{at}", system) for at in range(n_changes) for system in "ab"]
    reviews = pd.DataFrame(rows, columns=["id", "change", "system"])
    reviews["n_sentences"] = [0] + [1] * (len(rows) - 2) + [0]
    reviews["review"] = ["---"] + ["text"] * (len(rows) - 2) + ["\n"]
    reviews = reviews.assign(n_pseudo_references=2).assign(**columns)
    return Run(reviews, pd.DataFrame(), {})


def _joined(run: Run, folder: Path, *given: tuple[str, str, str, int]) -> Run:
    """The run joined with answers; each is a rater, a review, a question and a value."""
    for rater, review, question, value in given:
        Ratings(folder).give(rater, Question(review, question, ()), value)
    return with_ratings(run, Ratings(folder).answers())


@MODES
def test_asks_every_question_one_change_at_a_time(
    tmp_path: Path, questions: tuple[str, ...]
) -> None:
    run, ratings, asked = _run(), Ratings(tmp_path), list[Question]()
    first = next_question(run, ratings.answers(), "ann", questions)
    for name in {*QUALITY_QUESTIONS, *METRIC_QUESTIONS} - {*questions}:
        ratings.give("ann", Question("3/a", name, ()), 1)  # answers of the other mode do not count
    while question := next_question(run, ratings.answers(), "ann", questions):
        ratings.give("ann", question, 3 if 3 in question.values else question.values[0])
        asked.append(question)
    assert asked[0] == first
    assert [question.name for question in asked] == list(questions) * 9
    assert len(set(asked)) == len(asked)
    assert rating_progress(run, ratings.answers(), "ann", questions) == (9, 9)
    changes = [question.id.split("/")[0] for question in asked]
    assert len([*itertools.groupby(changes)]) == 5


@MODES
def test_a_review_is_rated_if_every_question_is_answered(
    tmp_path: Path, questions: tuple[str, ...]
) -> None:
    run, ratings = _run(), Ratings(tmp_path)
    for name in questions:
        assert rating_progress(run, ratings.answers(), "ann", questions) == (0, 9)
        ratings.give("ann", Question("0/a", name, ()), 1)
    assert rating_progress(run, ratings.answers(), "ann", questions) == (1, 9)


def test_only_questions_about_pseudo_references_need_them(tmp_path: Path) -> None:
    run = _run(2, n_pseudo_references=[2, 0, 2, 0])
    answers = Ratings(tmp_path).answers()
    assert rating_progress(run, answers, "ann", QUALITY_QUESTIONS) == (0, 3)
    assert rating_progress(run, answers, "ann", METRIC_QUESTIONS) == (0, 2)


def test_raters_share_their_first_change_and_then_split_the_rest(tmp_path: Path) -> None:
    run, ratings = _run(), Ratings(tmp_path)
    changes: dict[str, list[str]] = {"ann": [], "bob": [], "dan": []}
    for rater, seen in changes.items():
        for _ in range(4 * len(QUALITY_QUESTIONS)):
            question = next_question(run, ratings.answers(), rater)
            assert question
            seen.append(question.id.split("/")[0])
            ratings.give(rater, question, question.values[0])
    first, last = zip(*((seen[0], seen[-1]) for seen in changes.values()), strict=True)
    assert len({*first}) == 1 < len({*last}) == len(changes)


def test_rating_is_the_mean_of_all_raters_who_can_tell(tmp_path: Path) -> None:
    given = [(rater, "0/a", "relevance", value) for rater, value in (("ann", 1), ("bob", 4))]
    given += [("ann", "0/a", "right", CANNOT_TELL), ("bob", "0/a", "right", 1)]
    joined = _joined(_run(1), tmp_path, *given)
    assert joined.reviews["label_right"].dropna().tolist() == [1]
    assert joined.reviews["human_relevance"].dropna().tolist() == [2.5]
    raters = joined.reviews[["label_relevance:ann", "label_relevance:bob"]].dropna()
    assert raters.to_numpy().tolist() == [[1, 4]]


def column(rater: str, *cells: float | None) -> dict[str, list[float | None]]:
    return {f"label_worth:{rater}": [*cells]}


@pytest.mark.parametrize(("columns", "words"), [
    ({}, ""),
    (column("a", None, None, None, None), ""),
    (column("a", 1, 2, 3, 4), "raters of worth: a (4); no review has two"),
    (column("a", 1, 2, None, None) | column("b", None, None, 3, 4), "b (2); no review has two"),
    (column("a", 1, 1, None, 4) | column("b", 1, 1, 3, None),
     "2 reviews of 1 change with several: undefined, since all these ratings are equal"),
    (column("a", 1, 1, 2, 3) | column("b", 1, 2, 3, 4), ": 0.720 (an interval needs 6 changes)"),
])  # fmt: skip
def test_the_agreement_of_raters_or_why_it_is_unknown_is_described(
    columns: dict[str, list[float | None]], words: str
) -> None:
    # The last: 3, 2, 2 and 1 ratings of 1 to 4 have the middles 1.5, 4, 6 and 7.5, so the squared
    # distances of the pairs are 0, 6.25, 4 and 2.25; 8 * (3 * 2.5² + 2 * 2² + 3.5²) = 312 and
    # 1 - 7 * 12.5 / 312 = 0.720.
    reviews = _run(2).reviews.join(pd.DataFrame(columns, dtype=float))
    found = describe_agreement(reviews, "worth")
    assert words in found
    assert bool(words) == bool(found)


@pytest.mark.parametrize("question", ANSWER_COLUMNS)
@pytest.mark.parametrize("n_answers", [1, 60])
def test_ratings_of_the_file_keep_their_name_and_are_never_averaged(
    tmp_path: Path, question: str, n_answers: int
) -> None:
    column, label = ANSWER_COLUMNS[question], f"label_{question}"
    run = _run(30, **dict.fromkeys((column, f"{label}:r1"), [2.0, 4.0] * 30))
    answered = run.reviews["id"][:n_answers]
    joined = _joined(run, tmp_path, *(("ann", review, question, 1) for review in answered))
    given = {f"{label}_given_here", f"{label}_given_here:ann"}
    assert {*joined.reviews.columns} - {*run.reviews.columns} == given
    for name in (column, f"{label}:r1"):
        assert joined.reviews[name].tolist() == [2, 4] * 30
    for name in given:
        assert joined.reviews[name].dropna().tolist() == [1] * n_answers
    words = describe_ratings(joined.reviews)
    for part in (f"people rated 60 for {question};", f"raters of {question}: r1 (60);",
                 f"raters of {question}_given_here: ann ({n_answers});"):  # fmt: skip
        assert part in words


def test_an_empty_column_of_the_file_takes_the_answers(tmp_path: Path) -> None:
    run = _run(1, label_worth=[float("nan")] * 2)
    joined = _joined(run, tmp_path, ("ann", "0/a", "worth", 4)).reviews
    assert joined["label_worth"].dropna().tolist() == [4]


def test_only_raters_of_systems_count(tmp_path: Path) -> None:
    run = _run(2, label_resolved=[1.0, 0.0] * 2)
    run.reviews["system"] = ["bot", "bot", "msg", "bot"]
    given = [("ann", "0/a", "worth", 1), ("cid", "1/b", "relevance", 1),
             ("bob", "1/a", "relevance", 1)]  # fmt: skip # the last is of a reference review
    words = describe_agreement(_joined(run, tmp_path, *given).reviews, "relevance")
    assert words.startswith("raters of relevance: cid (1);")


def test_last_answer_can_be_undone_and_changed(tmp_path: Path) -> None:
    run, ratings = _run(1), Ratings(tmp_path)
    question = next_question(run, ratings.answers(), "ann")
    assert question
    ratings.give("ann", question, 2)
    ratings.undo("ann")
    assert next_question(run, ratings.answers(), "ann") == question
    ratings.give("ann", question, 1)
    ratings.give("ann", question, 0)
    assert ratings.answers()["value"].tolist() == [0]


def test_rejects_a_damaged_file(tmp_path: Path) -> None:
    for name, value in (("worth", 9), ("worth", 0), ("right", 2), ("mood", 1)):
        (tmp_path / name).mkdir(exist_ok=True)
        Ratings(tmp_path / name).give("ann", Question("0", name, ()), value)
        with pytest.raises(InputError, match="damaged"):
            Ratings(tmp_path / name).answers()
    (tmp_path / "_ratings.sqlite").write_text("not a database")
    with pytest.raises(InputError):
        Ratings(tmp_path).answers()
