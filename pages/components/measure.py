"""The measure that reviews and systems are ordered by, one for all pages."""

import streamlit as st

from crscore_core.corpus.measures import DEFAULT_MEASURE, MEASURES, PEOPLE, measure_named
from pages.components.address import restore, write_address
from pages.components.names import keep_options
from pages.components.source.model import Source

_KEY = "by"


def choose_measure(source: Source, label: str = "Order by", *, with_people: bool = False) -> str:
    """Offer the measures that the reviews have, in the URL as `by`; return the chosen one.

    `with_people` adds people's ratings, if there are any.
    """
    comparison = source.comparison
    is_rated = with_people and comparison.is_judged_in("relevance").any()
    options = [
        *(name for name in MEASURES if name != PEOPLE or is_rated),
        *(name for name in comparison.labels if name not in MEASURES),
    ]
    restore(_KEY)
    keep_options(_KEY, options)
    chosen = st.selectbox(
        label,
        options,
        format_func=lambda name: measure_named(name, comparison.labels).title,
        key=_KEY,
        persist_state="session",
        help="Relevance, conciseness and comprehensiveness depend on tau; the others do not.",
        width=280,
    )
    write_address(_KEY, None if chosen == DEFAULT_MEASURE else chosen)
    return str(chosen)
