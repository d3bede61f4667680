"""Meaning of the numbers, and their limits."""

import streamlit as st
from crscore_core.predicted.ratings import PROBABILITY_CAUTION

from crscore_core.scoring import PRESETS, PRESETS_OF_CLAIMS

st.title("What the numbers mean")
st.markdown(
    f"""
A change is turned into **pseudo-references**: *claims* about what changed, *implications* of
it, and *smells* that static analyzers find on the changed lines. The review is split into
sentences as in the original metric: at line ends, and after a full stop or question mark that a
blank follows, so "1. First" makes two. A sentence and a pseudo-reference match where the cosine
of their embeddings exceeds the threshold **tau**.

| score | meaning | like |
|---|---|---|
| **conciseness** | share of the sentences that match some pseudo-reference | precision |
| **comprehensiveness** | share of the pseudo-references that some sentence matches | recall |
| **relevance** | harmonic mean of the two, 0 where both are 0 | F1 |

**What they do not say.** A sentence that is on topic need not be right: negating a claim hardly
changes its similarity. A short question that uses none of the change's words can be the best
review of all and score 0. A repeated sentence counts each time. Differences between two single
reviews are noisy; means over many changes are what the metric is for.

**Predicted relevance** says what people would: the relevance from 1 to 5 that they would give, on a
scale from 0 to 1, as a small model predicts it. The model was fitted to the ratings of the CRScore
human study, with the embedded encoder, and reads what the review says, what it shares with the
change and with its pseudo-references, and how it says it; tau plays no part. Where a review lies
outside what the model knows, that is said. {PROBABILITY_CAUTION} Conciseness, comprehensiveness and
relevance say how much of the change a review talks about.

**Over- and underestimation** (page *Failure cases*). A review is *overestimated* where its score,
at first predicted relevance, is among the highest fifth of all while people rate it 1 of 5, and
*underestimated* where it is among the lowest fifth while people rate it 5; where no review is
either, 2 and 4 count. The page lets you move these limits. Overestimated reviews often quote the
change's words and say something wrong about them; underestimated ones say the right thing in words
of their own.

**Intervals** hold 95 of 100 resamples: the changes are drawn anew, with all their reviews, and the
figure is computed again. Reviews of one change share its pseudo-references, so drawing single
reviews would promise too much. Where the intervals of two systems' ranks overlap, the order of the
two is not settled.

**Ratings of people** are from 1 (worst) to 5 (best), for each of the three scores; your own are
given on the page *Rate*. Correlations are
over all rated reviews but the reference reviews of the data set (*ground truth*), as in the paper.

**Metrics beside each other** (page *Compare*). Spearman's rho says how well a metric puts reviews
in people's order, from -1 to 1; for labels of 0 and 1 the area under the ROC curve (AUC) says how
often it puts a review labelled 1 above one labelled 0, and 0.5 is chance. The number of words and
the share of identifiers that the code has too are *baselines*: they know nothing of quality, so a
metric that does not beat them there has shown nothing. Metrics beside a reference review compare
a review with one that a person wrote, and give no value where there is none. A metric that was
fitted to the same data, such as predicted relevance to the human study, looks better on them than
on others.

**tau belongs to the encoder and the claims.** Similarities of one encoder mean nothing for another,
and claims of symbolic rules are worded otherwise than a language model's, so each has presets of
its own, computed as the paper does: the mean, over review sentences, of the best
similarity to a pseudo-reference; *tau_gt* over the sentences of reference reviews, *tau_best* over
those of the system that people rate best. Raise tau and all three scores fall: fewer pairs count as
a match. What that does to everything else is on the page *Threshold*.
"""
)
st.dataframe(
    [
        {
            "encoder": encoder,
            "claims": claims,
            "tau_gt (used)": preset.tau_gt,
            "tau_best": preset.tau_best,
        }
        for (encoder, claims), preset in {
            **{(encoder, "any other"): preset for encoder, preset in PRESETS.items()},
            **PRESETS_OF_CLAIMS,
        }.items()
    ],
    hide_index=True,
)
st.markdown(
    "Source: *CRScore: Grounding Automated Evaluation of Code Review Comments in Code Claims and "
    "Smells* (Naik, Alenius, Fried, Rosé), section 3."
)
