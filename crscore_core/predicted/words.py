"""Words of reviews and code: content words, identifiers, and phrases that tell what is said."""

import functools
import re
from collections.abc import Mapping

from crscore_core.text import STOP_WORDS

NAME = re.compile(r"[^\W\d]\w*")
WORD = re.compile(r"\w+")

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_PART = re.compile(r"[^\W\d_]+|\d+")
_LONGEST = 40  # longer words are no words, and are compared unstemmed
_INLINE_CODE = re.compile(r"`+([^`\n]+)`+")
_IDENTIFIER = re.compile(
    r"\b[^\W\d]\w*(?:(?:\.|::|->)[^\W\d]\w+)+"  # a.name, A::name
    r"|\b[^\W\d]\w*(?=\()"  # name(
    r"|\b[^\W\d]\w*_\w+|\b_\w+"  # a_name, _name
    r"|\b[^\W\d]\w*[a-z0-9][A-Z]\w*"  # aName
)


def _any_of(phrases: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{phrases})\b", re.IGNORECASE)


PHRASES: Mapping[str, re.Pattern[str]] = {
    "questions": re.compile(r"[^.!?\n]{0,80}\?"),
    "inline_code": re.compile(r"`[^`\n]{1,300}`"),
    "requests": _any_of(
        r"please|pls|should(?:n'?t)?|(?:can|could|would|will) (?:you|we)|needs? to|consider"
        r"|suggest(?:ion)?|let'?s|must|have to|instead|rather|better|prefer(?:ably)?"
        r"|(?:how|what) about|recommend(?:ed)?"
    ),
    "actions": re.compile(
        r"(?:^|[.!?:;\n]\s{0,3}|\b(?:please|should|could|to|just|and|can)\s{1,3})"
        r"(?:also\s{1,3})?(?:be\s{1,3})?"
        r"(?:remove|use|rename|move|add|change|replace|delete|drop|fix|check|put|make|keep|avoid"
        r"|extract|update|revert|split|merge|inline|handle|return|throw|log|test|document|mark"
        r"|declare|create|call|pass|set|wrap|simplify|combine|reuse|cache|initiali[sz]e|ensure"
        r"|removed|used|renamed|moved|replaced|deleted|changed)\b",
        re.IGNORECASE,
    ),
    "reasons": _any_of(
        r"because|since|otherwise|so that|due to|reason|therefore|thus|hence|as (?:it|this|we)"
        r"|in order to|that way|which means|this means|so (?:we|it)|to (?:avoid|prevent|make)"
    ),
    "consequences": _any_of(
        r"fail\w*|crash\w*|leak\w*|break\w*|broken|bug\w*|wrong|incorrect\w*|error\w*"
        r"|exception\w*|race|deadlock\w*|overflow\w*|null|nil|slow\w*|expensive|unsafe|insecure"
        r"|vulnerab\w*|lost|lose\w*|missing|never|unused|redundant|unnecessar\w*|duplicat\w*"
        r"|confus\w*|mislead\w*|inconsisten\w*|regress\w*|stale|typo\w*"
    ),
    "people": re.compile(r"(?<!\w)@\w+"),
    "links": re.compile(r"#\d+|https?://\S*|\bl(?:ine)?s? ?\d+\b", re.IGNORECASE),
    "other_changes": _any_of(
        r"PR|pull request|commit|issue|ticket|follow[- ]?up|another (?:pr|change)|later|upstream"
        r"|master|branch|release|version"
    ),
    "self_reference": _any_of(r"I|I'm|I'd|I've|my|me|mine|we|our|us"),
    "hedges": _any_of(
        r"maybe|perhaps|might|i (?:think|guess|believe|feel)|not sure|unsure|probably|seems?"
        r"|possibly|wonder\w*|may|imo|imho|looks like|guess"
    ),
    "praise": re.compile(
        r"\b(?:good|great|nice|nicely|lgtm|thanks|thank you|love|awesome|well done|cool|excellent"
        r"|perfect|clean|neat|looks fine|fine|ok|okay|sgtm|agree\w*|yes|yep|yeah|sure|done)\b"
        r"|\+1\b",
        re.IGNORECASE,
    ),
    "politeness": _any_of(r"please|thanks|thank you|sorry|would you mind|could you|appreciate\w*"),
    "negations": re.compile(r"\b(?:not|no|never|none|without|cannot)\b|n't\b", re.IGNORECASE),
    "pointing": _any_of(r"here|this|these|those|above|below|that|it"),
    "description": _any_of(
        r"adds?|added|removes?|removed|changes?|changed|updates?|updated|modif\w+|introduces?"
        r"|implements?|ensures?|improves?|fix(?:es|ed)?|refactor\w*"
    ),
    "whole_change": _any_of(
        r"the (?:code|changes?|commit|patch|diff|pull request|review)"
        r"|this (?:code|change|commit|patch|diff)"
    ),
}
"""Patterns of phrases, by the name of the feature that counts them."""


def content_words(text: str) -> tuple[str, ...]:
    """Split a text into content words: lower case, stemmed, in order, repeated as they occur.

    Identifiers are split where their case changes, at underscores and between letters and digits,
    so that `maxRetryCount` and "the retry counts" share two words. English stop words and single
    characters are left out; the stemmer is Snowball's for English (Porter 2).
    """
    parts = (part.lower() for part in _PART.findall(_CAMEL.sub(" ", text)))
    return tuple(_stem(part) for part in parts if len(part) > 1 and part not in STOP_WORDS)


@functools.lru_cache(maxsize=20_000)
def _stem(word: str) -> str:
    from Stemmer import Stemmer

    # A stemmer keeps the word it works on, so threads must not share one.
    return word if len(word) > _LONGEST else str(Stemmer("english").stemWord(word))


def identifiers(review: str) -> set[str]:
    """Names of code in a review: all in inline code, elsewhere those that look like no word.

    These have capitals within (`aName`), underscores, dots (each part counts) or a bracket behind.
    """
    code = " ".join(_INLINE_CODE.findall(review))
    prose = " ".join(_IDENTIFIER.findall(_INLINE_CODE.sub(" ", review)))
    return set(NAME.findall(f"{code} {prose}"))


def triples(text: str) -> list[tuple[str, str, str]]:
    """Every three words in a row, lower case."""
    words = [word.lower() for word in WORD.findall(text)]
    return list(zip(words, words[1:], words[2:], strict=False))
