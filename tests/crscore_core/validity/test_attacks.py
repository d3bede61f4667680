"""Attacks on metrics: each is made as it says, and counted by changes."""

import base64

import numpy as np
import pytest
from crscore_core.validity.attacks import ATTACKS, HONEST, Target, attack_results, attacked

from crscore_core.corpus.comparison import ComparedChange, compare_corpus
from crscore_core.corpus.model import CorpusReview, Ratings
from crscore_core.datasets.labelled import data_of_comparison
from crscore_core.errors import DatasetError
from crscore_core.scoring.references import PseudoReference, ReferenceKind
from crscore_core.validity.metric_columns import MetricColumn
from tests.word_encoder import WordEncoder

CLAIMS = ("The retries are 5 now.", "A timeout is added")
TARGET = Target("", CLAIMS, ("retries = 5", "wait(timeout)"), "Why 5? Please explain.", "Other.")


@pytest.mark.parametrize(
    ("attack", "text"),
    [
        ("empty", ""),
        ("the claims", "The retries are 5 now. A timeout is added."),
        ("claims in base64", base64.b64encode(TARGET.joined_claims.encode()).decode()),
        ("the added lines", "retries = 5\nwait(timeout)"),
        ("identifiers", "retries, wait, timeout"),
        ("inline code", "`retries = 5` `wait(timeout)`"),
        ("one giant sentence", "The retries are 5 now, A timeout is added"),
        (
            "negated claims",
            "It is not true that The retries are 5 now. It is not true that A timeout is added.",
        ),
        ("another change's review", "Other."),
        ("claims, one word changed", "The retries are 5 never. A timeout was added."),
        (
            "honest, claims in a comment",
            "Why 5? Please explain.\n<!-- The retries are 5 now. A timeout is added. -->",
        ),
        ("honest, with identifiers", "Why 5? Please explain: retries, wait, timeout"),
    ],
)
def test_an_attack_is_what_its_name_says(attack: str, text: str) -> None:
    assert ATTACKS[attack](TARGET) == text


def test_long_attacks_are_long() -> None:
    assert ATTACKS["10,000 sentences"](TARGET).count("\n") == 9_999
    assert ATTACKS["one claim fifty times"](TARGET).split("\n") == [CLAIMS[0]] * 50
    assert sorted(ATTACKS["shuffled claims"](TARGET).split()) == sorted(
        TARGET.joined_claims.split()
    )


def test_wins_and_gains_are_counted_by_change() -> None:
    diff = "@@ -1 +1 @@\n-retries = 3\n+retries = 5\n"
    reference = PseudoReference("The retries are 5.", ReferenceKind.CLAIM, "given", None, None)
    pairs = [
        (
            ComparedChange(f"{number}", "python", diff, (reference,)),
            [
                CorpusReview(f"{number}/good", "good", "Why 5?", Ratings(relevance=4.0)),
                CorpusReview(f"{number}/best", "best", f"Why 5, {number}?", Ratings(relevance=5.0)),
                CorpusReview(f"{number}/bad", "bad", "lol", Ratings(relevance=1.0)),
            ],
        )
        for number in range(3)
    ]
    comparison = compare_corpus("given", pairs, WordEncoder())
    data = attacked(comparison, WordEncoder())
    honest = [review.text for review in data.reviews.reviews if review.system == HONEST]
    assert honest == [f"Why 5, {number}?" for number in range(3)]
    values = np.zeros(len(data.reviews.reviews))
    system = np.array([review.system for review in data.reviews.reviews])
    values[system == HONEST] = [0.5, 0.5, 0.2]
    values[system == "the claims"] = [0.8, 0.5, 0.1]
    values[system == "empty"] = np.nan
    results = {of.attack: of for of in attack_results(data, [MetricColumn("rel", values, 0)])}
    claims, empty = results["the claims"], results["empty"]
    assert claims.wins.value == pytest.approx((1 + 0.5 + 0) / 3)
    assert claims.gain.value == pytest.approx((0.3 + 0 - 0.1) / 3)
    assert (claims.changes, claims.unscored) == (3, 0)
    assert (empty.wins.value, empty.gain.value, empty.unscored) == (0, None, 3)
    doubled = data_of_comparison(
        "twice", compare_corpus("given", [(pairs[0][0], [pairs[0][1][0]] * 2)], WordEncoder())
    )
    with pytest.raises(DatasetError, match="each attack once"):
        attack_results(doubled, [MetricColumn("rel", np.zeros(2), 0)])
    unrated = compare_corpus("given", [(pairs[0][0], pairs[0][1][2:])], WordEncoder())
    with pytest.raises(DatasetError, match="two changes or more that have a review"):
        attacked(unrated, WordEncoder())
