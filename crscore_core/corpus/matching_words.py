"""Words of a pseudo-reference and of a sentence that make the two alike."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from crscore_core.scoring import Encoder, PooledWord, SplitReviews, WordMatch, compare_each
from crscore_core.scoring.references import PseudoReference

Pieces = tuple[tuple[str, float | None], ...]


@dataclass(frozen=True, slots=True)
class WordPartner:
    """A word, its share of the cosine, and the word of the other text that is most like it."""

    word: str
    contribution: float
    partner: str
    cosine: float


def matched_texts(pairs: Sequence[tuple[PseudoReference, str]], encoder: Encoder) -> list[str]:
    """The text or wording of each pseudo-reference that is most like the sentence beside it.

    The encoder rests where no pseudo-reference has other wordings.

    Raises:
        EncoderError: the encoder cannot be loaded.
    """
    texts = [(reference.text, *reference.wordings) for reference, _ in pairs]
    split = [
        SplitReviews(of_pair if len(of_pair) > 1 else (), (), ((sentence,),))
        for of_pair, (_, sentence) in zip(texts, pairs, strict=True)
    ]
    return [
        of_pair[int(comparison.similarity.argmax()) if comparison.similarity.size else 0]
        for of_pair, (comparison,) in zip(texts, compare_each(encoder, split), strict=True)
    ]


def marked_texts(match: WordMatch) -> tuple[Pieces, Pieces]:
    """The pseudo-reference and the sentence of a match, in pieces that add up to each.

    With each piece goes its weight, from 0 to 1: its share of the cosine relative to that of
    the strongest word of both texts, 0 where negative. None between words and for words that are
    not pooled.
    """
    words = (*match.reference_words, *match.sentence_words)
    strongest = max((word.contribution for word in words), default=0.0)
    return (
        _pieces(match.reference, match.reference_words, strongest),
        _pieces(match.sentence, match.sentence_words, strongest),
    )


def word_partners(match: WordMatch) -> tuple[tuple[WordPartner, ...], tuple[WordPartner, ...]]:
    """The pooled words of the pseudo-reference and of the sentence, the greatest share first.

    Marks alone, such as a comma, are no partner unless there is nothing else.
    """
    return (
        _partners(match.reference_words, match.sentence_words, match.similarity),
        _partners(match.sentence_words, match.reference_words, match.similarity.T),
    )


def _pieces(text: str, words: Sequence[PooledWord], strongest: float) -> Pieces:
    pieces: list[tuple[str, float | None]] = []
    end = 0
    for word in words:
        if word.start > end:
            pieces.append((text[end : word.start], None))
        weight = max(0.0, word.contribution) / strongest if strongest > 0 else 0.0
        pieces.append((text[word.start : word.end], weight if word.is_pooled else None))
        end = word.end
    if end < len(text):
        pieces.append((text[end:], None))
    return tuple(pieces)


def _partners(
    words: Sequence[PooledWord], others: Sequence[PooledWord], cosines: NDArray[np.float32]
) -> tuple[WordPartner, ...]:
    columns = [at for at, other in enumerate(others) if other.is_pooled and _is_word(other)]
    columns = columns or list(range(len(others)))
    if not columns:
        return ()
    partners = []
    for row, word in enumerate(words):
        if word.is_pooled:
            best = max(columns, key=lambda column: float(cosines[row, column]))
            cosine = float(cosines[row, best])
            partners.append(WordPartner(word.text, word.contribution, others[best].text, cosine))
    return tuple(sorted(partners, key=lambda partner: -partner.contribution))


def _is_word(word: PooledWord) -> bool:
    return any(character.isalnum() for character in word.text)
