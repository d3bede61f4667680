"""Rankings and the reviews of one system as tables."""

import functools
import hashlib
from collections.abc import Mapping

import pandas as pd
import streamlit as st

from crscore_core.datasets.study.model import SYSTEMS
from crscore_core.validity.paper import paper_figure, paper_ranks, paper_source
from crscore_core.validity.rankings import PEOPLE, Rankings
from pages.components.markup import text_table
from pages.components.names import between, distinct, number
from pages.components.offers import choose_view
from pages.components.rankings_charts import SURE
from pages.components.rankings_choice import METRIC_NAMES, chosen_in_table, turn
from pages.components.source.model import Source
from pages.components.text import escape_markdown, safe_table, shorten

_MEAN = st.column_config.NumberColumn(format="%.3f")
_HERE = {"human relevance": "human_relevance", "Rel": "relevance"}
"""Columns here of orders that the paper prints."""

_MOST_REVIEWS, _MOST_LINKED = 25, 300
_ORDER = "rankings_order"
_HIGHEST, _LOWEST = "highest first", "lowest first"


def show_ranks(rankings: Rankings, names: Mapping[str, str]) -> None:
    """Show one row a system, in the order of the first metric; a chosen row chooses its system."""
    columns = list(rankings.by.values())
    systems = [ranked.system for ranked in columns[0].ranking.systems]
    systems += [system for system in rankings.systems if system not in systems]
    table: dict[str, list[object]] = {
        "system": [names[system] for system in systems],
        "reviews": [rankings.systems[system] for system in systems],
    }
    for column in columns:
        name = METRIC_NAMES[column.metric]
        by_system = {ranked.system: ranked for ranked in column.ranking.systems}
        rows = [by_system.get(system) for system in systems]
        table[f"{name}: rank"] = [row and row.rank.value for row in rows]
        table[f"{name}: rank, 95 %"] = [row and between(row.rank.interval, 0) for row in rows]
        table[f"{name}: mean"] = [row and row.mean.value for row in rows]
        table[f"{name}: mean, 95 %"] = [row and between(row.mean.interval) for row in rows]
    # Another order has another key: a row that was chosen in one is another system in it.
    digest = hashlib.blake2b("\0".join(systems).encode("utf-8", "replace"), digest_size=8)
    key = f"rankings_table_{digest.hexdigest()}_{turn('table')}"
    st.dataframe(
        safe_table(pd.DataFrame(table)),
        key=key,
        hide_index=True,
        on_select=functools.partial(chosen_in_table, key, systems),
        selection_mode="single-row",
        column_config={name: _MEAN for name in table if name.endswith(": mean")},
        alt=f"Ranks and means of {len(systems)} systems; choose a row to read its reviews.",
    )


def show_agreement(source: Source, rankings: Rankings) -> None:
    """Show how far each order agrees with people's."""
    rows = []
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


def show_neighbours(rankings: Rankings, names: Mapping[str, str]) -> None:
    """Show how probable it is that each system stands above the next."""
    text_table(
        [
            {
                "ranking by": METRIC_NAMES[column.metric],
                "system": names[pair.higher],
                "stands above": names[pair.lower],
                "probability": number(pair.probability),
                "order": "sure" if (pair.probability or 0) >= SURE else "unsure",
            }
            for column in rankings.by.values()
            for pair in column.ranking.neighbours
        ],
        wide=(),
        caption="The share of resamples of changes in which neighbours stand in this order",
    )


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
                **{METRIC_NAMES[name]: f"{review[name]:.3f}" for name in scores},
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
    chosen = st.selectbox(
        "Look at one review closely",
        ids,
        index=None,
        format_func=lambda id_: names.get(id_, id_),
        placeholder="Choose a review by its id",
        key="rankings_review",
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
