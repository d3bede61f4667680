"""Scores of one change that a user entered: an edited review, and a run to keep and share."""

from collections.abc import Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime
from pathlib import Path

import pandas as pd

from crscore_core import ReviewScore
from crscore_core.change import parse_change
from crscore_core.scoring import Encoder
from crscore_core.scoring.pipeline import ChangeInput, ScoringSetup, score_changes
from crscore_core.scoring.references import reference_document
from crscore_eval.run import score_table, write_part
from crscore_eval.run.folder import write_settings
from crscore_eval.table.one_review import change_title
from crscore_eval.table.settings import total_digest, total_uses


def edited_score(score: ReviewScore, review: str, encoder: Encoder) -> ReviewScore:
    """Return the score of another text of a review, compared with the same pseudo-references.

    Raises:
        InputError: the encoder fails.
    """
    change = ChangeInput("", (review,), pseudo_references=score.pseudo_references)
    (result,) = score_changes([change], ScoringSetup(None, encoder, score.tau, {}))
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
    folder: Path,
    scores: Sequence[ReviewScore],
    systems: Sequence[str],
    change: tuple[str, str | None],
    encoder: Encoder,
) -> None:
    """Write the scores of a change into a new folder, as a run of one change.

    `systems` wrote the reviews, which have the same pseudo-references; `change` has the diff and
    the language of hunks without a file name.

    Raises:
        InputError: the diff cannot be read, or the encoder fails.
    """
    diff, given_language = change
    files = parse_change(diff, language=given_language or None).files
    language = next(filter(None, (given_language, *(file.language for file in files))), "")
    signature = scores[0].signature
    references = [reference_document(one) for one in scores[0].pseudo_references]
    reviews = pd.DataFrame(
        {
            "id": [f"{number}" for number in range(1, len(scores) + 1)],
            "change": "change 1",
            "system": list(systems),
            "language": language,
            "review": [score.review for score in scores],
        }
    )
    fields = {"change": "change 1", "title": "", "language": language, "diff": diff}
    setup = ScoringSetup(None, encoder, signature.tau, {})
    run = score_table(reviews, pd.DataFrame([{**fields, "references": references}]), setup=setup)
    uses = scores[0].reference_set.analyzer_uses or ()
    changes = run.changes.assign(analyzers=pd.Series([[asdict(use) for use in uses]]))
    warnings = pd.Series([[*score.warnings, *score.not_analysed] for score in scores])
    folder.mkdir(mode=0o700, parents=True)
    write_part(folder, 0, run.reviews.assign(warnings=warnings), changes)
    write_settings(
        folder,
        {
            **run.settings,
            "name": f"Own change: {change_title(changes.iloc[0])}",
            "claims": signature.claims,
            "claims_version": signature.claims_version,
            "with_analyzers": bool(uses),
            "analyzers": total_uses(changes["analyzers"]),
            "claims_digest": total_digest(changes["references"], signature.claims),
            "created": datetime.now(UTC).isoformat(timespec="seconds"),
            "is_finished": True,
            "n_reviews": len(reviews),
            "n_changes": 1,
        },
    )
