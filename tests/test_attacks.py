"""Attacks of `benchmarks.attacks`: each is made as it says, and counted by changes."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from crscore_core.corpus.model import Corpus, CorpusChange, CorpusReview, Ratings
from crscore_core.corpus.score import score_corpus

from benchmarks.attacks import ATTACKS, Target, attack_results, attacked
from crscore_core.scoring.references import PseudoReference, ReferenceKind
from tests.cases import cases
from tests.word_encoder import WordEncoder

CLAIMS = ("The retries are 5 now.", "A timeout is added")
TARGET = Target("", CLAIMS, ("retries = 5", "wait(timeout)"), "Why 5? Please explain.", "Other.")


@pytest.mark.parametrize(
    ("attack", "claim", "expected"), cases(Path(__file__).with_name("attacks.txt"))
)
def test_an_attack_is_what_its_name_says(attack: str, claim: str, expected: str) -> None:
    target = Target("", (claim.strip(),), (), "", "") if claim else TARGET
    assert ATTACKS[attack](target) == expected


def test_long_attacks_are_long() -> None:
    assert ATTACKS["10,000 sentences"](TARGET).count("\n") == 9_999
    assert ATTACKS["one claim fifty times"](TARGET).split("\n") == [CLAIMS[0]] * 50
    assert sorted(ATTACKS["shuffled claims"](TARGET).split()) == sorted(
        TARGET.joined_claims.split()
    )


def test_wins_and_gains_are_counted_by_change() -> None:
    diff = "@@ -1 +1 @@\n-retries = 3\n+retries = 5\n"
    reference = PseudoReference("The retries are 5.", ReferenceKind.CLAIM, "given", None, None)
    changes = [
        CorpusChange(
            f"{number}",
            "python",
            diff,
            (
                CorpusReview(f"{number}/good", "good", "Why 5?", Ratings(relevance=4.0)),
                CorpusReview(f"{number}/best", "best", f"Why 5, {number}?", Ratings(relevance=5.0)),
                CorpusReview(f"{number}/bad", "bad", "lol", Ratings(relevance=1.0)),
            ),
            references=(reference,),
        )
        for number in range(3)
    ]
    unrated = replace(changes[0], reviews=changes[0].reviews[2:])  # no honest review, so no attack
    scored = score_corpus(Corpus("made up", (*changes, unrated)), None, WordEncoder())
    attacks = attacked(scored, WordEncoder())
    honest = [review.text for review in attacks if review.system == "honest"]
    assert honest == [f"Why 5, {number}?" for number in range(3)]
    values = np.zeros(len(attacks))
    values[attacks.system == "honest"] = [0.5, 0.5, 0.2]
    values[attacks.system == "the claims"] = [0.8, 0.5, 0.1]
    results = attack_results(attacks, values)
    assert results["the claims"].wins == pytest.approx((1 + 0.5 + 0) / 3)
    assert results["the claims"].gain == pytest.approx((0.3 + 0 - 0.1) / 3)
    assert results["empty"].wins == 0
    assert results["empty"].gain == pytest.approx(-0.4)
