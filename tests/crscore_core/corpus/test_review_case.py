"""One review at one threshold, by hand."""

import pytest

from crscore_core.corpus.review_case import review_case
from tests.crscore_core.corpus.made_reviews import made


def test_sentences_and_references_are_read_at_tau() -> None:
    case = review_case(made(), 4, 0.25)
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


def test_a_similarity_equal_to_tau_is_no_match() -> None:
    case = review_case(made(), 0, float(made().reviews[0].similarity[1, 0]))
    assert not case.is_match.any()


@pytest.mark.parametrize("position", range(5))
def test_scores_are_those_of_the_whole_corpus(position: int) -> None:
    for tau in (0.0, 0.25, 0.85):
        of_all = made().scores([tau])[:, 0, position]
        assert list(review_case(made(), position, tau).scores.values()) == pytest.approx(of_all)


def test_a_review_without_sentences_covers_nothing() -> None:
    case = review_case(made(), 3, 0.25)
    assert case.sentences == ()
    assert [(one.is_covered, one.best_similarity) for one in case.references] == [(False, None)]
    assert set(case.scores.values()) == {0.0}
