"""The validity of the metric on the human study, beside what the paper prints."""

from collections.abc import Callable

import streamlit as st

from crscore_core.validity.document import validity_document
from crscore_core.validity.study_validity import StudyValidity
from crscore_core.validity.thresholds import PAPER_ENCODER
from pages.components.tau import tau_slider
from pages.components.text import escape_markdown
from pages.components.validity_page.calibrated import show_calibrated
from pages.components.validity_page.downloads import show_downloads
from pages.components.validity_page.figure_table import show_figures
from pages.components.validity_page.kept import StudyAtTau, study_at
from pages.components.validity_page.levels import show_levels
from pages.components.validity_page.spread import show_spread

__all__ = ["show_study"]


def show_study(validity: StudyValidity) -> None:
    """Say what all figures rest on, and show one part of them at a tau."""
    comparison = validity.comparison
    left_out = len(comparison.left_out)
    st.write(
        f"Every figure here is recomputed from **{int(comparison.is_judged.sum()):,} rated "
        f"reviews of {len(comparison.changes)} changes**, the reference reviews left out as in "
        f"the paper{f'; {left_out} changes have no pseudo-references' if left_out else ''}. "
        f"The encoder is another one than the paper's: here {escape_markdown(comparison.encoder)}, "
        f"there {escape_markdown(PAPER_ENCODER)}. Their thresholds differ, so the paper's figure "
        "is the one at its own tau of the same name."
    )
    st.caption(
        f"Intervals: 95 %, percentiles of {validity.n_resamples:,} resamples of whole changes, as "
        "reviews of one change are no independent observations. ✓ and ✗ say whether an interval "
        "holds the paper's figure."
    )
    if validity.warnings:
        with st.expander(f"Notes on the data ({len(validity.warnings)})"):
            for line in validity.warnings:
                st.caption(escape_markdown(line))
    _at_tau(validity)


@st.fragment
def _at_tau(validity: StudyValidity) -> None:
    tau = tau_slider(validity.comparison.encoder)
    study = study_at(validity, tau)
    part = st.segmented_control(
        "Part",
        list(_PARTS),
        default=next(iter(_PARTS)),
        required=True,
        key="validity_part",
        bind="query-params",
        label_visibility="collapsed",
    )
    _PARTS[part or next(iter(_PARTS))](study)
    show_downloads(
        study.tables.values(),
        lambda: validity_document(validity, study.at, study.tables.values()),
    )


def _agreement(study: StudyAtTau) -> None:
    show_figures(
        study.tables["review_level"],
        "Con with people's conciseness, Comp with comprehensiveness, Rel with relevance.",
    )
    show_levels(study.at.levels)
    show_figures(study.tables["review_level_by_language"])
    show_figures(
        study.tables["krippendorff_alpha_ordinal"],
        "How far two people agree who rated the same reviews: no metric can be expected to agree "
        "with them much better.",
    )


def _systems(study: StudyAtTau) -> None:
    show_figures(
        study.tables["system_level"],
        "p-values take systems as independent, as the paper's do; the intervals do not.",
    )
    show_figures(study.tables["rankings"], "1 is the best.")
    show_figures(study.tables["human_means_0_to_1"], "Ratings from 1 to 5 brought to 0 to 1.")
    show_figures(study.tables["metric_means"])


def _similarities(study: StudyAtTau) -> None:
    show_spread(study.validity.histogram, study.validity.normal_plot, study.at.tau)
    show_figures(
        study.tables["presets"],
        "Mean best similarity of the sentences of the reference reviews (tau_gt) and of the best "
        "system's (tau_best). They belong to the encoder, so the paper's are others.",
    )


def _claims(study: StudyAtTau) -> None:
    show_figures(
        study.tables["claim_quality"],
        "What people said of the claims that a language model generated.",
    )
    show_figures(
        study.tables["specificity"],
        "Not in the paper. Whether pseudo-references belong to their change: how often a good "
        "review is closer to those of its own change than to those of another, without a tau.",
    )


_PARTS: dict[str, Callable[[StudyAtTau], None]] = {
    "Agreement": _agreement,
    "Systems": _systems,
    "Similarities": _similarities,
    "Calibrated score": show_calibrated,
    "Claims": _claims,
}
