"""Score a change that a user entered: rescore an edited review, or keep the scores as a run."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pandas as pd

from crscore_core import ReviewScore
from crscore_core.change import parse_change
from crscore_core.scoring import Encoder
from crscore_core.scoring.scorer import ChangeInput, CRScorer, ScoredChange, score_inputs
from crscore_eval.run.checks import with_defaults
from crscore_eval.run.folder import write_run
from crscore_eval.run.parts import scored_part
from crscore_eval.table import Run, RunSettings
from crscore_eval.table.one_review import change_title
from crscore_eval.table.settings import DEFAULTS, content_settings, scoring_settings


def edited_score(score: ReviewScore, review: str, encoder: Encoder) -> ReviewScore:
    """Return the score of an edited review, compared with the same pseudo-references.

    Raises:
        InputError: the encoder fails.
    """
    change = ChangeInput("", (review,), pseudo_references=score.pseudo_references)
    scorer = CRScorer(claims=None, encoder=encoder, tau=score.tau, analyzers={})
    (result,) = score_inputs([change], scorer)
    if result.error is not None:
        raise result.error
    (edited,) = result.scores
    warnings = (*score.reference_set.warnings, *edited.warnings)
    return replace(
        edited,
        reference_set=score.reference_set,
        signature=score.signature,
        warnings=tuple(dict.fromkeys(warnings)),
    )


def save_scores(
    folder: Path, scores: Sequence[ReviewScore], systems: Sequence[str], change: tuple[str, str]
) -> None:
    """Write the scores of a change into a new folder, as a run of one change.

    `systems` wrote the reviews, which have the same pseudo-references; `change` has the diff and
    the language of hunks without a file name, which may be empty.

    Raises:
        InputError: the diff cannot be read.
    """
    diff, given_language = change
    code = parse_change(diff, language=given_language or None)
    language = given_language or code.language
    reviews = pd.DataFrame({"system": systems, "review": [score.review for score in scores]})
    fields = {"change": "change 1", "title": "", "language": language, "diff": diff}
    table, _ = with_defaults(reviews.assign(change="change 1"), pd.DataFrame([fields]))
    references, signature = scores[0].reference_set, scores[0].signature
    result = ScoredChange(language, references, tuple(scores))
    table, changes = scored_part(table, [fields], [result], signature.tau)
    by = signature.encoder, signature.claims, signature.tau
    chosen = scoring_settings(*by, with_analyzers=bool(references.analyzer_uses))
    settings: RunSettings = {**DEFAULTS, **chosen, **content_settings([changes])}
    settings["name"] = f"Own change: {change_title(changes.iloc[0])}"
    write_run(folder, Run(table, changes, settings))
