"""Scores of reviews on the Score page, and why."""

import json
from collections.abc import Sequence

import pandas as pd
import streamlit as st
from crscore_core.corpus.model import DIMENSIONS

from analyzers import Status
from crscore_core import ReviewScore
from crscore_core.scoring.documents import score_document, scores_csv
from pages.components.charts import show_chart
from pages.components.heatmap_figure import (
    can_be_drawn,
    describe_heatmap,
    score_matrix,
    similarity_heatmap,
)
from pages.components.markup import text_table
from pages.components.offers import offer_file
from pages.components.review_view import show_matches
from pages.components.text import counted, distinct, escape_markdown, shorten

_TEXT_WIDTH, _NAME_WIDTH = 300, 30


def show_scores(scores: Sequence[ReviewScore], names: Sequence[str]) -> None:
    """Show all reviews side by side, one of them in detail, and downloads of everything."""
    show_overview(scores, names)
    chosen = choose_review(names)
    show_review(scores[chosen])
    in_part = _seen_in_part(scores[0])
    if in_part:
        st.caption(
            f"Analyzers saw only the hunks of {escape_markdown(shorten(', '.join(in_part), 200))}. "
            "Upload full new versions under “Options” above, several at once, for more smells."
        )
    show_details(scores, names, chosen)


def show_overview(
    scores: Sequence[ReviewScore], names: Sequence[str], people: Sequence[float | None] = ()
) -> None:
    """Show one row a review: its text, its scores, and the relevance that people gave it."""
    for text in _not_analysed_in_words(scores[0]):
        st.info(escape_markdown(text), icon=":material/visibility_off:")
    table = pd.DataFrame(
        {
            "review": [
                f"{name}: {shorten(score.review, _TEXT_WIDTH)}"
                for name, score in zip(names, scores, strict=True)
            ],
            "relevance": [score.relevance for score in scores],
        }
    )
    if people:
        table["people"] = [f"{rating:g}" if rating else "" for rating in people]
    else:
        for name in DIMENSIONS[:-1]:
            table[name] = [getattr(score, name) for score in scores]
    text_table(table, wide=["review"])


def choose_review(names: Sequence[str]) -> int:
    """Let a person choose the review that is shown in detail; return its position."""
    if len(names) == 1:
        return 0
    shown = distinct([shorten(name, _NAME_WIDTH) for name in names])
    chosen = st.segmented_control(
        "Review in detail",
        range(len(names)),
        format_func=lambda index: escape_markdown(shown[index]),
        default=0,
        key=f"shown_of_{len(names)}",
        required=True,
    )
    return chosen or 0


def show_review(score: ReviewScore) -> None:
    """Show in words what a review covers, and its similarity matrix."""
    for warning in score.warnings:
        st.warning(escape_markdown(warning))
    if score.relevance is None:
        st.markdown("It cannot be scored.")
        return
    on_topic = sum(sentence.on_topic for sentence in score.sentences)
    st.markdown(
        f"**About the change: {on_topic} of {counted(len(score.sentences), 'sentence')}. "
        f"Covers {len(score.covered)} of {counted(len(score.pseudo_references), 'point')}.**"
    )
    if repeated := score.feedback.repeated:
        st.caption(f"{counted(len(repeated), 'sentence')} repeated: each counts again.")
    matrix = score_matrix(score)
    if can_be_drawn(matrix):
        figure = similarity_heatmap(matrix, score.tau)
        show_chart(figure, "heatmap", describe_heatmap(matrix, score.tau))
    else:
        st.info(f"The similarity matrix has {score.similarity.size:,} cells: too many to draw.")
    st.caption("Not judged: whether the review is right, or worth saying.")


def show_details(scores: Sequence[ReviewScore], names: Sequence[str], chosen: int) -> None:
    """Show the sentences and points of the chosen review in full, and offer downloads of all."""
    show_matches(score_matrix(scores[chosen]), scores[chosen].tau)
    with st.expander("What was analysed, and how this was made"):
        if scores[0].references.analyzers:
            text_table(_analyzer_table(scores[0]), wide=["reason"])
        st.code(str(scores[0].signature), language=None, wrap_lines=True)
    with st.container(horizontal=True):
        offer_file(
            "Download JSON",
            lambda: json.dumps(score_document(scores), ensure_ascii=False, indent=1),
            "crscore.json",
        )
        offer_file("Download CSV", lambda: scores_csv(scores, names), "crscore.csv")


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
