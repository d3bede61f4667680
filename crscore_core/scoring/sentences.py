"""The sentence rule of the original metric."""

import re
import unicodedata

__all__ = ["split_sentences"]

_BREAK = re.compile(r"\n|\. |\? ")


def split_sentences(review: str) -> tuple[str, ...]:
    """Split a review at line feeds, `. ` and `? `, as the released CRScore code does.

    The mark that ends a sentence goes with the break. Pieces without a visible character
    are no sentences; invisible ones (blanks, controls, zero-width) are not counted as content.
    """
    pieces = (piece.strip() for piece in _BREAK.split(review))
    return tuple(piece for piece in pieces if _is_visible(piece))


def _is_visible(text: str) -> bool:
    return any(unicodedata.category(character)[0] not in "CZ" for character in text)
