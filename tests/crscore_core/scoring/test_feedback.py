"""Feedback in words."""

import pytest

from crscore_core.scoring.references import PseudoReference, ReferenceKind
from crscore_core.scoring.review_score import Feedback

THREE = "The review misses 1 pseudo-reference, has 1 sentence off topic and repeats 1 sentence."
MISSED = PseudoReference("a claim", ReferenceKind.CLAIM, "given", None, None)


@pytest.mark.parametrize(
    ("feedback", "summary"),
    [
        (
            Feedback((), (), ()),
            "The review covers every pseudo-reference and stays on topic.",
        ),
        (Feedback((MISSED,), (), ()), "The review misses 1 pseudo-reference."),
        (
            Feedback((MISSED, MISSED), ("x",), ()),
            "The review misses 2 pseudo-references and has 1 sentence off topic.",
        ),
        (
            Feedback((MISSED,), (), ("z", "y")),
            "The review misses 1 pseudo-reference and repeats 2 sentences.",
        ),
        (Feedback((MISSED,), ("x",), ("z",)), THREE),
    ],
)
def test_the_summary_counts_in_words(feedback: Feedback, summary: str) -> None:
    assert feedback.summary == summary
