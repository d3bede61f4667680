"""Words of a pseudo-reference and of a sentence that make the two alike."""

from collections.abc import Sequence
from typing import Protocol

from crscore_core.scoring import (
    PooledWord,
    SplitReviews,
    WordMatch,
    compare_each,
    match_words,
)
from crscore_core.scoring.encoder import Encoder, TokenEncoder
from crscore_core.scoring.references import PseudoReference

Pieces = tuple[tuple[str, float | None], ...]


class MatchingEncoder(Encoder, TokenEncoder, Protocol):
    """An encoder that compares texts and shows the tokens that it pools."""


def match_pairs(
    pairs: Sequence[tuple[PseudoReference, str]], encoder: MatchingEncoder
) -> list[WordMatch]:
    """Match the words of each sentence with those of its pseudo-reference.

    Of a pseudo-reference with several wordings the one that is most similar counts.

    Raises:
        UnavailableError: the encoder cannot be loaded.
    """
    wordings = best_wordings(pairs, encoder)
    sentences = (sentence for _, sentence in pairs)
    return match_words(encoder, list(zip(wordings, sentences, strict=True)))


def best_wordings(pairs: Sequence[tuple[PseudoReference, str]], encoder: Encoder) -> list[str]:
    """Return the text or wording of each pseudo-reference that is most like its sentence.

    The encoder rests where no pseudo-reference has other wordings.
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
