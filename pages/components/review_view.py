"""A review, shown the same way on all pages: text, scores, matches, diff."""

import json
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st
from numpy.typing import NDArray
from streamlit.delta_generator import DeltaGenerator

from crscore_core import ReviewScore
from crscore_core.change import LANGUAGE_TITLES, parse_change
from crscore_core.claims import DEFAULT_CLAIMS, PseudoReference, claim_backend
from crscore_core.errors import InputError, UnavailableError
from crscore_core.text import shorten
from crscore_eval.commonness import count_matches, counted_sentences, study_maxima
from crscore_eval.formatting import capitalize_first
from crscore_eval.table import (
    DIMENSIONS,
    JUDGE_PREFIX,
    Run,
    descriptive_columns,
    label_title,
    people_ratings,
    split_judge_column,
)
from crscore_eval.table.one_review import change_number, change_title, find_change, review_score
from pages.components.current_run import system_title
from pages.components.diff_view import Marks, mark_anchor, marks_of, show_diff
from pages.components.review_choice import REVIEW, Rows, choose_review
from pages.components.tables import PEOPLE_COLUMN, RATINGS, Linked, as_markdown, show_texts
from pages.components.text import (
    escape_except_code,
    escape_markdown,
    is_yes_or_no,
    row_anchor,
    show_rendered,
    value_text,
)

Columns = tuple[DeltaGenerator, DeltaGenerator]

_OTHERS = "would also match"
_NOTE = (
    " Would also match: how many other changes, of the human study, the sentence matches at this "
    "tau. A sentence that would match many may say little about this one."
)
_SOURCES = {
    "study": " Study: edited by people in the human study.",
    DEFAULT_CLAIMS: f" {DEFAULT_CLAIMS.capitalize()}: made from the diff by rules.",
}
_MATCH = {True: "✓ matches", False: "✗ no match", None: ""}  # None: nothing to match


@st.cache_data(max_entries=256, show_spinner="Comparing with other changes")
def _maxima(sentences: tuple[str, ...]) -> NDArray[np.float32]:
    try:
        return study_maxima(sentences)
    except UnavailableError:  # a run can be shown without the encoder that it was scored with
        return study_maxima(())


def show_matches(score: ReviewScore, marks: Marks, columns: Columns | None = None) -> None:
    """Show each sentence and pseudo-reference in full, linked to its best match and its mark."""
    left, right = columns or (st.container(), st.container())
    sentences = _sentence_table(score)
    if len(sentences):
        with left, st.container(key="cards_sentences"):
            note = _NOTE if _OTHERS in sentences else ""
            caption = f"Each sentence, as rendered, and its most similar pseudo-reference.{note}"
            show_texts(sentences, caption, letter="S")
    with right if len(sentences) else left, st.container(key="cards_references"):
        sources = {reference.source for reference in score.pseudo_references}
        origins = "".join(text for source, text in _SOURCES.items() if source in sources)
        caption = f"Each pseudo-reference and its most similar sentence.{origins}"
        show_texts(_reference_table(score, marks), caption, letter="P")


def _sentence_table(score: ReviewScore) -> pd.DataFrame:
    """Return one row per sentence, from S1.

    If any sentence is counted, the last column has the number of other changes that it matches.
    """
    counts, n_changes = count_matches(score, _maxima(counted_sentences(score)))
    table = pd.DataFrame(
        {
            "match": [_MATCH[sentence.on_topic] for sentence in score.sentences],
            "sentence": score.sentence_texts,
            "best match": [
                "" if one.best_reference is None
                else _best("P", one.best_reference, one.best_similarity)
                for one in score.sentences
            ],
        },
        [f"S{number + 1}" for number in range(len(score.sentences))],
    )  # fmt: skip
    if any(count is not None for count in counts):
        texts = ["" if count is None else f"{count} of {n_changes}" for count in counts]
        table[_OTHERS] = pd.Series(texts, table.index[: len(texts)])
    return table


def _best(letter: str, at: int, similarity: float | None) -> Linked:
    return Linked(f"[{letter}{at + 1}]({row_anchor(letter, at)}) {similarity:.3f}")


def _reference_table(score: ReviewScore, marks: Marks) -> pd.DataFrame:
    rows = zip(score.pseudo_references, score.similarity, strict=True)
    marked = {at for *_, at in marks}
    return pd.DataFrame(
        [
            {
                "coverage": "✓ covered" if number in score.covered else "✗ missed",
                "pseudo-reference": Linked(
                    f"{as_markdown(reference.text)}  \n— "
                    f"{_origin(reference, mark_anchor(number) if number in marked else '')}"
                ),
                "best match": _best("S", int(row.argmax()), row.max()) if row.size else "",
            }
            for number, (reference, row) in enumerate(rows)
        ],
        [f"P{number + 1}" for number in range(len(score.pseudo_references))],
    )


def _origin(reference: PseudoReference, anchor: str) -> str:
    place = reference.path or ""
    if reference.line is not None:
        place = f"{place}:{reference.line}" if place else f"line {reference.line}"
    source, place = map(escape_markdown, (reference.source, place))
    linked = f"[{place}]({anchor})" if anchor else place
    return ", ".join(filter(None, (reference.kind.value, source, linked)))


_HEIGHT = 560
_NAME_WIDTH, _MAX_COLUMNS = 80, 8
_SCORES = ("relevance", "conciseness", "comprehensiveness")


def step_through_reviews(run: Run, rows: Rows, tau: float) -> int | None:
    """Step through reviews and show the current one in a box that fits next to a chart.

    Returns the row of the review, or None if there is none.
    """
    row = choose_review(run, rows)
    if row is not None:
        with st.container(height=_HEIGHT):
            show_review_of_run(run, row, tau)
            show_change(run, row)
            st.page_link(
                "pages/heatmap.py",
                label="Show the similarities on the Heatmap page",
                icon=":material/grid_on:",
                query_params={REVIEW: str(run.reviews["id"].iat[row])},
            )
    return row


def show_review_of_run(run: Run, row: int, tau: float, columns: Columns | None = None) -> None:
    """Show a review: its change, text, scores, people's ratings, and matches in two `columns`."""
    review, score = run.reviews.iloc[row], review_score(run, row, tau)
    change = find_change(run, str(review["change"]))
    number, title = change_number(change["change"]), change_title(change)
    st.header(escape_except_code(shorten(title, 120)), anchor=False)
    facts = (
        [] if title in {number, f"Change {number}"} else [f"change {shorten(number, _NAME_WIDTH)}"]
    )
    facts += [
        LANGUAGE_TITLES.get(change["language"]) or change["language"] or "language unknown",
        *_review_facts(run, row),
    ]
    st.caption(escape_markdown(capitalize_first(", ".join(facts))))
    show_rendered(score.review)
    show_summary(score)
    digits = {"metric (0 to 1)": "{:.2f}"}  # shares of few sentences
    show_texts(_score_rows(score, run.reviews.iloc[[row]]), formats={**digits, **RATINGS})
    _show_judgements(review)
    marks = marks_of(change["diff"], change["language"] or None, score.pseudo_references)
    show_matches(score, marks, columns)


def _review_facts(run: Run, row: int) -> list[str]:
    review = run.reviews.iloc[row]
    columns = [
        f"{label_title(str(name))} {value_text(value, is_answer=is_yes_or_no(run.reviews[name]))}"
        for name, value in review[descriptive_columns(run.reviews)].dropna().items()
    ]
    system = system_title(review["system"])
    facts = [f"review {review['id']}", f"by {system}", *columns[:_MAX_COLUMNS]]
    return [shorten(fact, _NAME_WIDTH) for fact in facts]


def show_warnings(warnings: Iterable[str]) -> None:
    """Show the warnings of a score; common ones are less prominent."""
    for warning in warnings:
        show = st.caption if warning.startswith(("claims left", "not analysed")) else st.warning
        show(escape_except_code(capitalize_first(warning)))


def show_summary(score: ReviewScore, note: str = "") -> None:
    """Show a score's summary with a note, and its warnings except of the claims its diff lists."""
    summary = "This review cannot be scored." if score.relevance is None else score.summary
    texts = (text for text in score.warnings if text not in summary)
    show_warnings(text for text in texts if not text.startswith("claims left out as minor"))
    st.markdown(f"**{escape_markdown(summary)}**{note}")


def score_row(score: ReviewScore) -> dict[str, float | None]:
    """Return the scores of a review by name; undefined scores are None."""
    scores = {name: getattr(score, name) for name in _SCORES}
    return {**scores, "without a threshold": score.no_threshold}


def _score_rows(score: ReviewScore, reviews: pd.DataFrame) -> pd.DataFrame:
    metric = pd.Series(score_row(score), name="metric (0 to 1)", dtype=float)
    people = pd.Series({name: people_ratings(reviews, name).iloc[0] for name in DIMENSIONS})
    table = metric.to_frame()
    if people.notna().any():
        table[PEOPLE_COLUMN] = people
    return table.reset_index(names="")


def _show_judgements(review: "pd.Series[Any]") -> None:
    texts: dict[str, list[str]] = {}
    for column, value in review.items():
        if str(column).startswith(JUDGE_PREFIX) and not pd.isna(value):
            judge, figure = split_judge_column(str(column))
            if figure == "findings":
                texts.setdefault(judge, []).extend(_finding_texts(str(value)))
            elif figure != "model":
                text = f"{figure} {value:g}" if isinstance(value, float) else str(value)
                texts.setdefault(judge, []).append(text)
    for judge, parts in texts.items():
        text = escape_markdown("; ".join(filter(None, parts)))
        st.caption(f"**{escape_markdown(f'Judge {judge}'.strip())}**: {text}")


def _finding_texts(findings: str) -> list[str]:
    """Return a judge's findings with verdicts, or the text itself if it has another form."""
    try:
        return [f"{item['finding']} ({item['verdict']})" for item in json.loads(findings)]
    except (ValueError, TypeError, KeyError):
        return [findings]


def show_change(run: Run, row: int, *, has_marks: bool = True) -> None:
    """Show the diff of a review's change, with marks at the lines of its pseudo-references."""
    change = find_change(run, str(run.reviews["change"].iat[row]))
    st.markdown("**The change**")
    if not change["diff"]:
        st.caption("This run has no diff of the change.")
        return
    references = review_score(run, row).pseudo_references if has_marks else ()
    show_diff_with_marks(change["diff"], change["language"], references)


def show_diff_with_marks(
    diff: str, language: str | None, references: Sequence[PseudoReference]
) -> Marks:
    """Show a diff with marks at the lines of pseudo-references, and a legend; return the marks."""
    marks = marks_of(diff, language or None, references)
    show_diff(diff, language or None, marks)
    legend = " P1, P2 …: pseudo-references about the line." if marks else ""
    st.caption(f"Green: added. Red: removed.{legend}")
    is_by_rules = any(reference.source == DEFAULT_CLAIMS for reference in references)
    if is_by_rules and (texts := _left_out(diff, language or None)):
        with st.expander(f"Claims left out as minor: {len(texts):,}"):
            st.caption("Not scored: about the layout only, or the least informative of many.")
            show_texts(pd.DataFrame({"claim": texts}))
    return marks


@st.cache_data(max_entries=64, show_spinner=False)
def _left_out(diff: str, language: str | None) -> list[str]:
    with suppress(InputError):
        change = parse_change(diff, language=language)
        return [claim.text for claim in claim_backend().generate(change).left_out]
    return []
