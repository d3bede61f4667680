"""Validity of the metric on any other reviews, as far as people rated them."""

import streamlit as st

from crscore_core.corpus.model import DIMENSIONS
from crscore_core.corpus.systems import Means
from crscore_core.validity.corpus_validity import CorpusValidity
from crscore_core.validity.document import validity_document
from crscore_core.validity.figures import validity_tables
from pages.components.markup import text_table
from pages.components.source.model import Source
from pages.components.source.switch import lead_to_data
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


def corpus_validity(source: Source) -> CorpusValidity:
    """Return the validity of a source, each part computed when it is first asked for."""
    return CorpusValidity(source.comparison, source.bootstrap)


def show_corpus(source: Source) -> None:
    """Say what the figures rest on and what is missing, and show them at a tau."""
    validity = source.once(corpus_validity)
    _standing(validity)
    _at_tau(source, validity)


def _standing(validity: CorpusValidity) -> None:
    comparison = validity.comparison
    counts = ", ".join(
        f"{int(comparison.is_judged_in(name).sum()):,} for {name}"
        for name in validity.rated_dimensions
    )
    st.write(
        f"**{len(comparison):,} reviews of {len(comparison.changes):,} changes** by "
        f"{validity.n_systems:,} systems, compared by {escape_markdown(comparison.encoder)}. "
        f"Rated by people, reference reviews left out: {counts or 'none'}."
    )
    st.caption(
        f"Intervals: 95 %, percentiles of {validity.n_resamples:,} resamples of whole changes."
        + (
            " So few, since there are many reviews: their ends are rough."
            if validity.n_resamples < 1_000
            else ""
        )
    )
    if not validity.rated_dimensions and comparison.labels:
        st.info(
            "Nobody rated these reviews from 1 to 5, so the paper's tables of agreement with "
            "people are missing; agreement with labels stands below."
        )
    elif not validity.rated_dimensions:
        lead_to_data(
            "Nobody rated these reviews, so whether the scores agree with people cannot be said: "
            "correlations, the order of systems by people and scores by rating are missing. "
            "Import reviews with ratings from 1 to 5 or with labels, or look at the human study."
        )
    elif missing := [name for name in DIMENSIONS if name not in validity.rated_dimensions]:
        st.info(f"Nobody rated {' and '.join(missing)}: what rests on it is missing.")


@st.fragment
def _at_tau(source: Source, validity: CorpusValidity) -> None:
    tau = tau_slider(validity.comparison.encoder, validity.comparison.claims)
    at = validity.at(tau)
    tables = {table.key: table for table in validity_tables(validity, at)}
    if validity.rated_dimensions:
        show_figures(
            with_no_threshold(tables, "review_level"),
            "Each score with what people gave in the same dimension. Without a value where "
            "scores or ratings are all the same.",
        )
        if "pairwise" in tables:
            show_figures(tables["pairwise"], PAIRWISE_NOTE)
        show_levels(at.levels)
        if "review_level_by_language" in tables:
            show_figures(tables["review_level_by_language"])
        if "system_level" in tables:
            show_figures(
                with_no_threshold(tables, "system_level"),
                "Mean relevance of each system with its mean rating.",
            )
    show_labels(source, tau)
    _show_systems(validity, at.metric_means)
    show_spread(validity.histogram, tau)
    show_downloads(tables.values(), lambda: validity_document(validity, at, tables.values()))


def _show_systems(validity: CorpusValidity, metric: Means) -> None:
    st.header("Means of systems", anchor=False)
    if validity.n_systems > len(metric):
        st.caption(
            f"The {len(metric)} systems with most reviews, of {validity.n_systems:,}; the order "
            "of systems is theirs too."
        )
    text_table(
        [
            {
                "system": system,
                **{f"{name}, metric": str(of_system[name]) for name in DIMENSIONS},
                **{
                    f"{name}, people": str(validity.human_means[system][name])
                    for name in validity.rated_dimensions
                },
            }
            for system, of_system in metric.items()
        ],
        wide=("system",),
        caption="Mean and 95 % interval, from 0 to 1; people's ratings are brought there",
    )
