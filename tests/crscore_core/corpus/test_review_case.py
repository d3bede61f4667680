"""One review at one threshold, by hand."""

import numpy as np
import pytest

from crscore_core.corpus.model import DIMENSIONS
from crscore_core.corpus.review_case import review_case
from crscore_core.scoring import metric
from tests.crscore_core.corpus.made_reviews import made

COMPARISON = made()


def test_sentences_and_references_are_read_at_tau() -> None:
    case = review_case(COMPARISON, 4, 0.25)
    # Rows .9 .1, .1 .3, .2 .2: each column exceeds .25, and the first two rows do.
    assert [one.on_topic for one in case.sentences] == [True, True]
    assert [one.best_reference for one in case.sentences] == [0, 1]
    assert [one.is_covered for one in case.references] == [True, True, False]
    assert case.references[1].best_similarity == pytest.approx(0.3)
    assert case.scores == pytest.approx(
        {"conciseness": 1, "comprehensiveness": 2 / 3, "relevance": 0.8}
    )
    assert case.is_match.tolist() == [[True, False], [False, True], [False, False]]
    assert case.change.id == "c"


def test_a_review_without_sentences_covers_nothing_and_has_no_score() -> None:
    case = review_case(COMPARISON, 3, 0.25)
    assert case.sentences == ()
    assert [(one.is_covered, one.best_similarity) for one in case.references] == [(False, None)]
    assert set(case.scores.values()) == {None}
    scored = [*DIMENSIONS, "no_threshold"]
    unscored = np.isnan(COMPARISON.frame(0.25, is_shown=True)[scored].to_numpy()).all(axis=1)
    assert unscored.tolist() == [False] * 3 + [True, False]
    counted = COMPARISON.frame(0.25)[scored].to_numpy()
    assert counted[3].tolist() == [0.0] * 4  # as the paper's tables count it
    assert counted[4, 3] == pytest.approx(metric.no_threshold(COMPARISON[4].similarity).relevance)
