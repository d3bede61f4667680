"""N-gram metrics from sacrebleu: BLEU, chrF, chrF++.

All are from 0 to 1 instead of sacrebleu's 0 to 100.
"""

import re
from collections.abc import Sequence

from crscore_core.metrics.model import TextPair
from crscore_core.text import STOP_WORDS

_WORD = re.compile(r"\w+|[.,]")


def bleu(pairs: Sequence[TextPair]) -> list[float]:
    """Return the sentence BLEU of each pair, in lower case, with mteval's tokenizer ("13a").

    N-grams have 1 to 4 words, or at most the length of a shorter review. Counts of 0 are smoothed
    like sacrebleu's default ("exp", from NIST: 1/2, 1/4, ... of one match).
    """
    from sacrebleu.metrics.bleu import BLEU

    metric = BLEU(lowercase=True, effective_order=True)
    return [metric.sentence_score(review, [reference]).score / 100 for review, reference in pairs]


def bleu_without_stop_words(pairs: Sequence[TextPair]) -> list[float]:
    """Return BLEU without English stop words; a text of nothing else keeps them."""
    return bleu([TextPair(*map(_without_stop_words, pair)) for pair in pairs])


def chrf(pairs: Sequence[TextPair]) -> list[float]:
    """Return the F2 of character n-grams of each pair, 1 to 6 characters, case-sensitive."""
    return _chrf(pairs, word_order=0)


def chrf_plus_plus(pairs: Sequence[TextPair]) -> list[float]:
    """Return chrF with n-grams of 1 and 2 words in addition to characters."""
    return _chrf(pairs, word_order=2)


def _chrf(pairs: Sequence[TextPair], word_order: int) -> list[float]:
    from sacrebleu.metrics.chrf import CHRF

    metric = CHRF(word_order=word_order)
    return [metric.sentence_score(review, [reference]).score / 100 for review, reference in pairs]


def _without_stop_words(text: str) -> str:
    kept = _WORD.sub(lambda match: " " if match[0].lower() in STOP_WORDS else match[0], text)
    return kept if kept.strip() else text
