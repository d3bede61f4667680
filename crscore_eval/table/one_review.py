"""One review of a run as the `ReviewScore` that scoring a pasted review gives."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import pandas as pd

from crscore_core.scoring.references import PseudoReference, ReferenceKind, ReferenceSet
from crscore_core.scoring.review_score import ReviewScore
from crscore_core.scoring.signature import Signature, package_version
from crscore_eval.table.scores import similarity_matrix

if TYPE_CHECKING:
    from crscore_eval.table.schema import Run


def review_score(run: "Run", row: int, tau: float | None = None) -> ReviewScore:
    """Return the score of the review in a row of `run.reviews`, at the run's tau or another.

    Nothing is embedded. A change that cannot be scored gives no pseudo-references.
    """
    review = run.reviews.iloc[row]
    change = change_of(run, review["change"])
    settings = run.settings
    signature = Signature(
        settings["encoder"],
        settings["claims"],
        (),
        float(review["tau"]) if tau is None else tau,
        settings.get("version") or package_version(),
    )
    references = ReferenceSet(
        tuple(map(pseudo_reference, change["references"])), settings["claims"], (), ()
    )
    return ReviewScore(
        review["review"],
        references,
        tuple(review["sentences"]),
        similarity_matrix(review),
        signature,
        tuple(review["warnings"]),
    )


def change_of(run: "Run", change: str) -> "pd.Series[Any]":
    """Return the row of a change in `run.changes`."""
    return run.changes.loc[run.changes["change"] == change].iloc[0]


def pseudo_reference(values: Mapping[str, Any]) -> PseudoReference:
    """Return an entry of the column `references` of the changes."""
    fields = {**values, "wordings": tuple(values["wordings"] or ())}
    return PseudoReference(**{**fields, "kind": ReferenceKind(values["kind"])})
