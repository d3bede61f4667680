"""Roles of columns: ratings, labels, and columns of the file's own."""

import csv
from pathlib import Path

import pytest

from crscore_eval.table import ColumnRole, ReviewRow, decide_layout, read_reviews


def written(tmp_path: Path, **columns: list[str]) -> Path:
    """A CSV file with these columns next to a diff and a review."""
    path = tmp_path / "reviews.csv"
    with path.open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["diff", "review", *columns])
        rows.writerows(["d", "r", *cells] for cells in zip(*columns.values(), strict=True))
    return path


def report(path: Path) -> dict[str, ColumnRole]:
    """The role of each column of a file."""
    return {column.column: column for column in decide_layout(path).roles}


@pytest.mark.parametrize(
    ("column", "cells", "read_as", "kind"),
    [
        ("score", ["1", "5", "3.5"], "human_relevance", "rating"),
        ("score", ["1", "10"], "label_score", "label"),
        ("score", ["0.2", "0.9"], "label_score", "label"),
        ("human_relevance", ["0", "3"], "label_human_relevance", "label"),
        ("Human Conciseness", ["2", ""], "human_conciseness", "rating"),
        ("comprehensiveness", ["4", "n/a"], "human_comprehensiveness", "rating"),
        ("conciseness", ["0.5", "1"], "label_conciseness", "label"),
        ("human_accuracy", ["1", "2"], "label_human_accuracy", "label"),
        ("rating", ["good", "bad"], "rating", "text"),
        ("rating", ["4,5", "3"], "human_relevance", "rating"),
        ("rating", ["4", "3", "unsure"], "human_relevance", "rating"),
        ("label_right", ["yes", "no"], "label_right", "label"),
        ("outcome_resolved", ["true", "false"], "label_outcome_resolved", "label"),
        ("label_kind", ["bug", "style"], "file_label_kind", "text"),
        ("judge_gpt_right", ["0.5", ""], "judge_gpt_right", "number"),
        ("metric_bleu", ["0.5", "0.1"], "metric_bleu", "number"),
        ("duration", ["12", "7.5"], "duration", "number"),
        ("stars", ["1,234", "5"], "stars", "text"),  # a thousand, or a decimal comma
        ("share", ["0,125", "0,5"], "share", "number"),
        ("repository", ["a", "b"], "repository", "text"),
        ("usefulness", ["1", "5", "4"], "label_worth", "rating"),
        ("my_rating", ["1", "5", ""], "human_relevance", "rating"),
        ("Usefulness (1-5)", ["2", "3"], "label_worth", "rating"),
        ("Quality Score", ["2", "3.5"], "human_relevance", "rating"),
        ("usefulness", ["1", "5", "4", "9"], "label_worth", "rating"),
        ("usefulness", ["1", "10", "7", "8"], "label_usefulness", "label"),
        ("weight", ["1", "5", "4"], "weight", "number"),
        ("rating", ["1", "5", "4", "3", "9"], "human_relevance", "rating"),
        ("rating", ["1", "5", "4", "3", "yes"], "human_relevance", "rating"),
        ("rating", ["1", "8", "7", "3"], "label_rating", "label"),
        ("correct", ["true", "false"], "label_correct", "label"),
        ("label", ["yes", "no", ""], "label_label", "label"),
        ("True claim?", ["Yes", "NO"], "label_True claim?", "label"),
        ("correct", ["yes", "no", "yes", "unsure"], "label_correct", "label"),
        ("correct", ["yes", "style", "bug", "style"], "correct", "text"),
        ("zip", ["007", "012"], "zip", "text"),
        ("sha", [str(2**60), "1"], "sha", "text"),
        ("sentences", ["a", "b"], "file_sentences", "text"),
        ("tau", ["0.1", "0.2"], "file_tau", "number"),
    ],
)
def test_the_name_and_the_cells_of_a_column_decide_what_it_is_read_as(
    column: str, cells: list[str], read_as: str, kind: str, tmp_path: Path
) -> None:
    path = written(tmp_path, **{column: cells})
    assert (report(path)[column].read_as, report(path)[column].kind) == (read_as, kind)
    rows = list(read_reviews(path, decide_layout(path)))
    assert len(rows) == len(cells)  # no row is rejected for its rating
    assert all(isinstance(row, ReviewRow) and read_as in row.extra for row in rows)


def test_ratings_and_labels_become_numbers_or_blanks(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        score=["10", "", "7"],
        rating=["4,5", "cannot tell", "what?"],
        label_right=["Yes", "FAIL", "-"],
        note=["", "x", "nan"],
    )
    rows = read_reviews(path, decide_layout(path))
    assert [row.extra for row in rows if isinstance(row, ReviewRow)] == [
        {"label_score": 10, "human_relevance": 4.5, "label_right": 1, "note": ""},
        {"label_score": None, "human_relevance": None, "label_right": 0, "note": "x"},
        {"label_score": 7, "human_relevance": None, "label_right": None, "note": "nan"},
    ]


def test_of_two_rating_columns_one_holds_the_ratings_and_one_becomes_a_label(
    tmp_path: Path,
) -> None:
    path = written(tmp_path, score=["1", "5"], human_relevance=["2", "3"])
    assert {name: column.read_as for name, column in report(path).items()} == {
        "diff": "diff",
        "review": "review",
        "score": "label_score",
        "human_relevance": "human_relevance",
    }


def test_a_chosen_column_of_ratings_on_another_scale_is_a_label(tmp_path: Path) -> None:
    path = written(tmp_path, grade=["90", "100"], score=["2", "3"])
    read_as = [column.read_as for column in decide_layout(path, {"relevance": "grade"}).roles]
    assert read_as == ["diff", "review", "label_grade", "label_score"]


def test_a_cell_without_claims_is_blank_for_the_layout_and_for_the_row(tmp_path: Path) -> None:
    path = written(tmp_path, claims=["none", "n/a", "a loop is removed", " - "])
    layout = decide_layout(path)
    rows = [row for row in read_reviews(path, layout) if isinstance(row, ReviewRow)]
    assert [row.claims is None for row in rows] == [True, True, False, True]


def test_reports_what_is_left_blank(tmp_path: Path) -> None:
    path = written(tmp_path, rating=["1", "2", "3", "unsure"])
    rating = report(path)["rating"]
    assert (rating.filled, "1" in rating.note) == (4, True)


def test_a_cell_off_the_scale_is_blank_and_its_row_is_named(tmp_path: Path) -> None:
    path = written(tmp_path, rating=["1", "9", "3", "4"], useful=["5", "4", "yes", "2"])
    assert "row 3" in report(path)["rating"].note
    assert "row 4" in report(path)["useful"].note
    rows = read_reviews(path, decide_layout(path))
    extra = [row.extra for row in rows if isinstance(row, ReviewRow)]
    assert [[*cells.values()] for cells in extra] == [[1, 5], [None, 4], [3, None], [4, 2]]


def test_numbers_that_are_neither_ratings_nor_labels_are_named(tmp_path: Path) -> None:
    path = written(tmp_path, weight=["1", "2"], metric_bleu=["0.1", "0.2"])
    assert [bool(report(path)[name].note) for name in ("weight", "metric_bleu")] == [True, False]


def test_a_rating_column_with_words_is_a_label_for_that_reason(tmp_path: Path) -> None:
    path = written(tmp_path, rating=["4", "3", "yes"])
    assert "words" in report(path)["rating"].note
