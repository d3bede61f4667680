"""Everything that is known of one review, one part below the other."""

import math

import streamlit as st
from markupsafe import Markup

from crscore_core.corpus.model import DIMENSIONS
from crscore_core.corpus.review_case import ReviewCase, review_case
from pages.components.markup import diff_view, plain_text, text_table
from pages.components.markup.words import show, whole
from pages.components.names import system_name
from pages.components.source.model import Source
from pages.components.text import escape_markdown, shorten

MOST_CELLS_A_SIDE = 40
"""Most rows and columns of the matrix; the Heatmap page shows larger ones better."""

_REFERENCE_WIDTH = 90
_DIFF_HEIGHT, _MANY_LINES = 420, 20
_STYLE = Markup("""
.typed-matrix { border-collapse: separate; border-spacing: 3px; }
.typed-matrix caption { color: var(--typed-muted); padding: 0 0 0.4rem; text-align: start; }
.typed-matrix th { font-weight: 400; padding: 0.15rem 0.4rem; text-align: start; }
.typed-matrix thead th { font-variant-numeric: tabular-nums; text-align: center; }
.typed-matrix td {
  background: color-mix(in srgb, var(--typed-mark) var(--typed-share), transparent);
  border: 2px solid transparent; border-radius: 4px; font-variant-numeric: tabular-nums;
  min-width: 3rem; padding: 0.15rem 0.3rem; text-align: center; }
.typed-matrix .typed-over { border-color: currentcolor; font-weight: 700; }
""")
_CELL = Markup('<td class="{}" style="--typed-share:{:.0f}%">{:.2f}{}</td>')
_OVER = Markup('<span class="typed-hidden"> match</span>')
_LEFT_OUT = Markup(
    '<p class="typed-note">{} of {} pseudo-references and {} of {} sentences are shown; '
    "the Heatmap page has all.</p>"
)


def show_case(source: Source, position: int, tau: float) -> None:
    """Show the review at a position among those of the source's comparison."""
    case = review_case(source.comparison, position, tau)
    _show_head(source, case)
    st.markdown("**The review, as it was written**")
    plain_text(case.review.text)
    if not case.sentences:
        st.info("The metric finds no sentence in this review: it has no score. Tables count it 0.")
    else:
        calibrated = float(source.table.metric("calibrated_relevance")[position])
        text_table(score_rows(case, calibrated), caption="Scores and ratings")
    st.markdown("**The change**")
    is_long = case.change.diff.count("\n") > _MANY_LINES
    with st.container(height=_DIFF_HEIGHT if is_long else "content", border=False):
        diff_view(case.change.diff, case.change.language or None)
    text_table(
        reference_rows(case),
        wide=("pseudo-reference",),
        caption=f"What a good review could address, at tau {tau:.3f}",
    )
    if case.sentences:
        text_table(
            sentence_rows(case),
            wide=("sentence",),
            caption="What the review says; the best match is a pseudo-reference by its number",
        )
        show(matrix_markup(case), _STYLE)
    st.page_link(
        "pages/heatmap.py",
        label="Look at the similarities in the Heatmap",
        icon=":material/grid_on:",
        query_params={"review": case.review.id},
    )


def _show_head(source: Source, case: ReviewCase) -> None:
    change = case.change
    title = change.title or f"Change {change.id}"
    st.subheader(escape_markdown(shorten(title, 120)), anchor=False)
    facts = {
        "Review": case.review.id,
        "change": change.id,
        "language": change.language or "not known",
        "system": system_name(source, case.review.system),
    }
    words = ", ".join(f"{name} {shorten(fact, 80)}" for name, fact in facts.items())
    st.caption(escape_markdown(f"{words}."))


def score_rows(case: ReviewCase, calibrated: float) -> list[dict[str, object]]:
    """Return each score beside people's rating; `calibrated` is NaN where there is none."""
    scores = [(name, name, case.scores[name]) for name in DIMENSIONS]
    if not math.isnan(calibrated):
        scores.append(("calibrated relevance", "relevance", calibrated))
    rows: list[dict[str, object]] = []
    for name, dimension, value in scores:
        rating = getattr(case.review.ratings, dimension)
        people = "not rated" if rating is None else f"{rating:g}"
        rows.append({"score": name, "metric, 0 to 1": value, "people, 1 to 5": people})
    return rows


def reference_rows(case: ReviewCase) -> list[dict[str, object]]:
    """Return pseudo-references with their places, and whether the review covers them."""
    return [
        {
            "no.": number,
            "pseudo-reference": case_reference.reference.text,
            "covered": "covered" if case_reference.is_covered else "missed",
            "best similarity": case_reference.best_similarity,
            "kind": case_reference.reference.kind.value,
            "source": case_reference.reference.source,
            "place": _place(case_reference.reference.path, case_reference.reference.line),
        }
        for number, case_reference in enumerate(case.references, start=1)
    ]


def sentence_rows(case: ReviewCase) -> list[dict[str, object]]:
    """Return sentences with the pseudo-reference that each is most like."""
    return [
        {
            "no.": number,
            "sentence": sentence.text,
            "on topic": "on topic" if sentence.on_topic else "off topic",
            "best similarity": sentence.best_similarity,
            "best match": None if sentence.best_reference is None else sentence.best_reference + 1,
        }
        for number, sentence in enumerate(case.sentences, start=1)
    ]


def _place(path: str | None, line: int | None) -> str:
    if path is None:
        return "" if line is None else f"line {line}"
    return path if line is None else f"{path}:{line}"


def matrix_markup(case: ReviewCase) -> Markup:
    """Return a table of how similar sentences and pseudo-references are, matches in a frame."""
    n_references, n_sentences = case.review.similarity.shape
    rows, columns = min(n_references, MOST_CELLS_A_SIDE), min(n_sentences, MOST_CELLS_A_SIDE)
    head = Markup().join(
        Markup('<th scope="col">S{}</th>').format(column + 1) for column in range(columns)
    )
    body = Markup().join(
        Markup('<tr><th scope="row">{}. {}</th>{}</tr>').format(
            row + 1,
            whole(shorten(case.references[row].reference.text, _REFERENCE_WIDTH)),
            Markup().join(_cell(case, row, column) for column in range(columns)),
        )
        for row in range(rows)
    )
    is_cut = rows < n_references or columns < n_sentences
    return Markup(
        '<div class="typed-scroll" role="region" tabindex="0" aria-label="Similarity matrix">'
        '<table class="typed-matrix"><caption>Cosine of each pseudo-reference with each sentence '
        "S1 to S{}; a frame where it exceeds tau {:.3f}</caption>"
        "<thead><tr><td></td>{}</tr></thead><tbody>{}</tbody></table></div>{}"
    ).format(
        n_sentences,
        case.tau,
        head,
        body,
        _LEFT_OUT.format(rows, n_references, columns, n_sentences) if is_cut else Markup(),
    )


def _cell(case: ReviewCase, row: int, column: int) -> Markup:
    similarity = float(case.review.similarity[row, column])
    is_match = bool(case.is_match[row, column])
    return _CELL.format(
        "typed-over" if is_match else "",
        100 * min(1.0, max(0.0, similarity)),
        similarity,
        _OVER if is_match else Markup(),
    )
