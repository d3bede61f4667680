"""Return a run's review as a `ReviewScore`, as for a pasted review, and find its change."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import lru_cache
from itertools import groupby
from pathlib import PurePosixPath
from typing import Any

import pandas as pd

from crscore_core.change import NOT_CODE, parse_change
from crscore_core.claims import PseudoReference, ReferenceKind
from crscore_core.errors import InputError
from crscore_core.scoring.references import ReferenceSet
from crscore_core.scoring.review_score import ReviewScore
from crscore_core.text import counted
from crscore_eval.table.schema import SCORES
from crscore_eval.table.scores import similarity_matrix
from crscore_eval.table.settings import Run, change_digest, change_uses, run_signature


def review_score(run: Run, row: int, tau: float | None = None) -> ReviewScore:
    """Return the score of the review in a row of `run.reviews`, by default at the run's tau.

    Nothing is embedded again. A change that cannot be scored has no pseudo-references.
    """
    review = run.reviews.iloc[row]
    change = find_change(run, review["change"])
    signature = replace(
        run_signature(run.settings, float(review["tau"]) if tau is None else tau),
        analyzers=change_uses(change["analyzers"]),
        references_digest=change_digest(change["references"]),
    )
    pseudo_references = tuple(map(pseudo_reference, change["references"]))
    references = ReferenceSet(pseudo_references, signature.claims, (), (), signature.analyzers)
    return ReviewScore(
        review["review"],
        references,
        tuple(review["sentences"]),
        similarity_matrix(review),
        signature,
        tuple(review["warnings"]),
    )


def to_frame(scores: Iterable[ReviewScore] | Iterable[Iterable[ReviewScore]]) -> pd.DataFrame:
    """Return scores as a table with a row for each review and the columns of a run that apply.

    `scores` are the result of `CRScorer.score_many` or `CRScorer.score_changes`. The column
    `change` numbers the changes from 1.
    """
    items = [*scores]
    flat = [item for item in items if isinstance(item, ReviewScore)]
    changes = [item for item in items if not isinstance(item, ReviewScore)]
    changes += [[*group] for _, group in groupby(flat, lambda score: id(score.reference_set))]
    rows = [
        {
            "change": number,
            **{name: getattr(score, name) for name in ("review", *SCORES, "tau")},
            "n_pseudo_references": len(score.pseudo_references),
            "n_sentences": len(score.sentence_texts),
            "warnings": [*score.warnings, *score.not_analysed],
            "signature": str(score.signature),
        }
        for number, change in enumerate(changes, start=1)
        for score in change
    ]
    columns = ["change", "review", *SCORES, "tau", "n_pseudo_references", "n_sentences"]
    table = pd.DataFrame(rows, columns=[*columns, "warnings", "signature"])
    return table.astype(dict.fromkeys(SCORES, "float64"))


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
    """Return the name of the first file, of code if there is any, and the number of other files."""
    try:
        files = [file for file in parse_change(diff).files if file.path]
    except InputError:
        return ""
    files.sort(key=lambda file: file.language in {None, *NOT_CODE})
    path = files[0].path if files else None
    others = f" and {counted(len(files) - 1, 'other file')}" if len(files) > 1 else ""
    return f"{PurePosixPath(path).name or path}{others}" if path else ""


def pseudo_reference(values: Mapping[str, Any]) -> PseudoReference:
    """Return the pseudo-reference in an entry of the column `references` of the changes."""
    wordings = values["wordings"]  # may be None, a list or an array
    fields = {**values, "wordings": () if wordings is None else tuple(wordings)}
    return PseudoReference(**{**fields, "kind": ReferenceKind(values["kind"])})
