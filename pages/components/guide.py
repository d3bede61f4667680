"""The guide: what the numbers mean, and what each page answers."""

import streamlit as st

from crscore_core.scoring import PRESETS, PRESETS_OF_CLAIMS
from pages.components.controls import two_columns

METRIC = {
    "What is measured": """
Whether a review is **about the change**, and **how much of the change** it talks about. A change
becomes points, its *pseudo-references*: claims about what changed, implications of it, and smells
that static analyzers find on the changed lines. A sentence of the review matches a point where
the cosine of their embeddings exceeds the threshold **tau**. No reference review is needed.

| score | meaning | like |
|---|---|---|
| **conciseness** (Con) | share of the sentences that match a point | precision |
| **comprehensiveness** (Comp) | share of the points that a sentence matches | recall |
| **relevance** (Rel) | harmonic mean of the two | F1 |
| **without a threshold** | harmonic mean of the mean best cosines of sentences and of points | |
""",
    "Not measured: whether a review is right, or worth saying": """
A false claim in the change's words scores like a true one, and a recital of the change scores
high. A short question in words of its own can be the best review of all and score 0. Two single
reviews often differ by chance; compare means over many changes.
""",
    "tau": """
Too low, everything matches and all reviews look good; too high, nothing does. tau belongs to the
encoder and the claims, and each has its own presets: the mean best similarity of the sentences of
reference reviews (*tau_gt*, the default) or of the system that people rate best (*tau_best*).
""",
    "Without a threshold": """
Scores agree better with people on the CRScore study than at any tau. On six kinds of reviews,
written for real commits, neither is ahead. *Threshold* has the figures.
""",
    "People": """
People rate each review from 1 to 5, on the page *Rate* or in a file. Where they did, trust them
first. *Validity* says how well each measure agrees with them, next to *baselines* such as the
number of words: a measure that does not beat these has shown nothing.
""",
    "Intervals": """
Intervals are 95 %. Whole changes are drawn anew, since reviews of one change share its points.
""",
}

PAGES = {
    "Score": """
**How good is this review, and why?** *Example* shows scored reviews of a change and what people
say of them; *Score your own* takes a diff and reviews. The line above the heatmap says how much
of the review is about the change, and how much of the change it covers. Each cell is the cosine
of a sentence and a point, outlined above tau.

Under *Options*, claims can be read and edited before they count, and full new versions of changed
files show analyzers more than the hunks do.
""",
    "Rate": """
**What do people say of these reviews?** Rate them from 1 to 5 by the codebook of the study, and
say whether each is right and worth saying: one question after the other, by keys, without the
system and its scores. Ratings are kept with a saved run, which then counts as rated and labelled
on all pages. *Results* shows how far raters agree.
""",
    "Heatmap": """
**Why did a review get its score?** Every sentence is compared with every pseudo-reference of the
change. What is above tau makes a sentence *match* and a pseudo-reference *covered*; the scores
are the shares of both. The diff has the numbers of the points at
the lines that they are about. Click a cell to see the words of one pair.
""",
    "Failure cases": """
**Where is the metric wrong?** Each point is a review. *Underestimated* ones rank low by the measure
although people rate them well, *overestimated* ones high although people rate them badly. Click a
point, or step through them, to see the review, the change, and what matched.
""",
    "Rankings": """
**Which system writes the better reviews?** The verdict on top is people's where they rated
enough, else the measure's, and says what it rests on. Systems whose interval of the difference
holds 0 are not told apart. Below are the changes on which systems differ most.
""",
    "Threshold": """
**How much do the scores depend on tau, and which tau fits?** The curves show scores at every tau,
and how well they agree with people where people rated. The orange line is the tau that is set.
""",
    "Validity": """
**Does the metric agree with people?** A score is worth what it agrees with what people say of the
same reviews. Compare its agreement with that of other metrics and of plain baselines, and with
the paper's figures.
""",
    "Data": """
**Which reviews do the pages show?** Every page other than *Score* shows one source of reviews,
chosen in the sidebar: the human study that comes with this app, a file or pull requests of your
own, or a saved run.
""",
}

_TITLES = {"Score": "CRScore: how good is a code review comment?"}
_PAGE = "guide_page"


def show_title(page: str) -> None:
    """Show the title of a page, and next to it what the guide says of the page."""
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
    """Show the whole guide, open at the page that a person came from."""
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
        st.dataframe(
            [
                {
                    "encoder": encoder,
                    "claims": claims,
                    "tau_gt": preset.tau_gt,
                    "tau_best": preset.tau_best,
                }
                for (encoder, claims), preset in {
                    **{(encoder, "any other"): preset for encoder, preset in PRESETS.items()},
                    **PRESETS_OF_CLAIMS,
                }.items()
            ],
            hide_index=True,
        )
        st.caption(
            "*CRScore: Grounding Automated Evaluation of Code Review Comments in Code Claims and "
            "Smells* (Naik, Alenius, Fried, Rosé), section 3."
        )
