"""Metrics beside each other, by their agreement with people."""

import streamlit as st

from pages.components.compare_cases import show_disagreement
from pages.components.compare_data import choose_request, choose_workbench
from pages.components.compare_table import show_comparison, show_distribution
from pages.components.compare_work import show_work

st.title("Compare")
st.markdown(
    "Metrics beside each other on reviews that people labelled: which agrees with them, how "
    "sure that is, and where two of them part."
)
bench = choose_workbench()
if bench is not None:
    request = choose_request(bench)
    table = bench.table(request)
    if table is None:
        show_work(bench, request)
    else:
        show_comparison(bench.data, table)
        columns = bench.columns(request)
        if columns:
            show_distribution(bench.data, columns, table)
            show_disagreement(bench.data, columns, table)
