"""Introduction to the app: its sources, each page's question, and a picture of the metric."""

import streamlit as st

PICTURE = """
the change ──► pseudo-references P ─┐
               (claims, smells)     │
the review ──► sentences S ─────────┤
                                    ▼
        match: cosine of P and S > tau
conciseness: matched share of S
comprehensiveness: matched share of P
relevance: harmonic mean of the two
""".strip()
"""The metric in one picture."""

QUESTIONS = {
    "Score": "What does a review address, and what does it miss?",
    "Data": "Which reviews do the pages show?",
    "Rate": "What do people think of these reviews?",
    "Heatmap": "Why did a review get its score?",
    "Failure cases": "Where does the metric disagree with people, and on whose reviews?",
    "Rankings": "Whose reviews are better, and do the scores agree with people?",
    "Threshold": "How much do the scores depend on tau, and which tau agrees best with people?",
    "Validity": "Does the metric agree with people?",
    "Guide": "What do the numbers mean, and how do I evaluate my own reviewer?",
}
"""The question that each page answers."""

PAPER = "https://arxiv.org/abs/2409.19801"
SOURCE = "https://github.com/atharva-naik/CRScore"


def show_title(page: str) -> None:
    """Show the title of a page and the question that it answers."""
    st.title(page, anchor=False)
    st.caption(QUESTIONS[page])


def show_origin() -> None:
    """Show in the sidebar what the app implements, with links to the paper and its code."""
    with st.sidebar:
        st.caption("**CRScore** rates code reviews without a reference review.")
        st.page_link(PAPER, label="The paper", icon=":material/article:")
        st.page_link(SOURCE, label="Code and data", icon=":material/code:")
