"""A scored corpus as one HTML document: a page to decide by, details folded below."""

import datetime as dt
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from numpy.typing import NDArray

from crscore_core.change.diff_lines import diff_lines
from crscore_core.corpus.at_odds import agreement_words
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
from crscore_core.corpus.two_orders import MeasuredReviews, TwoOrders, two_orders
from crscore_core.corpus.verdict import caution, order_words, rests_on, verdict, why_no_verdict
from crscore_core.predicted.ratings import PROBABILITY_CAUTION
from crscore_core.scoring import check_tau
from crscore_core.scoring.references import ReferenceKind
from crscore_core.scoring.signature import encoder_words, package_version
from crscore_core.statistics import (
    ClusterBootstrap,
    Estimate,
    clustered_mean,
    number_or_none,
    rank_systems,
    system_scores,
)
from crscore_core.statistics.disagreement import disagreement
from crscore_core.text import unseen_markup, visible_text

MOST_BYTES = 1_600_000
"""Bytes that the details of changes may have together."""

_MOST_LISTED = 200
_LONGEST_TEXT, _LONGEST_STATEMENT = 220, 100
_CODE = re.compile(r"`([^`\n]+)(?:`|(?<=…)$)")
_RELEVANCE = DIMENSIONS.index("relevance")

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class _SystemRow:
    """A system with its rank and means: `leading` is of the measure that ranks.

    `empty` of the reviews have no score; where all are empty, only `people` has a value.
    `probabilities` are means of the three predicted ones, empty without predictions; `metric` has
    Con, Comp and Rel, `people` relevance from 1 to 5. The ground truth has no rank.
    """

    name: str
    reviews: int
    empty: int
    rank: str | None
    leading: Estimate
    probabilities: tuple[float, ...]
    metric: tuple[Estimate, ...]
    people: Estimate


@dataclass(frozen=True, slots=True)
class _Told:
    """A review that is shown to everybody: why, what it says, and its reasons in words."""

    why: str
    case: ReviewCase
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

    The visible part has the verdict, systems by rank with 95 % intervals of their means, a few
    telling reviews with the facts, terms, and what was scored with what: one A4 page where a few
    systems are compared. Everything else is folded: pairs of systems, how the measures agree with
    each other and with people, and every change with its reviews until their details have
    `MOST_BYTES`; the report says so. The document has no script and asks no host for anything,
    which its content security policy forbids. `title` and `note` are shown as typed, as are all
    texts of the corpus; `scored_at` is the time of the scores, `version` that of the program that
    made them, by default this one, and `knows_people` that of `MeasuredReviews`.

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
    changes = list(_changes(environment, comparison, tau, columns["predicted_relevance"]))
    return environment.get_template("report.html.jinja").render(
        title=title,
        plain_title=visible_text(title),
        note=note,
        day="" if scored_at is None else f"{scored_at:%Y-%m-%d}",
        time="" if scored_at is None else f"{scored_at.astimezone(dt.UTC):%Y-%m-%d %H:%M} UTC",
        tau=tau,
        comparison=comparison,
        signature=(
            f"crscore:{version or package_version()}"
            f"|{encoder_words(comparison.encoder, comparison.precision)}"
            f"|claims:{comparison.claims}|smells:{_smells_by(comparison)}|tau:{tau:g}"
        ),
        n_systems=len({review.system for review in comparison.reviews}),
        n_resamples=len(bootstrap.weights),
        has_predicted=has_predicted,
        verdict=verdict(orders) if orders else why_no_verdict(measured),
        rests_on=rests_on(orders) if orders else "",
        probability_caution=PROBABILITY_CAUTION,
        caution=caution(comparison.encoder, comparison.seen_changes),
        measures=(orders.disagreement() or agreement_words(orders.agreement)) if orders else (),
        pairs=orders.pairs if orders else (),
        axis=_axis(systems),
        systems=systems,
        told=_telling(
            comparison,
            tau,
            ({"predicted relevance": leading} if has_predicted else {})
            | {"Rel": scores[_RELEVANCE]},
            [row.name for row in systems if row.rank is not None],
        ),
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
    reviews = comparison.rated_maxima
    without_score = np.unique(comparison.system[reviews.is_of_nobody_heard])[:MOST_SYSTEMS].tolist()
    truth = [GROUND_TRUTH] if GROUND_TRUTH in reviews.systems else []
    names = dict.fromkeys([*places, *truth, *without_score])
    metric = system_means(comparison, scores, bootstrap, names)
    people = system_means(comparison, comparison.ratings.T, bootstrap, names)
    chances = [values for name, values in predicted(comparison).items() if "probability" in name]
    rows = []
    for name in names:
        of_system = comparison.system == name
        has_score = name not in without_score
        rank, mean = places.get(name, (None, Estimate(None, None)))
        if rank is None and has_score:
            mean = clustered_mean(leading[of_system], comparison.change[of_system], bootstrap)
        rows.append(
            _SystemRow(
                name,
                int(of_system.sum()),
                int(reviews.is_empty[of_system].sum()),
                rank,
                mean,
                tuple(float(count_unscored(values[of_system]).mean()) for values in chances)
                if has_score
                else (),
                tuple(metric[name].values()) if has_score else (),
                people[name]["relevance"],
            )
        )
    return rows


def _places_by_rel(
    comparison: CorpusComparison, rel: Array, bootstrap: ClusterBootstrap
) -> dict[str, tuple[str, Estimate]]:
    """Rank by Rel, best first, where nothing is predicted: rank and mean by system."""
    shown = busiest_systems(comparison.rated_maxima, MOST_SYSTEMS)
    reviews = comparison.rated_maxima
    ranked = reviews.is_of_a_system & ~reviews.is_of_nobody_heard
    ranked &= np.isin(comparison.system, list(shown))
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


def _axis(rows: Sequence[_SystemRow]) -> tuple[float, float]:
    """Return the ends of an axis that holds every mean and interval, in tenths."""
    ends = [end for row in rows for end in (row.leading.ends or (row.leading.value or 0.0,))]
    low, high = min(ends, default=0.0), max(ends, default=0.0)
    # Rounded first: 10 times a mean of 0.8 may be a little more than 8.
    low = math.floor(round(10 * low, 6)) / 10
    return low, max(math.ceil(round(10 * high, 6)) / 10, low + 0.1)


def _telling(
    comparison: CorpusComparison,
    tau: float,
    scores: Mapping[str, Array],
    systems: Sequence[str],
) -> list[_Told]:
    """Choose up to five reviews of the systems by a rule, each of those not chosen before.

    The best; the worst; the two by different systems that lie farthest apart on one change; the
    one whose places by predicted relevance and by Rel are farthest apart.
    """
    has_score = ~comparison.rated_maxima.is_empty
    left = np.flatnonzero(has_score & np.isin(comparison.system, systems))
    if not left.size:
        return []
    (measure, leading), *others = scores.items()
    chosen: list[tuple[int, str]] = []

    def take(position: int, why: str) -> None:
        nonlocal left
        chosen.append((position, why))
        left = left[left != position]

    take(int(left[leading[left].argmax()]), f"Highest {measure}")
    if left.size:
        take(int(left[leading[left].argmin()]), f"Lowest {measure}")
    pair = _farthest_on_a_change(comparison, leading, left)
    for position, end in zip(pair, ("higher", "lower"), strict=False):
        take(position, f"Widest gap on one change: the {end} {measure}")
    if others and left.size:
        apart = disagreement(leading[left], others[0][1][left])
        ends = ("far lower", "far higher")[:: 1 if apart.one[0] > apart.other[0] else -1]
        words = "Measures at odds: place {1} by predicted relevance than by Rel"
        take(int(left[apart.positions[0]]), words.format(*ends))
    return [
        _Told(
            why,
            case := review_case(comparison, position, tau),
            _clipped(case.review.text, _LONGEST_TEXT),
            tuple(_reasons(case, float(leading[position]), measure)),
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


def _reasons(case: ReviewCase, leading: float, measure: str) -> Iterator[str]:
    """Say a review's score and rating, and what of the change it talks about and leaves out."""
    said, known = len(case.sentences), len(case.references)
    on_topic = sum(one.on_topic for one in case.sentences)
    covered = [one for one in case.references if one.is_covered]
    missed = [one for one in case.references if not one.is_covered]
    rating = case.review.ratings.relevance
    people = "" if rating is None else f" People rated it {rating:g} of 5."
    yield (
        f"{measure[0].upper()}{measure[1:]} {leading:.2f}. It has {said} "
        f"sentence{'s' * (said != 1)}, {on_topic} on topic, and covers {len(covered)} of {known} "
        f"pseudo-reference{'s' * (known != 1)}.{people}"
    )
    if covered:
        nearest = max(covered, key=lambda one: one.best_similarity or 0.0)
        yield f"Covered: {_clipped(nearest.reference.text, _LONGEST_STATEMENT)}"
    if missed:
        yield f"Left out: {_clipped(missed[0].reference.text, _LONGEST_STATEMENT)}"


def _smells_by(comparison: CorpusComparison) -> str:
    """Name the analyzers that found smells, or none."""
    references = (one for change in comparison.changes for one in change.references)
    names = {one.source for one in references if one.kind is ReferenceKind.SMELL}
    return ",".join(sorted(names)) or "none"


def _changes(
    environment: Environment, comparison: CorpusComparison, tau: float, predictions: Array
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
                (review_case(comparison, each, tau), number_or_none(predictions[each]))
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
    environment.filters["prose"] = prose
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


def prose(text: str) -> Markup:
    """Return `typed` text with Markdown's code in backticks as code, one that is cut off too."""
    pieces = [piece or "" for piece in _CODE.split(text)]
    return Markup().join(
        Markup("<code>{}</code>").format(typed(piece)) if index % 2 else typed(piece)
        for index, piece in enumerate(pieces)
        if piece
    )


def _clipped(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"
