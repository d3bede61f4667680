"""The dashboard: page set-up and navigation."""

import streamlit as st

st.set_page_config(page_title="CRScore", page_icon="📝", layout="wide")

st.navigation(
    [
        st.Page("pages/score.py", title="Score", icon=":material/rate_review:", default=True),
        st.Page("pages/study.py", title="Human study", icon=":material/groups:"),
        st.Page("pages/guide.py", title="What the numbers mean", icon=":material/menu_book:"),
    ]
).run()
