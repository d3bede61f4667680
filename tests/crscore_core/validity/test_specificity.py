"""Specificity of pseudo-references to their change, by hand."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from crscore_core.corpus.comparison import CorpusComparison
from crscore_core.corpus.model import GROUND_TRUTH
from crscore_core.scoring import Embeddings
from crscore_core.statistics import ClusterBootstrap
from crscore_core.validity.specificity import specificity
from tests.crscore_core.datasets.study.made_comparison import Made, made_comparison

Row = tuple[int, int, str, tuple[str, ...], tuple[str, ...]]


class Angles:
    """Encodes a number as a direction in the plane, so that cosines are known."""

    name = "angles"

    def encode(self, texts: Sequence[str]) -> Embeddings:
        angles = np.radians([float(text) for text in texts])
        vectors = np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)
        return Embeddings(vectors, np.zeros(len(texts), np.bool_))


def compared(*reviews: Row) -> CorpusComparison:
    made = made_comparison(
        *(Made(change, (1, 1, rating), [[0.5]], system) for change, rating, system, _, _ in reviews)
    )
    changed = tuple(
        replace(one, references=references, sentences=sentences)
        for one, (_, _, _, references, sentences) in zip(made.reviews, reviews, strict=True)
    )
    return replace(made, reviews=changed)


# Change, relevance, system, angles of references and of sentences. Change 0 points to 0 degrees,
# change 1 to 60 and change 2 to 90.
THREE = (
    (0, 5, "gpt3.5", ("0",), ("10",)),  # its own is nearest: 2 of 2 fit worse
    (1, 4, "gpt3.5", ("60",), ("80",)),  # 90 is nearer, 0 is not: 1 of 2
    (2, 3, "gpt3.5", ("90",), ("0",)),  # not good
    (2, 5, GROUND_TRUTH, ("90",), ("0",)),  # does not count
)
# Every sentence has its reference, but one of four references alone has a sentence: the single
# reference of the other change, a bit off, fits better.
ONE_SIDED = (
    (0, 5, "gpt3.5", ("0", "90", "180", "270"), ("0",)),
    (1, 1, "gpt3.5", ("20",), ("200",)),
)
EQUAL = ((0, 5, "gpt3.5", ("0",), ("0",)), (1, 1, "gpt3.5", ("0",), ("0",)))


@pytest.mark.parametrize(
    ("reviews", "n_reviews", "better", "best"),
    [(THREE, 2, 3 / 4, 1 / 2), (ONE_SIDED, 1, 0, 0), (EQUAL, 1, 0, 0)],
)
def test_shares_equal_the_hand_calculation(
    reviews: tuple[Row, ...], n_reviews: int, better: float, best: float
) -> None:
    found = specificity(compared(*reviews), Angles(), ClusterBootstrap(3))
    assert found is not None
    assert found.reviews == n_reviews
    assert found.own_fits_better.value == pytest.approx(better)
    assert found.own_fits_best.value == pytest.approx(best)


def test_other_wordings_of_a_change_count() -> None:
    made = compared(*THREE)
    first, second, third = made.changes
    (reference,) = (replace(one, text="60", wordings=("80",)) for one in second.references)
    worded = replace(made, changes=(first, replace(second, references=(reference,)), third))
    found = specificity(worded, Angles(), ClusterBootstrap(3))
    assert found is not None
    assert found.own_fits_better.value == pytest.approx(1)  # 80 is nearer to 80 than 90 is


@pytest.mark.parametrize(
    "reviews",
    [
        [(0, 5, "gpt3.5", ("0",), ("0",))],
        [(0, 3, "gpt3.5", ("0",), ("0",)), (1, 3, "gpt3.5", ("0",), ("0",))],
        [(0, 5, "gpt3.5", ("0",), ()), (1, 3, "gpt3.5", ("0",), ("0",))],
    ],
)
def test_nothing_to_compare(reviews: list[Row]) -> None:
    assert specificity(compared(*reviews), Angles(), ClusterBootstrap(2)) is None
