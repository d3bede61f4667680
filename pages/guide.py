"""The guide: what the numbers mean, and how to evaluate a reviewer."""

import streamlit as st

from crscore_eval.data.ratings import MIN_RATED, MIN_RATED_CHANGES
from pages.components.guide import PAPER, PICTURE

_NUMBERS = {
    "What is measured": """
Whether a review is **about the change**, and **how much of the change** it covers.
*Pseudo-references* describe the change: claims about what changed, implications of these claims,
and smells that static analyzers find on the changed lines. A review sentence matches a
pseudo-reference if the cosine similarity of their embeddings exceeds the threshold **tau**. No
reference review is needed.
Conciseness is like precision, comprehensiveness like recall, relevance like F1. *Without a
threshold*, mean highest similarities take the place of the shares.
""",
    "Not measured: whether a review is right or worth saying": """
A false claim in the words of the change can score as high as a true one, and a review that only
repeats the change scores high. On 24 commits with symbolic claims, a list of the change's
identifiers reaches a mean relevance of 0.87. Of 18 texts that fit any change, a checklist scores
highest there, at 0.09; on the study's claims, "The code was changed. A line was added …" reaches
0.19. A question that shares no words with the change can score 0 and still be the best review.
Scores of single reviews vary a lot, so compare means over many changes.
""",
    "People and intervals": """
Trust people's ratings more than scores: rate reviews on *Rate*, or upload a file with ratings.
*Validity* shows how well each metric agrees with people, next to *simple metrics* such as the
number of words. 95% intervals are over changes, because reviews of one change are not independent.
""",
    "tau": """
If tau is too low, everything matches and every review scores high; if it is too high, nothing
matches. The right tau depends on the encoder and the claims. The presets come from the human study.
Each is the mean similarity of sentences to their most similar pseudo-references: in the reference
reviews (*tau_gt*, the default), or in reviews by the system that people rate highest (*tau_best*).
""",
}

_STEPS = f"""
1. *Score*, *Score your own*: paste one change and a review of it to see what the metric sees.
2. *Data*: upload a file with one row per review: the diff, the review text and, to compare
   reviewers, who wrote it: a person or a system.
3. *Rankings*: see the order of the reviewers, and the changes on which they differ.
4. *Rate*: rate at least {MIN_RATED} reviews of at least {MIN_RATED_CHANGES} changes. Scores alone
   do not show whose reviews are better.
5. *Validity*: see whether the scores agree with your ratings. *Failure cases* shows where they do
   not.

To check each new version of a reviewer in CI, use `crscore gate`.
"""

left, right = st.columns(2)
with left:
    st.header("Numbers", anchor=False)
    st.code(PICTURE, language=None)
    for title, text in _NUMBERS.items():
        st.markdown(f"**{title}.** {text.strip()}")
    st.write(f"The metric is described in [the paper]({PAPER}), NAACL 2025, section 3.")
with right:
    st.header("Evaluate your own reviewer", anchor=False)
    st.markdown(_STEPS)
