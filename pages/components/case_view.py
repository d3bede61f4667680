"""Everything that is known of one review, one part below the other."""

from collections.abc import Sequence

import streamlit as st
from markupsafe import Markup

from crscore_core.corpus.change_matrix import ChangeMatrix, change_matrix
from crscore_core.corpus.model import DIMENSIONS
from crscore_core.corpus.reviews import ComparedChange, ComparedReview
from crscore_core.scoring import metric
from pages.components.markup import diff_view, plain_text, text_table
from pages.components.markup.words import show, whole
from pages.components.match_tables import show_matches
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
    change = source.comparison.changes[source.comparison[position].change]
    matrix = change_matrix(source.comparison, (position,))
    (review,) = matrix.reviews
    _show_head(source, change, review)
    st.markdown("**The review, as it was written**")
    plain_text(review.text)
    show_warnings(source, (review,))
    if not review.sentences:
        st.info("The metric finds no sentence in this review: it has no score. Tables count it 0.")
    else:
        text_table(score_rows(matrix, tau), caption="Scores and ratings")
    st.markdown("**The change**")
    is_long = change.diff.count("\n") > _MANY_LINES
    with st.container(height=_DIFF_HEIGHT if is_long else "content", border=False):
        diff_view(change.diff, change.language or None)
    show_matches(matrix, tau, source.comparison.encoder)
    if review.sentences:
        show(matrix_markup(matrix, tau), _STYLE)
    st.page_link(
        "pages/heatmap.py",
        label="Look at the similarities in the Heatmap",
        icon=":material/grid_on:",
        query_params={"review": review.id},
    )


def show_warnings(source: Source, reviews: Sequence[ComparedReview]) -> None:
    """Show what a person should know about reviews and their scores, by system if several."""
    for review in reviews:
        of = f"{system_name(source, review.system)}: " if len(reviews) > 1 else ""
        for warning in review.warnings:
            st.warning(escape_markdown(f"{of}{warning}"))


def _show_head(source: Source, change: ComparedChange, review: ComparedReview) -> None:
    title = change.title or f"Change {change.id}"
    st.header(escape_markdown(shorten(title, 120)), anchor=False)
    facts = {
        "Review": review.id,
        "change": change.id,
        "language": change.language or "not known",
        "system": system_name(source, review.system),
    }
    words = ", ".join(f"{name} {shorten(fact, 80)}" for name, fact in facts.items())
    if review.labels:
        labels = (f"{shorten(name, 80)} {value:g}" for name, value in review.labels.items())
        words = f"{words}. Labels: {', '.join(labels)}"
    st.caption(escape_markdown(f"{words}."))


def score_rows(matrix: ChangeMatrix, tau: float) -> list[dict[str, object]]:
    """Return each score of the only review, next to people's rating of the same."""
    (review,), (at_tau,), (without,) = matrix.reviews, matrix.scores(tau), matrix.no_threshold()
    scores = [(name, name, getattr(at_tau, name, None)) for name in reversed(DIMENSIONS)]
    scores.insert(1, ("without a threshold", "relevance", getattr(without, "relevance", None)))
    rows: list[dict[str, object]] = []
    for name, dimension, value in scores:
        rating = getattr(review.ratings, dimension)
        people = "not rated" if rating is None else f"{rating:g}"
        rows.append({"score": name, "metric, 0 to 1": value, "people, 1 to 5": people})
    return rows


def matrix_markup(matrix: ChangeMatrix, tau: float) -> Markup:
    """Return a table of how similar sentences and pseudo-references are, matches in a frame."""
    n_references, n_sentences = matrix.similarity.shape
    rows, columns = min(n_references, MOST_CELLS_A_SIDE), min(n_sentences, MOST_CELLS_A_SIDE)
    is_match = metric.matches(matrix.similarity, tau)
    head = Markup().join(
        Markup('<th scope="col">S{}</th>').format(column + 1) for column in range(columns)
    )
    body = Markup().join(
        Markup('<tr><th scope="row">{}. {}</th>{}</tr>').format(
            row + 1,
            whole(shorten(matrix.references[row].text, _REFERENCE_WIDTH)),
            Markup().join(
                _cell(float(matrix.similarity[row, column]), is_match=is_match[row, column])
                for column in range(columns)
            ),
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
        tau,
        head,
        body,
        _LEFT_OUT.format(rows, n_references, columns, n_sentences) if is_cut else Markup(),
    )


def _cell(similarity: float, is_match: bool) -> Markup:  # noqa: FBT001 - of NumPy
    return _CELL.format(
        "typed-over" if is_match else "",
        100 * min(1.0, max(0.0, similarity)),
        similarity,
        _OVER if is_match else Markup(),
    )
