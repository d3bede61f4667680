"""The similarity matrix of one review, small, as a table that every reader can read."""

from markupsafe import Markup

from crscore_core.corpus.review_case import ReviewCase
from pages.components.markup.page import show
from pages.components.markup.visible import whole
from pages.components.text import shorten

__all__ = ["MOST_CELLS_A_SIDE", "matrix_markup", "matrix_view"]

MOST_CELLS_A_SIDE = 40
"""Beyond them a table shows less than the Heatmap page does."""

_REFERENCE_WIDTH = 90

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


def matrix_view(case: ReviewCase) -> None:
    """Show how similar each sentence is to each pseudo-reference, matches in a frame."""
    show(matrix_markup(case), _STYLE)


def matrix_markup(case: ReviewCase) -> Markup:
    """The markup of `matrix_view`."""
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
