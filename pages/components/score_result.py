"""Scores of reviews on the Score page, and the reasons for them."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from crscore_core import ReviewScore
from crscore_core.analyzers import Status
from crscore_core.errors import InputError
from crscore_core.scoring import Encoder, load_encoder
from crscore_core.text import counted, shorten
from crscore_eval.data.shipped import shipped_run
from crscore_eval.export.score_document import score_document
from crscore_eval.ranking.verdict import LIMIT
from crscore_eval.run.own_change import edited_score
from crscore_eval.table import measure_values
from crscore_eval.validity.agreement import system_ratings
from pages.components.downloads import offer_file, show_signature
from pages.components.matrix import show_matrix
from pages.components.review_view import (
    score_row,
    show_diff_with_marks,
    show_matches,
    show_summary,
    show_warnings,
)
from pages.components.tables import RATINGS, RELEVANCE_BY_PEOPLE, show_texts
from pages.components.tau_slider import tau_slider
from pages.components.text import describe_error, escape_markdown, unique_labels
from pages.components.url import choose_option

_EDIT = "edit_of_"
_LIMITS = f" {LIMIT} A match is a similarity above tau: the texts may still say different things."
_TEXT_WIDTH, _NAME_WIDTH, _MAX_EDITED = 280, 30, 20_000


def show_scores(
    scores: Sequence[ReviewScore],
    reviews: Mapping[str, str],
    change: tuple[str, str | None],
    ratings: Sequence[float | None] = (),
    note: str = "",
) -> tuple[list[ReviewScore], int]:
    """Show the reviews of a diff, as edited, at the chosen tau: one in detail, and a download.

    `reviews` maps the key of the session state that holds a review's text to the review's name; a
    field edits this text. `change` holds the diff and the language of hunks without a file name.
    `ratings` holds people's ratings of relevance, if any; `note` tells users what to look at.
    Returns the scores shown, and the index of the one in detail.
    """
    diff, language = change
    keys, names = [*reviews], [*reviews.values()]
    edited = [
        _edited(score, st.session_state.setdefault(key, score.review))
        for key, score in zip(keys, scores, strict=True)
    ]
    is_edited = [new is not old for new, old in zip(edited, scores, strict=True)]
    signature = scores[0].signature
    similarities = best_similarities(edited)
    tau = tau_slider(signature.encoder, signature.claims, signature.tau, similarities)
    shown = [score.at(tau) for score in edited]
    show_warnings(shown[0].not_analysed)
    _show_overview(shown, names, ratings, is_edited)
    if note and not any(is_edited):
        st.caption(escape_markdown(note))
    left, right = st.columns(2)
    with right:
        at = _choose_detail(names)
        score = shown[at]
        show_summary(score, _percentile(score))
        show_matrix(score, "heatmap")
        _show_edit_field(keys[at])
        if is_edited[at]:
            _show_difference(scores[at].at(tau), score)
    with left, st.container(key="diff_box"):
        marks = show_diff_with_marks(diff, language, score.pseudo_references)
    show_matches(score, marks, columns=(right, left))
    _show_analyzers(shown[0], language)
    offer_file(
        "Download JSON",
        lambda: json.dumps(score_document(shown), ensure_ascii=False, indent=1),
        "crscore.json",
    )
    show_signature(shown[0].signature)
    return shown, at


def _show_overview(
    scores: Sequence[ReviewScore],
    names: Sequence[str],
    ratings: Sequence[float | None],
    is_edited: Sequence[bool],
) -> None:
    """Show one row per review: its text, its scores, and people's rating unless it is edited."""
    table = pd.DataFrame([score_row(score) for score in scores], dtype=float)
    if ratings:  # left of the scores, so that a phone shows them
        of_shown = zip(ratings, is_edited, strict=True)
        table.insert(0, RELEVANCE_BY_PEOPLE, [None if new else one for one, new in of_shown])
    reviews = [
        f"{name}{' (edited)' * edited}: {shorten(score.review, _TEXT_WIDTH)}"
        for name, score, edited in zip(names, scores, is_edited, strict=True)
    ]
    table.insert(0, "review", reviews)
    digits = dict.fromkeys(score_row(scores[0]), "{:.2f}")  # shares of few sentences
    with st.container(key="cards_overview"):
        show_texts(table, formats={**digits, **RATINGS})
    st.caption(
        "Conciseness: the share of sentences that match a pseudo-reference. Comprehensiveness: the "
        "share of pseudo-references that a sentence matches. Relevance: their harmonic mean."
        f"{'' if ratings and not any(is_edited) else _LIMITS}",
        help="Without a threshold: relevance from mean highest similarities instead of shares. It "
        "does not depend on tau, and agrees better with people in the human study.",
    )


def _choose_detail(names: Sequence[str]) -> int:
    if len(names) == 1:
        return 0
    labels = map(escape_markdown, unique_labels(names, _NAME_WIDTH))
    titles = {f"{number}": label for number, label in enumerate(labels, start=1)}
    look: dict[str, Any] = {"widget": st.segmented_control, "required": True}
    return int(choose_option("Review in detail", titles, "shown", "1", **look)) - 1


def _show_edit_field(key: str) -> None:
    """Show a field for the text in the session state under `key`, which it changes."""
    field = _EDIT + key
    if st.session_state.get(field) != st.session_state[key]:
        st.session_state[field] = st.session_state[key]
    st.text_area(
        "Edit the review; scores update when you leave the field",
        key=field,
        height="content",
        max_chars=_MAX_EDITED,
        on_change=lambda: st.session_state.update({key: st.session_state[field]}),
    )


def _edited(score: ReviewScore, text: str) -> ReviewScore:
    if text == score.review:
        return score
    try:
        return _score_edited(hash((score.signature, *score.pseudo_references)), text, score)
    except InputError as error:
        st.error(describe_error(error))
        return score


@st.cache_resource(max_entries=64, show_spinner=False)
def _score_edited(key: int, text: str, _score: ReviewScore) -> ReviewScore:  # noqa: ARG001 - a key
    return edited_score(_score, text, cached_encoder(_score.signature.encoder))


def _show_difference(score: ReviewScore, edited: ReviewScore) -> None:
    before, after = map(score_row, (score, edited))
    differences = ", ".join(
        f"{name} {new:.2f} ({new - old:+.2f})"
        for (name, old), new in zip(before.items(), after.values(), strict=True)
        if new is not None and old is not None
    )
    st.markdown(f"**Edited**, compared with the original: {differences}")


def best_similarities(scores: Sequence[ReviewScore]) -> list[float]:
    """Return the highest similarity of each sentence and pseudo-reference: scores change there."""
    matrices = [score.similarity for score in scores if score.similarity.size]
    return [float(best) for one in matrices for axis in (0, 1) for best in one.max(axis=axis)]


@st.cache_resource(max_entries=2, show_spinner="Loading the encoder")
def cached_encoder(name: str) -> Encoder:
    """Return the encoder with this name, loaded once for all sessions.

    Raises:
        UnavailableError: there is no such encoder.
    """
    return load_encoder(name)


def _percentile(score: ReviewScore) -> str:
    if score.relevance is None or score.signature.claims != shipped_run().settings["claims"]:
        return ""
    relevance = _study_relevance(score.tau)
    share = (relevance < score.relevance).mean()
    of_study = f"{share:.0%} of the study's {len(relevance):,} rated reviews by systems"
    return f" The review's relevance is higher than that of {of_study}."


@st.cache_data(max_entries=32, show_spinner=False)
def _study_relevance(tau: float) -> "pd.Series[float]":
    reviews = shipped_run().reviews
    return measure_values(reviews, "relevance", tau)[system_ratings(reviews, "relevance").notna()]


def _show_analyzers(score: ReviewScore, language: str | None) -> None:
    results = score.reference_set.analyzers
    if not results:  # scores of a run, which keeps no analyzer results
        return
    fragments = {result.path for result in results if result.status is Status.FRAGMENT}
    if fragments:
        st.caption(
            f"The analyzers saw only the hunks of {counted(len(fragments), 'file')}. For a full "
            "analysis, upload the complete changed files under *Score your own*, *Options*."
        )
    if not language and not all(result.path for result in results):
        st.caption(
            "The diff names no file, so its language is unknown. Choose it under *Options*, "
            "*Language*, and press Score again."
        )
    rows = [
        {
            "analyzer": result.name,
            "file": result.path or "",
            "status": result.status.value.replace("_", " "),
            "reason": result.reason or "",
            "smells": len(result.smells),
        }
        for result in results
    ]
    with st.expander("Analyzer results"):
        show_texts(pd.DataFrame(rows))
