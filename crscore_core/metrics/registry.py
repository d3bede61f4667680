"""Every metric that compares a review with a reference review, by name."""

import functools
from collections.abc import Mapping

from crscore_core.metrics import ngrams, sequences
from crscore_core.metrics.codebertscore import token_scores
from crscore_core.metrics.embedding import embedding_similarity
from crscore_core.metrics.model import ReferenceMetric
from crscore_core.metrics.token_matching import BERTSCORE, CODEBERTSCORE, TokenMatching
from crscore_core.scoring.cached import CachedEncoder
from crscore_core.scoring.registry import DEFAULT_ENCODER


def reference_metrics(encoder: str = DEFAULT_ENCODER) -> Mapping[str, ReferenceMetric]:
    """Return the metrics by name; those that need an encoder load this one when they score."""

    @functools.cache
    def loaded() -> CachedEncoder:
        return CachedEncoder(encoder, drop_stop_words=False)

    def matching(title: str, score: str, options: TokenMatching) -> ReferenceMetric:
        return ReferenceMetric(
            title,
            lambda pairs: getattr(token_scores(pairs, loaded(), options), score),
            is_symmetric=score == "f1",
        )

    return {
        "bleu": ReferenceMetric("BLEU", ngrams.bleu, is_symmetric=False),
        "bleu_without_stop_words": ReferenceMetric(
            "BLEU without stop words", ngrams.bleu_without_stop_words, is_symmetric=False
        ),
        "edit_distance": ReferenceMetric(
            "edit similarity", sequences.edit_similarity, is_symmetric=True
        ),
        "rouge_l": ReferenceMetric("ROUGE-L", sequences.rouge_l, is_symmetric=True),
        "chrf": ReferenceMetric("chrF", ngrams.chrf, is_symmetric=False),
        "chrf++": ReferenceMetric("chrF++", ngrams.chrf_plus_plus, is_symmetric=False),
        "bertscore_f1": matching("BERTScore F1", "f1", BERTSCORE),
        "exact_match": ReferenceMetric("exact match", sequences.exact_match, is_symmetric=True),
        "embedding_sim": ReferenceMetric(
            "embeddingSim",
            lambda pairs: embedding_similarity(pairs, loaded()),
            is_symmetric=True,
            lowest=-1.0,
        ),
        "codebertscore_p": matching("CodeBERTScore precision", "precision", CODEBERTSCORE),
        "codebertscore_r": matching("CodeBERTScore recall", "recall", CODEBERTSCORE),
        "codebertscore_f1": matching("CodeBERTScore F1", "f1", CODEBERTSCORE),
        "codebertscore_f3": matching("CodeBERTScore F3", "f3", CODEBERTSCORE),
    }


REFERENCE_METRICS = reference_metrics()
"""The metrics by name, in display order, with the default encoder."""
