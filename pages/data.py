"""Data: score a file of reviews, see what was read of it, list the runs of this machine."""

import streamlit as st

from pages.components.data_import import show_contents, upload_section
from pages.components.data_runs import judge_section, list_section

left, right = st.columns([3, 2], gap="large")
with left:
    upload_section()
    show_contents()
with right:
    list_section()
    judge_section()
