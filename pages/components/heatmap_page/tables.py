"""The matrix and its texts as tables."""

import pandas as pd
import streamlit as st

from crscore_core.corpus.change_matrix import ChangeMatrix
from pages.components.markup import text_table
from pages.components.names import system_name
from pages.components.source.model import Source

__all__ = ["fits_a_table", "show_texts", "show_twin"]

_MOST_CELLS, _MOST_COLUMNS = 50_000, 300
_TEXT_WIDTH, _NUMBER_WIDTH = 300, 80  # pixels


def fits_a_table(matrix: ChangeMatrix) -> bool:
    """Whether a table of it takes no browser's breath."""
    return matrix.similarity.size <= _MOST_CELLS and len(matrix.sentences) <= _MOST_COLUMNS


def show_twin(matrix: ChangeMatrix, key: str) -> None:
    """The matrix as a table whose cells the arrow keys choose; `show_texts` has the sentences."""
    n_columns = len(matrix.sentences)
    if not fits_a_table(matrix):
        st.info(
            f"{len(matrix.references):,} pseudo-references by {n_columns:,} sentences are too many "
            "for a table as well. The file CSV has all of them, and below is the best of each."
        )
        return
    names = [f"S{column + 1}" for column in range(n_columns)]
    table = pd.DataFrame(matrix.similarity, columns=names)
    table.insert(0, "kind", [reference.kind.value for reference in matrix.references])
    table.insert(0, "pseudo-reference", [reference.text for reference in matrix.references])
    table.index = pd.Index([f"P{row + 1}" for row in range(len(table))])
    st.dataframe(
        table,
        key=key,
        on_select="rerun",
        selection_mode="single-cell",
        column_config={
            "pseudo-reference": st.column_config.TextColumn(width=_TEXT_WIDTH),
            "kind": st.column_config.TextColumn(width=_NUMBER_WIDTH),
        }
        | {
            name: st.column_config.NumberColumn(format="%.3f", width=_NUMBER_WIDTH)
            for name in names
        },
    )


def show_texts(source: Source, matrix: ChangeMatrix, tau: float) -> None:
    """Every sentence and pseudo-reference in full, with what is most similar to it."""
    best_rows = matrix.similarity.argmax(axis=0)
    best_columns = matrix.similarity.argmax(axis=1)
    is_one = len(matrix.reviews) == 1
    sentences = [
        {"": f"S{column + 1}"}
        | ({} if is_one else {"system": _system(source, matrix, column)})
        | {
            "sentence": sentence,
            "best": f"P{best_rows[column] + 1} {best:.3f}",
            "on topic": bool(best > tau),
        }
        for column, (sentence, best) in enumerate(
            zip(matrix.sentences, matrix.best_of_sentences, strict=True)
        )
    ]
    references = [
        {
            "": f"P{row + 1}",
            "kind": reference.kind.value,
            "pseudo-reference": reference.text,
            "best": f"S{best_columns[row] + 1} {best:.3f}",
            "covered": bool(best > tau),
        }
        for row, (reference, best) in enumerate(
            zip(matrix.references, matrix.best_of_references, strict=True)
        )
    ]
    text_table(
        sentences,
        wide=("sentence",),
        caption="Sentences, and the pseudo-reference that each is most like, with the cosine",
    )
    text_table(
        references,
        wide=("pseudo-reference",),
        caption="Pseudo-references, and the sentence that each is most like, with the cosine",
    )


def _system(source: Source, matrix: ChangeMatrix, column: int) -> str:
    return system_name(source, matrix.reviews[matrix.review_of[column]].system)
