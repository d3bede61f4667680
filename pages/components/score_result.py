"""Scoring on the Score page, and its result: the scores of each review, and why."""

import json
import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace

import pandas as pd
import streamlit as st
from cachetools import LRUCache

from analyzers import Status
from crscore_core import CRScorer, InputError, ReviewScore
from crscore_core.change import parse_change
from crscore_core.claims.edited import ClaimRow
from crscore_core.corpus.at_odds import reviews_at_odds
from crscore_core.corpus.model import DIMENSIONS
from crscore_core.job import Desk
from crscore_core.predicted.ratings import PROBABILITY_CAUTION, PredictedRatings
from crscore_core.scoring.documents import score_document, scores_csv
from crscore_core.scoring.scorer import Question
from crscore_core.scoring.smells import choose_analyzers
from crscore_core.text import text_of_file
from pages.components.charts import show_chart
from pages.components.heatmap_figure import (
    can_be_drawn,
    describe_heatmap,
    score_matrix,
    similarity_heatmap,
)
from pages.components.markup import text_table
from pages.components.match_tables import show_matches
from pages.components.names import distinct
from pages.components.offers import offer_file
from pages.components.score_claims import (
    ClaimQuestion,
    ClaimTable,
    MadeClaims,
    keep_claims,
    make_claims,
)
from pages.components.score_form import ScoreInputs
from pages.components.score_kept import KeptScore, keep_score
from pages.components.source.load import encoder_of
from pages.components.text import escape_markdown, in_line, shorten

_MOST_OUTCOMES = 150
_AT_ONCE, _MOST_CHARACTERS = 2, 200_000
_desk: Desk[Question, list[ReviewScore]] = Desk(_AT_ONCE, _MOST_CHARACTERS)
"""Scores of all sessions. An analyzer that starts once for many is most of what can be saved."""

_PREDICTED_HELP = {
    "predicted relevance": "The relevance that people would give, from 1 to 5, brought to 0 to 1, "
    "as a model predicts it that was fitted to the CRScore human study. It does not depend on tau.",
    **{
        words: f"Probability that people call the review {words}. {PROBABILITY_CAUTION}"
        for words in ("relevant", "informative", "well expressed")
    },
}
_CONTRIBUTIONS = (
    "Each row is one thing that the model reads. A plus speaks for a better rating, a minus for a "
    "worse one: 1 makes a better rating nearly three times as likely (its odds, by the factor e)."
)


@dataclass(frozen=True, slots=True)
class Outcome:
    """Scores of a form, or the error that says what to change.

    `rows` are the claims that were scored, as a person left those of `made`. `name` is that under
    which the server keeps the form, None where it does not.
    """

    inputs: ScoreInputs
    rows: tuple[ClaimRow, ...] = ()
    scores: tuple[ReviewScore, ...] = ()
    error: str | None = None
    made: MadeClaims | None = None
    name: str | None = None


_outcomes: LRUCache[object, Outcome] = LRUCache(_MOST_OUTCOMES)
_outcomes_lock = threading.Lock()


def score(inputs: ScoreInputs, table: ClaimTable | None) -> Outcome:
    """Score the reviews of the form, at once where the same form was scored lately.

    The claims are those of `table`; without a table they are made and held.
    """
    form = inputs, None if table is None else table.rows
    with _outcomes_lock:
        outcome = _outcomes.get(form)
    if outcome is None:
        outcome = _score(inputs, table)
    elif outcome.made is not None and table is None:
        keep_claims(outcome.made, outcome.rows)
    if outcome.made is None:
        return outcome
    # The address of a form that was scored before may have expired.
    kept = KeptScore(inputs, outcome.made.backend, outcome.made.claims, outcome.rows)
    outcome = replace(outcome, name=keep_score(kept, outcome.name))
    with _outcomes_lock:
        for known in (form, (inputs, outcome.rows), outcome.name):
            _outcomes[known] = outcome
    return outcome


def open_score(name: str, kept: KeptScore, inputs: ScoreInputs) -> Outcome:
    """Return the scores of a form that the server kept, which now shows `inputs`.

    They are computed anew where that was long ago, without files that were uploaded.
    """
    try:
        change = parse_change(inputs.diff, language=inputs.language)
    except InputError as error:
        return Outcome(inputs, error=str(error))
    made = MadeClaims(ClaimQuestion.of(inputs), change, kept.backend, kept.claims)
    table = keep_claims(made, kept.rows)
    with _outcomes_lock:
        outcome = _outcomes.get(name)
    if outcome is None:
        return replace(_score(inputs, table), name=name)
    return outcome if outcome.inputs.analysis.new_files else replace(outcome, inputs=inputs)


def _score(inputs: ScoreInputs, table: ClaimTable | None) -> Outcome:
    """Score the reviews of the form, together with those of others who wait, and show the place.

    The claims are those of `table`; without a table they are made and held.
    """
    with st.status("Scoring …") as status:
        try:
            if table is None:
                status.update(label="Making claims …")
                table = keep_claims(make_claims(ClaimQuestion.of(inputs)))
            scorer = CRScorer(
                claims=table.edited,
                encoder=encoder_of(inputs.encoder),
                tau=0.0,  # replaced by the slider
                analyzers=choose_analyzers(inputs.analysis.pmd_rulesets, inputs.analysis.jshint),
            )
            question = scorer.question(
                table.made.change,
                [review.text for review in inputs.reviews],
                new_files={
                    name: text_of_file(content, f"file {name!r}")
                    for name, content in inputs.analysis.new_files
                },
            )
            status.update(label="Analysing the change and comparing the reviews with it …")
            scores = _desk.ask(
                (inputs.encoder, inputs.analysis.pmd_rulesets, inputs.analysis.jshint),
                question,
                len(inputs.diff) + sum(map(len, question.reviews)),
                scorer.answers,
                lambda place: status.update(label=f"Scoring: {in_line(place)} …"),
            )
        except InputError as error:
            status.update(label="Not scored", state="error", expanded=False)
            return Outcome(inputs, error=str(error))
        status.update(label="Scored", state="complete", expanded=False)
    return Outcome(inputs, table.rows, tuple(scores), made=table.made)


def show_scores(scores: Sequence[ReviewScore], names: Sequence[str]) -> None:
    """Show all reviews side by side, one of them in detail, and downloads of everything."""
    for text in _not_analysed_in_words(scores[0]):
        st.info(escape_markdown(text), icon=":material/visibility_off:")
    chosen = 0
    if len(scores) > 1:
        text_table(_overview_table(scores, names), wide=["feedback"])
        if at_odds := reviews_at_odds(dict(zip(distinct(names), scores, strict=True))):
            st.info(escape_markdown(" ".join(at_odds)), icon=":material/swap_vert:")
        chosen = st.selectbox(
            "Review in detail",
            range(len(scores)),
            format_func=lambda index: f"{index + 1}. {names[index]}",
            key="shown",
        )
    _show_review(scores[chosen])
    in_part = _seen_in_part(scores[0])
    if in_part:
        st.caption(
            f"Analyzers saw only the hunks of {escape_markdown(shorten(', '.join(in_part), 200))}. "
            "Upload full new versions under “Options” above, several at once, for more smells."
        )
    with st.expander("What was analysed, and how this was made"):
        text_table(_analyzer_table(scores[0]), wide=["reason"])
        st.code(str(scores[0].signature), language=None, wrap_lines=True)
    with st.container(horizontal=True):
        offer_file(
            "Download JSON",
            lambda: json.dumps(score_document(scores), ensure_ascii=False, indent=1),
            "crscore.json",
        )
        offer_file("Download CSV", lambda: scores_csv(scores, names), "crscore.csv")


def _show_review(score: ReviewScore) -> None:
    for warning in score.warnings:
        st.warning(escape_markdown(warning))
    if score.predicted:
        _show_predicted(score.predicted)
    st.markdown("**How much of the change it talks about**")
    with st.container(horizontal=True, gap="large"):
        for name in reversed(DIMENSIONS):
            value = getattr(score, name)
            figure = "no score" if value is None else f"{value:.3f}"
            st.metric(name.capitalize(), figure, width="content")
    st.markdown(escape_markdown(_feedback_in_words(score)))
    matrix = score_matrix(score)
    show_matches(matrix, score.tau, score.signature.encoder)
    if can_be_drawn(matrix):
        st.markdown("**Similarity matrix**, outlined where it exceeds tau")
        figure = similarity_heatmap(matrix, score.tau)
        show_chart(figure, "heatmap", describe_heatmap(matrix, score.tau))
    elif score.similarity.size:
        st.info(f"The similarity matrix has {score.similarity.size:,} cells: too many to draw.")


def _show_predicted(predicted: PredictedRatings) -> None:
    """Show what people would say of a review, and why, in words and as a table."""
    figures = (
        f"{predicted.relevance:.3f}",
        *(
            f"{probability:.0%}"
            for probability in (
                predicted.relevant,
                predicted.informative,
                predicted.well_expressed,
            )
        ),
    )
    with st.container(horizontal=True, gap="large"):
        for (name, help_text), figure in zip(_PREDICTED_HELP.items(), figures, strict=True):
            st.metric(name.capitalize(), figure, help=help_text, width="content")
    st.caption(
        f"A predicted relevance of {predicted.relevance:.3f} stands for a rating of "
        f"{predicted.rating:.1f} on people's scale from 1 to 5. The percentages hold for a review "
        "that is about the change; they may be high for one that is not."
    )
    if predicted.remark:
        st.warning(escape_markdown(predicted.remark))
    parts = {
        "What raises predicted relevance": map(str, predicted.raised_by),
        "What lowers it": map(str, predicted.lowered_by),
        "To mend": (f"The review {suggestion}." for suggestion in predicted.suggestions),
    }
    for column, (title, texts) in zip(st.columns(len(parts)), parts.items(), strict=True):
        lines = [f"- {escape_markdown(text)}" for text in texts] or ["Nothing."]
        column.markdown("\n".join([f"**{title}**", "", *lines]))
    with st.expander("All that raises and lowers predicted relevance"):
        st.caption(_CONTRIBUTIONS)
        text_table(_contribution_table(predicted), wide=["meaning", "in the review"])


def _overview_table(scores: Sequence[ReviewScore], names: Sequence[str]) -> pd.DataFrame:
    """Return one row a review: the predicted score if any, the others, and feedback in words."""
    table = pd.DataFrame(
        {
            "review": names,
            "predicted relevance": [score.predicted_relevance for score in scores],
            **{name: [getattr(score, name) for score in scores] for name in reversed(DIMENSIONS)},
            "feedback": [_feedback_in_words(score) for score in scores],
        }
    )
    if all(score.predicted_relevance is None for score in scores):
        return table.drop(columns="predicted relevance")
    return table


def _feedback_in_words(score: ReviewScore) -> str:
    """Sum the scores up, or say that there are none."""
    return "It cannot be scored." if score.relevance is None else score.feedback.summary


def _contribution_table(predicted: PredictedRatings) -> pd.DataFrame:
    """Return one row a feature of predicted relevance: its meaning, its effect, its source."""
    return pd.DataFrame(
        [
            {
                "feature": reason.name.replace("_", " "),
                "meaning": reason.meaning,
                "in the review": "; ".join(reason.parts),
                "value": f"{reason.value:.3f}",
                "log odds": f"{reason.contribution:+.2f}",
            }
            for reason in predicted.reasons
        ]
    )


def _analyzer_table(score: ReviewScore) -> pd.DataFrame:
    """Return one row for each analyzer and file: its status, and why it was not analysed."""
    return pd.DataFrame(
        [
            {
                "analyzer": result.name,
                "file": result.path or "",
                "status": result.status.value.replace("_", " "),
                "reason": result.reason or "",
                "smells": len(result.smells),
            }
            for result in score.references.analyzers
        ]
    )


def _seen_in_part(score: ReviewScore) -> list[str]:
    """List files of which analyzers saw the hunks alone."""
    results = score.references.analyzers
    paths = [result.path or "a file" for result in results if result.status is Status.FRAGMENT]
    return list(dict.fromkeys(paths))


def _not_analysed_in_words(score: ReviewScore) -> list[str]:
    """List files that were not analysed, which may not be clean, by analyzer and reason."""
    files: dict[tuple[str, str], list[str]] = {}
    for result in score.references.analyzers:
        if result.status is Status.NOT_ANALYSED:
            key = result.name, result.reason or ""
            files.setdefault(key, []).append(result.path or "the hunk")
    return [
        f"Not analysed{'' if name == 'none' else f' by {name}'}: {', '.join(paths)}. {reason}."
        for (name, reason), paths in files.items()
    ]
