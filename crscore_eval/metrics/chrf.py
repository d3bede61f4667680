"""chrF of a review against a reference review, by sacrebleu, from 0 to 1 instead of 0 to 100."""

from collections.abc import Sequence


def chrf(reviews: Sequence[str], references: Sequence[str], word_order: int = 0) -> list[float]:
    """Return the case-sensitive F2 of n-grams of 1 to 6 characters and 1 to `word_order` words.

    chrF has a `word_order` of 0, chrF++ of 2.
    """
    from sacrebleu.metrics.chrf import CHRF

    metric = CHRF(word_order=word_order)
    pairs = zip(reviews, references, strict=True)
    return [metric.sentence_score(review, [reference]).score / 100 for review, reference in pairs]
