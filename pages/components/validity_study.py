"""Validity of the metric on the human study, beside the figures of the paper."""

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from crscore_core.datasets.study.corpus import GPT_4O, STUDY_CLAIMS
from crscore_core.errors import InputError, ThresholdError
from crscore_core.validity.corpus_validity import ValidityAtTau
from crscore_core.validity.document import validity_document
from crscore_core.validity.figures import FigureTable, validity_tables
from crscore_core.validity.paper import PAPER_ENCODER
from crscore_core.validity.study_validity import StudyValidity
from pages.components.address import restore_choice, write_address
from pages.components.names import keep_options
from pages.components.offers import choose_view
from pages.components.source.load import release_source, study_source
from pages.components.source.model import Source, SourceKind
from pages.components.source.switch import study_folder
from pages.components.tau import tau_slider
from pages.components.text import escape_markdown
from pages.components.validity_labels import show_labels
from pages.components.validity_parts import (
    PAIRWISE_NOTE,
    show_downloads,
    show_figures,
    show_levels,
    show_spread,
    with_no_threshold,
)


@dataclass(frozen=True, slots=True)
class _StudyAtTau:
    """The study at one tau, with its tables by their keys."""

    validity: StudyValidity
    at: ValidityAtTau
    tables: dict[str, FigureTable]

    def show(self, *keys: str, note: str = "") -> None:
        """Show tables by their keys, with a note on the first."""
        for key in keys:
            show_figures(self.tables[key], note)
            note = ""


# The cache knows a study by its identity and holds it, so no other object gets the same identity.
@st.cache_resource(
    max_entries=16, show_spinner="Computing the tables", hash_funcs={StudyValidity: id}
)
def _study_at(validity: StudyValidity, tau: float) -> _StudyAtTau:
    at = validity.at(tau)
    return _StudyAtTau(validity, at, {table.key: table for table in validity_tables(validity, at)})


def show_study(source: Source) -> None:
    """Choose the claims, say what all figures rest on, and show one part of them at a tau."""
    restore_choice(_CHOSEN, STUDY_CLAIMS)  # a bound field would write the label
    keep_options(_CHOSEN, _CLAIMS)
    claims = st.selectbox(
        "Pseudo-references",
        list(_CLAIMS),
        format_func=lambda key: _CLAIMS[key],
        key=_CHOSEN,
        persist_state="session",
        help="Those of a language model of yours, or of a file: `crscore validity --claims`.",
    )
    write_address(_CHOSEN, None if claims == STUDY_CLAIMS else claims)
    if claims != STUDY_CLAIMS:
        try:
            source = (
                study_source(claims)
                if source.kind is SourceKind.STUDY
                else release_source(study_folder(), claims)
            )
        except InputError as error:
            st.error(escape_markdown(str(error)))
            return
    if source.study is not None:
        _show(source, source.study)


def _show(source: Source, validity: StudyValidity) -> None:
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
            for warning in validity.warnings:
                st.caption(escape_markdown(warning))
    _show_at_tau(source, validity)


@st.fragment
def _show_at_tau(source: Source, validity: StudyValidity) -> None:
    try:
        own = validity.presets.preset
    except ThresholdError:  # no reviews of the systems that they are measured on
        own = None
    tau = tau_slider(validity.comparison.encoder, validity.comparison.claims, own)
    study = _study_at(validity, tau)
    part = choose_view("Part", [*_PARTS, _BASELINES], "validity_part")
    if part == _BASELINES:
        show_labels(source, tau)
    else:
        _PARTS[part](study)
    show_downloads(
        study.tables.values(),
        lambda: validity_document(validity, study.at, study.tables.values()),
    )


def _agreement(study: _StudyAtTau) -> None:
    show_figures(
        with_no_threshold(study.tables, "review_level"),
        "Each score with people's rating of the same name. Without a threshold, relevance is the "
        "harmonic mean of the mean best similarities.",
    )
    study.show("pairwise", note=PAIRWISE_NOTE)
    show_levels(study.at.levels)
    study.show("review_level_by_language")
    study.show(
        "krippendorff_alpha_ordinal",
        note="How far two people agree who rated the same reviews: no metric can be expected to "
        "agree with them much better.",
    )


def _systems(study: _StudyAtTau) -> None:
    show_figures(
        with_no_threshold(study.tables, "system_level"),
        "p-values take systems as independent, as the paper's do; the intervals do not.",
    )
    study.show("rankings", note="1 is the best.")
    study.show("human_means_0_to_1", "metric_means", note="Ratings from 1 to 5 brought to 0 to 1.")


def _similarities(study: _StudyAtTau) -> None:
    study.show(
        "presets",
        note="Mean best similarity of the sentences of the reference reviews (tau_gt) and of the "
        "best system's (tau_best). They belong to the encoder, so the paper's are others.",
    )
    show_spread(study.validity.histogram, study.at.tau)


def _claims(study: _StudyAtTau) -> None:
    study.show(
        "claim_quality", note="What people said of the claims that a language model generated."
    )


_CLAIMS = {
    STUDY_CLAIMS: "the study's own claims and smells, as its annotators edited them",
    GPT_4O: "claims of GPT-4o, with smells of our analyzers",
    "symbolic": "symbolic claims, with smells of our analyzers",
}
_PARTS: dict[str, Callable[[_StudyAtTau], None]] = {
    "Agreement": _agreement,
    "Systems": _systems,
    "Similarities": _similarities,
    "Claims": _claims,
}
_BASELINES = "Beside baselines"
_CHOSEN = "validity_claims"
