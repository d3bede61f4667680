"""Tables of the page Threshold: figures at one tau, presets of tau, and the paper's figures."""

from collections.abc import Iterator

import streamlit as st

from crscore_core.corpus.model import DIMENSIONS, GROUND_TRUTH
from crscore_core.scoring import tau_preset
from crscore_core.statistics import Estimate
from crscore_core.validity.corpus_validity import CorpusValidity
from crscore_core.validity.paper import PAPER_ENCODER, PAPER_TAUS, paper_figure, paper_source
from crscore_core.validity.thresholds import is_swept
from pages.components.markup import text_table
from pages.components.names import SHORT_NAMES, between, number, system_name
from pages.components.source.model import Source
from pages.components.text import escape_markdown, shorten
from pages.components.thresholds_panels import Curves


def show_figures(source: Source, curves: Curves, tau: float) -> None:
    """Show the figures that hold at this tau, with intervals."""
    text_table(
        [
            {
                "at this tau": name,
                "value": number(estimate.value),
                "95 %": between(estimate.interval),
            }
            for name, estimate in _figures(source, curves, tau)
        ],
        wide=("95 %",),
        caption=f"At tau {tau:.3f}; intervals resample changes",
    )
    words = "Correlations are Spearman's. Where all scores are the same there is none."
    if not is_swept(source.comparison).all():
        words += " The reviews of the ground truth are left out, as in the paper."
    st.caption(words)


def _figures(source: Source, curves: Curves, tau: float) -> Iterator[tuple[str, Estimate]]:
    figures = CorpusValidity(source.comparison, source.bootstrap).at(tau).figures
    for dimension in DIMENSIONS:
        if f"spearman_{dimension}" in figures:
            name = f"{SHORT_NAMES[dimension]} with people's {dimension}, review by review"
            yield name, figures[f"spearman_{dimension}"]
    if curves.no_threshold:
        name = "similarity without a threshold with people's relevance"
        yield name, curves.no_threshold.spearman
    if "system_spearman" in figures:
        yield "order of systems by Rel with people's", figures["system_spearman"]
    for row in () if source.study is None else source.study.matching([tau]):
        yield "precision of matching", row.precision
        yield "recall of matching", row.recall
        yield "F1 of matching", row.f1
    yield "share of reviews with Rel 0", figures["share_zero"]
    yield "share of reviews with Rel 1", figures["share_one"]
    for dimension in DIMENSIONS:
        yield f"mean {SHORT_NAMES[dimension]}", figures[dimension]


def show_presets(source: Source, curves: Curves) -> None:
    """Show tau_gt and tau_best by the paper's procedure on these reviews, and the product's."""
    encoder, taus = source.comparison.encoder, curves.presets
    preset = tau_preset(encoder, source.comparison.claims)
    text_table(
        [
            {
                "": name,
                "by these reviews": number(tau.value),
                "95 %": between(tau.interval),
                "the product's preset": number(None if preset is None else getattr(preset, name)),
            }
            for name, tau in (("tau_gt", taus.tau_gt), ("tau_best", taus.tau_best))
        ],
        wide=("95 %",),
        caption="Mean best similarity of review sentences to a pseudo-reference",
    )
    missing = f", of which there are none (`{GROUND_TRUTH}`)" if taus.tau_gt.value is None else ""
    if taus.best_system is None:
        best = "tau_best needs people's ratings to say whose reviews are best"
    else:
        name = escape_markdown(shorten(system_name(source, taus.best_system), 80))
        best = f"tau_best is of the system that people rate best, {name}"
    st.caption(
        f"By these reviews with {escape_markdown(shorten(encoder, 80))}: tau_gt is of the "
        f"reference reviews{missing}; {best}."
    )


def show_paper() -> None:
    """Show Tables 4 and 18 beside each other."""
    text_table(
        [
            {
                "tau": f"{number(paper_figure('thresholds', name, 'tau'), 4)} "
                f"{name if name.startswith('tau_') else ''}".strip(),
                "precision": number(paper_figure("matching", name, "precision"), 4),
                "recall": number(paper_figure("matching", name, "recall"), 4),
                "F1": number(paper_figure("matching", name, "f1"), 4),
                "Spearman": number(paper_figure("thresholds", name, "spearman"), 4),
                "Kendall": number(paper_figure("thresholds", name, "kendall"), 4),
            }
            for name in PAPER_TAUS
        ],
        wide=(),
        caption=f"The paper's {paper_source('matching')} and {paper_source('thresholds')}",
    )
    st.caption(
        f"Correlations are of Rel, all with the paper's own encoder, {PAPER_ENCODER}. Taus of "
        "different encoders cannot be compared: each has its own range of similarities. What can "
        "be compared is what is reached at tau_gt and at tau_best."
    )
