"""Systems by the worth of their reviews, and how sure their order is."""

from collections.abc import Callable, Mapping

import streamlit as st
from crscore_core.corpus.two_orders import TwoOrders, two_orders
from crscore_core.corpus.verdict import caution, rests_on, verdict, why_no_verdict

from crscore_core.corpus.model import GROUND_TRUTH
from crscore_core.datasets.study.model import SYSTEMS
from crscore_core.validity.rankings import PEOPLE, Rankings, rank_by
from pages.components.downloads import offer_source
from pages.components.names import system_name
from pages.components.rankings_changes import show_changes
from pages.components.rankings_charts import show_bump, show_means
from pages.components.rankings_choice import (
    choose_language,
    choose_request,
    choose_system,
    say_why_not_ranked,
)
from pages.components.rankings_months import show_months
from pages.components.rankings_tables import (
    measured,
    show_agreement,
    show_pairs,
    show_paper_ranks,
    show_reviews,
    show_systems,
)
from pages.components.source.model import Source
from pages.components.source.switch import current_source
from pages.components.tau import tau_slider
from pages.components.text import escape_markdown


def _show_verdict(
    source: Source, orders: TwoOrders, language: str | None, name: Callable[[str], str]
) -> None:
    """Show whose reviews are the best, what that rests on, and every pair of systems."""
    st.markdown(f"## {escape_markdown(verdict(orders, name))}")
    st.caption(escape_markdown(rests_on(orders)))
    changes = [
        change
        for change in source.comparison.seen_changes
        if language is None or change.language == language
    ]
    if unusual := caution(source.comparison.encoder, changes):
        st.warning(escape_markdown(unusual), icon=":material/straighten:")
    show_systems(orders, name)
    if orders.pairs:
        with st.expander(f"All pairs of systems: {len(orders.pairs):,}"):
            show_pairs(orders, name)
    if sentences := orders.disagreement(name):
        with st.expander("Where predicted relevance and Rel disagree"):
            st.markdown("\n\n".join(map(escape_markdown, sentences)))


def _say_what_is_ranked(rankings: Rankings) -> None:
    """Say which systems and reviews are left out, and what is missing."""
    if rankings.left_out:
        n_systems = len(rankings.systems)
        st.warning(
            f"There are {rankings.left_out + n_systems:,} systems; the {n_systems} with the most "
            "reviews are ranked. Is the column of systems mapped right?"
        )
    rated = None if rankings.people is None else rankings.by.get(rankings.people)
    n_reviews = sum(rankings.systems.values())
    if rated and rated.reviews < n_reviews:
        st.caption(
            f"People rated {rated.reviews:,} of {n_reviews:,} reviews: their order and all "
            "correlations are over these."
        )
    if not any(column in PEOPLE for column in rankings.by) and rankings.people is None:
        st.caption("Nobody rated these reviews: no order can be compared with that of people.")
    if rankings.ground_truth:
        st.caption(
            "The ground truth, the reviews that came with the data, has means below and, as in "
            "the paper, no rank and no part in correlations."
        )


def _show_measures(source: Source, rankings: Rankings, names: Mapping[str, str]) -> None:
    """Show ranks and means by each measure, and how far the orders agree with people's."""
    st.caption(
        "1 is the best. A grey bar joins neighbours that stand so in fewer than 95 % of resamples "
        "of the changes. Click a point to read the reviews of its system."
    )
    show_agreement(source, rankings)
    show_means(rankings, names)
    st.caption(
        "Which systems are tied is said by the places in the first table alone: two intervals may "
        "overlap though the difference over the changes of both is sure. Intervals of means are t "
        "intervals over changes, as in that table."
    )
    if source.study is not None:
        show_paper_ranks(rankings)


@st.fragment
def _show(source: Source) -> None:
    """Show the verdict first, then the changes, then what depends on tau and the measures."""
    language = choose_language(source)
    first = st.container()
    tau = tau_slider(source.comparison.encoder, source.comparison.claims)
    st.caption("tau decides Con, Comp and Rel; predicted relevance does not move with it.")
    rows = source.table.at(tau)
    reviews = measured(source, rows, language)
    orders = two_orders(reviews, source.bootstrap)

    def name(system: str) -> str:
        return SYSTEMS[system] if system == GROUND_TRUTH else system_name(source, system)

    if orders is None:
        first.caption(why_no_verdict(reviews))
    else:
        with first:
            _show_verdict(source, orders, language, name)
            offer_source(source, tau)
            st.header("Where systems differ", anchor=False)
            systems = [each.system for each in orders.systems]
            show_changes(source, reviews, systems, tau)
            if language is None:
                show_months(source, systems)
    with st.expander("Every measure: ranks, means, agreement with people", expanded=not orders):
        request = choose_request(source, rows, language)
        rankings = rank_by(source.comparison, rows, request, source.bootstrap)
        say_why_not_ranked(rankings, request)
        names = {system: name(system) for system in [*rankings.systems, GROUND_TRUTH]}
        if rankings.by:
            _say_what_is_ranked(rankings)
            ranks = st.container()
            _show_measures(source, rankings, names)
    if rankings.by:
        chosen = choose_system(list(rankings.systems), names)
        with ranks:
            show_bump(rankings, names, chosen)
        if chosen is not None:
            show_reviews(rows, chosen, names[chosen], language)


st.title("Rankings")
source = current_source()
if source is not None:
    _show(source)
