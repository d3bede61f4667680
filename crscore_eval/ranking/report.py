"""A run as one HTML document: verdict, systems with intervals, a chart, failures."""

import html
from functools import partial
from typing import Any

import pandas as pd

from crscore_core.text import figure, unseen_as_codes
from crscore_eval.metrics import metric_title
from crscore_eval.ranking.order import Order, order_systems
from crscore_eval.ranking.people import UNCHECKED, mean_words, unchecked_note
from crscore_eval.ranking.verdict import NOT_MEASURED, basis, pair_words, verdict
from crscore_eval.table import Run, judge_columns, measure_values, people

_MAX_CASES = 10
_MAX_CHARACTERS = 600
"""Characters of a review that are shown."""


def report(
    run: Run,
    title: str = "",
    by: str | None = None,
    tau: float | None = None,
    failures: pd.DataFrame | None = None,
) -> str:
    """Return a report as one HTML document that asks no host for anything.

    `failures` are reviews to show, those with the largest `gap` first: its index is that of
    `run.reviews` (see `crscore_eval.validity.failures`). Texts of the run are escaped, and
    invisible characters are shown as their codes.

    Raises:
        InputError: as for `order_systems`.
    """
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("crscore_eval.ranking", "."),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "seen": lambda text: unseen_as_codes(str(text)),
        "figure": partial(figure, missing="–"),
        "metric": metric_title,
    }
    order = order_systems(run, by, tau)
    judges = [name for name in judge_columns(run.reviews) if unchecked_note(run, name)]
    return environment.get_template("report.html.jinja").render(
        title=title or run.settings.get("name") or "Code reviews",
        order=order,
        settings={**run.settings, "tau": run.settings["tau"] if tau is None else tau},
        sentences=verdict(order),
        basis=basis(order),
        pairs=[row | {"order": pair_words(row)} for row in order.pairs.to_dict("records")],
        words=mean_words(run),
        chart=_chart(order),
        cases=_cases(run, order, tau, failures),
        unchecked=f"{', '.join(judges)}: {UNCHECKED}" if judges else "",
        not_measured=NOT_MEASURED.format("Relevance"),
        n_left_out=int(run.changes["left_out"].notna().sum()),
    )


def _chart(order: Order) -> str:
    """Return the means with their intervals as a chart that needs no host."""
    import plotly.express as px
    from plotly.io import to_html

    systems = order.systems[::-1]
    means = px.scatter(
        x=systems["mean"],
        y=[html.escape(unseen_as_codes(name)) for name in systems["system"]],
        error_x=(systems["high"] - systems["mean"]).fillna(0),
        error_x_minus=(systems["mean"] - systems["low"]).fillna(0),
        labels={"x": order.by.title, "y": ""},
        height=120 + 28 * len(systems),
        template="plotly_white",
    )
    means.update_yaxes(type="category", automargin=True)
    chart: str = to_html(means, full_html=False, config={"displayModeBar": False})
    return chart


def _cases(
    run: Run, order: Order, tau: float | None, failures: pd.DataFrame | None
) -> list[dict[Any, Any]]:
    """Return the reviews that fail, with what the measure and people say of them."""
    if failures is None or failures.empty:
        return []
    titles = run.changes.set_index("change")["title"]
    ordered = failures.sort_values("gap", key=abs, ascending=False, kind="stable")
    shown = ordered.groupby("failure", sort=False).head(_MAX_CASES)
    cases = run.reviews.loc[shown.index, ["system", "change", "review"]].assign(
        failure=shown["failure"],
        value=measure_values(run.reviews, order.measure.name, tau),
        people=people(run.reviews),
    )
    cases["title"] = [titles[name] or name for name in cases["change"]]
    cases["review"] = cases["review"].str.slice(0, _MAX_CHARACTERS)
    return [*cases.to_dict("records")]
