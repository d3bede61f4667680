"""The matches of a review: each sentence and pseudo-reference with its best match."""

import numpy as np
import pandas as pd
import streamlit as st
from numpy.typing import NDArray
from streamlit.delta_generator import DeltaGenerator

from crscore_core import ReviewScore
from crscore_core.claims import PseudoReference
from crscore_core.errors import UnavailableError
from crscore_eval.commonness import (
    count_matches,
    counted_sentences,
    study_maxima,
    with_common_sentences,
)
from pages.components.tables import show_texts

_OTHERS = "would also match"
_NOTE = (
    " Would also match: how many other changes of the human study, compared with the study's "
    "pseudo-references at this tau. The more, the less the sentence says about this change."
)
_MATCH = {True: "✓ matches", False: "✗ no match", None: ""}  # None: nothing to match


@st.cache_data(max_entries=256, show_spinner="Comparing with other changes")
def _maxima(sentences: tuple[str, ...]) -> NDArray[np.float32]:
    try:
        return study_maxima(sentences)
    except UnavailableError:  # a run can be shown without the encoder that it was scored with
        return study_maxima(())


def warn_of_common_sentences(score: ReviewScore) -> ReviewScore:
    """Return the score with a warning about sentences that match many changes of the study."""
    return with_common_sentences(score, _maxima(counted_sentences(score)))


def show_matches(
    score: ReviewScore,
    chosen: tuple[int, int] | None = None,
    columns: tuple[DeltaGenerator, DeltaGenerator] | None = None,
) -> None:
    """Show each sentence and pseudo-reference in full, with its best match.

    The rows of the `chosen` pair, a pseudo-reference and a sentence, are marked.
    """
    left, right = columns or (st.container(), st.container())
    sentences = _sentence_table(score)
    reference, sentence = chosen or (None, None)
    if len(sentences):
        with left, st.container(key="cards_sentences"):
            note = _NOTE if _OTHERS in sentences else ""
            caption = f"Each sentence and its most similar pseudo-reference.{note}"
            show_texts(sentences, caption, marked=sentence)
    with right if len(sentences) else left, st.container(key="cards_references"):
        caption = "Each pseudo-reference and its most similar sentence"
        show_texts(_reference_table(score), caption, marked=reference)


def _sentence_table(score: ReviewScore) -> pd.DataFrame:
    """Return one row per sentence, from S1.

    The last column, if any sentence is counted, has the number of other changes that it matches.
    """
    counts, n_changes = count_matches(score, _maxima(counted_sentences(score)))
    table = pd.DataFrame(
        {
            "match": [_MATCH[sentence.on_topic] for sentence in score.sentences],
            "sentence": score.sentence_texts,
            "best match": [
                "" if one.best_reference is None
                else f"P{one.best_reference + 1} {one.best_similarity:.3f}"
                for one in score.sentences
            ],
        },
        [f"S{number + 1}" for number in range(len(score.sentences))],
    )  # fmt: skip
    if any(count is not None for count in counts):
        texts = ["" if count is None else f"{count} of {n_changes}" for count in counts]
        table[_OTHERS] = pd.Series(texts, table.index[: len(texts)])
    return table


def _reference_table(score: ReviewScore) -> pd.DataFrame:
    rows = zip(score.pseudo_references, score.similarity, strict=True)
    return pd.DataFrame(
        [
            {
                "coverage": "✓ covered" if number in score.covered else "✗ missed",
                "pseudo-reference": f"{reference.text}\n— {_origin(reference)}",
                "best match": f"S{row.argmax() + 1} {row.max():.3f}" if row.size else "",
            }
            for number, (reference, row) in enumerate(rows)
        ],
        [f"P{number + 1}" for number in range(len(score.pseudo_references))],
    )


def _origin(reference: PseudoReference) -> str:
    place = reference.path or ""
    if reference.line is not None:
        place = f"{place}:{reference.line}" if place else f"line {reference.line}"
    return ", ".join(filter(None, (reference.kind.value, reference.source, place)))
