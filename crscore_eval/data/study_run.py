"""Score the human study again, with other claims or another encoder than the shipped run."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pandas as pd

from crscore_core import CRScorer
from crscore_core.claims import (
    CLAIM_BACKENDS,
    GIVEN,
    ClaimBackend,
    claims_from_items,
    parse_response,
)
from crscore_core.errors import InputError
from crscore_core.scoring import DEFAULT_ENCODER, canonical_name, resolve_tau, tau_preset
from crscore_core.scoring.scorer import Progress, ignore_progress
from crscore_core.text import counted
from crscore_eval.commonness import STUDY_CLAIMS
from crscore_eval.data.shipped import shipped_pairs, shipped_run, shipped_study
from crscore_eval.data.study import Study, read_study
from crscore_eval.run.parts import score_table
from crscore_eval.table import RejectedRow, Run, is_by_system
from crscore_eval.table.files import raw_rows

_NAMES = {"code_change": "diff", "patch": "diff", "response": "claims", "change_summary": "claims"}
"""Other names of the two columns in a file of claims, one change per line."""


def score_study(
    folder: Path | None,
    claims: str | ClaimBackend = STUDY_CLAIMS,
    encoder: str = DEFAULT_ENCODER,
    on_progress: Progress = ignore_progress,
) -> tuple[Study, Run, pd.DataFrame]:
    """Read and score the shipped part of the study, or all of it in a clone of its release.

    Returns the study, the run of `score_rated_reviews` and the pairs of `score_addressed_pairs`;
    shipped results with the same claims and encoder are reused. Without a preset, the run is at tau
    0, and `resolve_study_tau` computes a tau from its similarities.
    """
    study = shipped_study() if folder is None else read_study(folder)
    is_shipped = folder is None and encoder == DEFAULT_ENCODER
    if is_shipped and claims == STUDY_CLAIMS:
        run = shipped_run()
    else:
        name = claims if isinstance(claims, str) else claims.name
        tau = None if tau_preset(canonical_name(encoder), name) else 0.0
        run = score_rated_reviews(study, claims, encoder, tau, on_progress)
    if is_shipped:
        return study, run, shipped_pairs()
    return study, run, score_addressed_pairs(study, encoder, on_progress)


def score_rated_reviews(
    study: Study,
    claims: str | ClaimBackend = STUDY_CLAIMS,
    encoder: str = DEFAULT_ENCODER,
    tau: float | None = None,
    on_progress: Progress = ignore_progress,
) -> Run:
    """Score the rated reviews of the study at `tau`, by default at the preset `tau_gt`.

    `claims` is `study` (its references without the unnecessary ones, section 4.2), a claims backend
    or its name, or a file with claims by diff; then only the changes in the file are scored.
    Smells are added to the claims of a backend or file.

    Raises:
        InputError: there are no such claims, no rated change has pseudo-references, or there is
            no preset.
        UnavailableError: the encoder or the claims backend is unavailable.
    """
    changes = study.changes[study.changes["is_rated"]][["change", "language", "diff"]]
    name = claims if isinstance(claims, str) else claims.name
    backend, warnings = None, []
    if name == STUDY_CLAIMS:
        necessary = study.references[study.references["is_necessary"]]
        changes = changes.assign(references=_references(changes, necessary))
    elif isinstance(claims, str) and claims not in CLAIM_BACKENDS:
        name, n_rated = Path(claims).name, len(changes)
        changes = _changes_with_claims(changes, Path(claims))
        if n_left_out := n_rated - len(changes):
            warnings = [f"left out, without claims in {name}: {counted(n_left_out, 'change')}"]
    else:
        backend = claims
    if changes.empty:
        raise InputError(f"{name} has no claims about any rated change of the study")
    threshold = resolve_tau(tau, canonical_name(encoder), name)
    reviews = study.reviews[study.reviews["change"].isin(changes["change"])]
    run = score_table(
        reviews.drop(columns="addressed"),
        changes,
        scorer=CRScorer(claims=backend, encoder=encoder, tau=threshold),
        name="Human study",
        claims_name=name,
        on_progress=on_progress,
    )
    if not (run.reviews["n_pseudo_references"] > 0).any():
        raise InputError("no rated change of the study has pseudo-references to compare with")
    return run._replace(settings={**run.settings, "warnings": warnings})


def score_addressed_pairs(
    study: Study, encoder: str = DEFAULT_ENCODER, on_progress: Progress = ignore_progress
) -> pd.DataFrame:
    """Pair reviews with the pseudo-references of their change, as in `data.shipped_pairs`.

    Reviews count if a system wrote them and an annotator noted which references they address. All
    references count, since annotators noted unnecessary ones too. The similarity of a review
    without sentences is -1.

    Raises:
        UnavailableError: the encoder cannot be loaded.
    """
    is_noted = study.reviews["addressed"].map(len) > 0
    reviews = study.reviews[is_noted & is_by_system(study.reviews)]
    changes = study.changes[study.changes["change"].isin(reviews["change"])]
    changes = changes.assign(references=_references(changes, study.references))
    run = score_table(
        reviews,
        changes[["change", "language", "diff", "references"]],
        scorer=CRScorer(claims=None, encoder=encoder, tau=0.0),
        on_progress=on_progress,
    )
    rows: list[tuple[str, str, int, float, bool]] = []
    for review in run.reviews.to_dict("records"):
        maxima = list(review["reference_maxima"]) or [-1.0] * int(review["n_pseudo_references"])
        addressed = list(review["addressed"])
        for number, similarity in enumerate(maxima, start=1):
            rows.append((review["change"], review["id"], number, similarity, number in addressed))
    return pd.DataFrame(rows, columns=["change", "id", "number", "similarity", "addressed"])


def _changes_with_claims(changes: pd.DataFrame, path: Path) -> pd.DataFrame:
    """Return the changes that a file has claims about (`_NAMES`), with the column `claims`.

    If several lines have the same diff, ignoring white space, the first counts.
    """
    if not path.is_file():
        raise InputError(
            f"no claims file {str(path)!r}; choose study, {', '.join(CLAIM_BACKENDS)} or a file"
        )
    claims_by_diff: dict[str, str] = {}
    for row in raw_rows(path):
        where = f"claims file {str(path)!r}, line {row.row}"
        if isinstance(row, RejectedRow):
            raise InputError(row.reason, place=where)
        cells = {_NAMES.get(name, name): cell for name, cell in row.cells.items()}
        diff, given = cells.get("diff"), cells.get("claims")
        if not isinstance(diff, str) or "claims" not in cells:
            raise InputError("it must have a diff, and claims or a response", "", where)
        try:
            if isinstance(given, list):
                found = claims_from_items(given)
            else:
                found = parse_response(str(given or ""), GIVEN).claims
        except InputError as error:
            raise error.within(where) from error
        claims_by_diff.setdefault("".join(diff.split()), json.dumps([*map(asdict, found)]))
    claims = changes["diff"].map(lambda diff: claims_by_diff.get("".join(diff.split())))
    return changes.assign(claims=claims)[claims.notna()]


def _references(changes: pd.DataFrame, references: pd.DataFrame) -> "pd.Series[Any]":
    origin: dict[str, Any] = {"source": STUDY_CLAIMS, "path": None, "line": None, "wordings": []}
    by_change: dict[str, list[dict[Any, Any]]] = {}
    for reference in references[["change", "text", "kind"]].to_dict("records"):
        by_change.setdefault(reference.pop("change"), []).append({**reference, **origin})
    return changes["change"].map(lambda change: by_change.get(change, []))
