"""Return a run's review as a `ReviewScore`, as for a pasted review, and find its change."""

import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import PurePosixPath
from typing import Any

import numpy as np
import pandas as pd

from crscore_core.change import parse_change
from crscore_core.claims import PseudoReference
from crscore_core.errors import InputError
from crscore_core.scoring.references import ReferenceSet
from crscore_core.scoring.review_score import ReviewScore
from crscore_core.text import counted
from crscore_eval.table.settings import Run, content_settings, run_signature


def review_score(run: Run, row: int, tau: float | None = None) -> ReviewScore:
    """Return the score of the review in a row of `run.reviews`, by default at the run's tau.

    Nothing is embedded again. A change that cannot be scored has no pseudo-references.
    """
    review = run.reviews.iloc[row]
    changes = run.changes[run.changes["change"] == review["change"]]
    signature = run_signature({**run.settings, **content_settings([changes])}, tau)
    pseudo_references = tuple(map(pseudo_reference, changes["references"].iloc[0]))
    references = ReferenceSet(pseudo_references, signature.claims, (), (), signature.analyzers)
    shape = len(pseudo_references), len(review["sentences"])
    return ReviewScore(
        review["review"],
        references,
        tuple(review["sentences"]),
        np.asarray(review["similarity"], np.float32).reshape(shape),
        signature,
        tuple(review["warnings"]),
    )


def find_change(run: Run, change: str) -> "pd.Series[Any]":
    """Return the row of a change in `run.changes`."""
    row: pd.Series[Any] = run.changes[run.changes["change"] == change].iloc[0]
    return row


def change_title(change: "pd.Series[Any]") -> str:
    """Return the display name of a change: its title, else its key, files or number.

    A hash, such as that of a commit, is shortened to its first ten digits.
    """
    key, number = change["change"], change_number(change["change"])
    is_numbered = number != key or key.isdigit()
    name = f"Change {number}" if is_numbered else key
    title = change["title"] or (_file_names(change["diff"]) if is_numbered else "") or name
    return title[:10] if re.fullmatch(r"[0-9a-f]{40,64}", title) else title


def change_number(change: str) -> str:
    """Return the number of a change that had no name in its file, otherwise its key."""
    numbered = re.fullmatch(r"change (\d+)", change)
    return numbered[1] if numbered else change


@lru_cache(maxsize=256)
def _file_names(diff: str) -> str:
    """Return the name of the first file and the number of the others; "" without names."""
    try:
        paths = [file.path for file in parse_change(diff).files if file.path]
    except InputError:
        return ""
    others = f" and {counted(len(paths) - 1, 'other file')}" if paths[1:] else ""
    return f"{PurePosixPath(paths[0]).name}{others}" if paths else ""


def pseudo_reference(values: Mapping[str, Any]) -> PseudoReference:
    """Return the pseudo-reference in an entry of the column `references` of the changes."""
    wordings = values.get("wordings")  # may be None, a list or an array
    return PseudoReference(**{**values, "wordings": () if wordings is None else tuple(wordings)})
