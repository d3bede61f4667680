"""Small tables of reviews with known similarities."""

from collections.abc import Sequence

import pandas as pd

from crscore_eval.table import Run, RunSettings

RatedRow = tuple[str, str, float, float]
"""Change, system, the similarity of the only sentence, the rating (NaN for none)."""


def one_sentence_reviews(*rows: RatedRow, language: Sequence[str] = ()) -> pd.DataFrame:
    """Return reviews of one sentence and one pseudo-reference: all scores are 1 or 0."""
    change, system, similarity, rating = zip(*rows, strict=True)
    cosines = [[value] for value in similarity]
    return pd.DataFrame({
        "row": range(1, len(rows) + 1), "id": [f"{number}" for number in range(len(rows))],
        "change": change, "system": system, "language": language or "python", "review": "Why `x`?",
        "tau": 0.5, "n_pseudo_references": 1, "n_sentences": 1, "similarity": cosines,
        "sentence_maxima": cosines, "reference_maxima": cosines, "human_conciseness": rating,
        "human_comprehensiveness": rating, "human_relevance": rating,
    })  # fmt: skip


def run_of_reviews(reviews: pd.DataFrame) -> Run:
    """Return a run of the reviews."""
    changes = pd.DataFrame({"change": reviews["change"].unique()}).assign(
        diff="+x", left_out=None, language="python", title=""
    )
    changes["warnings"] = [[] for _ in range(len(changes))]
    settings: RunSettings = {
        "name": "made", "encoder": "all-MiniLM-L6-v2", "claims": "given", "tau": 0.5
    }  # fmt: skip
    return Run(reviews, changes, settings)
