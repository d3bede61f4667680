"""Reviews of one change, shown in the same way on all pages: texts, scores, matches, diff."""

from collections.abc import Sequence
from typing import Any

import pandas as pd
import streamlit as st

from crscore_core import ReviewScore
from crscore_core.change import LANGUAGES
from crscore_core.scoring.references import PseudoReference
from crscore_core.text import shorten
from crscore_eval.figures import capital
from crscore_eval.table import (
    DIMENSIONS,
    HUMAN,
    JUDGE_PREFIX,
    Run,
    descriptive_columns,
    label_title,
    split_judge_column,
)
from crscore_eval.table.one_review import change_number, change_of, change_title, review_score
from pages.components.controls import two_columns
from pages.components.current_run import system_title
from pages.components.heatmap_chart import joined_similarity
from pages.components.markup import diff_view, plain_text, text_table
from pages.components.markup.plain import bounded_text
from pages.components.review_choice import REVIEW, Rows, choose_review
from pages.components.text import escape_markdown

_HEIGHT = 560
_NAME_WIDTH, _MAX_COLUMNS = 80, 8
_SCORES = ("relevance", "conciseness", "comprehensiveness")


def step_through_reviews(run: Run, rows: Rows, tau: float) -> int | None:
    """Step through reviews and show the current one in a box, which fits beside a chart.

    Returns the row of the review, None if there is none.
    """
    row = choose_review(run, rows)
    if row is not None:
        with st.container(height=_HEIGHT):
            show_reviews(run, [row], tau)
            show_change(run, row)
            st.page_link(
                "pages/heatmap.py",
                label="Show the similarities on the Heatmap page",
                icon=":material/grid_on:",
                query_params={REVIEW: str(run.reviews["id"].iat[row])},
            )
    return row


def show_reviews(run: Run, rows: Sequence[int], tau: float) -> None:
    """Show reviews of a change: their scores, people's ratings, and matches."""
    reviews = run.reviews.iloc[list(rows)]
    scores = [review_score(run, row, tau) for row in rows]
    names = [system_title(system) for system in reviews["system"]]
    is_single = len(rows) == 1
    change = change_of(run, str(reviews["change"].iat[0]))
    number, title = change_number(change["change"]), change_title(change)
    st.header(escape_markdown(shorten(title, 120)), anchor=False)
    facts = [] if title == f"Change {number}" else [f"change {shorten(number, _NAME_WIDTH)}"]
    facts.append(LANGUAGES.get(change["language"]) or change["language"] or "language unknown")
    if is_single:
        facts += _review_facts(reviews, names[0])
    st.caption(escape_markdown(capital(", ".join(facts))))
    if is_single:
        plain_text(scores[0].review)
    show_warnings(scores, names)
    ratings = reviews[[HUMAN[name] for name in DIMENSIONS if HUMAN[name] in reviews]]
    text_table(
        _rows_of_scores(scores[0], ratings.iloc[0])
        if is_single
        else _rows_of_reviews(scores, names, ratings),
        wide=(),
        caption="Scores from 0 to 1, and people's ratings from 1 to 5",
    )
    if is_single:
        _show_judgements(reviews.iloc[0])
    show_matches(scores, names)


def _review_facts(reviews: pd.DataFrame, system: str) -> list[str]:
    """Return the id, the system, labels and other columns of the only review."""
    columns = [
        f"{label_title(str(name))} {f'{value:g}' if isinstance(value, float) else value}"
        for name, value in reviews[descriptive_columns(reviews)].iloc[0].dropna().items()
    ]
    facts = [f"review {reviews['id'].iat[0]}", f"by {system}", *columns[:_MAX_COLUMNS]]
    return [shorten(fact, _NAME_WIDTH) for fact in facts]


def show_warnings(scores: Sequence[ReviewScore], names: Sequence[str]) -> None:
    """Show the warnings of scores, with `names` of the reviews if there are several."""
    for score, name in zip(scores, names, strict=True):
        prefix = f"{shorten(name, _NAME_WIDTH)}: " if len(scores) > 1 else ""
        for warning in score.warnings:
            st.warning(escape_markdown(f"{prefix}{capital(warning)}"))


def score_row(score: ReviewScore) -> dict[str, object]:
    """Return the scores of a review by their names in tables; None if undefined."""
    row: dict[str, object] = {name: getattr(score, name) for name in _SCORES}
    row["without a threshold"] = score.no_threshold.relevance if score.no_threshold else None
    return row


def _rows_of_scores(score: ReviewScore, ratings: "pd.Series[Any]") -> list[dict[str, object]]:
    """Return one row per score of a review, with people's rating if they rated it."""
    rows: list[dict[str, object]] = [
        {"": name, "metric": value} for name, value in score_row(score).items()
    ]
    if ratings.notna().any():
        for row in rows:
            row["people"] = rating_cell(ratings.get(HUMAN.get(str(row[""]), "")))
    return rows


def _rows_of_reviews(
    scores: Sequence[ReviewScore], names: Sequence[str], ratings: pd.DataFrame
) -> list[dict[str, object]]:
    """Return one row per review, with people's rating of relevance if they rated any."""
    rows: list[dict[str, object]] = [
        {"": name, **score_row(score)} for score, name in zip(scores, names, strict=True)
    ]
    if (column := HUMAN["relevance"]) in ratings and ratings[column].notna().any():
        for row, rating in zip(rows, ratings[column], strict=True):
            row["people"] = rating_cell(rating)
    return rows


def rating_cell(value: float | None) -> float | None:
    """Return a rating as a cell of a table, as an integer if it is whole."""
    return int(value) if value is not None and float(value).is_integer() else value


def _show_judgements(review: "pd.Series[Any]") -> None:
    """Show the judges' figures and reasons for a review."""
    texts: dict[str, list[str]] = {}
    for column, value in review.items():
        if str(column).startswith(JUDGE_PREFIX) and not pd.isna(value):
            judge, figure = split_judge_column(str(column))
            if figure != "model":
                text = f"{figure} {value:g}" if isinstance(value, float) else str(value)
                texts.setdefault(judge, []).append(text)
    for judge, parts in texts.items():
        text = escape_markdown("; ".join(filter(None, parts)))
        st.caption(f"**{escape_markdown(f'Judge {judge}'.strip())}**: {text}")


def show_change(run: Run, row: int) -> None:
    """Show the diff of a review's change, with marks at the lines of pseudo-references."""
    change = change_of(run, str(run.reviews["change"].iat[row]))
    st.markdown("**The change**")
    if not change["diff"]:
        st.caption("This run has no diff of the change.")
        return
    show_diff(change["diff"], change["language"], review_score(run, row).pseudo_references)


def show_diff(diff: str, language: str | None, references: Sequence[PseudoReference]) -> None:
    """Show a diff with the numbers of pseudo-references, and a legend."""
    marks = tuple(
        (reference.path, reference.line, f"P{number}")
        for number, reference in enumerate(references, start=1)
        if reference.line is not None
    )
    diff_view(diff, language or None, marks)
    legend = " P1, P2 …: pseudo-references about the line." if marks else ""
    st.caption(f"Green: added. Red: removed.{legend}")


def show_matches(scores: Sequence[ReviewScore], names: Sequence[str] = ()) -> None:
    """Show each sentence and pseudo-reference in full, with its best match.

    `names` of the reviews are shown if there are several.
    """
    left, right = two_columns()
    sentences = sentence_table(scores, names if len(scores) > 1 else ())
    if len(sentences):
        with left:
            text_table(
                sentences,
                wide=("sentence",),
                caption="Each sentence and its most similar pseudo-reference",
            )
    with right if len(sentences) else left:
        text_table(
            reference_table(scores),
            wide=("pseudo-reference",),
            caption="Each pseudo-reference and its most similar sentence",
        )


def sentence_table(scores: Sequence[ReviewScore], names: Sequence[str] = ()) -> pd.DataFrame:
    """Return one row per sentence, from S1, with the name of its review if there are `names`."""
    endings = [f"— {name}" for name in names] or [""] * len(scores)
    sentences = [
        (sentence, ending)
        for score, ending in zip(scores, endings, strict=True)
        for sentence in score.sentences
    ]
    texts = [bounded_text(f"{sentence.text}\n{ending}".strip()) for sentence, ending in sentences]
    table = pd.DataFrame(
        {
            "match": [
                "✓ matches" if sentence.on_topic else "✗ no match" for sentence, _ in sentences
            ],
            "sentence": pd.Series(texts, dtype=object),
            "best match": [
                ""
                if sentence.best_reference is None or sentence.best_similarity is None
                else f"P{sentence.best_reference + 1} {sentence.best_similarity:.3f}"
                for sentence, _ in sentences
            ],
        }
    )
    table.index = pd.Index([f"S{number + 1}" for number in range(len(sentences))])
    return table


def reference_table(scores: Sequence[ReviewScore]) -> pd.DataFrame:
    """Return one row per pseudo-reference, from P1, with the best sentence of all reviews."""
    references = scores[0].pseudo_references
    texts = [bounded_text(reference.text) for reference in references]
    origins = [bounded_text(_origin(reference)) for reference in references]
    covered = {number for score in scores for number in score.covered}
    similarity = joined_similarity(scores)
    table = pd.DataFrame(
        {
            "coverage": [
                "✓ covered" if number in covered else "✗ missed"
                for number in range(len(references))
            ],
            "pseudo-reference": pd.Series(
                [text + "\n" + origin for text, origin in zip(texts, origins, strict=True)],
                dtype=object,
            ),
            "best match": [
                f"S{row.argmax() + 1} {row.max():.3f}" if row.size else "" for row in similarity
            ],
        }
    )
    table.index = pd.Index([f"P{number + 1}" for number in range(len(references))])
    return table


def _origin(reference: PseudoReference) -> str:
    """Return kind, source, file and line of a pseudo-reference."""
    place = reference.path or ""
    if reference.line is not None:
        place = f"{place}:{reference.line}" if place else f"line {reference.line}"
    return ", ".join(filter(None, (f"— {reference.kind.value}", reference.source, place)))
