"""Reviews of one change, shown in the same way on all pages: texts, scores, matches, diff."""

from collections.abc import Sequence
from typing import Any

import pandas as pd
import streamlit as st

from crscore_core import ReviewScore
from crscore_core.change import LANGUAGES
from crscore_core.scoring.references import PseudoReference
from crscore_core.text import capital, shorten
from crscore_eval.table import (
    DIMENSIONS,
    HUMAN,
    JUDGE,
    LABEL,
    Run,
    descriptive_columns,
    split_judge_column,
)
from crscore_eval.table.one_review import change_number, change_of, change_title, review_score
from pages.components.controls import two_columns
from pages.components.data import system_title
from pages.components.heatmap_figure import joined
from pages.components.markup import diff_view, plain_text, text_table
from pages.components.markup.plain import bounded_text
from pages.components.review_choice import REVIEW, Rows, choose_review
from pages.components.text import escape_markdown

_HEIGHT = 560
_NAME_WIDTH, _MAX_OWN = 80, 8
_SCORES = ("relevance", "conciseness", "comprehensiveness")


def walk_through(run: Run, rows: Rows, tau: float) -> int | None:
    """Step through reviews and show the current one in a box; return its row, None if none.

    The box fits next to a chart.
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
    is_one = len(rows) == 1
    change = change_of(run, str(reviews["change"].iat[0]))
    number, title = change_number(change["change"]), change_title(change)
    st.header(escape_markdown(shorten(title, 120)), anchor=False)
    facts = [] if title == f"Change {number}" else [f"change {shorten(number, _NAME_WIDTH)}"]
    facts.append(LANGUAGES.get(change["language"]) or change["language"] or "language unknown")
    if is_one:
        facts += _facts(reviews, names[0])
    st.caption(escape_markdown(capital(", ".join(facts))))
    if is_one:
        plain_text(scores[0].review)
    show_warnings(scores, names)
    ratings = reviews[[HUMAN[name] for name in DIMENSIONS if HUMAN[name] in reviews]]
    text_table(
        _one_in_rows(scores[0], ratings.iloc[0]) if is_one else _scores(scores, names, ratings),
        wide=(),
        caption="Scores from 0 to 1, and people's ratings from 1 to 5",
    )
    if is_one:
        _show_judged(reviews.iloc[0])
    show_matches(scores, names)


def _facts(reviews: pd.DataFrame, system: str) -> list[str]:
    """Return what is known of the only review, with its labels and the file's own columns."""
    shown = [
        f"{str(name).removeprefix(LABEL)} {f'{value:g}' if isinstance(value, float) else value}"
        for name, value in reviews[descriptive_columns(reviews)].iloc[0].dropna().items()
    ]
    facts = [f"review {reviews['id'].iat[0]}", f"by {system}", *shown[:_MAX_OWN]]
    return [shorten(fact, _NAME_WIDTH) for fact in facts]


def show_warnings(scores: Sequence[ReviewScore], names: Sequence[str]) -> None:
    """Show the warnings of scores; several reviews have `names`."""
    for score, name in zip(scores, names, strict=True):
        of = f"{shorten(name, _NAME_WIDTH)}: " if len(scores) > 1 else ""
        for warning in score.warnings:
            st.warning(escape_markdown(f"{of}{capital(warning)}"))


def score_row(score: ReviewScore) -> dict[str, object]:
    """Return the scores of a review by their names in tables; None where it has none."""
    row: dict[str, object] = {name: getattr(score, name) for name in _SCORES}
    row["without a threshold"] = score.no_threshold.relevance if score.no_threshold else None
    return row


def _one_in_rows(score: ReviewScore, ratings: "pd.Series[Any]") -> list[dict[str, object]]:
    """Return a row for each score of a review, next to people's rating if they rated it."""
    rows: list[dict[str, object]] = [
        {"": name, "metric": value} for name, value in score_row(score).items()
    ]
    if ratings.notna().any():
        for row in rows:
            row["people"] = rating_cell(ratings.get(HUMAN.get(str(row[""]), "")))
    return rows


def _scores(
    scores: Sequence[ReviewScore], names: Sequence[str], ratings: pd.DataFrame
) -> list[dict[str, object]]:
    """Return one row per review; of people's ratings, that of relevance."""
    rows: list[dict[str, object]] = [
        {"": name, **score_row(score)} for score, name in zip(scores, names, strict=True)
    ]
    if (column := HUMAN["relevance"]) in ratings and ratings[column].notna().any():
        for row, rating in zip(rows, ratings[column], strict=True):
            row["people"] = rating_cell(rating)
    return rows


def rating_cell(value: float | None) -> float | None:
    """Return a rating as a cell of a table, without digits after the point if it is whole."""
    return int(value) if value is not None and float(value).is_integer() else value


def _show_judged(review: "pd.Series[Any]") -> None:
    """Show the judges' figures and reasons for a review."""
    judged: dict[str, list[str]] = {}
    for column, value in review.items():
        if str(column).startswith(JUDGE) and not pd.isna(value):
            judge, figure = split_judge_column(str(column))
            if figure != "model":
                words = f"{figure} {value:g}" if isinstance(value, float) else str(value)
                judged.setdefault(judge, []).append(words)
    for judge, parts in judged.items():
        words = escape_markdown("; ".join(filter(None, parts)))
        st.caption(f"**{escape_markdown(f'Judge {judge}'.strip())}**: {words}")


def show_change(run: Run, row: int) -> None:
    """Show the diff of a review's change, with marks at the lines of pseudo-references."""
    change = change_of(run, str(run.reviews["change"].iat[row]))
    st.markdown("**The change**")
    if not change["diff"]:
        st.caption("This run has no diff of the change.")
        return
    diff_of(change["diff"], change["language"], review_score(run, row).pseudo_references)


def diff_of(diff: str, language: str | None, references: Sequence[PseudoReference]) -> None:
    """Show a diff with the numbers of pseudo-references, and a legend."""
    marks = tuple(
        (one.path, one.line, f"P{number}")
        for number, one in enumerate(references, start=1)
        if one.line is not None
    )
    diff_view(diff, language or None, marks)
    about = " P1, P2 …: lines that these pseudo-references are about." if marks else ""
    st.caption(f"Green: added. Red: removed.{about}")


def show_matches(scores: Sequence[ReviewScore], names: Sequence[str] = ()) -> None:
    """Show each sentence and pseudo-reference in full, with its best match.

    Several reviews have `names`.
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
    """Return one row per sentence, from S1; of several reviews, with the name of its review."""
    by = [f"— {name}" for name in names] or [""] * len(scores)
    sentences = [
        (one, name) for score, name in zip(scores, by, strict=True) for one in score.sentences
    ]
    texts = [bounded_text(f"{one.text}\n{name}".strip()) for one, name in sentences]
    table = pd.DataFrame(
        {
            "match": ["✓ matches" if one.on_topic else "✗ no match" for one, _ in sentences],
            "sentence": pd.Series(texts, dtype=object),
            "best match": [
                ""
                if one.best_reference is None or one.best_similarity is None
                else f"P{one.best_reference + 1} {one.best_similarity:.3f}"
                for one, _ in sentences
            ],
        }
    )
    table.index = pd.Index([f"S{number + 1}" for number in range(len(sentences))])
    return table


def reference_table(scores: Sequence[ReviewScore]) -> pd.DataFrame:
    """Return one row per pseudo-reference, from P1, with the best sentence of all reviews."""
    references = scores[0].pseudo_references
    covered = {number for score in scores for number in score.covered}
    similarity = joined(scores)
    table = pd.DataFrame(
        {
            "coverage": [
                "✓ covered" if number in covered else "✗ missed"
                for number in range(len(references))
            ],
            "pseudo-reference": pd.Series(
                [bounded_text(one.text) + "\n" + bounded_text(_origin(one)) for one in references],
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
    """Return kind, source and place of a pseudo-reference."""
    place = reference.path or ""
    if reference.line is not None:
        place = f"{place}:{reference.line}" if place else f"line {reference.line}"
    return ", ".join(filter(None, (f"— {reference.kind.value}", reference.source, place)))
