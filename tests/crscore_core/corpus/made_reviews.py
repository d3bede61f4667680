"""A small corpus by hand: three changes, reviews that differ in what filters look at."""

import dataclasses

import numpy as np

from crscore_core.corpus.comparison import ComparedChange, ComparedReview, CorpusComparison
from crscore_core.corpus.model import UNRATED, Ratings
from crscore_core.scoring.references import PseudoReference, ReferenceKind

# id, change, system, text, relevance, similarities: a row a pseudo-reference, a column a sentence
REVIEWS: tuple[tuple[str, int, str, str, int | None, list[list[float]]], ...] = (
    ("a/one", 0, "one", "Why is `x` gone?", 5, [[0.1], [0.2]]),
    ("a/two", 0, "two", "ẞtraße und Café.", 1, [[0.9], [0.8]]),
    ("b/one", 1, "one", "=HYPERLINK(1)", 2, [[0.9]]),
    ("b/two", 1, "two", "", 3, [[]]),
    ("c/one", 2, "one", "One two. Three four five.", None, [[0.9, 0.1], [0.1, 0.3], [0.2, 0.2]]),
)


def made() -> CorpusComparison:
    """The corpus, whose changes are in Python, Java and no known language."""
    references = {change: len(rows) for _, change, _, _, _, rows in REVIEWS}
    changes = tuple(
        ComparedChange(
            name,
            language,
            f"@@ -1 +1 @@\n-old {name}\n+new {name} (v1.5)",
            tuple(
                PseudoReference(
                    f"Claim {row} of {name}.", ReferenceKind.CLAIM, "by hand", "f.py", row
                )
                for row in range(references[at])
            ),
            title=f"Change {name}",
        )
        for at, (name, language) in enumerate((("a", "python"), ("b", "java"), ("c", "")))
    )
    return CorpusComparison("by hand", "by hand", changes, (), tuple(map(_review, REVIEWS)))


def unrated(comparison: CorpusComparison) -> CorpusComparison:
    """The same reviews, which nobody rated."""
    reviews = tuple(dataclasses.replace(one, ratings=UNRATED) for one in comparison.reviews)
    return dataclasses.replace(comparison, reviews=reviews)


def _review(row: tuple[str, int, str, str, int | None, list[list[float]]]) -> ComparedReview:
    name, change, system, text, relevance, cells = row
    similarity = np.array(cells, dtype=np.float32).reshape(len(cells), -1)
    return ComparedReview(
        change,
        name,
        system,
        text,
        UNRATED if relevance is None else Ratings(relevance=relevance),
        tuple(f"Claim {at}." for at in range(similarity.shape[0])),
        tuple(f"Sentence {at}." for at in range(similarity.shape[1])),
        similarity,
    )
