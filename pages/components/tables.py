"""Tables of figures: fixed digits, and an empty cell where there is none."""

import pandas as pd
import streamlit as st

from pages.components.text import safe_table


def show_figures(table: pd.DataFrame, digits: int = 3) -> None:
    """Show all rows of a table; fractions have `digits` digits."""
    style = safe_table(table).style.format(precision=digits, thousands=",", na_rep="")
    st.dataframe(style, hide_index=True, height="content")
