"""Shares of words in a match add up to the cosine of the encoder's vectors."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pytest

from crscore_core.scoring import PooledWord, WordMatch, load_encoder, match_words
from crscore_core.scoring.encoder import PooledEncoder, TokenEmbeddings, TokenEncoder

CLAIM = "A null check for the user parameter is added."
TEXTS = [
    "Good that you guard against a missing user here",
    "null",
    "it is what it is",
    ".",
    "the",
    "use `snake_case.call(x)[0]` and self.__init__ instead of getHTTPResponse()!",
    "first line\r\nsecond line\r\n",
    "\ttabs and  blanks \u00a0 around ",
    "ship it 🎉 👩‍👩‍👧 👍🏽",
    "空の値をここで確認してください。",
    "cafe\u0301s with a nai\u0308ve \u200bcheck \u0301",
    "\u0628\u0631\u0631\u0633\u06cc שלום",
    "a [SEP] b [MASK] ##ing [CLS]",
    "<b>null</b> **check** $x$ &amp; \x00\x07",
    "internationalization of the unbelievably long identifier",
    "x" * 5000,
    "check the null pointer " * 300,
    CLAIM,
]


@pytest.fixture(scope="module", params=["filtered", "unfiltered"])
def encoder(request: pytest.FixtureRequest) -> PooledEncoder:
    loaded = load_encoder()
    return loaded if request.param == "filtered" else loaded.unfiltered()


def assert_words_of(text: str, words: tuple[PooledWord, ...]) -> None:
    """They stand in the text, in its order, none over another."""
    assert all(word.text == text[word.start : word.end] for word in words)
    assert all(word.text for word in words)
    ends = [0, *(word.end for word in words)]
    assert all(end <= word.start for end, word in zip(ends, words, strict=False))


def assert_adds_up(match: WordMatch) -> None:
    for words in (match.reference_words, match.sentence_words):
        assert sum(word.contribution for word in words) == pytest.approx(match.cosine, abs=1e-6)
        assert all(word.contribution == 0 for word in words if not word.is_pooled)


@pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
def test_the_shares_of_either_side_add_up_to_the_cosine_of_the_vectors(
    encoder: PooledEncoder, text: str
) -> None:
    for reference, sentence in ((CLAIM, text), (text, CLAIM), (text, text)):
        match = match_words(encoder, [(reference, sentence)])[0]
        one, other = encoder.encode([reference, sentence]).vectors
        assert match.cosine == pytest.approx(float(one @ other), abs=1e-5)
        assert -1 <= match.cosine <= 1
        assert (match.reference, match.sentence) == (reference, sentence)
        assert_words_of(reference, match.reference_words)
        assert_words_of(sentence, match.sentence_words)
        assert_adds_up(match)


def test_all_visible_text_is_in_words_which_pieces_make() -> None:
    text = "Why is it, unbelievably,   snake_case.call(x)?\r\n空の café 🎉!"
    filtered = match_words(load_encoder(), [(CLAIM, text)])[0]
    unfiltered = match_words(load_encoder().unfiltered(), [(CLAIM, text)])[0]
    for match in (filtered, unfiltered):
        assert "".join(word.text for word in match.sentence_words) == "".join(text.split())
        assert "unbelievably" in [word.text for word in match.sentence_words]
    left_out = [word.text for word in filtered.sentence_words if not word.is_pooled]
    assert left_out == ["Why", "is", "it", ",", ",", "."]
    assert all(word.is_pooled for word in unfiltered.sentence_words)
    assert all(word.contribution != 0 for word in unfiltered.sentence_words)
    assert filtered.cosine != pytest.approx(unfiltered.cosine, abs=1e-3)


@pytest.mark.parametrize("text", ["", "  \r\n", "\u0301", "\x00\u200b"])
def test_a_text_without_words_has_none_and_a_cosine_still(
    encoder: PooledEncoder, text: str
) -> None:
    match = match_words(encoder, [(CLAIM, text)])[0]
    one, other = encoder.encode([CLAIM, text]).vectors
    assert match.cosine == pytest.approx(float(one @ other), abs=1e-5)
    assert match.sentence_words == ()
    assert match_words(encoder, [(text, text)])[0].reference_words == ()


def test_what_is_not_read_is_said() -> None:
    long = "check the null pointer " * 300
    match = match_words(load_encoder(), [(CLAIM, long)])[0]
    assert (match.reference_truncated, match.sentence_truncated) == (False, True)
    assert 0 < match.sentence_words[-1].end < len(long) / 2
    turned = match_words(load_encoder(), [(long, CLAIM)])[0]
    assert (turned.reference_truncated, turned.sentence_truncated) == (True, False)


@dataclass(frozen=True)
class Given:
    """An encoder whose tokens are given."""

    given: tuple[TokenEmbeddings, ...]

    def tokens(self, texts: Sequence[str]) -> list[TokenEmbeddings]:
        return list(self.given[: len(texts)])


def tokens(
    vectors: list[list[float]],
    pooled: list[int],
    offsets: list[tuple[int, int]],
    words: list[int | None],
) -> TokenEmbeddings:
    return TokenEmbeddings(
        tuple("?" for _ in vectors),
        tuple(offsets),
        tuple(words),
        np.array(vectors, np.float32),
        np.array(pooled, np.bool_),
        truncated=False,
    )


def test_shares_by_hand() -> None:
    # "ab cd": [CLS], a, b (two pieces of one word), cd; pooled: a, b, cd; P = (1+2+0, 0+0+4)
    one = tokens(
        [[9, 9], [1, 0], [2, 0], [0, 4]],
        [0, 1, 1, 1],
        [(0, 0), (0, 1), (1, 2), (3, 5)],
        [None, 0, 0, 1],
    )
    # "ef g": ef, and g, a stop word; R = (0, 2)
    other = tokens([[0, 2], [-3, 0]], [1, 0], [(0, 2), (3, 4)], [0, 1])
    encoder: TokenEncoder = Given((one, other))
    match = match_words(encoder, [("ab cd", "ef g")])[0]
    # |P| = 5, |R| = 2; P·R = 8; ab·R = 0, cd·R = 8; ef·P = 8
    assert match.cosine == pytest.approx(0.8)
    assert match.reference_words == (
        PooledWord("ab", 0, 2, is_pooled=True, contribution=0.0),
        PooledWord("cd", 3, 5, is_pooled=True, contribution=0.8),
    )
    assert match.sentence_words == (
        PooledWord("ef", 0, 2, is_pooled=True, contribution=0.8),
        PooledWord("g", 3, 4, is_pooled=False, contribution=0.0),
    )


def test_a_word_of_which_a_piece_is_left_out_counts_by_the_others() -> None:
    # "null.", one word to some tokenizers, with the full stop left out
    one = tokens([[3, 0], [0, 5]], [1, 0], [(0, 4), (4, 5)], [0, 0])
    other = tokens([[1, 0]], [1], [(0, 4)], [0])
    match = match_words(Given((one, other)), [("null.", "null")])[0]
    assert match.cosine == pytest.approx(1.0)
    assert match.reference_words == (PooledWord("null.", 0, 5, is_pooled=True, contribution=1.0),)


def test_tokens_that_share_a_character_are_one_word() -> None:
    # "½ x", of which a tokenizer makes the words "1⁄2" and "2" of one character
    one = tokens([[1, 0], [0, 1], [1, 1]], [1, 1, 1], [(0, 1), (0, 1), (2, 3)], [0, 1, 2])
    match = match_words(Given((one, one)), [("½ x", "½ x")])[0]
    assert [word.text for word in match.sentence_words] == ["½", "x"]
    assert_words_of("½ x", match.sentence_words)
    assert_adds_up(match)


def test_a_vector_of_length_zero_is_similar_to_nothing() -> None:
    nothing = tokens([[0, 0]], [1], [(0, 1)], [0])
    something = tokens([[1, 0]], [1], [(0, 1)], [0])
    match = match_words(Given((nothing, something)), [("a", "b")])[0]
    assert match.cosine == 0
