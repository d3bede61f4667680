"""A small corpus by hand: three changes, reviews that differ in what filters look at."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from crscore_core.corpus.model import UNRATED, CorpusChange, CorpusReview, Ratings
from crscore_core.corpus.reviews import ComparedChange, ComparedReview, LeftOut, Reviews
from crscore_core.corpus.table import ChangeResult, ReviewResult, changes_table, reviews_table
from crscore_core.scoring.references import PseudoReference, ReferenceKind

# id, change, system, text, relevance, similarities: a row a pseudo-reference, a column a sentence
REVIEWS: tuple[tuple[str, int, str, str, int | None, list[list[float]]], ...] = (
    ("a/one", 0, "one", "Why is `x` gone?", 5, [[0.1], [0.2]]),
    ("a/two", 0, "two", "ẞtraße und Café.", 1, [[0.9], [0.8]]),
    ("b/one", 1, "one", "=HYPERLINK(1)", 2, [[0.9]]),
    ("b/two", 1, "two", "", 3, [[]]),
    ("c/one", 2, "one", "One two. Three four five.", None, [[0.9, 0.1], [0.1, 0.3], [0.2, 0.2]]),
)


def made() -> Reviews:
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
    return reviews_of(changes, list(map(_review, REVIEWS)))


def unrated(comparison: Reviews) -> Reviews:
    """The same reviews, which nobody rated."""
    return altered(comparison, reviews=[replace(one, ratings=UNRATED) for one in comparison])


def reviews_of(
    changes: Sequence[ComparedChange],
    reviews: Sequence[ComparedReview],
    *,
    left_out: Sequence[LeftOut] = (),
    warnings: Sequence[str] = (),
    **settings: Any,  # noqa: ANN401
) -> Reviews:
    """Make the table of reviews from records; `settings` are those of a run."""
    labels = list(dict.fromkeys(name for review in reviews for name in review.labels))
    rows = [
        ReviewResult(
            CorpusReview(one.id, one.system, one.text, one.ratings, one.labels, row=row),
            one.change,
            changes[one.change].language,
            one.sentences,
            one.similarity,
            one.warnings,
        )
        for row, one in enumerate(reviews, start=1)
    ]
    scored = [
        ChangeResult(
            number,
            CorpusChange(one.id, None, one.diff, (), one.title),
            one.language,
            one.references,
        )
        for number, one in enumerate(changes)
    ]
    bare = [
        ChangeResult(number, CorpusChange(one.id, None, "", ()), "", left_out=one.reason)
        for number, one in enumerate(left_out, start=len(scored))
    ]
    made = {"encoder": "by hand", "claims": "by hand", "precision": "float32", "analyzers": True}
    return Reviews.of_tables(
        {**made, "tau": 0.5, "version": "0", **settings},
        [changes_table([*scored, *bare])],
        [reviews_table(rows, 0.5, labels)],
        labels,
        warnings,
    )


def altered(of: Reviews, **others: Any) -> Reviews:  # noqa: ANN401
    """The same table with other `changes`, `reviews`, `left_out`, `warnings` or settings."""
    kept = {"left_out": of.left_out, "warnings": of.warnings, **of.settings}
    kept |= {"changes": of.changes, "reviews": tuple(of)}
    return reviews_of(**{**kept, **others})


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
