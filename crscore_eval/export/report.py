"""A run as one HTML document without scripts: verdict, systems with intervals, failures."""

from collections.abc import Callable
from math import nan
from typing import TYPE_CHECKING, Any

from crscore_core.text import escape_invisible
from crscore_eval.data.ratings import is_rated_by_people
from crscore_eval.export.captions import metrics_caption, pairs_caption, systems_caption
from crscore_eval.formatting import format_figure
from crscore_eval.metrics.values import figures_signature, metric_title
from crscore_eval.ranking.order import Order, mean_words, order_systems
from crscore_eval.ranking.verdict import (
    LIMIT_TEMPLATE,
    order_basis,
    shared_changes,
    significance,
    verdict,
)
from crscore_eval.table import (
    DEFAULT_MEASURE,
    Run,
    count_warnings,
    label_title,
    measure_values,
    people_ratings,
    remarks,
    run_tau,
)
from crscore_eval.table.one_review import change_title, find_change
from crscore_eval.validity.failures import failure_cases

if TYPE_CHECKING:
    import pandas as pd
    from jinja2 import Template

_MAX_CASES = 10


def report(run: Run, by: str | None = None, tau: float | None = None) -> str:
    """Return a report as one HTML document that loads nothing from elsewhere.

    The systems are ordered by `by`, see `order_systems`. Texts of the run are escaped, and
    invisible characters are shown as their codes.

    Raises:
        InputError: as for `order_systems`.
    """
    tau = run_tau(run.reviews) if tau is None else tau
    order = order_systems(run, by, tau)
    failures = failure_cases(run, tau)
    sentences, limit = verdict(order), LIMIT_TEMPLATE.format("Relevance")
    return _template().render(
        title=run.settings.get("name") or "Code reviews",
        order=order,
        created=run.settings.get("created"),
        signature=figures_signature(run.settings, [order.by.name], tau),
        tau=tau,
        sentences=sentences,
        basis=order_basis(order),
        pairs=[
            row | {"significant": significance(row), "over": shared_changes(row)}
            for row in order.pairs.to_dict("records")
        ],
        systems_caption=systems_caption(order),
        pairs_caption=pairs_caption(order),
        agreement_caption="" if order.agreement is None else metrics_caption(order.agreement),
        words=mean_words(run),
        systems=_systems(order),
        cases=[] if failures is None else _cases(run, failures, tau),
        n_failing=0 if failures is None else len(failures),
        n_rated=int(is_rated_by_people(run.reviews).sum()),
        warnings=count_warnings(run.reviews).to_dict("records"),
        n_reviews=len(run.reviews),
        not_measured="" if limit in sentences else limit,
        remarks=remarks(run.settings),
    )


def _template() -> "Template":
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("crscore_eval.export", "."),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    filters: dict[str, Callable[..., str]] = {
        "seen": lambda text: escape_invisible(str(text), keeps_lines=True),
        "figure": _figure,
        "metric": metric_title,
        "label": label_title,
    }
    environment.filters |= filters
    return environment.get_template("report.html.jinja")


def _figure(value: float | None, low: float = nan, high: float = nan) -> str:
    """Return a figure with its interval, which stays on one line in a narrow cell."""
    return format_figure(value, low, high, missing="–").replace(" to ", "\u00a0to\u00a0")


def _systems(order: Order) -> list[dict[Any, Any]]:
    """Return the rows of the table of systems; `bar` has the chart's positions in percent."""
    means = order.systems[["low", "mean", "high"]]
    low, high = order.by.axis(means)
    shares = (100 * (means - low) / ((high - low) or 1)).assign(axis=f"{low:.3g} to {high:.3g}")
    bars = shares.fillna({"low": shares["mean"], "high": shares["mean"]}).to_dict("records")
    rows = order.systems.to_dict("records")
    return [row | {"bar": bar} for row, bar in zip(rows, bars, strict=True)]


def _cases(run: Run, failures: "pd.DataFrame", tau: float | None) -> list[dict[Any, Any]]:
    """Return the reviews of the widest gaps, with their relevance, ratings and changes."""
    if failures.empty:
        return []
    first = failures.groupby("failure", sort=False).head(_MAX_CASES)
    cases = run.reviews.loc[first.index, ["system", "change", "review"]].assign(
        failure=first["failure"],
        value=measure_values(run.reviews, DEFAULT_MEASURE, tau),
        people=people_ratings(run.reviews),
    )
    changes = [find_change(run, name) for name in cases["change"]]
    cases["title"] = [change_title(change) for change in changes]
    cases["diff"] = [change["diff"].rstrip("\n").split("\n") for change in changes]
    return [*cases.to_dict("records")]
