"""The dashboard: page set-up, navigation, and the server that `streamlit run` starts."""

import streamlit as st

# Streamlit's own margins take a tenth of a screen. A diff to score needs a font of fixed width.
# In a narrow window, a row of a table with long texts is a card: the text, then the short cells.
# On the Rate page, change and review fill the window above the answers, which stay in sight.
_STYLE = """<style>
.stMainBlockContainer { padding: 3.75rem 2.5vw 4rem; }
[data-testid="stCaptionContainer"] code { background: none; color: inherit; padding: 0; }
.rendered :is(h1, h2, h3) { font-size: 1.1rem; padding: 0.5rem 0; }
.rendered :is(pre, table) { display: block; overflow-x: auto; }
.rendered code { font-size: 0.85em; }
.rendered p:last-child { margin-bottom: 0; }
.st-key-rate_unused { display: none; }
.st-key-diff textarea { font: 0.85rem/1.5 "Source Code Pro", monospace; }
.st-key-rate_change, .st-key-rate_review { display: block; flex: none;
  height: calc(100dvh - 21rem); overflow-y: auto; }
[data-testid="stLayoutWrapper"]:has(> .st-key-rate_bar) {
  background: light-dark(#ffffff, #020406); bottom: 0;
  padding: 0.25rem 0 0.75rem; position: sticky; z-index: 2; }
@media (max-width: 640px) {
  .st-key-tau_row { column-gap: 0.5rem; }
  .st-key-tau_row > .st-key-tau { flex: 1 1 5rem; }
  .st-key-tau_row button { padding: 0.25rem 0.4rem; }
}
@media (max-width: 999px) {
  [class*="st-key-cards"] tr { display: flex; flex-wrap: wrap; }
  [class*="st-key-cards"] tr > * { flex: 1; hyphens: auto; }
  .st-key-cards_overview tr > :nth-child(1), .st-key-cards_sentences tr > :nth-child(3),
  .st-key-cards_references tr > :nth-child(3) { flex: 100%; order: 1; }
  .st-key-cards_overview tr > :nth-child(1) { order: -1; }
  .stColumn { flex: 1 1 100%; min-width: 100%; }
  .stHorizontalBlock:has(> * .st-key-rate_change) { flex-flow: column-reverse nowrap; }
  .st-key-rate_change { height: 44dvh; }
  .st-key-rate_review { height: auto; max-height: 26dvh; }
}
</style>"""

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

    st.set_page_config(
        page_title="CRScore", page_icon="📝", layout="wide", initial_sidebar_state=230
    )
    page = st.navigation(
        {
            section: [
                st.Page(f"pages/{name}.py", title=title, icon=icon, default=name == "score")
                for name, title, icon in pages
            ]
            for section, pages in _PAGES.items()
        }
    )
    st.html(_STYLE)
    if page.title == "Data":
        open_uploads()  # elsewhere, the data would change while somebody reads it
    choose_run()
    sync_tau()
    show_jobs()
    show_origin()
    show_title(page.title)
    page.run()


if __name__ == "__main__":
    show()  # Streamlit runs this file for each visitor
else:
    from pages.components.server import middleware

    app = st.App(__file__, middleware=middleware())
