"""A scored corpus as one HTML document."""

import datetime as dt
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from numpy.typing import NDArray

from crscore_core.change.diff_lines import diff_lines
from crscore_core.corpus.comparison import CorpusComparison
from crscore_core.corpus.metrics import predicted_relevance
from crscore_core.corpus.model import DIMENSIONS
from crscore_core.corpus.rated_maxima import count_unscored
from crscore_core.corpus.review_case import ReviewCase, review_case
from crscore_core.corpus.systems import busiest_systems, corpus_bootstrap, system_means
from crscore_core.corpus.two_orders import MeasuredReviews, two_orders
from crscore_core.scoring import check_tau
from crscore_core.scoring.signature import package_version
from crscore_core.statistics import Correlation, Estimate, clustered_mean, correlate
from crscore_core.text import unseen_markup, visible_text

MOST_SYSTEMS = 100
"""Systems with a row: those with most reviews."""

MOST_WITH_MATRICES = 2_000
"""Reviews up to which each has its similarity matrix: beyond, a browser is slow to show them."""

MOST_CHARACTERS = 20_000_000
"""Characters that the details of changes may have together."""

_MOST_CELLS = 2_500
"""Cells up to which a matrix is shown."""

_MOST_OPEN = 20
"""Changes up to which each is unfolded when the file is opened."""

_MOST_LISTED = 200
"""Warnings, and changes left out, that are listed one by one."""

_SHADES = 10
_RELEVANCE = DIMENSIONS.index("relevance")

Array = NDArray[np.float64]
Chosen = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class _ReviewView:
    """A review at the report's tau.

    `missed` numbers, from 1, the pseudo-references that no sentence addresses. `matrix`
    has a row a pseudo-reference and for each sentence the similarity, its tenth from 0 to 10, and
    True where it exceeds tau; None where the matrix is left out.
    """

    case: ReviewCase
    predicted: float | None
    missed: tuple[int, ...]
    matrix: list[list[tuple[float, int, bool]]] | None


@dataclass(frozen=True, slots=True)
class _SystemRow:
    """Means of one system by dimension, the metric's from 0 to 1 and people's from 1 to 5.

    `predicted` is the mean of predicted relevance. `agreement` compares Rel with people's
    relevance, `predicted_agreement` predicted relevance; None where there is nothing to compare.
    """

    name: str
    reviews: int
    predicted: Estimate
    metric: Mapping[str, Estimate]
    people: Mapping[str, Estimate]
    predicted_agreement: Correlation | None
    agreement: Correlation | None


@dataclass(frozen=True, slots=True)
class _Summary:
    """All systems, or the `MOST_SYSTEMS` with most reviews of `n_systems`, and the agreement.

    Systems stand by falling predicted relevance where there is any. `disagreement` says where
    predicted relevance and Rel disagree; see `TwoOrders`. `agreement` has the `DIMENSIONS` in
    which people rated reviews other than the ground truth's, after `predicted relevance`.
    """

    systems: tuple[_SystemRow, ...]
    n_systems: int
    disagreement: tuple[str, ...]
    agreement: Mapping[str, Correlation]
    n_resamples: int


def html_report(  # noqa: PLR0913 - what a reader is told first, each by its name
    comparison: CorpusComparison,
    tau: float,
    title: str,
    *,
    note: str = "",
    scored_at: dt.datetime | None = None,
    knows_people: bool = True,
) -> str:
    """The report of a scored corpus at one tau: a whole HTML document, in UTF-8 once encoded.

    The document says what was scored and how, gives systems with 95 % intervals over resamples of
    changes, and shows every change with its diff, pseudo-references and reviews. It has no script
    and asks no host for anything, which its content security policy forbids. `title` and `note`
    (what a reader has to know first) are shown as typed, as are all texts of the corpus;
    `scored_at` is the time of the scores, and `knows_people` that of `MeasuredReviews`.

    Matrices are left out of more than `MOST_WITH_MATRICES` reviews, and the details of changes end
    after `MOST_CHARACTERS`; the report says so.

    Raises:
        ThresholdError: `tau` is no cosine.
        StatisticsError: there are more changes than can be resampled.
    """
    tau = check_tau(tau)
    environment = _environment()
    predicted = predicted_relevance(comparison)
    with_matrices = len(comparison.reviews) <= MOST_WITH_MATRICES
    template = environment.get_template("change.html.jinja")
    is_open = len(comparison.changes) <= _MOST_OPEN
    changes, size = [], 0
    for number, (change, reviews) in enumerate(
        zip(
            comparison.changes,
            _reviews_by_change(comparison, tau, predicted, with_matrices=with_matrices),
            strict=True,
        ),
        start=1,
    ):
        markup = template.render(
            number=number,
            change=change,
            diff=diff_lines(change.diff, guess=False),
            reviews=reviews,
            dimensions=DIMENSIONS,
            tau=tau,
            is_open=is_open,
        )
        size += len(markup)
        if size > MOST_CHARACTERS:
            break
        changes.append(Markup(markup))  # noqa: S704 - the template escapes all texts
    return environment.get_template("report.html.jinja").render(
        title=title,
        plain_title=visible_text(title),
        note=note,
        scored_at=None if scored_at is None else scored_at.isoformat(" ", "minutes"),
        version=package_version(),
        tau=tau,
        comparison=comparison,
        dimensions=DIMENSIONS,
        summary=_summary(comparison, tau, predicted, knows_people=knows_people),
        most_listed=_MOST_LISTED,
        with_matrices=with_matrices,
        most_with_matrices=MOST_WITH_MATRICES,
        has_predicted=not np.isnan(predicted).all(),
        changes=changes,
    )


def _summary(
    comparison: CorpusComparison, tau: float, predicted: Array, *, knows_people: bool
) -> _Summary:
    """Summarise all reviews at `tau`; intervals resample changes."""
    bootstrap = corpus_bootstrap(comparison)
    shown = busiest_systems(comparison.rated_maxima, MOST_SYSTEMS)
    scores = comparison.scores([tau])[:, 0]
    metric = system_means(comparison, scores, bootstrap, shown)
    people = system_means(comparison, comparison.ratings.T, bootstrap, shown)
    has_predicted = not np.isnan(predicted).all()
    counted = count_unscored(predicted) if has_predicted else predicted
    measured = MeasuredReviews.of(
        comparison, counted, scores[_RELEVANCE], knows_people=knows_people
    )
    orders = two_orders(measured, bootstrap)

    def agreement_of(values: Array, dimension: int, chosen: Chosen) -> Correlation | None:
        known = chosen & ~np.isnan(values)
        people, change = comparison.ratings[known, dimension], comparison.change[known]
        return correlate(values[known], people, change, bootstrap)

    agreement = {
        "predicted relevance": agreement_of(counted, _RELEVANCE, comparison.is_judged),
        **{
            name: agreement_of(scores[dimension], dimension, comparison.is_judged_in(name))
            for dimension, name in enumerate(DIMENSIONS)
        },
    }
    is_rated = ~np.isnan(comparison.ratings[:, _RELEVANCE])
    systems = []
    for name, n_reviews in shown.items():
        is_of = comparison.system == name
        known = is_of & ~np.isnan(counted)
        systems.append(
            _SystemRow(
                name,
                n_reviews,
                clustered_mean(counted[known], comparison.change[known], bootstrap),
                metric[name],
                people[name],
                agreement_of(counted, _RELEVANCE, is_rated & is_of),
                agreement_of(scores[_RELEVANCE], _RELEVANCE, is_rated & is_of),
            )
        )
    return _Summary(
        tuple(sorted(systems, key=lambda row: -(row.predicted.value or 0))),
        len({review.system for review in comparison.reviews}),
        tuple(orders.disagreement() if orders else ()),
        {name: found for name, found in agreement.items() if found},
        len(bootstrap.weights),
    )


def _reviews_by_change(
    comparison: CorpusComparison,
    tau: float,
    predicted: Array,
    *,
    with_matrices: bool,
) -> Iterator[list[_ReviewView]]:
    """The reviews of each change, in the order of the corpus; made when they are asked for."""
    positions: list[list[int]] = [[] for _ in comparison.changes]
    for position, review in enumerate(comparison.reviews):
        positions[review.change].append(position)
    for of_change in positions:
        views = []
        for position in of_change:
            case = review_case(comparison, position, tau)
            views.append(
                _ReviewView(
                    case,
                    None if np.isnan(predicted[position]) else float(predicted[position]),
                    tuple(row for row, one in enumerate(case.references, 1) if not one.is_covered),
                    _matrix(case)
                    if with_matrices and 0 < case.is_match.size <= _MOST_CELLS
                    else None,
                )
            )
        yield views


def _matrix(case: ReviewCase) -> list[list[tuple[float, int, bool]]]:
    similarity = case.review.similarity
    shades = np.clip(similarity * _SHADES, 0, _SHADES).astype(int)
    rows = zip(similarity.tolist(), shades.tolist(), case.is_match.tolist(), strict=True)
    return [list(zip(*row, strict=True)) for row in rows]


def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("crscore_core.corpus.html_report", "."),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["typed"] = typed
    environment.filters["estimate"] = _estimate_words
    return environment


def typed(text: str) -> Markup:
    """A person's text escaped, with its blanks and line ends, apart from the text around it.

    An unseen character is shown by its code, so that none turns the order of what is read. The
    markup needs `white-space: pre-wrap`.
    """
    return Markup('<bdi dir="auto">{}</bdi>').format(unseen_markup(text, "unseen"))


def _estimate_words(estimate: Estimate, digits: int = 3) -> str:
    """A figure with its interval, a dash where it is undefined."""
    if estimate.value is None:
        return "–"
    value = f"{estimate.value:.{digits}f}"
    if estimate.interval is None:
        return value
    return f"{value} ({estimate.interval.low:.{digits}f} to {estimate.interval.high:.{digits}f})"
