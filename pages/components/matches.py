"""The matches of a review: each sentence and pseudo-reference with its best match."""

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from crscore_core import ReviewScore
from crscore_core.claims import PseudoReference
from pages.components.commonness import other_matches
from pages.components.tables import show_texts

_OTHERS = "would also match"
_NOTE = (
    " Would also match: how many other changes of the human study, compared with the study's "
    "pseudo-references at this tau. The more, the less the sentence says about this change."
)
_MATCH = {True: "✓ matches", False: "✗ no match", None: ""}  # None: nothing to match


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
    note = _NOTE if _OTHERS in sentences else ""
    if len(sentences):
        with left:
            caption = f"Each sentence and its most similar pseudo-reference.{note}"
            show_texts(sentences, caption, marked=sentence)
    with right if len(sentences) else left:
        caption = "Each pseudo-reference and its most similar sentence"
        show_texts(_reference_table(score), caption, marked=reference)


def _sentence_table(score: ReviewScore) -> pd.DataFrame:
    """Return one row per sentence, from S1.

    The last column, if any sentence is counted, has the number of other changes that it matches.
    """
    counts = other_matches(score)
    rows = []
    for sentence, count in zip(score.sentences, counts, strict=True):
        best, similarity = sentence.best_reference, sentence.best_similarity
        rows.append(
            {
                "match": _MATCH[sentence.on_topic],
                "sentence": sentence.text,
                "best match": "" if best is None else f"P{best + 1} {similarity:.3f}",
                **({_OTHERS: count} if any(counts) else {}),
            }
        )
    return pd.DataFrame(rows, [f"S{number + 1}" for number in range(len(rows))])


def _reference_table(score: ReviewScore) -> pd.DataFrame:
    """Return one row per pseudo-reference, from P1.

    Those that are covered have their other wordings, since a sentence may match one of these.
    """
    covered = {*score.covered}
    rows = [
        {
            "coverage": "✓ covered" if number in covered else "✗ missed",
            "pseudo-reference": "\n".join(
                [
                    reference.text,
                    *(
                        f"or: {wording}"
                        for wording in reference.wordings
                        if number in score.covered
                    ),
                    f"— {_origin(reference)}",
                ]
            ),
            "best match": f"S{row.argmax() + 1} {row.max():.3f}" if row.size else "",
        }
        for number, (reference, row) in enumerate(
            zip(score.pseudo_references, score.similarity, strict=True)
        )
    ]
    return pd.DataFrame(rows, [f"P{number + 1}" for number in range(len(rows))])


def _origin(reference: PseudoReference) -> str:
    """Return kind, source, file and line of a pseudo-reference."""
    place = reference.path or ""
    if reference.line is not None:
        place = f"{place}:{reference.line}" if place else f"line {reference.line}"
    return ", ".join(filter(None, (reference.kind.value, reference.source, place)))
