"""The dashboard: page set-up and navigation, and the server that `streamlit run` makes of it."""

import streamlit as st

# Streamlit's own margins take a tenth of a screen.
_STYLE = "<style>.stMainBlockContainer { padding: 3.75rem 2.5vw 4rem; }</style>"


def show() -> None:
    """Draw the page that a visitor has chosen."""
    from pages.components.controls import keep_tau
    from pages.components.guide import show_title
    from pages.components.job_view import want_jobs
    from pages.components.source.switch import PAGE, source_switch

    st.set_page_config(
        page_title="CRScore", page_icon="📝", layout="wide", initial_sidebar_state=230
    )

    page = st.navigation(
        {
            "Reviews": [
                st.Page(
                    "pages/score.py", title="Score", icon=":material/rate_review:", default=True
                ),
                st.Page("pages/rate.py", title="Rate", icon=":material/star:"),
                st.Page("pages/heatmap.py", title="Heatmap", icon=":material/grid_on:"),
                st.Page("pages/failures.py", title="Failure cases", icon=":material/troubleshoot:"),
            ],
            "Metric": [
                st.Page("pages/rankings.py", title="Rankings", icon=":material/leaderboard:"),
                st.Page("pages/thresholds.py", title="Threshold", icon=":material/tune:"),
                st.Page("pages/validity.py", title="Validity", icon=":material/fact_check:"),
            ],
            "More": [
                st.Page("pages/data.py", title="Data", icon=":material/database:"),
                st.Page("pages/guide.py", title="Guide", icon=":material/menu_book:"),
            ],
        }
    )
    st.html(_STYLE)
    st.session_state[PAGE] = page.url_path
    source_switch()
    keep_tau()
    want_jobs()
    show_title(page.title)
    page.run()


if __name__ == "__main__":
    show()  # Streamlit runs this file for each visitor
else:
    from pages.components.server import middleware, page_routes

    app = st.App(__file__, routes=page_routes(), middleware=middleware())
