"""Agreement of a measure with people's ratings, next to simple metrics."""

from itertools import product

import numpy as np
import pytest

from crscore_eval.ranking.order import agreement_with_people, order_systems
from crscore_eval.ranking.verdict import verdict
from crscore_eval.table import Run
from tests.crscore_eval.ranking.runs_of_rows import run_of_rows

N_CHANGES = 14


def rated_run(follows: str) -> Run:
    """Return reviews of four systems whose ratings follow the score or the number of words.

    A fifth system only says LGTM: short, scored 0, rated 1.
    """
    random = np.random.default_rng(1)
    rows: list[dict[str, object]] = []
    for change, system in product(range(N_CHANGES), "abcd"):
        score, words = random.integers(4, 20) / 20, int(random.integers(5, 60))
        rating = {"score": 1 + 4 * score, "words": 1 + words / 15, "nothing": random.uniform(1, 5)}
        rows.append({"system": system, "change": change, "score": score,
                     "rating": rating[follows], "review": "word " * words})  # fmt: skip
    lgtm = {"system": "lgtm", "score": 0.0, "rating": 1.0, "review": "LGTM"}
    return run_of_rows(rows + [{**lgtm, "change": change} for change in range(N_CHANGES)])


def test_a_stored_simple_metric_is_compared_with_the_others_but_not_with_itself() -> None:
    run = rated_run("words")
    words = run.reviews["review"].map(lambda text: float(len(text.split())))
    run = run._replace(reviews=run.reviews.assign(metric_words=words))
    agreement = agreement_with_people(run, "metric_words")
    assert agreement is not None
    assert agreement["metric"].tolist() == ["words", "shared_identifiers"]
    text = " ".join(verdict(order_systems(run, "metric_words")))
    assert "The agreement of number of words with people's ratings of relevance has no" in text
    assert "than the number of words" not in text


@pytest.mark.parametrize(("follows", "against_chance", "claim"), [
    ("score", "has no interval",
     "agrees significantly better with people's ratings of relevance than the number"),
    ("words", "better than chance", "agrees significantly less"),
    ("nothing", "better than chance",
     "and the number of words do not differ significantly in agreement with people's"),
])  # fmt: skip
def test_a_verdict_compares_the_measure_with_the_number_of_words(
    follows: str, against_chance: str, claim: str
) -> None:
    order = order_systems(rated_run(follows))
    text = " ".join(verdict(order))
    rho = order.agreements["people"]["value"][0]
    assert against_chance in text
    assert f": Spearman's rho {rho:.3f}" in text
    assert f"Relevance {claim}" in text
    assert "after Holm's correction for 1 comparison)" in text
