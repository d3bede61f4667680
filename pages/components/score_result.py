"""Scores of reviews on the Score page, with their reasons."""

import json
from collections.abc import Sequence

import pandas as pd
import streamlit as st

from crscore_core import ReviewScore
from crscore_core.analyzers import Status
from crscore_core.scoring.review_score import score_document
from crscore_core.text import shorten
from crscore_eval.formatting import capitalize_first
from pages.components.commonness import warn_of_common_sentences
from pages.components.downloads import offer_file
from pages.components.heatmap_chart import show_heatmap
from pages.components.matches import show_matches
from pages.components.review_view import score_row, show_diff_with_marks, show_warnings
from pages.components.signature import show_signature
from pages.components.tables import RATINGS, RELEVANCE_BY_PEOPLE, show_texts
from pages.components.text import escape_markdown, unique_labels

_TEXT_WIDTH, _NAME_WIDTH = 300, 30
_DIFF_HEIGHT, _MAX_LINES = 350, 16
"""Height in pixels of a diff with more than this number of lines."""


def show_scores(
    scores: Sequence[ReviewScore],
    names: Sequence[str],
    diff: str,
    language: str | None,
    ratings: Sequence[float | None] = (),
) -> None:
    """Show all reviews of a diff, one of them in detail, and a download.

    `ratings` are people's ratings of relevance, if there are any.
    """
    scores = list(map(warn_of_common_sentences, scores))
    _show_not_analysed(scores[0], language)
    _show_overview(scores, names, ratings)
    left, right = st.columns(2)
    is_long = diff.count("\n") > _MAX_LINES
    with left, st.container(height=_DIFF_HEIGHT if is_long else "content", border=is_long):
        show_diff_with_marks(diff, language, scores[0].pseudo_references)
    with right:
        score = scores[_choose_detail(names)]
        _show_detail(score)
    show_matches([score], columns=(right, left))
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
    table.insert(0, "review", reviews)
    if ratings:
        table[RELEVANCE_BY_PEOPLE] = ratings
    show_texts(table, formats=RATINGS)
    st.caption(
        "Conciseness: the share of sentences that match a pseudo-reference. Comprehensiveness: the "
        "share of pseudo-references that a sentence matches. Relevance: the harmonic mean of both."
    )


def _choose_detail(names: Sequence[str]) -> int:
    """Let the user choose the review to show in detail; return its position."""
    if len(names) == 1:
        return 0
    labels = unique_labels(names, _NAME_WIDTH)
    position = st.segmented_control(
        "Review in detail",
        range(len(names)),
        format_func=lambda index: escape_markdown(labels[index]),
        default=0,
        key=f"shown_of_{len(names)}",
        required=True,
    )
    return position or 0


def _show_detail(score: ReviewScore) -> None:
    """Show in words how much a review covers, and its similarity matrix."""
    show_warnings([score], [""])
    if score.relevance is None:
        st.markdown("This review cannot be scored.")
        return
    st.markdown(f"**{score.summary}**")
    show_heatmap([score], "heatmap")


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
