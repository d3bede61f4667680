"""Export a run as one file of reviews, which can be read again, or scores as a table."""

import json
from collections.abc import Iterable
from typing import Any

import pandas as pd

from crscore_core.claims import DEFAULT_CLAIMS, GIVEN
from crscore_core.scoring.review_score import ReviewScore
from crscore_eval.run.parts import NO_REFERENCES_REASON
from crscore_eval.table import SCORES, Run, extra_columns, run_signature
from crscore_eval.table.scores import all_scores


def export_frame(run: Run, tau: float) -> pd.DataFrame:
    """Return all reviews with their changes, ratings, extra columns and scores at `tau`.

    Reading a file of this table restores the reviews, ratings, labels and extra columns.
    Complete files of a change are left out. A review without scores has blank cells.

    Raises:
        InputError: `tau` is not a finite number.
    """
    reviews, claims_by = run.reviews, run.settings["claims"]
    changes = run.changes.set_index("change")[["title", "diff"]]
    rows = run.changes.fillna({"left_out": NO_REFERENCES_REASON}).to_dict("records")
    changes["claims"] = [_claims(row, claims_by) for row in rows]
    table = reviews[["id", "system", "review", "change", "language"]].join(changes, on="change")
    names = [*extra_columns(reviews), "n_pseudo_references", "n_sentences"]
    table[names] = reviews[names]
    table[list(SCORES)] = all_scores(reviews, tau)
    table = table if changes["diff"].any() else table.drop(columns="diff")
    table.insert(0, "signature", str(run_signature(run.settings, tau)))
    return table.assign(
        tau=tau,
        warnings=["; ".join(warnings) for warnings in reviews["warnings"]],
        encoder=run.settings["encoder"],
        claims_by=claims_by,
    )


def _claims(change: dict[Any, Any], claims_by: str) -> str | None:
    """Return the claims about a change as JSON; None if reading should generate them again."""
    claims = [one for one in change["references"] if one["kind"] != "smell"]
    is_generated = claims_by != GIVEN and {one["source"] for one in claims} == {DEFAULT_CLAIMS}
    has_failed = change["left_out"] != NO_REFERENCES_REASON
    if claims_by == DEFAULT_CLAIMS or is_generated or has_failed:
        return None
    return json.dumps(claims, ensure_ascii=False, default=list)


def to_frame(scores: ReviewScore | Iterable[ReviewScore | Iterable[ReviewScore]]) -> pd.DataFrame:
    """Return scores as a table with a row for each review and the columns of a run that apply.

    `scores` are the result of a method of `CRScorer`. The column
    `change` numbers the changes that have reviews from 1; scores of one call that share their
    `reference_set` belong to one change.
    """
    scores = [scores] if isinstance(scores, ReviewScore) else scores
    flat = [one for item in scores for one in ([item] if isinstance(item, ReviewScore) else item)]
    numbers: dict[int, int] = {}  # by identity, so `flat` must keep all scores alive
    rows = [
        {
            "change": numbers.setdefault(id(score.reference_set), len(numbers) + 1),
            **{name: getattr(score, name) for name in ("review", *SCORES, "tau")},
            "n_pseudo_references": len(score.pseudo_references),
            "n_sentences": len(score.sentence_texts),
            "warnings": [*score.warnings, *score.not_analysed],
            "signature": str(score.signature),
        }
        for score in flat
    ]
    columns = ["change", "review", *SCORES, "tau", "n_pseudo_references", "n_sentences"]
    table = pd.DataFrame(rows, columns=[*columns, "warnings", "signature"])
    return table.astype(dict.fromkeys(SCORES, "float64"))
