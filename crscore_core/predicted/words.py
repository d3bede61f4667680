"""The words of a text that carry its content, comparable between a review and a claim."""

import functools
import re

from crscore_core.stop_words import STOP_WORDS

__all__ = ["content_words", "word_count"]

_WORD = re.compile(r"\w+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_PART = re.compile(r"[^\W\d_]+|\d+")
_LONGEST = 40  # longer ones are no words, and are compared as they are


def word_count(text: str) -> int:
    """How many runs of letters, digits and underscores there are."""
    return sum(1 for _ in _WORD.finditer(text))


def content_words(text: str) -> tuple[str, ...]:
    """The words in their order, each as often as it occurs, in lower case and stemmed.

    Identifiers are split where their case changes, at underscores and between letters and digits,
    so that `maxRetryCount` and "the retry counts" share two words. English stop words and single
    characters are left out; the stems are those of Snowball's English stemmer (Porter 2).
    """
    parts = (part.lower() for part in _PART.findall(_CAMEL.sub(" ", text)))
    return tuple(_stem(part) for part in parts if len(part) > 1 and part not in STOP_WORDS)


@functools.lru_cache(maxsize=20_000)
def _stem(word: str) -> str:
    from Stemmer import Stemmer

    # one for each word: a stemmer keeps the word it works on, and may not be shared by threads
    return word if len(word) > _LONGEST else str(Stemmer("english").stemWord(word))
