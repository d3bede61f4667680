"""Every metric by name. To add one, write a function of texts and add a line to `METRICS`."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from numpy.typing import ArrayLike

from crscore_core.scoring import load_encoder
from crscore_core.scoring.encoder import PooledEncoder
from crscore_eval.metrics.bleu import bleu, bleu_without_stop_words
from crscore_eval.metrics.chrf import chrf, chrf_plus_plus
from crscore_eval.metrics.embedding_sim import embedding_similarity
from crscore_eval.metrics.simple_metrics import shared_identifiers, words
from crscore_eval.metrics.text_overlap import edit_similarity, exact_match, rouge_l
from crscore_eval.metrics.token_matching import bertscore_f1, codebertscore

Texts = Sequence[str]


class Metric(NamedTuple):
    """A metric of reviews.

    `compute` takes the visible texts of n reviews and n other texts: reference reviews or diffs, as
    `needs` says ("reference" or "code"); it returns (n,) numbers. It is called for reviews that
    have both texts. The scores of this product are columns of the table and have no `compute`.
    """

    title: str
    needs: str = ""
    compute: Callable[[Texts, Texts], ArrayLike] | None = None


@cache
def _encoder() -> PooledEncoder:
    """Load the embedded encoder as these metrics use it: stop words count."""
    return load_encoder().unfiltered()


def _codebertscore(name: str) -> Callable[[Texts, Texts], ArrayLike]:
    return lambda reviews, others: codebertscore(reviews, others, _encoder())[name]


METRICS: Mapping[str, Metric] = {
    "con": Metric("conciseness"),
    "comp": Metric("comprehensiveness"),
    "rel": Metric("relevance"),
    "no_threshold": Metric("relevance without a threshold"),
    "bleu": Metric("BLEU", "reference", bleu),
    "bleu_without_stop_words": Metric(
        "BLEU without stop words", "reference", bleu_without_stop_words
    ),
    "edit_distance": Metric("edit similarity", "reference", edit_similarity),
    "rouge_l": Metric("ROUGE-L", "reference", rouge_l),
    "chrf": Metric("chrF", "reference", chrf),
    "chrf++": Metric("chrF++", "reference", chrf_plus_plus),
    "bertscore_f1": Metric(
        "BERTScore F1",
        "reference",
        lambda reviews, others: bertscore_f1(reviews, others, _encoder()),
    ),
    "exact_match": Metric("exact match", "reference", exact_match),
    "embedding_sim": Metric(
        "embeddingSim",
        "reference",
        lambda reviews, others: embedding_similarity(reviews, others, _encoder()),
    ),
    "codebertscore_p": Metric("CodeBERTScore precision", "reference", _codebertscore("p")),
    "codebertscore_r": Metric("CodeBERTScore recall", "reference", _codebertscore("r")),
    "codebertscore_f1": Metric("CodeBERTScore F1", "reference", _codebertscore("f1")),
    "codebertscore_f3": Metric("CodeBERTScore F3", "reference", _codebertscore("f3")),
    "words": Metric("number of words", "", lambda reviews, _: words(reviews)),
    "shared_identifiers": Metric("identifiers shared with the code", "code", shared_identifiers),
}
"""The metrics in the order of tables. Those from `words` on are simple."""

SIMPLE_METRICS = ("words", "shared_identifiers")
"""Metrics that any other one should beat."""
