"""Render a run as one HTML document without scripts: verdict, systems and failures."""

from typing import Any

from crscore_core.text import escape_invisible
from crscore_eval.export.shown import pairs_caption, pairs_table, systems_caption, systems_table
from crscore_eval.formatting import format_figure
from crscore_eval.metrics.values import figures_signature
from crscore_eval.ranking.order import deciding_measure, order_systems
from crscore_eval.ranking.verdict import details, headline, order_basis
from crscore_eval.statistics.bootstrap import MIN_CHANGES
from crscore_eval.table import Run, count_warnings, remarks
from crscore_eval.table.measures import DEFAULT_MEASURE, measure_values, run_tau
from crscore_eval.table.one_review import change_number, change_title, find_change
from crscore_eval.validity.failures import describe_failures, failing_reviews, judgements

_MAX_CASES = 20


def report(run: Run, by: str | None = None, tau: float | None = None) -> str:
    """Return a report as one HTML document that loads no external resources.

    The systems are ordered by `by`, see `order_systems`. Text from the run is escaped, and
    invisible characters are shown as their codes.

    Raises:
        InputError: as for `order_systems`.
    """
    from jinja2 import Environment, PackageLoader, StrictUndefined

    tau = run_tau(run.reviews) if tau is None else tau
    order = order_systems(run, by, tau)
    environment = Environment(
        loader=PackageLoader("crscore_eval.export", "."),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["seen"] = lambda text: escape_invisible(str(text), keeps_lines=True)
    environment.filters["figure"] = format_figure
    return environment.get_template("report.html.jinja").render(
        run=run,
        order=order,
        signature=figures_signature(run.settings, [*order.measures, DEFAULT_MEASURE], tau),
        tau=tau,
        sentences=headline(order),
        findings=details(order),
        basis=order_basis(order),
        systems=(systems_table(order), systems_caption(order)),
        pairs=(pairs_table(order), pairs_caption(order)),
        failures=_failures(run, tau),
        warnings=count_warnings(run.reviews).to_dict("records"),
        remarks=remarks(run.settings),
    )


def _failures(run: Run, tau: float | None) -> dict[str, Any]:
    scores = measure_values(run.reviews, DEFAULT_MEASURE, tau)
    judged = judgements(run.reviews, DEFAULT_MEASURE, scores, deciding_measure(run))
    for title, people in judged.items():
        if run.reviews["change"][people.notna()].nunique() >= MIN_CHANGES:
            failing = failing_reviews(scores, people)
            heading = describe_failures(f"{DEFAULT_MEASURE} and {title}", scores, people, failing)
            widest = failing.sort_values("gap", key=abs, ascending=False, kind="stable")
            shown = widest.groupby("failure").head(_MAX_CASES // 2)
            cases = shown.join(run.reviews[["system", "change", "review"]])
            changes = [find_change(run, name) for name in cases["change"]]
            cases["title"] = [*map(change_title, changes)]
            cases["number"] = [change_number(change["change"]) for change in changes]
            cases["diff"] = [change["diff"].rstrip("\n").split("\n") for change in changes]
            found = {"heading": heading, "people": title, "n": len(failing)}
            return found | {"cases": cases.to_dict("records")}
    return {"heading": ""}
