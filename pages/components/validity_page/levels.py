"""The metric's value by people's rating."""

from collections.abc import Sequence

import streamlit as st

from crscore_core.validity.monotonicity import RatedLevels
from pages.components.figure_words import between
from pages.components.markup import text_table
from pages.components.validity_page.charts import show_levels as levels_chart

__all__ = ["show_levels"]

_RISES = {
    True: "✓ rises at each level",
    False: "✗ does not rise at each level",
    None: "cannot be said to rise or fall, as all ratings are of one level",
}


def show_levels(levels: Sequence[RatedLevels]) -> None:
    """Mean score at each of people's ratings, whether it rises, and the numbers as a table."""
    rated = [one for one in levels if any(level.reviews for level in one.levels)]
    st.subheader("Score by people's rating", anchor=False)
    st.caption(
        "Mean of the reviews that people gave each rating, in the same dimension, with 95 % "
        "intervals; the paper's Figure 8. A metric that measures what people mean rises at each "
        "level."
    )
    levels_chart(levels)
    for one in rated:
        st.markdown(f"**{one.dimension.capitalize()}:** {_RISES[one.is_monotone]}.")
    with st.expander("The same as a table"):
        text_table(
            [
                {
                    "dimension": one.dimension,
                    "rated": level.level,
                    "reviews": level.reviews,
                    "mean score": level.mean.value,
                    "95 % interval": between(level.mean.interval, nothing=""),
                }
                for one in rated
                for level in one.levels
            ],
            wide=(),
        )
