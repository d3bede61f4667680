"""One review of a run as the `ReviewScore` that scoring a pasted review gives, and its change."""

from collections.abc import Mapping
from functools import lru_cache
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from crscore_core.change import parse_change
from crscore_core.errors import InputError
from crscore_core.scoring.references import PseudoReference, ReferenceKind, ReferenceSet
from crscore_core.scoring.review_score import ReviewScore
from crscore_core.scoring.signature import Signature, package_version
from crscore_core.text import counted
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
    found = np.flatnonzero(run.changes["change"] == change)
    return run.changes.iloc[int(found[0])]


def change_title(change: "pd.Series[Any]") -> str:
    """Return the name of a change for people: its title, else its files, else its number."""
    number = f"Change {change_number(change['change'])}"
    return change["title"] or _file_names(change["diff"]) or number


def change_number(change: str) -> str:
    """Return the key of a change without the word change, which an imported key may begin with."""
    return change.casefold().removeprefix("change").strip() or change


@lru_cache(maxsize=256)
def _file_names(diff: str) -> str:
    """Name the first file of a diff, and count the others; empty if it names none."""
    try:
        paths = [file.path for file in parse_change(diff).files if file.path]
    except InputError:
        return ""
    others = f" and {counted(len(paths) - 1, 'other file')}" if len(paths) > 1 else ""
    return f"{PurePosixPath(paths[0]).name or paths[0]}{others}" if paths else ""


def pseudo_reference(values: Mapping[str, Any]) -> PseudoReference:
    """Return an entry of the column `references` of the changes."""
    fields = {**values, "wordings": tuple(values["wordings"] or ())}
    return PseudoReference(**{**fields, "kind": ReferenceKind(values["kind"])})
