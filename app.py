"""The dashboard: page setup, navigation, and the server that `streamlit run` starts."""

from pathlib import Path

import streamlit as st

_PAGES = {
    "Reviews": [
        ("score", "Score", ":material/rate_review:"),
        ("data", "Data", ":material/database:"),
        ("rate", "Rate", ":material/star:"),
        ("heatmap", "Heatmap", ":material/grid_on:"),
        ("failures", "Failure cases", ":material/troubleshoot:"),
        ("rankings", "Rankings", ":material/leaderboard:"),
    ],
    "Metric": [
        ("thresholds", "Threshold", ":material/tune:"),
        ("validity", "Validity", ":material/fact_check:"),
    ],
    "Help": [("guide", "Guide", ":material/menu_book:")],
}


def show() -> None:
    """Show the chosen page."""
    from pages.components.current_run import choose_run
    from pages.components.guide import show_origin, show_title
    from pages.components.jobs import open_uploads, show_jobs
    from pages.components.tau_slider import sync_tau
    from pages.components.url import keep_url

    st.set_page_config(page_icon="📝", layout="wide", initial_sidebar_state=230)
    keep_url()
    page = st.navigation(
        {
            section: [
                st.Page(f"pages/{name}.py", title=title, icon=icon, default=name == "score")
                for name, title, icon in pages
            ]
            for section, pages in _PAGES.items()
        }
    )
    st.html(Path(__file__).with_name("pages") / "style.css")
    if page.title == "Data":
        open_uploads()  # on other pages, the data would change while the user reads it
    choose_run(is_shown=page.title != "Score")
    sync_tau()
    show_jobs()
    st.set_page_config(page_title=f"{page.title} – CRScore")
    show_origin()
    show_title(page.title)
    page.run()


if __name__ == "__main__":
    show()  # Streamlit runs this file for each visitor
else:
    from pages.components.server import middleware

    app = st.App(__file__, middleware=middleware())
