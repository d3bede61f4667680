"""A scored corpus as one HTML document: a page for whoever decides, details folded below."""

import datetime as dt
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from numpy.typing import NDArray

from crscore_core.change.diff_lines import diff_lines
from crscore_core.corpus.comparison import CorpusComparison
from crscore_core.corpus.metrics import predicted
from crscore_core.corpus.model import DIMENSIONS, GROUND_TRUTH
from crscore_core.corpus.rated_maxima import count_unscored
from crscore_core.corpus.review_case import ReviewCase, review_case
from crscore_core.corpus.systems import (
    MOST_SYSTEMS,
    busiest_systems,
    corpus_bootstrap,
    system_means,
)
from crscore_core.corpus.two_orders import MeasuredReviews, TwoOrders, agreement_words, two_orders
from crscore_core.corpus.verdict import caution, order_words, verdict
from crscore_core.predicted.features import ReviewText
from crscore_core.predicted.ratings import predicted_ratings
from crscore_core.scoring import check_tau
from crscore_core.scoring.references import ReferenceKind
from crscore_core.scoring.signature import package_version
from crscore_core.statistics import (
    ClusterBootstrap,
    Estimate,
    clustered_mean,
    rank_systems,
    system_scores,
)
from crscore_core.statistics.disagreement import disagreement
from crscore_core.text import unseen_as_codes, unseen_markup, visible_text

MOST_BYTES = 1_600_000
"""Bytes that the details of changes may have together."""

_MOST_IN_CHART = 20
_MOST_LISTED = 200
_LONGEST_NAME = 28
_LONGEST_TEXT = 240
_LONGEST_STATEMENT = 120
_CHART_LEFT, _CHART_WIDTH, _ROW = 220, 480, 24
_RELEVANCE = DIMENSIONS.index("relevance")

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class _SystemRow:
    """A system with its rank and means: `leading` is of the measure that ranks.

    `probabilities` are means of the three predicted ones, empty without predictions; `metric` has
    Con, Comp and Rel, `people` relevance from 1 to 5. The ground truth has no rank.
    """

    name: str
    reviews: int
    rank: str | None
    leading: Estimate
    probabilities: tuple[float, ...]
    metric: tuple[Estimate, ...]
    people: Estimate


@dataclass(frozen=True, slots=True)
class _Bar:
    """A mean and its interval in the chart, in its units; `top` is the middle of its row."""

    name: str
    value: str
    top: int
    at: float
    ends: tuple[float, float] | None


@dataclass(frozen=True, slots=True)
class _Chart:
    """Means of the first systems; `ticks` are the places of the axis and their numbers."""

    bars: tuple[_Bar, ...]
    ticks: tuple[tuple[float, str], ...]
    height: int


@dataclass(frozen=True, slots=True)
class _Told:
    """A review that is shown to everybody: why, what it says, and its reasons in words."""

    why: str
    case: ReviewCase
    number: int
    text: str
    reasons: tuple[str, ...]


def html_report(  # noqa: PLR0913 - what a reader is told first, each by its name
    comparison: CorpusComparison,
    tau: float,
    title: str,
    *,
    note: str = "",
    scored_at: dt.datetime | None = None,
    version: str = "",
    knows_people: bool = True,
) -> str:
    """Write the report of a scored corpus at one tau: a whole HTML document, UTF-8 once encoded.

    The visible part has the verdict, means of systems with 95 % intervals over resamples of
    changes, systems by rank, a few telling reviews with reasons, and what was scored with what.
    Everything else is folded: how to read it, pairs of systems, how the measures agree with each
    other and with people, and every change with its reviews until their details have `MOST_BYTES`;
    the report says so. The document has no script and asks no host for anything, which its content
    security policy forbids. `title` and `note` are shown as typed, as are all texts of the corpus;
    `scored_at` is the time of the scores, `version` that of the program that made them, by default
    this one, and `knows_people` that of `MeasuredReviews`.

    Raises:
        ThresholdError: `tau` is no cosine.
        StatisticsError: there are more changes than can be resampled.
    """
    tau = check_tau(tau)
    columns = predicted(comparison)
    scores = comparison.scores([tau])[:, 0]
    has_predicted = not np.isnan(columns["predicted_relevance"]).all()
    leading = (
        count_unscored(columns["predicted_relevance"]) if has_predicted else scores[_RELEVANCE]
    )
    bootstrap = corpus_bootstrap(comparison)
    measured = MeasuredReviews.of(
        comparison, leading, scores[_RELEVANCE], knows_people=knows_people
    )
    orders = two_orders(measured, bootstrap) if has_predicted else None
    systems = _systems(comparison, leading, scores, bootstrap, orders)
    environment = _environment()
    changes = list(_changes(environment, comparison, tau, leading if has_predicted else None))
    return environment.get_template("report.html.jinja").render(
        title=title,
        plain_title=visible_text(title),
        note=note,
        day="" if scored_at is None else f"{scored_at:%Y-%m-%d}",
        time="" if scored_at is None else f"{scored_at.astimezone(dt.UTC):%Y-%m-%d %H:%M} UTC",
        tau=tau,
        comparison=comparison,
        unscored=sum(not review.sentences for review in comparison.reviews),
        signature=(
            f"crscore:{version or package_version()}|encoder:{comparison.encoder}"
            f"|claims:{comparison.claims}|smells:{_smells_by(comparison)}|tau:{tau:g}"
        ),
        n_systems=len({review.system for review in comparison.reviews}),
        n_resamples=len(bootstrap.weights),
        has_predicted=has_predicted,
        verdict=verdict(orders) if orders else "",
        caution=caution(comparison.encoder, comparison.seen_changes),
        measures=(orders.disagreement() or agreement_words(orders.agreement)) if orders else (),
        pairs=orders.pairs if orders else (),
        chart=_chart([row for row in systems if row.rank is not None]),
        systems=systems,
        told=_telling(comparison, tau, leading, scores[_RELEVANCE], has_predicted=has_predicted),
        most_listed=_MOST_LISTED,
        changes=changes,
    )


def _systems(
    comparison: CorpusComparison,
    leading: Array,
    scores: Array,
    bootstrap: ClusterBootstrap,
    orders: TwoOrders | None,
) -> list[_SystemRow]:
    """Rank the systems with most reviews by the leading measure; the ground truth comes last."""
    places: dict[str, tuple[str, Estimate]]
    if orders is not None:
        places = {
            each.system: ("–".join(map(str, dict.fromkeys(each.place))), each.predicted.mean)
            for each in orders.systems
        }
    else:
        places = _places_by_rel(comparison, scores[_RELEVANCE], bootstrap)
    shown = {
        name: int((comparison.system == name).sum())
        for name in [*places, GROUND_TRUTH]
        if (comparison.system == name).any()
    }
    metric = system_means(comparison, scores, bootstrap, shown)
    people = system_means(comparison, comparison.ratings.T, bootstrap, shown)
    chances = [values for name, values in predicted(comparison).items() if "probability" in name]
    rows = []
    for name, n_reviews in shown.items():
        of_system = comparison.system == name
        of_all = clustered_mean(leading[of_system], comparison.change[of_system], bootstrap)
        rank, mean = places.get(name, (None, of_all))
        rows.append(
            _SystemRow(
                name,
                n_reviews,
                rank,
                mean,
                tuple(float(count_unscored(values[of_system]).mean()) for values in chances)
                if not np.isnan(chances).all()
                else (),
                tuple(metric[name].values()),
                people[name]["relevance"],
            )
        )
    return rows


def _places_by_rel(
    comparison: CorpusComparison, rel: Array, bootstrap: ClusterBootstrap
) -> dict[str, tuple[str, Estimate]]:
    """Rank by Rel, best first, where nothing is predicted: rank and mean by system."""
    shown = busiest_systems(comparison.rated_maxima, MOST_SYSTEMS)
    ranked = comparison.rated_maxima.is_of_a_system & np.isin(comparison.system, list(shown))
    if not ranked.any():
        return {}
    of_systems = system_scores(
        rel[ranked],
        comparison.system[ranked].tolist(),
        comparison.change[ranked],
        bootstrap.weights.shape[1],
    )
    by_rank = rank_systems(of_systems, bootstrap).systems
    return {each.system: (f"{each.rank.value:g}", each.mean) for each in by_rank}


def _chart(rows: Sequence[_SystemRow]) -> _Chart | None:
    """Lay out the first systems on an axis that holds every mean and interval."""
    shown = [row for row in rows if row.leading.value is not None][:_MOST_IN_CHART]
    if not shown:
        return None
    ends = [row.leading.ends or (row.leading.value, row.leading.value) for row in shown]
    # Rounded first: 10 times a mean of 0.8 may be a little more than 8.
    low = math.floor(round(10 * min(end[0] or 0 for end in ends), 6)) / 10
    high = max(math.ceil(round(10 * max(end[1] or 0 for end in ends), 6)) / 10, low + 0.1)

    def place(value: float) -> float:
        return round(_CHART_LEFT + _CHART_WIDTH * (value - low) / (high - low), 1)

    bars = tuple(
        _Bar(
            _clipped(unseen_as_codes(" ".join(row.name.split())), _LONGEST_NAME),
            f"{row.leading.value:.2f}",
            _ROW * number + _ROW // 2,
            place(row.leading.value or 0),
            None if row.leading.ends is None else (place(end[0] or 0), place(end[1] or 0)),
        )
        for number, (row, end) in enumerate(zip(shown, ends, strict=True))
    )
    numbers = np.arange(round(10 * low), round(10 * high) + 1) / 10
    ticks = tuple((place(number), f"{number:.1f}") for number in numbers)
    return _Chart(bars, ticks, _ROW * (len(bars) + 1))


def _telling(
    comparison: CorpusComparison, tau: float, leading: Array, rel: Array, *, has_predicted: bool
) -> list[_Told]:
    """Choose up to five reviews of systems by a rule, each of the reviews not chosen before.

    The best; the worst; the two by different systems that lie farthest apart on one change; the
    one whose places by predicted relevance and by Rel are farthest apart.
    """
    is_candidate = comparison.rated_maxima.is_of_a_system & np.array(
        [review.similarity.size > 0 for review in comparison.reviews], dtype=np.bool_
    )
    left = np.flatnonzero(is_candidate)
    if not left.size:
        return []
    measure = "predicted relevance" if has_predicted else "Rel"
    chosen: list[tuple[int, str]] = []

    def take(position: int, why: str) -> None:
        nonlocal left
        chosen.append((position, why))
        left = left[left != position]

    take(int(left[leading[left].argmax()]), f"Best by {measure}")
    if left.size:
        take(int(left[leading[left].argmin()]), f"Worst by {measure}")
    pair = _farthest_on_a_change(comparison, leading, left)
    for position, end in zip(pair, ("better", "worse"), strict=False):
        take(position, f"Farthest apart on one change: {end}")
    if has_predicted and left.size:
        apart = disagreement(leading[left], rel[left])
        side = "above" if apart.one[0] > apart.other[0] else "below"
        take(int(left[apart.positions[0]]), f"Measures at odds: place far {side} Rel's")
    return [
        _Told(
            why,
            case := review_case(comparison, position, tau),
            case.review.change + 1,
            _clipped(case.review.text, _LONGEST_TEXT),
            tuple(_reasons(comparison, case, float(leading[position]), measure)),
        )
        for position, why in chosen
    ]


def _farthest_on_a_change(
    comparison: CorpusComparison, leading: Array, chosen: NDArray[np.intp]
) -> tuple[int, ...]:
    """Return the better and the worse of the two reviews of one change that are farthest apart."""
    order = chosen[np.lexsort((leading[chosen], comparison.change[chosen]))]
    if not order.size:
        return ()
    starts = np.flatnonzero(np.diff(comparison.change[order], prepend=-1))
    worst, best = order[starts], order[np.append(starts[1:], order.size) - 1]
    widest = int((leading[best] - leading[worst]).argmax())
    is_pair = comparison.system[best[widest]] != comparison.system[worst[widest]]
    return (int(best[widest]), int(worst[widest])) if is_pair else ()


def _reasons(
    comparison: CorpusComparison, case: ReviewCase, leading: float, measure: str
) -> Iterator[str]:
    """Say a review's score, what raises and lowers it, and what the review leaves out."""
    review = case.review
    covered = sum(one.is_covered for one in case.references)
    on_topic = sum(one.on_topic for one in case.sentences)
    yield (
        f"{measure[0].upper()}{measure[1:]} {leading:.2f}; it covers {covered} of "
        f"{len(case.references)} pseudo-references, and {on_topic} of {len(case.sentences)} "
        "sentences are on topic."
    )
    ratings = predicted_ratings(
        ReviewText(
            review.text,
            case.change.diff,
            review.references,
            review.sentences,
            review.similarity,
        ),
        comparison.encoder,
    )
    if ratings is not None:
        for word, reasons in (("Raised", ratings.raised_by), ("Lowered", ratings.lowered_by)):
            if reasons:
                yield f"{word} most by {reasons[0]}."
    missed = next((one.reference.text for one in case.references if not one.is_covered), None)
    if missed is not None:
        yield f"Left out, among others: {_clipped(missed, _LONGEST_STATEMENT)}"


def _smells_by(comparison: CorpusComparison) -> str:
    """Name the analyzers that found smells, or none."""
    references = (one for change in comparison.changes for one in change.references)
    names = {one.source for one in references if one.kind is ReferenceKind.SMELL}
    return ",".join(sorted(names)) or "none"


def _changes(
    environment: Environment, comparison: CorpusComparison, tau: float, predictions: Array | None
) -> Iterator[Markup]:
    """Details of changes in the order of the corpus, until they have `MOST_BYTES`."""
    template = environment.get_template("change.html.jinja")
    positions: list[list[int]] = [[] for _ in comparison.changes]
    for position, review in enumerate(comparison.reviews):
        positions[review.change].append(position)
    size = 0
    for number, (change, of_change) in enumerate(
        zip(comparison.changes, positions, strict=True), start=1
    ):
        markup = template.render(
            number=number,
            change=change,
            diff=diff_lines(change.diff, guess=False),
            reviews=[
                (
                    review_case(comparison, each, tau),
                    None if predictions is None else float(predictions[each]),
                )
                for each in of_change
            ],
            dimensions=DIMENSIONS,
        )
        size += len(markup.encode())
        if size > MOST_BYTES:
            return
        yield Markup(markup)  # noqa: S704 - the template escapes all texts


def file_name(name: str, day: dt.datetime | None, ending: str) -> str:
    """Name a file after a run and its day: letters, digits and hyphens that any system takes."""
    words = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:60].rstrip("-")
    parts = ["crscore", words, "" if day is None else f"{day:%Y-%m-%d}"]
    return f"{'-'.join(filter(None, parts))}.{ending}"


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
    environment.filters["unseen"] = lambda text: unseen_markup(text, "unseen")
    environment.filters["order"] = order_words
    environment.globals["ground_truth"] = GROUND_TRUTH
    return environment


def typed(text: str) -> Markup:
    """A person's text escaped, with its blanks and line ends, apart from the text around it.

    An unseen character is shown by its code, so that none turns the order of what is read. The
    markup needs `white-space: pre-wrap`.
    """
    return Markup('<bdi dir="auto">{}</bdi>').format(unseen_markup(text, "unseen"))


def _clipped(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"
