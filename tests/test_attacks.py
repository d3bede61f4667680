"""Attacks of `benchmarks.attacks`: each is made as it says, and counted by changes."""

import base64
from dataclasses import replace

import numpy as np
import pytest

from benchmarks.attacks import ATTACKS, Target, attack_results, attacked
from crscore_core.corpus.model import Corpus, CorpusChange, CorpusReview, Ratings
from crscore_core.corpus.score import score_corpus
from crscore_core.scoring.references import PseudoReference, ReferenceKind
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


@pytest.mark.parametrize(
    ("claim", "recital", "falsehood"),
    [
        (
            "The field `limit` is added in `BatchSender`",
            "This change adds the field limit in BatchSender.",
            "This change removes the field limit in BatchSender.",
        ),
        (
            "`filter` is no longer imported",
            "This change means that filter is no longer imported.",
            "This change means that filter is still imported.",
        ),
        (
            "`load` now raises `KeyError`.",
            "This change means that load now raises KeyError.",
            "This change means that load no longer raises KeyError.",
        ),
        (
            "Use `!==` instead of `!=`.",
            "This change means that use !== instead of !=.",
            "This change prevents that use !== instead of !=.",
        ),
    ],
)
def test_claims_are_told_in_prose_and_turned_round(
    claim: str, recital: str, falsehood: str
) -> None:
    target = Target("", (claim,), (), "", "")
    assert ATTACKS["a natural recital"](target) == recital
    assert ATTACKS["a natural falsehood"](target) == falsehood


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
