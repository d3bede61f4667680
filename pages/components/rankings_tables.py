"""Rankings and the reviews of one system as tables."""

from collections.abc import Callable

import numpy as np
import pandas as pd
import streamlit as st

from crscore_core.corpus.two_orders import MeasuredReviews, SystemPlaces, TwoOrders
from crscore_core.corpus.verdict import order_words
from crscore_core.datasets.study.model import SYSTEMS
from crscore_core.statistics import SURE
from crscore_core.validity.paper import paper_figure, paper_ranks, paper_source
from crscore_core.validity.rankings import PEOPLE, Rankings
from pages.components.markup import text_table
from pages.components.names import between, distinct, keep_options, number
from pages.components.offers import choose_view
from pages.components.rankings_choice import METRIC_NAMES
from pages.components.source.model import Source
from pages.components.text import escape_markdown, shorten

_HERE = {"human relevance": "human_relevance", "Rel": "relevance"}
"""Columns here of orders that the paper prints."""

_MOST_REVIEWS, _MOST_LINKED, _MOST_PAIRS = 25, 300, 100
_FEWEST_SYSTEMS = 5
"""Systems from which on two orders can agree beyond chance: four agree once in 24 times."""
_ORDER, _REVIEW = "rankings_order", "rankings_review"
_HIGHEST, _LOWEST = "highest first", "lowest first"


def measured(source: Source, rows: pd.DataFrame, language: str | None = None) -> MeasuredReviews:
    """Return the reviews by both measures; those in another language have no prediction."""
    comparison = source.comparison
    predicted, rel = (
        rows[name].to_numpy(copy=True) for name in ("predicted_relevance", "relevance")
    )
    if language is not None:
        predicted[comparison.language != language] = np.nan
    knows_people = source.study is None
    return MeasuredReviews.of(comparison, predicted, rel, knows_people=knows_people)


def show_systems(orders: TwoOrders, name: Callable[[str], str]) -> None:
    """Show one row a system, best first; systems whose order is not sure share places."""
    text_table(
        [
            {
                "place": "–".join(map(str, dict.fromkeys(each.place))),
                "system": name(each.system),
                "predicted relevance": each.predicted.mean.value,
                "95 %": between(each.predicted.mean.interval),
                **({"people (1 to 5)": _mean_rating(each)} if orders.rated else {}),
                "Rel": each.rel.mean.value,
                "reviews": f"{each.reviews:,}" + (f" ({each.empty:,} empty)" if each.empty else ""),
            }
            for each in orders.systems
        ],
        wide=(),
        caption="Systems by predicted relevance; those that share places are tied",
    )


def _mean_rating(each: SystemPlaces) -> str:
    return number(each.people.value if each.people else None, 2)


def show_pairs(orders: TwoOrders, name: Callable[[str], str]) -> None:
    """Show the difference of each pair of systems, and what would settle those that are open."""
    text_table(
        [
            {
                "better": name(pair.better),
                "worse": name(pair.worse),
                "difference": pair.predicted.value,
                "95 %": between(pair.predicted.interval),
                "changes": f"{pair.of.changes:,}" + ("" if pair.of.is_paired else ", not the same"),
                "holds in resamples": "–" if pair.p is None else f"{pair.probability:.0%}",
                "order": order_words(pair),
            }
            for pair in orders.pairs
        ],
        wide=("95 %",),
        caption="Differences of mean predicted relevance",
        most_rows=_MOST_PAIRS,
    )
    st.caption(
        "An order is sure where its p-value, corrected for the number of pairs by Holm's method, "
        f"is below {SURE}. Intervals are t intervals over the changes that both systems reviewed; "
        "an open pair is settled four times in five by the changes named, if its difference stays."
    )


def show_agreement(source: Source, rankings: Rankings) -> None:
    """Show how far each order agrees with people's."""
    rows = []
    n_systems = max(
        (column.with_people.n for column in rankings.by.values() if column.with_people), default=0
    )
    if 0 < n_systems < _FEWEST_SYSTEMS:
        st.caption(
            f"{n_systems} systems are too few to say how far an order agrees with people's: of "
            f"fewer than {_FEWEST_SYSTEMS}, two orders may be the same by chance."
        )
        return
    for column in rankings.by.values():
        agreement = column.with_people
        if agreement is None:
            continue
        row = {
            "ranking by": METRIC_NAMES[column.metric],
            "Spearman": number(agreement.spearman.value),
            "Spearman, 95 %": between(agreement.spearman.interval),
            "Kendall": number(agreement.kendall.value),
            "Kendall, 95 %": between(agreement.kendall.interval),
            "systems": agreement.n,
        }
        if source.study is not None and column.metric == "relevance":
            row["paper"] = " and ".join(
                number(paper_figure("system_level", "Rel (tau_best)", name))
                for name in ("spearman", "kendall")
            )
        rows.append(row)
    if not rows or rankings.people is None:
        return
    caption = f"Agreement with the order by {METRIC_NAMES[rankings.people]}"
    text_table(rows, wide=(), caption=caption)
    words = (
        "Of the order of systems, over the reviews that people rated, without the ground truth, "
        "as in the paper. Intervals resample changes; with few systems they are wide."
    )
    if source.study is not None:
        words += (
            f" The paper's Spearman and Kendall are those of its {paper_source('system_level')}, "
            "with its own encoder at its tau_best."
        )
    st.caption(words)


def show_paper_ranks(rankings: Rankings) -> None:
    """Show Table 15: systems by people, Rel and chrF++, and the ranks of the first two here."""
    printed = {by: paper_ranks(by) for by in ("human relevance", "Rel", "chrF++")}
    here = {
        by: {ranked.system: ranked.rank.value for ranked in rankings.by[metric].ranking.systems}
        for by, metric in _HERE.items()
        if metric in rankings.by
    }
    text_table(
        [
            {
                "system": SYSTEMS[system],
                **{
                    f"{by}, {where}": f"{ranks[by][system]:g}" if system in ranks[by] else ""
                    for by in printed
                    for where, ranks in (("paper", printed), ("here", here))
                    if by in ranks
                },
            }
            for system in printed["human relevance"]
        ],
        wide=(),
        caption=f"Ranks in the paper's {paper_source('rankings')} and here",
    )
    st.caption(
        "The paper ranks with its own encoder at its tau_best, on all the ratings that it had; "
        "here are those that were published, with this encoder at this tau."
    )


def show_reviews(rows: pd.DataFrame, system: str, name: str, language: str | None) -> None:
    """List the reviews of a system by predicted relevance, and lead to one of them.

    Where there is none, they stand by Rel at this tau. Ratings stand beside the scores.
    """
    is_wanted = rows["system"] == system
    if language is not None:
        is_wanted &= rows["language"] == language
    listed = rows[is_wanted]
    scores = [name for name in ("predicted_relevance", "relevance") if listed[name].notna().any()]
    order = choose_view(f"Order by {METRIC_NAMES[scores[0]]}", [_HIGHEST, _LOWEST], _ORDER)
    listed = listed.sort_values(scores, ascending=order == _LOWEST, kind="stable")
    rated = [column for column in PEOPLE if listed[column].notna().any()]
    shown = listed.head(_MOST_REVIEWS)
    text_table(
        [
            {
                **{
                    METRIC_NAMES[name]: f"{review[name]:.3f}" if review["sentences"] else "no score"
                    for name in scores
                },
                **{
                    f"people's {column.removeprefix('human_')}": _rating(review[column])
                    for column in rated
                },
                "review": review["text"],
                "id": review["review"],
            }
            for review in shown.to_dict("records")
        ],
        caption=f"{len(shown):,} of {len(listed):,} reviews of {shorten(name, 80)}",
    )
    _lead_to_one(listed["review"].head(_MOST_LINKED).tolist(), is_rated=bool(rated))


def _lead_to_one(ids: list[str], *, is_rated: bool) -> None:
    names = dict(zip(ids, distinct([shorten(id_, 80) for id_ in ids]), strict=True))
    keep_options(_REVIEW, ids)
    chosen = st.selectbox(
        "Look at one review closely",
        ids,
        index=None,
        format_func=lambda id_: names.get(id_, id_),
        placeholder="Choose a review by its id",
        key=_REVIEW,
        persist_state="session",
        help=f"The first {_MOST_LINKED} in this order.",
    )
    if chosen is None:
        return
    with st.container(horizontal=True):
        st.page_link(
            "pages/heatmap.py",
            label=f"{escape_markdown(shorten(chosen, 60))} in the Heatmap",
            icon=":material/grid_on:",
            query_params={"review": chosen},
        )
        if is_rated:
            st.page_link(
                "pages/failures.py",
                label="and among the Failure cases",
                icon=":material/troubleshoot:",
                query_params={"case": chosen},
            )


def _rating(value: float) -> str:
    return "" if pd.isna(value) else f"{value:g}"
