"""Scores of reviews on the Score page, with their reasons."""

import json
from collections.abc import Sequence
from typing import Any

import pandas as pd
import streamlit as st

from crscore_core import ReviewScore
from crscore_core.analyzers import Status
from crscore_core.errors import InputError
from crscore_core.scoring import Encoder, load_encoder
from crscore_core.scoring.review_score import score_document
from crscore_core.text import shorten
from crscore_eval.formatting import capitalize_first, format_figure
from crscore_eval.run.own_change import edited_score
from pages.components.commonness import warn_of_common_sentences
from pages.components.downloads import offer_file
from pages.components.heatmap_pair import Pair, show_matrix
from pages.components.matches import show_matches
from pages.components.review_view import score_row, show_diff_with_marks, show_warnings
from pages.components.signature import show_signature
from pages.components.tables import RATINGS, RELEVANCE_BY_PEOPLE, show_texts
from pages.components.text import describe_error, escape_markdown, unique_labels
from pages.components.url import choose_option

_TEXT_WIDTH, _NAME_WIDTH, _MAX_EDITED = 300, 30, 20_000
_MANY_SENTENCES = 10  # fewer are too coarse for a third decimal
_DIFF_HEIGHT, _MAX_LINES = 350, 16
"""Height in pixels of a diff with more than this number of lines."""


def show_scores(
    scores: Sequence[ReviewScore],
    names: Sequence[str],
    change: tuple[str, str | None],
    ratings: Sequence[float | None] = (),
    note: str = "",
) -> None:
    """Show all reviews of a diff, one of them in detail, and a download.

    `change` has the diff and the language of hunks without a file name. `ratings` are people's
    ratings of relevance, if there are any; `note` says what to look at.
    """
    diff, language = change
    _show_not_analysed(scores[0], language)
    _show_overview(scores, names, ratings)
    if note:
        st.caption(escape_markdown(note))
    left, right = st.columns(2)
    with right:
        detail, shown = scores[_choose_detail(names)], st.container()
        score = warn_of_common_sentences(_edit(detail))
        with shown:
            pair = _show_detail(score)
    is_long = diff.count("\n") > _MAX_LINES
    with left, st.container(height=_DIFF_HEIGHT if is_long else "content", border=is_long):
        show_diff_with_marks(diff, language, score.pseudo_references, pair)
    show_matches(score, pair, columns=(right, left))
    _show_analyzers(scores[0])
    offer_file(
        "Download JSON",
        lambda: json.dumps(score_document(scores), ensure_ascii=False, indent=1),
        "crscore.json",
    )
    show_signature(scores[0].signature)


def _show_not_analysed(score: ReviewScore, language: str | None) -> None:
    """Show which files were not analysed and why, and where to choose a missing language."""
    for reason in score.not_analysed:
        st.info(escape_markdown(capitalize_first(reason)), icon=":material/visibility_off:")
    results = score.reference_set.analyzers
    if not language and any(
        result.status is Status.NOT_ANALYSED and not result.path for result in results
    ):
        st.caption(
            "The diff names no file, so its language is unknown. Choose it under *Options*, "
            "*Language*, and press Score again."
        )


def _show_overview(
    scores: Sequence[ReviewScore], names: Sequence[str], ratings: Sequence[float | None]
) -> None:
    """Show one row per review: its text, its scores, and people's rating of relevance."""
    table = pd.DataFrame([score_row(score) for score in scores], dtype=float)
    texts = zip(names, scores, strict=True)
    reviews = [f"{name}: {shorten(score.review, _TEXT_WIDTH)}" for name, score in texts]
    if ratings:  # in sight on a phone
        table.insert(0, RELEVANCE_BY_PEOPLE, ratings)
    table.insert(0, "review", reviews)
    is_coarse = all(len(score.sentence_texts) < _MANY_SENTENCES for score in scores)
    digits = dict.fromkeys(score_row(scores[0]), "{:.2f}" if is_coarse else "{:.3f}")
    show_texts(table, formats=digits | RATINGS)
    st.caption(
        "A pseudo-reference is a claim about the change, made from its diff, or a code smell. "
        "Conciseness: the share of sentences that match one. Comprehensiveness: the share of "
        "pseudo-references that a sentence matches. Relevance: the harmonic mean of both."
    )


def _choose_detail(names: Sequence[str]) -> int:
    """Let the user choose the review to show in detail, in the URL as `shown`, from 1."""
    if len(names) == 1:
        return 0
    labels = map(escape_markdown, unique_labels(names, _NAME_WIDTH))
    titles = {f"{number}": label for number, label in enumerate(labels, start=1)}
    look: dict[str, Any] = {"widget": st.segmented_control, "required": True}
    return int(choose_option("Review in detail", titles, "shown", "1", **look)) - 1


def _edit(score: ReviewScore) -> ReviewScore:
    """Let the user edit a review; return its score, after showing how it differs."""
    text = st.text_area(
        "Edit the review, then press Ctrl+Enter",
        score.review,
        key=f"edited_{hash((score.review, *score.pseudo_references))}",
        height="content",
        max_chars=_MAX_EDITED,
    )
    if text in (None, score.review):
        return score
    try:
        edited = edited_score(score, text, cached_encoder(score.signature.encoder))
    except InputError as error:
        st.error(describe_error(error))
        return score
    before, after = map(score_row, (score, edited))
    differences = ", ".join(
        f"{name} {format_figure(new, digits=2, missing='–')} ({new - old:+.2f})"
        if new is not None and old is not None
        else f"{name} –"
        for (name, old), new in zip(before.items(), after.values(), strict=True)
    )
    st.markdown(f"**Edited**: {differences}")
    return edited


def best_similarities(scores: Sequence[ReviewScore]) -> list[float]:
    """Return the highest similarity of every sentence and pseudo-reference, where scores change."""
    matrices = [score.similarity for score in scores if score.similarity.size]
    return [float(best) for one in matrices for axis in (0, 1) for best in one.max(axis=axis)]


@st.cache_resource(max_entries=2, show_spinner="Loading the encoder")
def cached_encoder(name: str) -> Encoder:
    """Return an encoder by its name, loaded once for all sessions.

    Raises:
        UnavailableError: there is no such encoder.
    """
    return load_encoder(name)


def _show_detail(score: ReviewScore) -> Pair | None:
    """Show in words how much a review covers, and its matrix; return the chosen pair."""
    show_warnings(score)
    if score.relevance is None:
        st.markdown("This review cannot be scored.")
        return None
    st.markdown(f"**{score.summary}**")
    return show_matrix(score, "heatmap")


def _show_analyzers(score: ReviewScore) -> None:
    """Show the analyzers' results and what they did not see."""
    results = score.reference_set.analyzers
    fragments = [result.path or "a hunk" for result in results if result.status is Status.FRAGMENT]
    if fragments:
        files = escape_markdown(shorten(", ".join(dict.fromkeys(fragments)), 200))
        st.caption(
            f"The analyzers saw only the hunks of {files}. For a full analysis, upload the "
            "complete changed files under *Score your own*, *Options*."
        )
    if not results:  # the scores are of a run, which keeps neither
        return
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
