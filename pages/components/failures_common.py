"""Traits that failing cases have in common, beside other reviews and the paper's figures."""

from collections.abc import Iterator

import streamlit as st

from crscore_core.statistics import Estimate
from crscore_core.validity.failure_traits import (
    FailureStudy,
    ReviewTraits,
    failures_in_words,
    study_failures,
)
from crscore_core.validity.figures import CORRELATIONS
from crscore_core.validity.paper import paper_figure, paper_source
from pages.components.failures_rule import Cases
from pages.components.markup import text_table
from pages.components.names import between

_TRAITS = {
    "share": "share of all reviews",
    "pseudo_references": "pseudo-references of the change",
    "inline_code": "share with inline code",
    "words": "words",
    "sentences": "sentences",
}
_GROUPS = {
    "underestimated": "underestimated",
    "overestimated": "overestimated",
    "all": "all reviews",
    "rest": "the rest",
}
_PARTS = {"without": "all reviews without these cases", "within": "these cases alone"}


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
    text_table(
        [_row(*figure, has_paper=is_printed) for figure in _figures(study)],
        wide=(),
        caption="Means over reviews; intervals resample changes. The rest are all reviews that are "
        "neither under- nor overestimated",
    )


def _figures(study: FailureStudy) -> Iterator[tuple[str, str, float | None, Estimate]]:
    """Yield group, trait, the paper's figure and ours."""
    for group, name in _GROUPS.items():
        traits: ReviewTraits = getattr(study, group)
        cases = Estimate(float(traits.cases), None)
        yield name, "reviews", paper_figure("failures", group, "cases"), cases
        for trait, words in _TRAITS.items():
            if (group, trait) != ("all", "share"):
                yield name, words, paper_figure("failures", group, trait), getattr(traits, trait)
    for group, name in _PARTS.items():
        correlation = getattr(study, group)
        if correlation is not None:
            for statistic, words in CORRELATIONS.items():
                printed = paper_figure("failures", group, statistic)
                yield name, words, printed, getattr(correlation, statistic)


def _row(
    group: str, trait: str, printed: float | None, here: Estimate, *, has_paper: bool
) -> dict[str, object]:
    digits = 0 if trait == "reviews" else 4 if trait.startswith("share of") else 3
    return {
        "": group,
        "what": trait,
        **({"paper": _number(printed, digits)} if has_paper else {}),
        "here": _number(here.value, digits),
        "95 % interval": between(here.interval, digits, nothing=""),
    }


def _number(value: float | None, digits: int) -> str:
    return "" if value is None else f"{value:,.{digits}f}"
