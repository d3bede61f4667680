"""Export a run as one file of reviews, which can be read again."""

import json
from typing import Any

import pandas as pd

from crscore_core.claims import DEFAULT_CLAIMS, GIVEN
from crscore_eval.run.parts import NO_REFERENCES_REASON
from crscore_eval.table import (
    DIMENSIONS,
    Run,
    extra_columns,
    run_signature,
    scores_at,
)


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
    table[list(DIMENSIONS)] = scores_at(reviews, tau)
    table = table if changes["diff"].any() else table.drop(columns="diff")
    table.insert(0, "signature", str(run_signature(run.settings, tau)))
    return table.assign(
        no_threshold=scores_at(reviews, None)["relevance"],
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
