"""Upload of reviews, a summary of the run, a list of runs, and a judge."""

import streamlit as st

from pages.components.model_options import offer_judge
from pages.components.run_summary import show_runs, show_summary
from pages.components.upload import offer_upload

left, right = st.columns([4, 3])
with left:
    if not offer_upload():
        show_summary()
with right:
    show_runs()
    offer_judge()
