"""BLEU of a review against a reference review, by sacrebleu, from 0 to 1 instead of 0 to 100."""

import re
from collections.abc import Sequence

from crscore_core.stop_words import STOP_WORDS

_WORD = re.compile(r"\w+|[.,]")


def bleu(reviews: Sequence[str], references: Sequence[str]) -> list[float]:
    """Return sentence BLEU in lower case, with mteval's tokenizer ("13a").

    N-grams have 1 to 4 words, or fewer if the review is shorter. Counts of 0 are smoothed by
    sacrebleu's default method ("exp", from NIST: 1/2, 1/4, ... of one match).
    """
    from sacrebleu.metrics.bleu import BLEU

    metric = BLEU(lowercase=True, effective_order=True)
    pairs = zip(reviews, references, strict=True)
    return [metric.sentence_score(review, [reference]).score / 100 for review, reference in pairs]


def bleu_without_stop_words(reviews: Sequence[str], references: Sequence[str]) -> list[float]:
    """Return BLEU without English stop words; a text of only stop words keeps them."""
    return bleu([*map(_without_stop_words, reviews)], [*map(_without_stop_words, references)])


def _without_stop_words(text: str) -> str:
    content = _WORD.sub(lambda match: " " if match[0].lower() in STOP_WORDS else match[0], text)
    return content if content.strip() else text
