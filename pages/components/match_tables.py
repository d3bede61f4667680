"""Every sentence and pseudo-reference of a matrix in full, with the text most similar to it."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import pandas as pd
import streamlit as st

from crscore_core.corpus.change_matrix import ChangeMatrix
from crscore_core.corpus.matching_words import matched_texts
from crscore_core.errors import EncoderError
from crscore_core.scoring.references import PseudoReference
from pages.components.layout import two_columns
from pages.components.markup import text_table
from pages.components.source.load import encoder_of


def show_matches(
    matrix: ChangeMatrix,
    tau: float,
    encoder: str,
    systems: Sequence[str] = (),
) -> None:
    """Show both tables; `systems` names the writer of each review, where there are several.

    `encoder` names the one that compared the texts.
    """
    left, right = two_columns()
    if matrix.sentences:
        with left:
            text_table(
                sentence_table(matrix, tau, systems),
                wide=("sentence",),
                caption="Sentences, and the pseudo-reference that each is most like",
            )
    with right if matrix.sentences else left:
        text_table(
            reference_table(matrix, tau, _other_wordings(matrix, encoder)),
            wide=("pseudo-reference",),
            caption="Pseudo-references, and the sentence that each is most like",
        )


def sentence_table(matrix: ChangeMatrix, tau: float, systems: Sequence[str] = ()) -> pd.DataFrame:
    """Return one row a sentence, from S1."""
    table = pd.DataFrame(
        {
            "topic": ["✓ on" if best > tau else "✗ off" for best in matrix.best_of_sentences],
            "sentence": matrix.sentences,
            "best match": _most_like(matrix, axis=0),
        },
        index=[f"S{column + 1}" for column in range(len(matrix.sentences))],
    )
    if systems:
        table.insert(0, "system", [systems[review] for review in matrix.review_of])
    return table


def reference_table(
    matrix: ChangeMatrix, tau: float, matched: Mapping[int, str] = MappingProxyType({})
) -> pd.DataFrame:
    """Return one row a pseudo-reference, from P1; the sentences of all reviews compete.

    `matched` has other wordings that matched best, by row.
    """
    texts = []
    for row, one in enumerate(matrix.references):
        other = f"\nmatched as: {matched[row]}" if row in matched else ""
        texts.append(f"{one.text}{other}\n{_origin(one)}")
    return pd.DataFrame(
        {
            "coverage": [
                "✓ covered" if best > tau else "✗ missed" for best in matrix.best_of_references
            ],
            "pseudo-reference": texts,
            "best match": _most_like(matrix, axis=1),
        },
        index=[f"P{row + 1}" for row in range(len(texts))],
    )


def _other_wordings(matrix: ChangeMatrix, encoder: str) -> dict[int, str]:
    """Find each row whose best sentence matches another wording than the text."""
    rows = [row for row, reference in enumerate(matrix.references) if reference.wordings]
    if not rows or not matrix.sentences:
        return {}
    best = matrix.similarity.argmax(axis=1)
    pairs = tuple((matrix.references[row], matrix.sentences[best[row]]) for row in rows)
    try:
        texts = _matched_texts(pairs, encoder)
    except EncoderError:
        return {}  # the similarities were made elsewhere
    return {
        row: text
        for row, text in zip(rows, texts, strict=True)
        if text != matrix.references[row].text
    }


@st.cache_data(max_entries=256, show_spinner=False)
def _matched_texts(pairs: tuple[tuple[PseudoReference, str], ...], encoder: str) -> list[str]:
    return matched_texts(pairs, encoder_of(encoder))


def _most_like(matrix: ChangeMatrix, axis: int) -> list[str]:
    """Name the best of the other texts for each, and its cosine; nothing where there is none."""
    similarity = matrix.similarity
    if not similarity.size:
        return [""] * similarity.shape[1 - axis]
    partners = zip(similarity.argmax(axis), similarity.max(axis), strict=True)
    return [f"{'PS'[axis]}{at + 1} {cosine:.3f}" for at, cosine in partners]


def _origin(reference: PseudoReference) -> str:
    """Name kind, source and place of a pseudo-reference."""
    place = reference.path or ""
    if reference.line is not None:
        place = f"{place}:{reference.line}" if place else f"line {reference.line}"
    return ", ".join(filter(None, (f"— {reference.kind.value}", reference.source, place)))
