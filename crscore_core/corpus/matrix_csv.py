"""The similarity matrix of a change as a table for other programs."""

import csv
import io

from crscore_core.corpus.change_matrix import ChangeMatrix
from crscore_core.text import as_text

__all__ = ["matrix_csv"]

_COLUMNS = (
    "review", "system", "sentence_number", "sentence", "pseudo_reference_number", "kind",
    "pseudo_reference", "cosine",
)  # fmt: skip


def matrix_csv(matrix: ChangeMatrix) -> str:
    """A row for each pair of a sentence and a pseudo-reference, cosines in full.

    Both are numbered from 1, as pages do. No text is a formula for a spreadsheet program.
    """
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(_COLUMNS)
    for column, sentence in enumerate(matrix.sentences):
        review = matrix.reviews[matrix.review_of[column]]
        for row, reference in enumerate(matrix.references):
            writer.writerow(
                [
                    as_text(review.id),
                    as_text(review.system),
                    column + 1,
                    as_text(sentence),
                    row + 1,
                    reference.kind.value,
                    as_text(reference.text),
                    float(matrix.similarity[row, column]),
                ]
            )
    return text.getvalue()
