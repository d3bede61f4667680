"""Widgets that several pages share: the choice of a measure, and two columns."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from crscore_eval.metrics import metric_title
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
        "Systems are ordered by people's ratings if there are enough, else by relevance.",
        width=280,
    )
    return None if chosen == _DEFAULT_ORDER else chosen


def _title(run: Run, name: str) -> str:
    if name.startswith(METRIC_PREFIX):
        return metric_title(name.removeprefix(METRIC_PREFIX))
    return measure_named(run.reviews, name).title


_WIDTH = 545
"""Width of a column in pixels; two columns fit a page of 1440 pixels."""


def two_columns(left: int = _WIDTH, right: int = _WIDTH) -> tuple[DeltaGenerator, DeltaGenerator]:
    """Return two containers of these widths in pixels, one below the other on a narrow page.

    `st.columns` would shrink them instead.
    """
    with st.container(horizontal=True, gap="medium"):
        return st.container(width=left), st.container(width=right)
