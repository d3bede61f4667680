"""Export a run as one file of reviews, which can be read again."""

import json
from typing import Any

import pandas as pd

from crscore_core.claims import DEFAULT_CLAIMS
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
    reviews = run.reviews
    changes = run.changes.set_index("change")[["title", "diff"]]
    is_omitted = run.changes["left_out"].fillna(NO_REFERENCES_REASON) != NO_REFERENCES_REASON
    claims_by = run.settings["claims"]
    is_omitted |= claims_by == DEFAULT_CLAIMS
    changes["claims"] = [
        None if omitted else _claims(list(references), claims_by)
        for references, omitted in zip(run.changes["references"], is_omitted, strict=True)
    ]
    table = reviews[["id", "system", "review", "change", "language"]].join(changes, on="change")
    table[extra_columns(reviews)] = reviews[extra_columns(reviews)]
    table[["n_pseudo_references", "n_sentences"]] = reviews[["n_pseudo_references", "n_sentences"]]
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


def _claims(references: list[dict[str, Any]], claims_by: str) -> str | None:
    """Return the claims among pseudo-references as JSON; None if reading regenerates them."""
    claims = [reference for reference in references if reference["kind"] != "smell"]
    sources = {claim["source"] for claim in claims}
    if claims_by.startswith(DEFAULT_CLAIMS) and sources == {DEFAULT_CLAIMS}:
        return None
    return json.dumps(claims, ensure_ascii=False, default=list)
