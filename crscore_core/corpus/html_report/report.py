"""A scored corpus -> one HTML file."""

import datetime as dt

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from crscore_core.corpus.comparison import CorpusComparison
from crscore_core.corpus.html_report.changes import change_views
from crscore_core.corpus.html_report.summary import report_summary
from crscore_core.corpus.html_report.typed import estimate_words, typed
from crscore_core.corpus.review_table import calibrated_relevance
from crscore_core.scoring import check_tau
from crscore_core.scoring.signature import package_version
from crscore_core.text import visible_text

__all__ = ["html_report"]

MOST_WITH_MATRICES = 2_000
"""Reviews up to which each has its similarity matrix: beyond, a browser is slow to show them."""

MOST_CHARACTERS = 20_000_000
"""Characters that the details of changes may have together."""

_MOST_OPEN = 20
"""Changes up to which each is unfolded when the file is opened."""

_MOST_LISTED = 200
"""Warnings, and changes left out, that are listed one by one."""


def html_report(
    comparison: CorpusComparison,
    tau: float,
    title: str,
    *,
    note: str = "",
    scored_at: dt.datetime | None = None,
) -> str:
    """The report of a scored corpus at one tau: a whole HTML document, in UTF-8 once encoded.

    It holds what was scored and by what, systems with 95 % intervals over resamples of changes,
    and every change with its diff, its pseudo-references and its reviews. It needs no script and
    asks no host for anything, which its content security policy forbids. `title` and `note` (what
    a reader has to know first) are shown as typed, as are all texts of the corpus; `scored_at` is
    when the scores were made.

    Matrices are left out of more than `MOST_WITH_MATRICES` reviews, and the details of changes end
    where they have `MOST_CHARACTERS`; the report says so.

    Raises:
        ThresholdError: `tau` is no cosine.
        StatisticsError: there are more changes than can be resampled.
    """
    tau = check_tau(tau)
    environment = _environment()
    with_matrices = len(comparison.reviews) <= MOST_WITH_MATRICES
    has_few = len(comparison.changes) <= _MOST_OPEN
    one_change = environment.get_template("change.html.jinja")
    calibrated = calibrated_relevance(comparison)
    changes, size = [], 0
    for view in change_views(comparison, tau, calibrated, with_matrices=with_matrices):
        markup = Markup(one_change.render(change=view, tau=tau, is_open=has_few))  # noqa: S704
        size += len(markup)
        if size > MOST_CHARACTERS:
            break
        changes.append(markup)
    return environment.get_template("report.html.jinja").render(
        title=title,
        plain_title=visible_text(title),
        note=note,
        scored_at=None if scored_at is None else scored_at.isoformat(" ", "minutes"),
        version=package_version(),
        tau=tau,
        comparison=comparison,
        summary=report_summary(comparison, tau),
        most_listed=_MOST_LISTED,
        with_matrices=with_matrices,
        most_with_matrices=MOST_WITH_MATRICES,
        has_calibrated=calibrated is not None,
        changes=changes,
    )


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
    environment.filters["estimate"] = estimate_words
    return environment
