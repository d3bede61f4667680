"""Render a run as one HTML document without scripts: verdict, systems and failures."""

from typing import TYPE_CHECKING, Any

from crscore_core.text import escape_invisible
from crscore_eval.data.ratings import is_rated_by_people
from crscore_eval.export.shown import (
    metrics_caption,
    metrics_table,
    pairs_caption,
    pairs_table,
    systems_caption,
    systems_table,
)
from crscore_eval.formatting import format_figure
from crscore_eval.metrics.values import figures_signature
from crscore_eval.ranking.order import Order, mean_words, order_systems
from crscore_eval.ranking.verdict import LIMIT_TEMPLATE, order_basis, verdict
from crscore_eval.table import (
    DEFAULT_MEASURE,
    Run,
    count_warnings,
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
    """Return a report as one HTML document that loads no external resources.

    The systems are ordered by `by`, see `order_systems`. Text from the run is escaped, and
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
        systems=(systems_table(order, mean_words(run)), systems_caption(order)),
        bars=_bars(order),
        pairs=(pairs_table(order), pairs_caption(order)),
        agreement=None
        if order.agreement is None
        else (
            metrics_table(order.agreement, order.scored_by.title),
            metrics_caption(order.agreement),
        ),
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
    environment.filters["seen"] = lambda text: escape_invisible(str(text), keeps_lines=True)
    environment.filters["figure"] = format_figure
    return environment.get_template("report.html.jinja")


def _bars(order: Order) -> list[dict[Any, Any]]:
    """Return the positions of each system's mean and interval in a chart, in percent."""
    means = order.systems[["low", "mean", "high"]]
    low, high = order.by.axis(means)
    shares = (100 * (means - low) / ((high - low) or 1)).assign(axis=f"{low:.3g} to {high:.3g}")
    return shares.fillna({"low": shares["mean"], "high": shares["mean"]}).to_dict("records")


def _cases(run: Run, failures: "pd.DataFrame", tau: float | None) -> list[dict[Any, Any]]:
    """Return the reviews with the widest gaps, with their relevance, ratings and changes."""
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
