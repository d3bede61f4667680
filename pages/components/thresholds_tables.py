"""Tables of figures at one tau, of presets, and of the paper."""

from collections.abc import Iterator

import streamlit as st

from crscore_core.corpus.model import DIMENSIONS, GROUND_TRUTH
from crscore_core.scoring import PRESETS
from crscore_core.statistics import Estimate
from crscore_core.validity.paper import PAPER_ENCODER, PAPER_TAUS, paper_figure, paper_source
from crscore_core.validity.thresholds import figures_at, is_swept
from pages.components.markup import text_table
from pages.components.names import SHORT_NAMES, between, number, system_name
from pages.components.source.model import Source
from pages.components.text import escape_markdown, shorten
from pages.components.thresholds_panels import Curves

__all__ = ["show_figures", "show_paper", "show_presets"]


def show_figures(source: Source, tau: float) -> None:
    """Show what holds at this tau, with intervals."""
    text_table(
        [
            {"at this tau": name, "value": number(one.value), "95 %": between(one.interval)}
            for name, one in _figures(source, tau)
        ],
        wide=("95 %",),
        caption=f"At tau {tau:.3f}; intervals resample changes",
    )
    words = "Correlations are Spearman's. Where all scores are the same there is none."
    if not is_swept(source.comparison.rated_maxima).all():
        words += " The reviews of the ground truth are left out, as in the paper."
    st.caption(words)


def _figures(source: Source, tau: float) -> Iterator[tuple[str, Estimate]]:
    found = figures_at(source.comparison, tau, source.bootstrap)
    for dimension in DIMENSIONS:
        if f"spearman_{dimension}" in found:
            name = f"{SHORT_NAMES[dimension]} with people's {dimension}, review by review"
            yield name, found[f"spearman_{dimension}"]
    if "system_spearman" in found:
        yield "order of systems by Rel with people's", found["system_spearman"]
    for row in () if source.study is None else source.study.matching([tau]):
        yield "precision of matching", row.precision
        yield "recall of matching", row.recall
        yield "F1 of matching", row.f1
    yield "share of reviews with Rel 0", found["share_zero"]
    yield "share of reviews with Rel 1", found["share_one"]
    for dimension in DIMENSIONS:
        yield f"mean {SHORT_NAMES[dimension]}", found[dimension]


def show_presets(source: Source, curves: Curves) -> None:
    """Show tau_gt and tau_best as the paper's procedure gives them here, and the product's."""
    encoder, found = source.comparison.encoder, curves.presets
    preset = PRESETS.get(encoder)
    text_table(
        [
            {
                "": name,
                "by these reviews": number(one.value),
                "95 %": between(one.interval),
                "the product's preset": number(None if preset is None else getattr(preset, name)),
            }
            for name, one in (("tau_gt", found.tau_gt), ("tau_best", found.tau_best))
        ],
        wide=("95 %",),
        caption="Mean best similarity of review sentences to a pseudo-reference",
    )
    words = [
        f"By these reviews with {escape_markdown(shorten(encoder, 80))}: tau_gt is of the "
        "reference reviews"
        + (
            ""
            if found.tau_gt.value is not None
            else f", of which there are none (`{GROUND_TRUTH}`)"
        )
    ]
    if found.best_system is None:
        words.append("tau_best needs people's ratings to say whose reviews are best")
    else:
        name = escape_markdown(shorten(system_name(source, found.best_system), 80))
        words.append(f"tau_best is of the system that people rate best, {name}")
    st.caption(f"{'; '.join(words)}.")


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
