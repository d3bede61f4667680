"""The matches of reviews: each sentence and pseudo-reference with its best match."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from crscore_core import ReviewScore
from crscore_core.claims import PseudoReference
from pages.components.commonness import other_matches
from pages.components.heatmap_chart import joined_similarity
from pages.components.tables import show_texts

_OTHERS = "would also match"
_NOTE = (
    " Would also match: how many other changes of the human study, compared with the study's "
    "pseudo-references at this tau. The more, the less the sentence says about this change."
)
_MATCH = {True: "✓ matches", False: "✗ no match", None: ""}  # None: nothing to match


def show_matches(
    scores: Sequence[ReviewScore],
    names: Sequence[str] = (),
    columns: tuple[DeltaGenerator, DeltaGenerator] | None = None,
) -> None:
    """Show each sentence and pseudo-reference in full, with its best match.

    `names` of the reviews are shown if there are several.
    """
    left, right = columns or (st.container(), st.container())
    sentences = sentence_table(scores, names if len(scores) > 1 else ())
    note = _NOTE if _OTHERS in sentences else ""
    if len(sentences):
        with left:
            show_texts(sentences, f"Each sentence and its most similar pseudo-reference.{note}")
    with right if len(sentences) else left:
        show_texts(reference_table(scores), "Each pseudo-reference and its most similar sentence")


def sentence_table(scores: Sequence[ReviewScore], names: Sequence[str] = ()) -> pd.DataFrame:
    """Return one row per sentence, from S1, with the name of its review if there are `names`.

    The last column, if any sentence is counted, has the number of other changes that it matches.
    """
    rows = []
    all_others = list(map(other_matches, scores))
    for number, (score, counts) in enumerate(zip(scores, all_others, strict=True)):
        for sentence, count in zip(score.sentences, counts, strict=True):
            best, similarity = sentence.best_reference, sentence.best_similarity
            rows.append(
                {
                    "match": _MATCH[sentence.on_topic],
                    "sentence": f"{sentence.text}\n— {names[number]}" if names else sentence.text,
                    "best match": "" if best is None else f"P{best + 1} {similarity:.3f}",
                    **({_OTHERS: count} if any(map(any, all_others)) else {}),
                }
            )
    return pd.DataFrame(rows, [f"S{number + 1}" for number in range(len(rows))])


def reference_table(scores: Sequence[ReviewScore]) -> pd.DataFrame:
    """Return one row per pseudo-reference, from P1, with the best sentence of all reviews.

    Those that are covered have their other wordings, since a sentence may match one of these.
    """
    covered = {number for score in scores for number in score.covered}
    similarity = joined_similarity(scores)
    rows = [
        {
            "coverage": "✓ covered" if number in covered else "✗ missed",
            "pseudo-reference": "\n".join(
                [
                    reference.text,
                    *(f"or: {wording}" for wording in reference.wordings if number in covered),
                    f"— {_origin(reference)}",
                ]
            ),
            "best match": f"S{row.argmax() + 1} {row.max():.3f}" if row.size else "",
        }
        for number, (reference, row) in enumerate(
            zip(scores[0].pseudo_references, similarity, strict=True)
        )
    ]
    return pd.DataFrame(rows, [f"P{number + 1}" for number in range(len(rows))])


def _origin(reference: PseudoReference) -> str:
    """Return kind, source, file and line of a pseudo-reference."""
    place = reference.path or ""
    if reference.line is not None:
        place = f"{place}:{reference.line}" if place else f"line {reference.line}"
    return ", ".join(filter(None, (reference.kind.value, reference.source, place)))
