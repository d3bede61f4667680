"""The choice of a measure, which several pages share."""

from crscore_eval.metrics.values import metric_title
from crscore_eval.table import (
    DEFAULT_MEASURE,
    METRIC_PREFIX,
    PEOPLE,
    Run,
    measure_named,
    measure_names,
)
from pages.components.url import choose_option

_DEFAULT_ORDER = "by default"


def choose_measure(run: Run, *, for_systems: bool = False) -> str | None:
    """Offer the measures of the reviews, in the URL as `measure`; return the chosen measure.

    The choice `for_systems` is separate, in the URL as `by`. It offers people's ratings too. Its
    default is None, which leaves the choice to `order_systems`.
    """
    names = [name for name in measure_names(run.reviews) if for_systems or name != PEOPLE]
    titles = {name: _title(run, name) for name in names}
    default = DEFAULT_MEASURE
    if for_systems:
        default = _DEFAULT_ORDER
        titles = {_DEFAULT_ORDER: "automatic"} | titles
    chosen = choose_option(
        "Order by" if for_systems else "Measure",
        titles,
        "by" if for_systems else "measure",
        default,
        help="Relevance, conciseness and comprehensiveness depend on tau; the others do not. "
        "Systems are ordered by people's rating of worth if there are enough answers, else by "
        "their rating of relevance, else by relevance.",
        width=280,
    )
    return None if chosen == _DEFAULT_ORDER else chosen


def _title(run: Run, name: str) -> str:
    if name.startswith(METRIC_PREFIX):
        return metric_title(name.removeprefix(METRIC_PREFIX))
    return measure_named(run.reviews, name).title
