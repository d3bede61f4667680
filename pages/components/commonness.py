"""How many changes of the human study the sentences of a review would match as well."""

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from crscore_core import ReviewScore
from crscore_core.errors import UnavailableError
from crscore_eval.commonness import (
    count_matches,
    counted_sentences,
    study_maxima,
    with_common_sentences,
)


@st.cache_data(max_entries=256, show_spinner="Comparing with other changes")
def _maxima(sentences: tuple[str, ...]) -> NDArray[np.float32]:
    try:
        return study_maxima(sentences)
    except UnavailableError:  # a run can be shown without the encoder that it was scored with
        return study_maxima(())


def other_matches(score: ReviewScore) -> list[str]:
    """Return how many changes each sentence would match as well, empty where it is not counted."""
    counts, n_changes = count_matches(score, _maxima(counted_sentences(score)))
    texts = ["" if count is None else f"{count} of {n_changes}" for count in counts]
    return texts + [""] * (len(score.sentences) - len(texts))


def warn_of_common_sentences(score: ReviewScore) -> ReviewScore:
    """Return the score with a warning about sentences that match many changes."""
    return with_common_sentences(score, _maxima(counted_sentences(score)))
