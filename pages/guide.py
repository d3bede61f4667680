"""Meaning of the numbers, and their limits."""

import streamlit as st

from crscore_core.scoring import PRESETS, PRESETS_OF_CLAIMS

st.title("What the numbers mean")
st.markdown(
    """
The metric measures whether a review is **about the change**, and **how much of the change** it
talks about. A change is turned into points, its *pseudo-references*: claims about what changed,
implications of it, and smells that static analyzers find on the changed lines. A sentence of the
review matches a point where the cosine of their embeddings exceeds the threshold **tau**.

| score | meaning | like |
|---|---|---|
| **conciseness** | share of the sentences that match a point | precision |
| **comprehensiveness** | share of the points that a sentence matches | recall |
| **relevance** | harmonic mean of the two | F1 |
| **without a threshold** | harmonic mean of the mean best cosines of sentences and of points | |

**Not measured: whether a review is right, or worth saying.** A false claim in the change's words
scores like a true one, and a recital of the change scores high. A short question in words of its
own can be the best review of all and score 0. Two single reviews often differ by chance; compare
means over many changes.

**tau** belongs to the encoder and the claims, and each has its own presets: the mean best
similarity of the sentences of reference reviews (*tau_gt*, the default) or of the system that
people rate best (*tau_best*). Raise tau and all scores fall.

**Without a threshold**, scores agree better with people on the CRScore study than at any tau. On
six kinds of reviews of real commits, neither is ahead. The page *Threshold* has figures.

**People** rate each review from 1 to 5, on the page *Rate* or in a file. Where they did, trust them
first. *Validity* and *Compare* say how well each measure agrees with them, next to *baselines* such
as the number of words: a measure that does not beat these has shown nothing. *Failure cases* lists
the reviews that a measure ranks far from where people rank them.

**Intervals** are 95 %. Whole changes are drawn anew, since reviews of one change share its points.
"""
)
st.dataframe(
    [
        {"encoder": encoder, "claims": claims, "tau_gt": preset.tau_gt, "tau_best": preset.tau_best}
        for (encoder, claims), preset in {
            **{(encoder, "any other"): preset for encoder, preset in PRESETS.items()},
            **PRESETS_OF_CLAIMS,
        }.items()
    ],
    hide_index=True,
)
st.markdown("Source: *CRScore: Grounding Automated Evaluation of Code Review Comments in Code "
            "Claims and Smells* (Naik, Alenius, Fried, Rosé), section 3.")  # fmt: skip
