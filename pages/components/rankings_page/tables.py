"""Rankings as tables."""

import functools
import hashlib
from collections.abc import Mapping

import pandas as pd
import streamlit as st

from crscore_core.validity.paper import paper_figure, paper_source
from crscore_core.validity.rankings import Rankings
from pages.components.figure_words import between, number
from pages.components.markup import text_table
from pages.components.rankings_page.bump import SURE
from pages.components.rankings_page.choice import chosen_in_table, turn
from pages.components.rankings_page.names import METRIC_NAMES
from pages.components.source.model import Source

__all__ = ["show_agreement", "show_neighbours", "show_ranks"]

_MEAN = st.column_config.NumberColumn(format="%.3f")


def show_ranks(found: Rankings, names: Mapping[str, str]) -> None:
    """One row a system, in the order of the first metric; a row that is chosen is its system."""
    columns = list(found.by.values())
    ranked = [one.system for one in columns[0].ranking.systems]
    systems = ranked + [system for system in found.systems if system not in ranked]
    table: dict[str, list[object]] = {
        "system": [names.get(system, system) for system in systems],
        "reviews": [found.systems[system] for system in systems],
    }
    for column in columns:
        name, by_system = (
            METRIC_NAMES[column.metric],
            {one.system: one for one in column.ranking.systems},
        )
        rows = [by_system.get(system) for system in systems]
        table[f"{name}: rank"] = [one and one.rank for one in rows]
        table[f"{name}: rank, 95 %"] = [one and between(one.rank_interval, 0) for one in rows]
        table[f"{name}: mean"] = [one and one.mean for one in rows]
        table[f"{name}: mean, 95 %"] = [one and between(one.mean_interval) for one in rows]
    # Another order has another key: a row that was chosen in one is another system in it.
    digest = hashlib.blake2b("\0".join(systems).encode("utf-8", "replace"), digest_size=8)
    key = f"rankings_table_{digest.hexdigest()}_{turn('table')}"
    st.dataframe(
        pd.DataFrame(table),
        key=key,
        hide_index=True,
        on_select=functools.partial(chosen_in_table, key, systems),
        selection_mode="single-row",
        column_config={name: _MEAN for name in table if name.endswith(": mean")},
        alt=f"Ranks and means of {len(systems)} systems; choose a row to read its reviews.",
    )


def show_agreement(source: Source, found: Rankings) -> None:
    """How far each order agrees with people's."""
    agreeing = [one for one in found.by.values() if one.with_people is not None]
    if not agreeing or found.people is None:
        return
    rows = []
    for one in agreeing:
        agreement = one.with_people
        if agreement is None:
            continue
        is_printed = source.study is not None and one.metric == "relevance"
        printed = [
            paper_figure("system_level", "Rel (tau_best)", name) if is_printed else None
            for name in ("spearman", "kendall")
        ]
        rows.append(
            {
                "ranking by": METRIC_NAMES[one.metric],
                "Spearman": number(agreement.observed.spearman),
                "Spearman, 95 %": between(agreement.spearman_interval),
                "Kendall": number(agreement.observed.kendall),
                "Kendall, 95 %": between(agreement.kendall_interval),
                "systems": agreement.observed.n,
                **({"paper": " and ".join(map(number, printed))} if is_printed else {}),
            }
        )
    text_table(rows, wide=(), caption=f"Agreement with the order by {METRIC_NAMES[found.people]}")
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


def show_neighbours(found: Rankings, names: Mapping[str, str]) -> None:
    """How probable it is that each system stands above the next."""
    text_table(
        [
            {
                "ranking by": METRIC_NAMES[one.metric],
                "system": names.get(pair.higher, pair.higher),
                "stands above": names.get(pair.lower, pair.lower),
                "probability": number(pair.probability),
                "order": "sure" if (pair.probability or 0) >= SURE else "unsure",
            }
            for one in found.by.values()
            for pair in one.ranking.neighbours
        ],
        wide=(),
        caption="The share of resamples of changes in which neighbours stand in this order",
    )
