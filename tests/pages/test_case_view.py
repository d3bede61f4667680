"""The parts of the view of one review."""

import math

import numpy as np

from crscore_core.corpus.review_case import review_case
from pages.components.case_view import (
    MOST_CELLS_A_SIDE,
    matrix_markup,
    reference_rows,
    score_rows,
    sentence_rows,
)
from tests.crscore_core.corpus.made_reviews import made
from tests.crscore_core.datasets.study.made_comparison import Made, made_comparison


def test_matches_are_framed_and_said() -> None:
    markup = str(matrix_markup(review_case(made(), 4, 0.25)))
    assert markup.count('class="typed-over"') == 2
    assert markup.count("match</span>") == 2
    assert ">0.90" in markup


def test_a_large_matrix_is_cut_and_says_so() -> None:
    large = made_comparison(Made(0, (1, 1, 1), np.full((60, 50), 0.5).tolist()))
    markup = str(matrix_markup(review_case(large, 0, 0.4)))
    assert markup.count("<td class=") == MOST_CELLS_A_SIDE**2
    assert "40 of 60 pseudo-references and 40 of 50 sentences" in markup


def test_tables_name_places_and_best_matches() -> None:
    case = review_case(made(), 4, 0.25)
    assert [row["covered"] for row in reference_rows(case)] == ["covered", "covered", "missed"]
    assert reference_rows(case)[1]["place"] == "f.py:1"
    assert [row["best match"] for row in sentence_rows(case)] == [1, 2]


def test_scores_stand_beside_ratings() -> None:
    rated = score_rows(review_case(made(), 0, 0.25), math.nan)
    assert [row["people, 1 to 5"] for row in rated] == ["not rated", "not rated", "5"]
    assert len(score_rows(review_case(made(), 0, 0.25), 0.4)) == 4
