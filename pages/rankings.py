"""Systems in order of a measure, what people say of that order, and where systems differ."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import streamlit as st
from pages.components.source.model import Source
from pages.components.source.switch import current_source

from crscore_core.corpus.measures import FEWEST_RATED, FEWEST_RATED_CHANGES, MeasuredReviews
from crscore_core.corpus.model import GROUND_TRUTH
from crscore_core.datasets.study.model import SYSTEMS
from crscore_core.ranking.order import SystemOrder, rank, system_rows
from crscore_core.ranking.verdict import rests_on, verdict_sentences, why_no_order
from pages.components.controls import choose_measure, tau_slider
from pages.components.offers import offer_source
from pages.components.rankings_view import (
    show_changes,
    show_pairs,
    show_scores,
    show_systems,
    show_wrong,
)
from pages.components.text import escape_markdown, keep_options, system_name

_LANGUAGE = "rankings_language"
_ALL_LANGUAGES = "all"


def _choose_language(source: Source) -> str | None:
    """Choose the language whose reviews count, in the URL; None for all."""
    languages = dict.fromkeys(change.language for change in source.comparison.changes)
    if len(languages) == 1:
        return None
    options = [_ALL_LANGUAGES, *languages]
    keep_options(_LANGUAGE, options)
    language = st.selectbox(
        "Language of the changes",
        options,
        format_func=lambda language: language or "not known",
        key=_LANGUAGE,
        bind="query-params",
        help="Only reviews of changes in this language count, in the verdict too.",
        width=190,
    )
    return None if language == _ALL_LANGUAGES else language


def _measured(source: Source, measure: str, tau: float, language: str | None) -> MeasuredReviews:
    """Measure the reviews; those of changes in another language have no value."""
    measured = MeasuredReviews.of(source.comparison, measure, tau)
    if language is None:
        return measured
    is_other = source.comparison.language != language
    values, people = (
        np.where(is_other, np.nan, column) for column in (measured.values, measured.people)
    )
    return replace(measured, values=values, people=people)


def _show_verdict(told: SystemOrder, chosen: SystemOrder, name: Callable[[str], str]) -> None:
    """Show what people say where they rated enough, else the measure, and what that rests on."""
    first, *others = map(escape_markdown, verdict_sentences(told, name))
    st.markdown(f"## {first}")
    if others:
        (st.warning if chosen.contradicted else st.markdown)(" ".join(others))
    st.caption(escape_markdown(rests_on(told)))


@st.fragment
def _show(source: Source) -> None:
    """Show the verdict, then the choices that it depends on and the systems."""
    top = st.container()
    with st.container(horizontal=True):
        measure = choose_measure(source, with_people=True)
        language = _choose_language(source)
        with st.container(width="stretch"):
            tau = tau_slider(source.comparison.encoder, source.comparison.claims)
    measured = _measured(source, measure, tau, language)
    chosen = rank(measured, source.bootstrap, is_chosen=True)
    told = rank(measured, source.bootstrap)
    if chosen is None or told is None:
        top.info(escape_markdown(why_no_order(measured)))
        return

    def name(system: str) -> str:
        return SYSTEMS[system] if system == GROUND_TRUTH else system_name(source, system)

    with top:
        _show_verdict(told, chosen, name)
    rows = system_rows(measured, chosen, tau)
    show_systems(rows, measured.measure, name)
    if np.isnan(source.comparison.ratings).all():
        st.caption(
            f"Nobody rated these reviews. Where people rate {FEWEST_RATED} reviews of "
            f"{FEWEST_RATED_CHANGES} changes, the verdict is theirs."
        )
    with st.expander("Con, Comp and Rel, words and empty reviews"):
        show_scores(rows, name)
    show_wrong(source, name)
    if chosen.pairs:
        with st.expander(f"All pairs of systems: {len(chosen.pairs):,}"):
            show_pairs(chosen, name)
    st.header("Where systems differ", anchor=False)
    show_changes(source, measured, [each.system for each in chosen.systems], tau)
    offer_source(source, tau, measure)


source = current_source()
if source is not None:
    _show(source)
