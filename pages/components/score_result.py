"""The result of the Score page: scores at a tau that a slider moves, and why."""

import json
from collections.abc import Sequence

import pandas as pd
import streamlit as st

from crscore_core import ReviewScore
from crscore_core.errors import ThresholdError
from crscore_core.report import score_document, scores_csv
from crscore_core.sts import resolve_tau
from pages.components.heatmap import describe_heatmap, similarity_heatmap
from pages.components.text import escape_markdown

__all__ = ["show_scores", "tau_slider"]

_TAU_WITHOUT_PRESET = 0.5
_MOST_TABLE_ROWS = 200
_MOST_CELLS = 5_000


def tau_slider(encoder: str) -> float:
    """The threshold; moving it embeds nothing. Starts at the encoder's preset."""
    try:
        preset: float | None = round(resolve_tau(None, encoder), 3)
    except ThresholdError:
        preset = None
    if st.session_state.get("tau_encoder", encoder) != encoder:
        st.session_state["tau"] = preset or _TAU_WITHOUT_PRESET
    st.session_state["tau_encoder"] = encoder
    tau: float = st.slider(
        "Similarity threshold tau",
        0.0,
        1.0,
        preset or _TAU_WITHOUT_PRESET,
        0.001,
        format="%.3f",
        key="tau",
        bind="query-params",
        help="A similarity has to exceed tau to count as a match.",
    )
    if preset is None:
        st.warning("This encoder has no preset of tau: find one that fits it before you trust it.")
    else:
        st.caption(f"The preset of this encoder is {preset:.3f}.")
    return tau


def show_scores(scores: Sequence[ReviewScore], names: Sequence[str]) -> None:
    """All reviews side by side, then one in detail."""
    st.subheader("Scores")
    number = st.column_config.NumberColumn(format="%.3f")
    st.dataframe(
        _overview(scores, names),
        hide_index=True,
        column_config=dict.fromkeys(("conciseness", "comprehensiveness", "relevance"), number),
    )
    chosen = st.selectbox(
        "Review in detail", range(len(scores)), format_func=lambda index: names[index], key="shown"
    )
    _show_review(scores[chosen if chosen is not None else 0])
    _show_analyzers(scores[0])
    _show_downloads(scores, names)


def _overview(scores: Sequence[ReviewScore], names: Sequence[str]) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "review": names,
            "conciseness": [score.conciseness for score in scores],
            "comprehensiveness": [score.comprehensiveness for score in scores],
            "relevance": [score.relevance for score in scores],
            "feedback": [_in_words(score) for score in scores],
        }
    )


def _in_words(score: ReviewScore) -> str:
    return score.feedback.summary if score.relevance is not None else "It cannot be scored."


def _show_review(score: ReviewScore) -> None:
    columns = st.columns(3)
    for column, name in zip(
        columns, ("conciseness", "comprehensiveness", "relevance"), strict=True
    ):
        value = getattr(score, name)
        column.metric(name.capitalize(), "no score" if value is None else f"{value:.3f}")
    for warning in score.warnings:
        st.warning(escape_markdown(warning))
    st.markdown(f"**Feedback.** {escape_markdown(_in_words(score))}")
    st.markdown("**Sentences of the review**")
    _show_rows(_sentences(score), "sentence")
    st.markdown("**Pseudo-references of the change**")
    _show_rows(_references(score), "pseudo-reference", "file")
    if score.similarity.size > _MOST_CELLS:
        st.info(f"The similarity matrix has {score.similarity.size:,} cells: too many to draw.")
    elif score.similarity.size:
        st.markdown("**Similarity matrix**, a dot where it exceeds tau")
        st.plotly_chart(similarity_heatmap(score), key="heatmap", alt=describe_heatmap(score))


def _show_rows(rows: pd.DataFrame, *texts: str) -> None:
    """A table that wraps its `texts`, or for very many rows one that scrolls."""
    if len(rows) > _MOST_TABLE_ROWS:
        st.dataframe(rows)
        return
    for column in texts:
        rows[column] = rows[column].map(escape_markdown)
    st.table(rows)


def _sentences(score: ReviewScore) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "topic": ["✓ on topic" if s.on_topic else "✗ off topic" for s in score.sentences],
            "sentence": [s.text for s in score.sentences],
            "best similarity": [_rounded(s.best_similarity) for s in score.sentences],
            "to": [
                "" if s.best_reference is None else f"P{s.best_reference + 1}"
                for s in score.sentences
            ],
        },
        index=[f"S{number}" for number in range(1, len(score.sentences) + 1)],
    )


def _references(score: ReviewScore) -> pd.DataFrame:
    covered = set(score.covered)
    references = score.pseudo_references
    return pd.DataFrame(
        {
            "coverage": [
                "✓ covered" if index in covered else "✗ missed" for index in range(len(references))
            ],
            "pseudo-reference": [r.text for r in references],
            "kind": [r.kind.value for r in references],
            "source": [r.source for r in references],
            "file": [r.path or "" for r in references],
            "line": ["" if r.line is None else str(r.line) for r in references],
        },
        index=[f"P{number}" for number in range(1, len(references) + 1)],
    )


def _rounded(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"


def _show_analyzers(score: ReviewScore) -> None:
    with st.expander("What was analysed, and how this was made"):
        st.dataframe(
            pd.DataFrame(
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
            ),
            hide_index=True,
        )
        st.code(str(score.signature), language=None, wrap_lines=True)


def _show_downloads(scores: Sequence[ReviewScore], names: Sequence[str]) -> None:
    with st.container(horizontal=True):
        st.download_button(
            "Download JSON",
            lambda: json.dumps(score_document(scores), ensure_ascii=False, indent=1),
            "crscore.json",
            "application/json",
            on_click="ignore",
        )
        st.download_button(
            "Download CSV",
            lambda: scores_csv(scores, names),
            "crscore.csv",
            "text/csv",
            on_click="ignore",
        )
