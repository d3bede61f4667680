"""chrF of a review against a reference review, from sacrebleu, 0 to 1 instead of 0 to 100."""

from collections.abc import Sequence


def chrf(reviews: Sequence[str], references: Sequence[str], word_order: int = 0) -> list[float]:
    """Return the F2 of character n-grams of 1 to 6 characters, case-sensitive.

    chrF++ adds n-grams of up to `word_order` 2 words.
    """
    from sacrebleu.metrics.chrf import CHRF

    metric = CHRF(word_order=word_order)
    pairs = zip(reviews, references, strict=True)
    return [metric.sentence_score(review, [reference]).score / 100 for review, reference in pairs]


def chrf_plus_plus(reviews: Sequence[str], references: Sequence[str]) -> list[float]:
    """Return chrF++; see `chrf`."""
    return chrf(reviews, references, word_order=2)
