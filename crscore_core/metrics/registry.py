"""Every metric that compares a review with a reference review, by name.

N-grams are from sacrebleu (0 to 1 instead of its 0 to 100), edit distance and ROUGE-L from
rapidfuzz; `embedding_sim` is from "Deep Assessment ...", section 5.1.
"""

import functools
import re
from collections.abc import Mapping, Sequence
from itertools import chain

import numpy as np

from crscore_core.metrics.model import Array, ReferenceMetric, TextPair
from crscore_core.metrics.token_matching import token_scores
from crscore_core.scoring.cached import CachedEncoder
from crscore_core.scoring.registry import DEFAULT_ENCODER
from crscore_core.text import STOP_WORDS

_WORD = re.compile(r"\w+|[.,]")
_ROUGE_WORD = re.compile(r"[^\W_]+")


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


def chrf(pairs: Sequence[TextPair], word_order: int = 0) -> list[float]:
    """Return the F2 of character n-grams of each pair, 1 to 6 characters, case-sensitive.

    chrF++ adds n-grams of up to `word_order` 2 words.
    """
    from sacrebleu.metrics.chrf import CHRF

    metric = CHRF(word_order=word_order)
    return [metric.sentence_score(review, [reference]).score / 100 for review, reference in pairs]


def _without_stop_words(text: str) -> str:
    kept = _WORD.sub(lambda match: " " if match[0].lower() in STOP_WORDS else match[0], text)
    return kept if kept.strip() else text


def edit_similarity(pairs: Sequence[TextPair]) -> list[float]:
    """Return 1 - Levenshtein distance / length of the longer text, in characters."""
    from rapidfuzz.distance import Levenshtein

    return [Levenshtein.normalized_similarity(*pair) for pair in pairs]


def rouge_l(pairs: Sequence[TextPair]) -> list[float]:
    """Return the F1 of the longest common subsequence of words, in lower case, unstemmed.

    On English text this equals the package rouge-score, whose table of n x m cells is too large
    for long texts. Words in other scripts count too; a text without words is compared by
    characters.
    """
    from rapidfuzz.distance import LCSseq

    scores = []
    for pair in pairs:
        review, reference = (_ROUGE_WORD.findall(text.lower()) or list(text) for text in pair)
        common = LCSseq.similarity(review, reference)
        scores.append(2 * common / (len(review) + len(reference)))
    return scores


def exact_match(pairs: Sequence[TextPair]) -> list[bool]:
    """Return for each pair whether its texts are equal up to white space."""
    return [review.split() == reference.split() for review, reference in pairs]


def embedding_similarity(pairs: Sequence[TextPair], encoder: CachedEncoder) -> Array:
    """Return the cosine of each pair, (n,), from -1 to 1; encode each distinct text once.

    To reproduce the source, use an encoder that pools stop words too.

    Raises:
        UnavailableError: the encoder cannot be loaded.
    """
    rows = {text: row for row, text in enumerate(dict.fromkeys(chain(*pairs)))}
    vectors = encoder.encode(list(rows)).vectors.astype(np.float64)
    reviews, references = np.array([[rows[text] for text in pair] for pair in pairs]).T
    return np.asarray(np.einsum("ij,ij->i", vectors[reviews], vectors[references]))


def reference_metrics(encoder: str = DEFAULT_ENCODER) -> Mapping[str, ReferenceMetric]:
    """Return the metrics by name; those that need an encoder load this one when they score."""

    @functools.cache
    def loaded() -> CachedEncoder:
        return CachedEncoder(encoder, drop_stop_words=False)

    def matching(title: str, score: str, *, skip_punctuation: bool = True) -> ReferenceMetric:
        return ReferenceMetric(
            title,
            lambda pairs: getattr(
                token_scores(pairs, loaded(), skip_punctuation=skip_punctuation), score
            ),
            is_symmetric=score == "f1",
        )

    return {
        "bleu": ReferenceMetric("BLEU", bleu, is_symmetric=False),
        "bleu_without_stop_words": ReferenceMetric(
            "BLEU without stop words", bleu_without_stop_words, is_symmetric=False
        ),
        "edit_distance": ReferenceMetric("edit similarity", edit_similarity, is_symmetric=True),
        "rouge_l": ReferenceMetric("ROUGE-L", rouge_l, is_symmetric=True),
        "chrf": ReferenceMetric("chrF", chrf, is_symmetric=False),
        "chrf++": ReferenceMetric(
            "chrF++", functools.partial(chrf, word_order=2), is_symmetric=False
        ),
        "bertscore_f1": matching("BERTScore F1", "f1", skip_punctuation=False),
        "exact_match": ReferenceMetric("exact match", exact_match, is_symmetric=True),
        "embedding_sim": ReferenceMetric(
            "embeddingSim",
            lambda pairs: embedding_similarity(pairs, loaded()),
            is_symmetric=True,
            lowest=-1.0,
        ),
        "codebertscore_p": matching("CodeBERTScore precision", "precision"),
        "codebertscore_r": matching("CodeBERTScore recall", "recall"),
        "codebertscore_f1": matching("CodeBERTScore F1", "f1"),
        "codebertscore_f3": matching("CodeBERTScore F3", "f3"),
    }


REFERENCE_METRICS = reference_metrics()
"""The metrics by name, in display order, with the default encoder."""
