"""Score tables of changes and their reviews."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any, NamedTuple

import pandas as pd
import pyarrow as pa

from crscore_core.analyzers import ANALYZERS
from crscore_core.claims import (
    DEFAULT_CLAIMS,
    GIVEN,
    ClaimSet,
    ModelOptions,
    claim_backend,
    claims_from_items,
)
from crscore_core.scoring import DEFAULT_ENCODER
from crscore_core.scoring.scorer import (
    ChangeInput,
    CRScorer,
    Progress,
    ScoredChange,
    ignore_progress,
    score_inputs,
)
from crscore_core.text import listed
from crscore_eval.run.checks import COMPUTED, with_defaults
from crscore_eval.table import SCORES, Run, RunSettings, extra_columns
from crscore_eval.table.schema import CHANGE_SCHEMA, REVIEW_COLUMNS, from_arrow
from crscore_eval.table.scores import all_scores
from crscore_eval.table.settings import DEFAULTS, content_settings, scoring_settings

CHANGE_KEY = ("diff", "language", "claims", "new_file", "old_file")
"""Two reviews are of the same change if they agree in these columns."""

Part = tuple[pd.DataFrame, pd.DataFrame]  # all reviews of some changes, and these changes
Parts = Iterator[tuple[int, Part]]  # parts of a run with their numbers

NO_REFERENCES_REASON = "no pseudo-reference was found"  # why a change that was read is left out


class BatchOptions(NamedTuple):
    """Options of `run_batch` that determine the scores; Ray's workers receive them.

    tau: a number, the name of a preset, or None for the preset of encoder and claims.
    analyzers: whether analyzers find smells.
    columns: roles of columns (see `decide_layout`).
    name: display name of the run, by default the file's name.
    group: whether several comments of one system on one change are joined into one review.
    """

    claims: str = DEFAULT_CLAIMS
    model_options: ModelOptions = ModelOptions()
    encoder: str = DEFAULT_ENCODER
    tau: float | str | None = None
    analyzers: bool = True
    columns: Mapping[str, str] = {}
    name: str = ""
    group: bool = False

    def scorer(self) -> CRScorer:
        """Return the scorer of these options; see `CRScorer` for errors."""
        return CRScorer(
            claims=claim_backend(self.claims, self.model_options),
            encoder=self.encoder,
            tau=self.tau,
            analyzers=ANALYZERS if self.analyzers else {},
        )


def score_part(
    reviews: pd.DataFrame,
    changes: pd.DataFrame,
    scorer: CRScorer,
    on_progress: Progress = ignore_progress,
) -> Part:
    """Score all reviews of some changes; return tables as in `Run.reviews` and `Run.changes`.

    Args:
        reviews: columns `row`, `id`, `change`, `system`, `language` and `review`, and any other
            columns, which are kept.
        changes: columns `change`, `title`, `language` and `diff`, and optionally `claims` (JSON),
            `new_file`, `old_file` and `references` (pseudo-references, which are not changed).
        scorer: the claims backend, the encoder, tau and the analyzers.
        on_progress: see `score_inputs`.

    Raises:
        InputError: the claims backend is unavailable.
        UnavailableError: the encoder cannot be loaded.
    """
    texts = {change: tuple(group) for change, group in reviews.groupby("change")["review"]}
    rows = changes.astype(object).fillna("").to_dict("records")
    inputs = [_change_input(row, texts.get(row["change"], ())) for row in rows]
    return scored_part(reviews, rows, score_inputs(inputs, scorer, on_progress), scorer.tau)


def scored_part(
    reviews: pd.DataFrame,
    changes: Sequence[Mapping[Any, Any]],
    results: Sequence[ScoredChange],
    tau: float,
) -> Part:
    """Return the tables of scored reviews and changes; see `score_part`."""
    change_rows = [_change_row(row, result) for row, result in zip(changes, results, strict=True)]
    scored_changes = from_arrow(pa.Table.from_pylist(change_rows, schema=CHANGE_SCHEMA))
    by_change = dict(zip(scored_changes["change"], results, strict=True))
    return _scored_reviews(reviews, by_change, tau), scored_changes


def score_locally(
    options: BatchOptions, parts: Parts, on_progress: Progress = ignore_progress
) -> Parts:
    """Score parts in this process, one after another; see `score_part` for the progress of each."""
    scorer = None
    for number, (reviews, changes) in parts:
        scorer = scorer or options.scorer()
        yield number, score_part(reviews, changes, scorer, on_progress)


def score_table(  # noqa: PLR0913 - a scorer and names
    reviews: pd.DataFrame,
    changes: pd.DataFrame,
    *,
    scorer: CRScorer,
    name: str = "",
    claims_name: str = "",
    on_progress: Progress = ignore_progress,
) -> Run:
    """Score tables in memory; see `score_file` for files.

    See `score_part` for the tables and the progress, and `with_defaults` for columns that may be
    missing. The name of the claims is by default the backend's.

    Raises:
        InputError: a table is not valid, see `with_defaults`; or the claims backend fails, see
            `score_part`.
        UnavailableError: the encoder cannot be loaded.
    """
    again = [name for name in map(str, reviews) if name in COMPUTED]
    reviews, changes = score_part(*with_defaults(reviews, changes), scorer, on_progress)
    claims_name = claims_name or (scorer.backend.name if scorer.backend else GIVEN)
    by = scorer.encoder.name, claims_name, scorer.tau
    chosen = scoring_settings(*by, with_analyzers=bool(scorer.analyzers))
    settings: RunSettings = {**DEFAULTS, **chosen, **content_settings([changes]), "name": name}
    if again:
        warning = f"columns that are computed again are not read: {listed(again)}"
        settings["warnings"] = [f"{warning}; to keep one, rename it"]
    return Run(reviews, changes, settings)


def _change_input(row: Mapping[Any, Any], texts: tuple[str, ...]) -> ChangeInput:
    diff, language = row["diff"], row["language"] or None
    references = row.get("references")
    if isinstance(references, tuple):
        return ChangeInput(diff, texts, language, pseudo_references=references)
    claims = row.get("claims")
    claim_set = ClaimSet(claims_from_items(json.loads(claims))) if claims else None
    files = {name: row.get(name) or None for name in ("new_file", "old_file")}
    return ChangeInput(diff, texts, language, claim_set, **files)


def _change_row(row: Mapping[Any, Any], result: ScoredChange) -> dict[str, Any]:
    references = result.reference_set
    pseudo_references = references.pseudo_references
    left_out = str(result.error or NO_REFERENCES_REASON)
    return {
        "change": row["change"],
        "title": row["title"],
        "language": result.language or row["language"],
        "diff": row["diff"],
        "references": [asdict(reference) for reference in pseudo_references],
        "warnings": list(references.warnings),
        "left_out": None if pseudo_references else left_out,
        "analyzers": [asdict(use) for use in references.analyzer_uses],
    }


def _scored_reviews(
    reviews: pd.DataFrame, results: Mapping[str, ScoredChange], tau: float
) -> pd.DataFrame:
    remaining = {change: iter(result.scores) for change, result in results.items()}
    scores = [next(remaining[change]) for change in reviews["change"]]
    matrices = [score.similarity for score in scores]
    columns = {
        "tau": [tau] * len(scores),
        "n_pseudo_references": [len(matrix) for matrix in matrices],
        "n_sentences": [matrix.shape[1] for matrix in matrices],
        "warnings": [[*score.warnings, *score.not_analysed] for score in scores],
        "sentences": [score.sentence_texts for score in scores],
        "similarity": [matrix.ravel() for matrix in matrices],
        "sentence_maxima": [matrix.max(axis=0) if matrix.size else [] for matrix in matrices],
        "reference_maxima": [matrix.max(axis=1) if matrix.size else [] for matrix in matrices],
    }
    schema = pa.schema([(name, REVIEW_COLUMNS[name]) for name in columns])
    scored = from_arrow(pa.table(columns, schema=schema))
    scored[list(SCORES)] = all_scores(scored, tau)
    languages = reviews["change"].map({name: result.language for name, result in results.items()})
    reviews = reviews.assign(language=reviews["language"].where(languages == "", languages))
    table = pd.concat([reviews.reset_index(drop=True), scored], axis=1)
    return table[[*REVIEW_COLUMNS, *extra_columns(table)]]
