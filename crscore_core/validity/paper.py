"""Figures that the paper prints, to be shown beside those recomputed here."""

import json
from functools import cache
from importlib.resources import files
from typing import Any

PAPER_ENCODER = "mixedbread-ai/mxbai-embed-large-v1"
"""The encoder of the paper's tables, to which their taus belong."""

_IN_TABLE_3 = {
    "bleu": "BLEU",
    "bleu_without_stop_words": "BLEU (without stop words)",
    "bertscore_f1": "BERTScore",
    "edit_distance": "Normalized edit distance",
    "rouge_l": "ROUGE-L F-measure",
    "chrf": "chrF",
    "chrf++": "chrF++",
}
_RATED_LIKE = {"con": "conciseness", "comp": "comprehensiveness", "rel": "relevance"}


@cache
def _figures() -> dict[str, Any]:
    text = files("crscore_core.validity").joinpath("paper.json").read_text(encoding="utf-8")
    figures: dict[str, Any] = json.loads(text)
    return figures


def paper_figure(*path: str) -> float | None:
    """The figure at a path such as `"claim_quality", "py", "accuracy"`; None if not printed."""
    found: Any = _figures()
    for name in path:
        found = found.get(name) if isinstance(found, dict) else None
    return found if isinstance(found, int | float) else None


def paper_agreement(metric: str, dimension: str, role: str) -> float | None:
    """Spearman's rho of a metric with people's rating in a dimension (Tables 3 and 9).

    That of CRScore, `con`, `comp` or `rel`, is at the paper's tau of a role, `tau_gt` or
    `tau_best`, and with the rating of the same name.
    """
    name = role if _RATED_LIKE.get(metric) == dimension else _IN_TABLE_3.get(metric, "")
    return paper_figure("review_level", dimension, name, "spearman")


def paper_source(table: str) -> str:
    """Place of a table's figures in the paper, such as "Table 1"; empty if it has none."""
    where: dict[str, str] = _figures()["where"]
    return where.get(table, "")


def paper_ranks(by: str) -> dict[str, int]:
    """The ranks of Table 15, 1 being the best, `by` "human relevance", "Rel" or "chrF++"."""
    order: list[str] = _figures()["rankings"][by]
    return {system: rank for rank, system in enumerate(order, start=1)}
