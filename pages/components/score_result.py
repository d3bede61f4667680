"""Scores of reviews on the Score page, and the reasons for them."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from crscore_core import ReviewScore
from crscore_core.analyzers import Status
from crscore_core.errors import InputError
from crscore_core.scoring import load_encoder
from crscore_core.text import counted, listed, shorten
from crscore_eval.data.shipped import shipped_run
from crscore_eval.export.score_document import score_document
from crscore_eval.ranking.verdict import LIMIT
from crscore_eval.run.own_change import edited_score
from crscore_eval.table import measure_values
from crscore_eval.validity.agreement import system_ratings
from pages.components.downloads import offer_file, show_signature
from pages.components.matrix import show_matrix
from pages.components.review_view import score_row, show_diff_with_marks, show_matches, show_summary
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
) -> tuple[list[tuple[str, ReviewScore]], int]:
    """Show the reviews of a diff at the chosen tau, an edited one after its original.

    One is shown in detail, as edited, and there is a download.

    `reviews` maps the key of the session state that holds a review's text to the review's name; a
    field edits this text. `change` holds the diff and the language of hunks without a file name.
    `ratings` holds people's ratings of relevance, if any; `note` tells users what to look at.
    Returns the names and scores shown, and the index of the one in detail.
    """
    diff, language = change
    keys, signature = [*reviews], scores[0].signature
    edited = [
        _edited(score, st.session_state.setdefault(key, score.review))
        for key, score in zip(keys, scores, strict=True)
    ]
    similarities = best_similarities([*scores, *edited])
    tau = tau_slider(signature.encoder, signature.claims, signature.tau, similarities)
    rows: list[tuple[str, ReviewScore]] = []
    last_rows: list[int] = []  # of each review
    for name, score, new in zip(reviews.values(), scores, edited, strict=True):
        rows.append((name, score.at(tau)))
        if new is not score:
            rows.append((f"{name} (edited)", new.at(tau)))
        last_rows.append(len(rows) - 1)
    _show_overview(rows, dict(zip(reviews.values(), ratings, strict=False)))
    if note and tau == signature.tau and len(rows) == len(scores):
        st.caption(escape_markdown(note))
    left, right = st.columns(2)
    with right:
        number = _choose_detail([*reviews.values()])
        at = last_rows[number]
        score = rows[at][1]
        show_summary(score, _percentile(score))
        show_matrix(score, "heatmap")
        _show_edit_field(keys[number], scores[number].review)
        if edited[number] is not scores[number]:
            _show_difference(rows[at - 1][1], score)
    with left, st.container(key="diff_box"):
        marks = show_diff_with_marks(diff, language, score.pseudo_references)
    show_matches(score, marks, columns=(right, left))
    _show_analyzers(score, language)
    offer_file(
        "Download JSON",
        lambda: json.dumps(score_document([one for _, one in rows]), ensure_ascii=False, indent=1),
        "crscore.json",
    )
    show_signature(score.signature)
    return rows, at


def _show_overview(
    rows: Sequence[tuple[str, ReviewScore]], ratings: Mapping[str, float | None]
) -> None:
    """Show one row per review: its name and text, people's rating by its name, and its scores."""
    scores = pd.DataFrame([score_row(score) for _, score in rows], dtype=float)
    table = pd.DataFrame(
        {"review": [f"{name}: {shorten(score.review, _TEXT_WIDTH)}" for name, score in rows]}
    )
    if ratings:  # left of the scores, so that a phone shows them
        table[RELEVANCE_BY_PEOPLE] = [ratings.get(name) for name, _ in rows]
    digits = dict.fromkeys(map(str, scores), "{:.2f}")  # shares of few sentences
    with st.container(key="cards_overview"):
        show_texts(table.join(scores), formats={**digits, **RATINGS})
    st.caption(
        "Conciseness: the share of sentences that match a pseudo-reference. Comprehensiveness: the "
        "share of pseudo-references that a sentence matches. Relevance: their harmonic mean."
        f"{'' if ratings else _LIMITS}",
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


def _show_edit_field(key: str, original: str) -> None:
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
    if st.session_state[key] != original:
        restored = ({key: original},)
        st.button("Restore the original", on_click=st.session_state.update, args=restored)


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
    return edited_score(_score, text, load_encoder(_score.signature.encoder))


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


def _percentile(score: ReviewScore) -> str:
    if score.relevance is None or score.signature.claims != shipped_run().settings["claims"]:
        return ""
    relevance = _study_relevance(score.tau)
    of = f"{(relevance < score.relevance).mean():.0%} of {len(relevance):,} rated reviews"
    return f" The review's relevance is higher than that of {of} in the study."


@st.cache_data(max_entries=32, show_spinner=False)
def _study_relevance(tau: float) -> "pd.Series[float]":
    reviews = shipped_run().reviews
    return measure_values(reviews, "relevance", tau)[system_ratings(reviews, "relevance").notna()]


def _show_analyzers(score: ReviewScore, language: str | None) -> None:
    results = score.reference_set.analyzers
    if not results:  # scores of a run, which keeps no analyzer results
        return
    unread, fragments = (
        sorted({result.path for result in results if result.status is status and result.path})
        for status in (Status.NOT_ANALYSED, Status.FRAGMENT)
    )
    limits = f"Not analysed: {listed(unread)}. " * bool(unread)
    limits += f"Analysed only as hunks: {counted(len(fragments), 'file')}. " * bool(fragments)
    if limits:
        st.caption(
            f"Code smells may be missing. {escape_markdown(limits)} "
            "*Analyzer results* gives the reasons. Complete changed files, uploaded under "
            "*Score your own*, *Options*, are analysed in full if an analyzer can read them."
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
