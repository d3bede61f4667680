"""Scoring what the form of the Score page holds."""

from dataclasses import dataclass

import streamlit as st

from crscore_core import CRScorer, InputError, ReviewScore
from crscore_core.claims.edited import ClaimRow
from crscore_core.scoring.scorer import Stage
from crscore_core.scoring.smells import choose_analyzers
from crscore_core.text import text_of_file
from pages.components.claims_table import ClaimTable
from pages.components.held_claims import keep_claims
from pages.components.made_claims import ClaimQuestion, make_claims
from pages.components.score_form import ScoreInputs

__all__ = ["Outcome", "score"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What scoring some inputs gave: scores, or the error that says what to change.

    `rows` are the claims as a person left them for it.
    """

    inputs: ScoreInputs
    rows: tuple[ClaimRow, ...] = ()
    scores: tuple[ReviewScore, ...] = ()
    error: str | None = None


def score(inputs: ScoreInputs, table: ClaimTable | None) -> Outcome:
    """Score the reviews of the form, showing each stage as it begins.

    Claims are those of `table`; where there is none they are made and kept.
    """
    with st.status("Scoring", expanded=True) as status:

        def show(stage: Stage) -> None:
            status.update(label=f"{stage.value} …")
            st.write(stage.value)

        try:
            if table is None:
                show(Stage.CLAIMS)
                table = keep_claims(make_claims(ClaimQuestion.of(inputs)))
            scorer = CRScorer(
                claims=table.edited,
                encoder=inputs.encoder,
                tau=0.0,  # replaced by the slider
                analyzers=choose_analyzers(inputs.analysis.pmd_rulesets, inputs.analysis.jshint),
            )
            scores = scorer.score_many(
                table.made.change,
                [review.text for review in inputs.reviews],
                new_files={
                    name: text_of_file(content, f"file {name!r}")
                    for name, content in inputs.analysis.new_files
                },
                progress=show,
            )
        except InputError as error:
            status.update(label="Not scored", state="error", expanded=False)
            return Outcome(inputs, error=str(error))
        status.update(label="Scored", state="complete", expanded=False)
    return Outcome(inputs, table.rows, tuple(scores))
