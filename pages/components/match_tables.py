"""Every sentence and pseudo-reference of a matrix in full, with the text most similar to it."""

from collections.abc import Sequence

import pandas as pd

from crscore_core.corpus.change_matrix import ChangeMatrix
from pages.components.markup import text_table


def show_matches(matrix: ChangeMatrix, tau: float, systems: Sequence[str] = ()) -> None:
    """Show both tables; `systems` names the writer of each review, where there are several."""
    if matrix.sentences:
        text_table(
            sentence_table(matrix, tau, systems),
            wide=("sentence",),
            caption="Sentences, and the pseudo-reference that each is most like, with the cosine",
        )
    text_table(
        reference_table(matrix, tau),
        wide=("pseudo-reference",),
        caption="Pseudo-references, and the sentence that each is most like, with the cosine",
    )


def sentence_table(matrix: ChangeMatrix, tau: float, systems: Sequence[str] = ()) -> pd.DataFrame:
    """Return one row a sentence, from S1."""
    table = pd.DataFrame(
        {
            "topic": [
                "✓ on topic" if best > tau else "✗ off topic" for best in matrix.best_of_sentences
            ],
            "sentence": matrix.sentences,
            "best match": _most_like(matrix, axis=0),
        },
        index=[f"S{column + 1}" for column in range(len(matrix.sentences))],
    )
    if systems:
        table.insert(0, "system", [systems[review] for review in matrix.review_of])
    return table


def reference_table(matrix: ChangeMatrix, tau: float) -> pd.DataFrame:
    """Return one row a pseudo-reference, from P1; the sentences of all reviews compete."""
    references = matrix.references
    return pd.DataFrame(
        {
            "coverage": [
                "✓ covered" if best > tau else "✗ missed" for best in matrix.best_of_references
            ],
            "pseudo-reference": [reference.text for reference in references],
            "kind": [reference.kind.value for reference in references],
            "source": [reference.source for reference in references],
            "place": [_place(reference.path, reference.line) for reference in references],
            "best match": _most_like(matrix, axis=1),
        },
        index=[f"P{row + 1}" for row in range(len(references))],
    )


def _most_like(matrix: ChangeMatrix, axis: int) -> list[str]:
    """Name the best of the other texts for each, and its cosine; nothing where there is none."""
    similarity = matrix.similarity
    if not similarity.size:
        return [""] * similarity.shape[1 - axis]
    partners = zip(similarity.argmax(axis), similarity.max(axis), strict=True)
    return [f"{'PS'[axis]}{at + 1} {cosine:.3f}" for at, cosine in partners]


def _place(path: str | None, line: int | None) -> str:
    if path is None:
        return "" if line is None else f"line {line}"
    return path if line is None else f"{path}:{line}"
