"""A scored corpus as one HTML document: a page to decide by, details folded below."""

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
from crscore_core.corpus.measures import (
    DEFAULT_MEASURE,
    PEOPLE,
    MeasuredReviews,
    unchecked_judges,
)
from crscore_core.corpus.model import DIMENSIONS, GROUND_TRUTH
from crscore_core.corpus.review_case import ReviewCase, review_case
from crscore_core.corpus.reviews import Reviews
from crscore_core.corpus.run.finished import FinishedRun
from crscore_core.corpus.systems import corpus_bootstrap
from crscore_core.ranking.order import SystemRow, rank, system_rows
from crscore_core.ranking.verdict import order_words, rests_on, verdict, why_no_order
from crscore_core.scoring import check_tau
from crscore_core.scoring.references import ReferenceKind
from crscore_core.scoring.signature import package_version
from crscore_core.statistics.disagreement import disagreement
from crscore_core.text import capital, counted, unseen_markup, visible_text

MOST_BYTES = 1_600_000
"""Bytes that the details of changes may have together."""

_MOST_LISTED = 200
_LONGEST_TEXT, _LONGEST_STATEMENT = 220, 100
_CODE = re.compile(r"`([^`\n]+)(?:`|(?<=…)$)")

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class _Told:
    """A review that is shown to everybody: why, what it says, and its reasons in words."""

    why: str
    case: ReviewCase
    text: str
    reasons: tuple[str, ...]


def html_report(  # noqa: PLR0913 - what a reader is told first, each by its name
    comparison: Reviews,
    tau: float,
    title: str,
    *,
    note: str = "",
    scored_at: dt.datetime | None = None,
    version: str = "",
    measure: str | None = None,
    run: FinishedRun | None = None,
) -> str:
    """Write the report of a scored corpus at one tau: a whole HTML document, UTF-8 once encoded.

    The visible part has the verdict, systems by rank with 95 % intervals of their means, a few
    telling reviews with the facts, terms, and what was scored with what: one A4 page where a few
    systems are compared. Everything else is folded: pairs of systems, and every change with its
    reviews until their details have `MOST_BYTES`; the report says so. The document has no script
    and asks no host for anything, which its content security policy forbids. `title` and `note` are
    shown as typed, as are all texts of the corpus; `scored_at` is the time of the scores, `version`
    that of the program that made them, by default this one. Systems are in order of `measure`, by
    default of people's ratings where these are enough, else of relevance. Findings that
    judges of `run`, the run that the reviews are of, call wrong are listed.

    Raises:
        InputError: there is no such measure.
        InputError: `tau` is no cosine.
        InputError: there are more changes than can be resampled.
    """
    tau = check_tau(tau)
    measured = MeasuredReviews.of(comparison, measure or DEFAULT_MEASURE, tau)
    order = rank(measured, corpus_bootstrap(comparison), is_chosen=measure is not None)
    systems = system_rows(measured, order, tau)
    environment = _environment()
    ordered_by = order.ordered_by if order else measured.measure
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
            f"|encoder:{comparison.encoder}"
            f"|claims:{comparison.claims}|smells:{_smells_by(comparison)}|tau:{tau:g}"
        ),
        n_systems=len({review.system for review in comparison}),
        measure=ordered_by.title,
        verdict=verdict(order) if order else why_no_order(measured),
        rests_on=rests_on(order) if order else "",
        pairs=order.pairs if order else (),
        axis=_axis(systems),
        systems=systems,
        told=_telling(comparison, tau, measured, [row.system for row in systems if row.place]),
        wrong=(wrong := [] if run is None else run.judgements.wrong(comparison)),
        unchecked=unchecked_judges(comparison, {found.judge for found in wrong}),
        most_listed=_MOST_LISTED,
        changes=list(_changes(environment, comparison, tau)),
    )


def _axis(rows: Sequence[SystemRow]) -> tuple[float, float]:
    """Return the ends of an axis that holds every mean and interval, in tenths."""
    ends = [end for row in rows for end in (row.mean.ends or (row.mean.value or 0.0,))]
    low, high = min(ends, default=0.0), max(ends, default=0.0)
    # Rounded first: 10 times a mean of 0.8 may be a little more than 8.
    low = math.floor(round(10 * low, 6)) / 10
    return low, max(math.ceil(round(10 * high, 6)) / 10, low + 0.1)


def _telling(
    comparison: Reviews,
    tau: float,
    measured: MeasuredReviews,
    systems: Sequence[str],
) -> list[_Told]:
    """Choose up to five reviews of the systems by a rule, each of those not chosen before.

    The highest by the measure; the lowest; the two by different systems that lie farthest apart on
    one change; the one whose places by the measure and by people are farthest apart.
    """
    leading, title = measured.values, measured.measure.title
    has_value = ~measured.reviews.is_empty & ~np.isnan(leading)
    left = np.flatnonzero(has_value & np.isin(comparison.system, systems))
    if not left.size:
        return []
    chosen: list[tuple[int, str]] = []

    def take(position: int, why: str) -> None:
        nonlocal left
        chosen.append((position, why))
        left = left[left != position]

    take(int(left[leading[left].argmax()]), f"Highest {title}")
    if left.size:
        take(int(left[leading[left].argmin()]), f"Lowest {title}")
    pair = _farthest_on_a_change(comparison, leading, left)
    for position, end in zip(pair, ("higher", "lower"), strict=False):
        take(position, f"Widest gap on one change: the {end} {title}")
    rated = left[~np.isnan(measured.people[left])]
    if rated.size > 1 and measured.measure.name != PEOPLE:
        apart = disagreement(leading[rated], measured.people[rated])
        end = "higher" if apart.one[0] > apart.other[0] else "lower"
        take(int(rated[apart.positions[0]]), f"Ranked far {end} by {title} than by people")
    return [
        _Told(
            why,
            case := review_case(comparison, position, tau),
            _clipped(case.review.text, _LONGEST_TEXT),
            tuple(_reasons(case, float(leading[position]), title)),
        )
        for position, why in chosen
    ]


def _farthest_on_a_change(
    comparison: Reviews, leading: Array, chosen: NDArray[np.intp]
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
        f"{capital(measure)} {leading:.2f}. About the change: {on_topic} of "
        f"{counted(said, 'sentence')}. Covers {len(covered)} of {counted(known, 'point')}.{people}"
    )
    if covered:
        nearest = max(covered, key=lambda one: one.best_similarity or 0.0)
        yield f"Covered: {_clipped(nearest.reference.text, _LONGEST_STATEMENT)}"
    if missed:
        yield f"Left out: {_clipped(missed[0].reference.text, _LONGEST_STATEMENT)}"


def _smells_by(comparison: Reviews) -> str:
    """Name the analyzers that found smells, or none."""
    references = (one for change in comparison.changes for one in change.references)
    names = {one.source for one in references if one.kind is ReferenceKind.SMELL}
    return ",".join(sorted(names)) or "none"


def _changes(environment: Environment, comparison: Reviews, tau: float) -> Iterator[Markup]:
    """Details of changes in the order of the corpus, until they have `MOST_BYTES`."""
    template = environment.get_template("change.html.jinja")
    positions: list[list[int]] = [[] for _ in comparison.changes]
    for position, review in enumerate(comparison):
        positions[review.change].append(position)
    size = 0
    for number, (change, of_change) in enumerate(
        zip(comparison.changes, positions, strict=True), start=1
    ):
        markup = template.render(
            number=number,
            change=change,
            diff=diff_lines(change.diff, guess=False),
            cases=[review_case(comparison, each, tau) for each in of_change],
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
        loader=PackageLoader("crscore_core.ranking.html_report", "."),
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
