"""The guide: the meaning of the numbers, and the question that each page answers."""

import streamlit as st

from crscore_core.scoring import PRESETS, PRESETS_OF_CLAIMS
from pages.components.controls import two_columns

METRIC = {
    "What is measured": """
Whether a review is **about the change**, and **how much of the change** it covers. A change becomes
points, its *pseudo-references*: claims about what changed, implications of it, and smells that
static analyzers find on the changed lines. A sentence of the review matches a point if the cosine
of their embeddings exceeds the threshold **tau**. No reference review is needed.

| score | meaning | like |
|---|---|---|
| **conciseness** (Con) | share of the sentences that match a point | precision |
| **comprehensiveness** (Comp) | share of the points that a sentence matches | recall |
| **relevance** (Rel) | harmonic mean of the two | F1 |
| **without a threshold** | harmonic mean of the mean best cosines of sentences and of points | |
""",
    "Not measured: whether a review is right or worth saying": """
A false claim in the words of the change scores like a true one, and a recital of the change scores
high. A short question in other words can be the best review of all and score 0. Single reviews
often differ by chance, so compare means over many changes.
""",
    "tau": """
If tau is too low, everything matches and all reviews look good; if it is too high, nothing does.
tau belongs to the encoder and the claims, and each pair has presets: the average best match of
the reference reviews' sentences (*tau_gt*, the default) or of the top-rated system's (*tau_best*).
""",
    "Without a threshold": """
On the human study, scoring without a threshold correlates better with human ratings than any tau
does. *Threshold* has the figures.
""",
    "People": """
People rate each review from 1 to 5, on the *Rate* page or in a file. A metric is only as good as
its agreement with people: if people rated, trust them first. *Validity* shows how well each
measure agrees with them, next to *baselines* such as the number of words.
""",
    "Intervals": """
Intervals are 95%, over changes and not reviews, since the reviews of a change share its points.
""",
}

PAGES = {
    "Score": """
**How good is this review, and why?** *Example* shows scored reviews of a change and how people
rated them; *Score your own* takes a diff and reviews. Each cell of the heatmap is the cosine of a
sentence and a point, outlined if it exceeds tau. Under *Options*, claims can be edited before they
count.
""",
    "Rate": """
**How good do people find these reviews?** Rate them from 1 to 5 by the codebook of the study, and
say whether each is right and worth saying, without seeing the system or its scores. Ratings are
stored with the run and count on all pages. *Results* shows how far raters agree.
""",
    "Heatmap": """
**Why did a review get its score?** Every sentence is compared with every pseudo-reference. A
sentence with a cosine above tau matches, and the pseudo-reference is covered; the scores are the
shares of both. The diff shows the numbers of the points next to their lines.
""",
    "Failure cases": """
**Where is the metric wrong?** Each point is a review. *Underestimated* reviews rank low by the
measure although people rate them highly, *overestimated* ones the other way round. Click a point to
see the review, the change and what matched.
""",
    "Rankings": """
**Which system writes the better reviews?** Systems are ordered by people if enough reviews are
rated, otherwise by the measure. Systems whose difference is not significant share a place. Below
are the changes on which systems differ most.
""",
    "Threshold": """
**How much do the scores depend on tau, and which tau fits?** The curves show scores at every tau
and, if people rated, how well they agree with people. The orange line is the current tau.
""",
    "Validity": """
**Does the metric agree with people?** Compare its agreement with that of other metrics and of plain
baselines, and with the paper's figures.
""",
    "Data": """
**Which reviews do the pages show?** Every page except *Score* shows the run chosen in the sidebar:
the human study that comes with this app, or a file of your own.
""",
}

_TITLES = {"Score": "CRScore: how good is a code review comment?"}
_PAGE = "guide_page"


def show_title(page: str) -> None:
    """Show the title of a page, and a button for its part of the guide."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.title(_TITLES.get(page, page), width="content", anchor=False)
        if page in PAGES:
            st.session_state[_PAGE] = page
            _offer_help(page)


@st.fragment
def _offer_help(page: str) -> None:
    if st.button("About this page", icon=":material/help:", type="tertiary"):
        _show_help(page)


@st.dialog("About this page")
def _show_help(page: str) -> None:
    st.markdown(PAGES[page])
    st.page_link("pages/guide.py", label="What the numbers mean", icon=":material/menu_book:")


def show_guide() -> None:
    """Show the whole guide, open at the page that the user came from."""
    came_from = st.session_state.get(_PAGE, next(iter(PAGES)))
    left, right = two_columns()
    with left:
        st.header("Pages", anchor=False)
        for page, text in PAGES.items():
            with st.expander(page, expanded=page == came_from):
                st.markdown(text)
    with right:
        st.header("Numbers", anchor=False)
        for title, text in METRIC.items():
            st.markdown(f"**{title}.** {text.strip()}")
        presets = {(encoder, "any other"): preset for encoder, preset in PRESETS.items()}
        st.dataframe(
            [
                {"encoder": encoder, "claims": claims, "tau_gt": of.tau_gt, "tau_best": of.tau_best}
                for (encoder, claims), of in {**presets, **PRESETS_OF_CLAIMS}.items()
            ],
            hide_index=True,
        )
        st.caption(
            "*CRScore: Grounding Automated Evaluation of Code Review Comments in Code Claims and "
            "Smells* (Naik, Alenius, Fried, Rosé), section 3."
        )
