"""The reviews that a measure fails, by a rule that is chosen, and what they have in common."""

from dataclasses import dataclass
from functools import cached_property

import pandas as pd
import streamlit as st
from crscore_core.corpus.measures import measure_named
from crscore_core.corpus.model import DIMENSIONS
from crscore_core.corpus.reading import label_remark
from crscore_core.validity.failure_traits import failures_in_words, study_failures
from crscore_core.validity.failures import (
    USUAL_GAPS,
    Failures,
    JudgedScore,
    case_rows,
    paper_failures,
    widest_gaps,
)
from crscore_core.validity.figures import FigureTable, failure_figures
from crscore_core.validity.paper import paper_source
from pages.components.source.model import Source

from pages.components.controls import choose_measure, tau_slider
from pages.components.markup import text_table
from pages.components.text import keep_options
from pages.components.validity_tables import figure_rows

_PAPER = "The paper's rule"
_GAPS = "Widest gaps"
_RATINGS = "people's ratings"
_NUMBERS = (1, 5, 20, 50, 100, 500)
_RULE_HELP = (
    "Widest gaps: the reviews whose rank by the measure lies furthest from their rank by people, "
    "of equal gaps the first in the data. "
    "The paper's rule: reviews in the lowest fifth of the measure that people rate 5, and in the "
    "highest fifth that they rate 1; of a label, its highest and its lowest value."
)


@dataclass(frozen=True)
class Cases:
    """Reviews of a source at one tau, as rows, and the failures of a measure among them.

    `label` is what the measure is compared with, None for ratings; `number` that of
    `widest_gaps`, None for the paper's rule.
    """

    source: Source
    tau: float
    measure: str
    label: str | None
    number: int | None

    @cached_property
    def failures(self) -> Failures:
        """The reviews that the measure gets most wrong."""
        comparison = self.source.comparison
        compared = JudgedScore.of(comparison, self.measure, self.tau, self.label)
        if self.number is None:
            return paper_failures(comparison, compared)
        return widest_gaps(comparison, compared, self.number)

    @cached_property
    def rows(self) -> pd.DataFrame:
        """All reviews as rows, with failures and gaps."""
        return case_rows(self.source.comparison.frame(self.tau), self.failures)

    @property
    def title(self) -> str:
        """The measure in words."""
        return measure_named(self.measure, self.source.comparison.labels).title


def is_rated(source: Source) -> bool:
    """Return True if people rated any review but those of the ground truth."""
    return any(source.comparison.is_judged_in(name).any() for name in DIMENSIONS)


def choose_cases(source: Source) -> Cases | None:
    """Show tau and the controls; return None, and say why, where nothing can be compared."""
    comparison = source.comparison
    tau = tau_slider(comparison.encoder, comparison.claims)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        measure = choose_measure(source, "Measure")
        choices: dict[str, str | None] = {_RATINGS: None} if is_rated(source) else {}
        choices |= {f"label {name}": name for name in comparison.labels if name != measure}
        keep_options("failures_people", choices)
        people = st.selectbox(
            "Compared with", list(choices), key="failures_people", bind="query-params", width=220
        )
        rule = st.selectbox(
            "Failures",
            (_GAPS, _PAPER),
            key="failures_rule",
            bind="query-params",
            help=_RULE_HELP,
            width=200,
        )
        number = None
        if rule == _GAPS:
            number = st.selectbox(
                "In each direction",
                _NUMBERS,
                index=_NUMBERS.index(USUAL_GAPS),
                key="failures_number",
                bind="query-params",
                width=150,
            )
    if people is None:
        st.info("People said nothing else of these reviews: choose another measure.")
        return None
    if remark := label_remark(choices[people] or ""):
        st.caption(remark)
    return Cases(source, tau, measure, choices[people], number)


def show_common(cases: Cases) -> None:
    """Show the traits of failures, with intervals, in sentences and as a table."""
    source = cases.source
    study = study_failures(source.comparison, cases.failures, source.bootstrap)
    for sentence in failures_in_words(study):
        st.markdown(f"- {sentence}")
    is_the_paper_s = (cases.measure, cases.label, cases.number) == ("relevance", None, None)
    is_printed = source.study is not None and is_the_paper_s
    if is_printed:
        st.caption(
            f"The paper's figures are those of its {paper_source('failures')}, with its own tau; "
            "empty where it prints none."
        )
    groups = ("underestimated", "overestimated", "all", "rest")
    figures = failure_figures(study, has_paper=is_printed, groups=groups)
    text_table(
        figure_rows(FigureTable("failures", "", "", tuple(figures))),
        wide=(),
        caption="Means over reviews; intervals resample changes. The rest are all reviews that are "
        "neither under- nor overestimated",
    )
