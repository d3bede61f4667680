"""All metrics by name. To add a metric, write a function of texts and add a line to `METRICS`."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from numpy.typing import ArrayLike

from crscore_core.scoring import DEFAULT_ENCODER
from crscore_eval.metrics.embeddings import embedding_similarity, token_matching
from crscore_eval.metrics.text_metrics import (
    bleu,
    bleu_without_stop_words,
    chrf,
    edit_similarity,
    exact_match,
    rouge_l,
    shared_identifiers,
    words,
)

Texts = Sequence[str]


class Metric(NamedTuple):
    """A metric of reviews.

    title: display name of the metric.
    needs: the other texts that reviews are compared with: `reference` for reference reviews,
        `code` for diffs, empty for none.
    compute: takes the visible texts of n reviews and n other texts, and returns (n,) numbers.
        It is None for CRScore's scores, which are columns of the table.
    """

    title: str
    needs: str = ""
    compute: Callable[[Texts, Texts], ArrayLike] | None = None


_ENCODER = f" ({DEFAULT_ENCODER})"  # suffix of metrics whose authors use another encoder

METRICS: Mapping[str, Metric] = {
    "con": Metric("conciseness"),
    "comp": Metric("comprehensiveness"),
    "rel": Metric("relevance"),
    "no_threshold": Metric("relevance without a threshold"),
    "bleu": Metric("BLEU", "reference", bleu),
    "bleu_without_stop_words": Metric(
        "BLEU without stop words", "reference", bleu_without_stop_words
    ),
    "edit_distance": Metric("similarity by edit distance", "reference", edit_similarity),
    "rouge_l": Metric("ROUGE-L", "reference", rouge_l),
    "chrf": Metric("chrF", "reference", chrf),
    "chrf++": Metric("chrF++", "reference", partial(chrf, word_order=2)),
    "bertscore_f1": Metric(
        f"token matching F1{_ENCODER}",
        "reference",
        partial(token_matching, figure="f1", skip_punctuation=False),
    ),
    "exact_match": Metric("exact match", "reference", exact_match),
    "embedding_sim": Metric(f"embeddingSim{_ENCODER}", "reference", embedding_similarity),
    **{
        f"codebertscore_{figure}": Metric(
            f"word-token {title}{_ENCODER}", "reference", partial(token_matching, figure=figure)
        )
        for figure, title in {"p": "precision", "r": "recall", "f1": "F1", "f3": "F3"}.items()
    },
    "words": Metric("number of words", compute=lambda reviews, _: words(reviews)),
    "shared_identifiers": Metric("identifiers shared with the code", "code", shared_identifiers),
}
"""All metrics, in the order in which tables show them.

`con`, `comp`, `rel` and `no_threshold` are CRScore's. `bertscore_f1` and `codebertscore_*` match
tokens as BERTScore and CodeBERTScore do, but with the default encoder, so their titles differ. Word
tokens are all tokens except punctuation.
"""

SIMPLE_METRICS = ("words", "shared_identifiers")
"""Metrics that every other metric should beat."""
