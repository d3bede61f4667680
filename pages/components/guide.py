"""The guide: the meaning of the numbers, and the question that each page answers."""

import streamlit as st

from crscore_eval.data.ratings import MIN_RATED, MIN_RATED_CHANGES

NUMBERS = {
    "What is measured": """
Whether a review is **about the change**, and **how much of the change** it covers. A change is
described by *pseudo-references*: claims about what changed, implications of these claims, and
smells that static analyzers find on the changed lines. A sentence of a review matches a
pseudo-reference if the cosine similarity of their embeddings exceeds the threshold **tau**. No
reference review is needed.

| score | meaning | like |
|---|---|---|
| **conciseness** | share of sentences that match a pseudo-reference | precision |
| **comprehensiveness** | share of pseudo-references that a sentence matches | recall |
| **relevance** | harmonic mean of the two | F1 |
| **without a threshold** | the same, from mean highest similarities instead of shares | |
""",
    "Not measured: whether a review is right or worth saying": """
A false claim in the words of the change can score as high as a true one, and a review that only
repeats the change scores high: a list of its identifiers has a mean relevance of 0.88 by symbolic
claims, on 24 commits. Of 18 texts that fit any change, a checklist has the highest there, 0.08; on
the study's claims, "The code was changed. A line was added …" has 0.19. A question that shares no
words with the change can score 0 and still be the best review. Scores of single reviews vary a lot,
so compare means over many changes.
""",
    "People and intervals": """
Trust people's answers before scores: give them on *Rate*, or in a file. *Validity* shows how well
each metric agrees with them, next to *simple metrics* such as the number of words. Intervals are
95%, over changes, because reviews of one change are not independent.
""",
    "tau": """
If tau is too low, everything matches and every review scores high; if it is too high, nothing
matches. The right tau depends on the encoder and the claims. The presets come from the human study:
the mean similarity of sentences to their most similar pseudo-references, for the reference reviews
(*tau_gt*, the default) and for the system that people rate highest (*tau_best*).
""",
}

PICTURE = """
the change ──► pseudo-references P ─┐
               (claims, smells)     ├─► cosine of P and S
the review ──► sentences S ─────────┘   above tau: match
conciseness: share of S with a match
comprehensiveness: share of P with a match
relevance: harmonic mean of the two
""".strip()
"""The metric in one picture."""

STEPS = f"""
1. *Score*, *Score your own*: paste one change and your system's review to see what the metric sees.
2. *Data*: upload a file with a row per review: its diff, its text and, to compare systems, the name
   of its system.
3. *Rankings*: see the systems in order, and the changes on which they differ.
4. *Rate*: rate at least {MIN_RATED} reviews, of at least {MIN_RATED_CHANGES} changes. An order by
   scores does not show whose reviews are better.
5. *Validity*: see whether the scores agree with your ratings. *Failure cases* shows where they do
   not.

To check each new version of a system in CI, use `crscore gate`.
"""

QUESTIONS = {
    "Score": "What does a review address, and what does it miss?",
    "Data": "Which reviews do the pages show?",
    "Rate": "What do people think of these reviews?",
    "Heatmap": "Why did a review get its score?",
    "Failure cases": "Where does the metric disagree with people, and on whose reviews?",
    "Rankings": "Whose reviews are better, and do the scores say the same as people?",
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
        st.page_link(SOURCE, label="Its study and source", icon=":material/code:")


def show_guide() -> None:
    """Show the meaning of the numbers, and the steps to evaluate a reviewer."""
    left, right = st.columns(2)
    with left:
        st.header("Numbers", anchor=False)
        st.code(PICTURE, language=None)
        for title, text in NUMBERS.items():
            st.markdown(f"**{title}.** {text.strip()}")
        st.write(f"The metric is described in [the paper]({PAPER}), NAACL 2025, section 3.")
    with right:
        st.header("Evaluate your own reviewer", anchor=False)
        st.markdown(STEPS)
