"""Read a review: the sentences that a reader sees, and what limits its score."""

import re
from dataclasses import dataclass

from crscore_core.rendered import MAX_RENDERED, render_review
from crscore_core.text import replace_surrogates

MAX_SENTENCES = 1_000
"""Sentences of a review that count; more would take an encoder minutes."""

_BREAK = re.compile(r"\n|\. |\? ")


@dataclass(frozen=True, slots=True)
class ReviewText:
    """A review as it is scored.

    text: the review as written, with lone surrogates replaced.
    sentences: the sentences that count, at most `MAX_SENTENCES`.
    warnings: reasons to trust the score of this review less.
    """

    text: str
    sentences: tuple[str, ...]
    warnings: tuple[str, ...]


def read_review(review: str) -> ReviewText:
    """Split the visible text of a review at line feeds, `. ` and `? ` (see `render_review`).

    The released CRScore code uses the same rule and also drops the mark. A piece without a letter
    or digit, such as a rule or an emoji, is a sentence only if there is no other piece.
    """
    text = replace_surrogates(review)
    pieces = [piece.strip() for piece in _BREAK.split(render_review(text))]
    with_words = [piece for piece in pieces if any(map(str.isalnum, piece))]
    sentences = tuple(with_words or filter(None, pieces))
    kept = sentences[:MAX_SENTENCES]
    warnings = {
        "the review has no visible text, so it cannot be scored": not sentences,
        f"only the first {MAX_RENDERED:,} characters of the review count": len(text) > MAX_RENDERED,
        f"only the first {MAX_SENTENCES:,} sentences of the review count": kept != sentences,
        "the review repeats a sentence; repeating a sentence that matches raises conciseness": (
            len(set(kept)) < len(kept)
        ),
    }
    return ReviewText(
        text, kept, tuple(warning for warning, applies in warnings.items() if applies)
    )
