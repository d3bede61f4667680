"""Who writes the best reviews, by people and by every metric."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
import streamlit as st

from crscore_core.corpus.model import GROUND_TRUTH
from crscore_core.corpus.two_orders import MeasuredReviews, two_orders
from crscore_core.datasets.study.model import SYSTEMS
from crscore_core.validity.rankings import PEOPLE, RankingRequest, Rankings, rank_by
from pages.components.names import system_name
from pages.components.rankings_charts import SURE, show_bump, show_means
from pages.components.rankings_choice import choose_request, choose_system, say_why_not_ranked
from pages.components.rankings_tables import (
    show_agreement,
    show_neighbours,
    show_paper_ranks,
    show_ranks,
    show_reviews,
)
from pages.components.source.model import Source
from pages.components.source.switch import current_source
from pages.components.tau import tau_slider
from pages.components.text import escape_markdown


def _say_what_is_ranked(rankings: Rankings) -> None:
    """Say which systems and reviews are left out, and what is missing."""
    if rankings.left_out:
        n_systems = len(rankings.systems)
        st.warning(
            f"There are {rankings.left_out + n_systems:,} systems; the {n_systems} with the most "
            "reviews are ranked. Is the column of systems mapped right?"
        )
    if not any(column in PEOPLE for column in rankings.by) and rankings.people is None:
        st.info(
            "Nobody rated these reviews: the metrics rank alone, without a correlation with people."
        )
    rated = None if rankings.people is None else rankings.by.get(rankings.people)
    n_reviews = sum(rankings.systems.values())
    if rated and rated.reviews < n_reviews:
        st.caption(
            f"People rated {rated.reviews:,} of {n_reviews:,} reviews: their order and all "
            "correlations are over these."
        )
    if rankings.ground_truth:
        st.caption(
            "The ground truth, the reviews that came with the data, has means below and, as in "
            "the paper, no rank and no part in correlations."
        )


def _say_where_they_disagree(
    source: Source, rows: pd.DataFrame, request: RankingRequest, names: Mapping[str, str]
) -> None:
    """Say where predicted relevance and Rel disagree, and which agreed better with people."""
    comparison = source.comparison
    predicted, rel = (
        rows[name].to_numpy(copy=True) for name in ("predicted_relevance", "relevance")
    )
    if request.language is not None:
        predicted[comparison.language != request.language] = np.nan
    knows_people = source.study is None and not source.is_illustrative
    reviews = MeasuredReviews.of(comparison, predicted, rel, knows_people=knows_people)
    orders = two_orders(reviews, source.bootstrap)
    if orders is None:
        return
    sentences = orders.disagreement(lambda system: names.get(system, system))
    words = "\n\n".join(map(escape_markdown, sentences))
    if orders.opposite:
        st.warning(words, icon=":material/swap_vert:")
    elif words:
        st.caption(words)


@st.fragment
def _show(source: Source) -> None:
    """Show all that depends on tau."""
    verdict = st.container()
    tau = tau_slider(source.comparison.encoder)
    rows = source.table.at(tau)
    request = choose_request(source, rows)
    rankings = rank_by(source.comparison, rows, request, source.bootstrap)
    if not rankings.by:
        say_why_not_ranked(rankings, request)
        return
    names = {system: system_name(source, system) for system in rankings.systems}
    names[GROUND_TRUTH] = SYSTEMS[GROUND_TRUTH]
    with verdict:
        _say_where_they_disagree(source, rows, request, names)
    _say_what_is_ranked(rankings)
    say_why_not_ranked(rankings, request)
    charts = st.container()
    chosen = choose_system(list(rankings.systems), names)
    with charts:
        st.subheader("Ranks", anchor=False)
        show_bump(rankings, names, chosen)
        st.caption(
            "1 is the best. A grey bar joins neighbours whose order is unsure: in resamples of "
            f"the changes they stand so less often than {SURE:.0%}. Click a point to read the "
            "reviews of its system; the table below does the same with the keyboard."
        )
        show_ranks(rankings, names)
        show_agreement(source, rankings)
        st.subheader("Means", anchor=False)
        show_means(rankings, names)
        with st.expander("How sure the order of neighbours is"):
            show_neighbours(rankings, names)
        if source.study is not None:
            with st.expander("Beside the paper's ranks"):
                show_paper_ranks(rankings)
        st.subheader("Reviews", anchor=False)
    if chosen is not None:
        show_reviews(rows, chosen, names[chosen], request.language)


st.title("Rankings")
st.markdown(
    "Systems from best to worst: predicted relevance says what people would say of their reviews, "
    "Rel how much of the change the reviews talk about. A metric is of use where its order is "
    "people's."
)
source = current_source()
if source is not None:
    _show(source)
