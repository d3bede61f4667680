"""Features of predicted ratings: numbers about a review, and the part of it that each comes from.

They are made of the review as its readers see it, the lines of the change, the pseudo-references
and the similarities between them. Who or what wrote the review, and a reference review, play no
part.
"""

import functools
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from crscore_core.change import CodeChange, LineKind, parse_change
from crscore_core.errors import InputError, SimilarityError
from crscore_core.predicted.words import (
    NAME,
    PHRASES,
    WORD,
    content_words,
    identifiers,
    triples,
)
from crscore_core.rendered import rendered
from crscore_core.text import STOP_WORDS

FEATURES_VERSION = 2
"""Counts up when a feature is computed differently: a model applies to its own version only."""

_SYMBOL = re.compile(r"[^\w\s.,?!'\"`-]")
_STOP = re.compile(r"[.?!\n]+")
_SHOWN = 3  # parts of a review that are shown for one feature
_LONGEST_PART = 80


@dataclass(frozen=True, slots=True)
class Feature:
    """One number about a review.

    If `is_monotone`, a larger value never lowers predicted relevance; otherwise more may be
    better up to a point, or worse.
    """

    name: str
    meaning: str
    is_monotone: bool = False


_COUNTED = {
    "questions": "questions",
    "inline_code": "pieces of inline code",
    "requests": "words that ask for something",
    "actions": "verbs that ask for an action",
    "reasons": "words that give a reason",
    "consequences": "words that name a consequence or defect",
    "people": "people that are addressed by @name",
    "links": "links, issues and line numbers",
    "other_changes": "words about other changes, issues and versions",
    "self_reference": "words by which the reviewer speaks of themselves",
    "hedges": "words that hedge",
    "praise": "words that praise or agree",
    "politeness": "polite words",
    "negations": "negations",
    "pointing": "words that point (here, this)",
    "description": "verbs that describe a change",
    "whole_change": "mentions of the change as a whole",
}

FEATURES = (
    Feature(
        "coverage",
        "how close the pseudo-references come to a sentence of the review, on average",
        is_monotone=True,
    ),
    Feature(
        "focus", "how close the sentences come to a pseudo-reference, on average", is_monotone=True
    ),
    Feature(
        "word_coverage",
        "share of a pseudo-reference's words that the review uses, on average",
        is_monotone=True,
    ),
    Feature(
        "word_focus",
        "share of the review's words that a pseudo-reference has too",
        is_monotone=True,
    ),
    Feature("variety", "share of the review's words that are no repetition", is_monotone=True),
    Feature("sentences", "number of sentences"),
    Feature("words", "number of words"),
    Feature("pseudo_references", "number of pseudo-references"),
    Feature(
        "changed_words",
        "number of words shared with changed lines",
        is_monotone=True,
    ),
    Feature("changed_names", "number of identifiers of changed lines", is_monotone=True),
    Feature("other_names", "number of identifiers that the change lacks"),
    Feature("own_share", "share of the different words that neither change nor claims have"),
    Feature("own_words", "number of words that neither change nor claims have"),
    Feature("claim_words", "share of all words, small ones too, that the pseudo-references have"),
    Feature("copied_claims", "share of the review that is copied from pseudo-references"),
    Feature("copied_code", "share of the review that is copied from the change"),
    Feature("prose", "share of the words that are plain connecting words"),
    Feature("symbols", "share of characters that are neither words nor punctuation"),
    Feature("words_per_sentence", "number of words per sentence or line"),
    Feature("small_start", "a small letter at the start of the review"),
    Feature("exclamations", "number of exclamation marks"),
    *(Feature(name, f"number of {what}") for name, what in _COUNTED.items()),
)
"""The features in the order of every row of them. A number of things counts as the natural
logarithm of 1 + that number, that of pseudo-references without the 1. Words that are compared are
content words, see `content_words`; `words`, `claim_words` and `prose` count every run of letters
and digits."""

OF_STYLE = ("words_per_sentence", "small_start", "exclamations")
"""Features that tell how a review is written: no model of relevance reads them."""

_PLACE = {feature.name: place for place, feature in enumerate(FEATURES)}


@dataclass(frozen=True, slots=True)
class ChangeLines:
    """Text of a change: the lines that it adds or removes, and those around them."""

    changed: str = ""
    context: str = ""

    @classmethod
    def of(cls, change: CodeChange) -> "ChangeLines":
        """Collect the lines of a change that was read already."""
        lines = [line for file in change.files for line in file.lines()]
        return cls(
            "\n".join(line.text for line in lines if line.kind is not LineKind.CONTEXT),
            "\n".join(line.text for line in lines if line.kind is LineKind.CONTEXT),
        )


NO_LINES = ChangeLines()
"""The text of an unknown change."""


@functools.lru_cache(maxsize=512)  # reviews of a change follow each other
def change_lines(diff: str) -> ChangeLines:
    """Read the lines of a diff; all of a text that is no diff counts as changed."""
    try:
        return ChangeLines.of(parse_change(diff, guess=False))
    except InputError:
        return ChangeLines(diff)


@dataclass(frozen=True, slots=True)
class _ChangeWords:
    """Names, content words and word triples of changed lines (`names`, `words`) and of all."""

    names: frozenset[str]
    words: frozenset[str]
    all_names: frozenset[str]
    all_words: frozenset[str]
    triples: frozenset[tuple[str, str, str]]


@functools.lru_cache(maxsize=512)
def _words_of(lines: ChangeLines) -> _ChangeWords:
    names = frozenset(NAME.findall(lines.changed))
    words = frozenset(content_words(lines.changed))
    return _ChangeWords(
        names,
        words,
        names.union(NAME.findall(lines.context)),
        words.union(content_words(lines.context)),
        frozenset(triples(lines.changed)).union(triples(lines.context)),
    )


@dataclass(frozen=True, slots=True)
class _ReferenceWords:
    """Content words of each pseudo-reference, and all words and triples of them together."""

    each: tuple[frozenset[str], ...]
    known: frozenset[str]
    plain: frozenset[str]
    triples: frozenset[tuple[str, str, str]]


@functools.lru_cache(maxsize=512)
def _reference_words(references: tuple[str, ...]) -> _ReferenceWords:
    each = tuple(frozenset(content_words(reference)) for reference in references)
    return _ReferenceWords(
        each,
        frozenset[str]().union(*each),
        frozenset(word.lower() for text in references for word in WORD.findall(text)),
        frozenset(triple for text in references for triple in triples(text)),
    )


@dataclass(frozen=True, slots=True, eq=False)
class ReviewText:
    """A review with all that a prediction reads.

    `change` is a diff, or its lines. `references` are the texts of the pseudo-references, the
    rows of `similarity`; `sentences` are those of the review, its columns.
    """

    review: str
    change: str | ChangeLines
    references: Sequence[str]
    sentences: Sequence[str]
    similarity: ArrayLike


class _Read(NamedTuple):
    """A review as its readers see it, and the words of change and pseudo-references."""

    seen: str
    code: _ChangeWords
    claims: _ReferenceWords


@functools.lru_cache(maxsize=16)  # every feature looks for its source
def _read(text: ReviewText) -> _Read:
    lines = change_lines(text.change) if isinstance(text.change, str) else text.change
    return _Read(
        rendered(text.review).text.strip(),
        _words_of(lines),
        _reference_words(tuple(text.references)),
    )


def review_features(text: ReviewText) -> NDArray[np.float64]:
    """Compute the features of one review: float64, (n features,), in the order of `FEATURES`.

    A share of nothing is 0. Text that nobody sees once the review is rendered plays no part.

    Raises:
        SimilarityError: the matrix is empty, not finite, or not of this shape.
    """
    references, sentences = text.references, text.sentences
    matrix = np.asarray(text.similarity, dtype=np.float64)
    if matrix.shape != (len(references), len(sentences)) or matrix.size == 0:
        raise SimilarityError(
            f"{len(references)} pseudo-references and {len(sentences)} sentences cannot have a "
            f"similarity matrix of shape {matrix.shape}"
        )
    if not np.isfinite(matrix).all():
        raise SimilarityError("the similarity matrix holds a value that is not a finite number")
    seen, code, claims = _read(text)
    plain = [word.lower() for word in WORD.findall(seen)]
    said = [word for sentence in sentences for word in content_words(sentence)]
    distinct = set(said)
    own = distinct - code.all_words - claims.known
    named = identifiers(seen)
    runs = triples(seen)
    values = {
        "coverage": float(matrix.max(axis=1).mean()),
        "focus": float(matrix.max(axis=0).mean()),
        "word_coverage": math.fsum(_share(len(one & distinct), len(one)) for one in claims.each)
        / len(references),
        "word_focus": _share(sum(word in claims.known for word in said), len(said)),
        "variety": _share(len(distinct), len(said)),
        "sentences": math.log1p(len(sentences)),
        "words": math.log1p(len(plain)),
        "pseudo_references": math.log(len(references)),
        "changed_words": math.log1p(len(distinct & code.words)),
        "changed_names": math.log1p(len(named & code.names)),
        "other_names": math.log1p(len(named - code.all_names)),
        "own_share": _share(len(own), len(distinct)),
        "own_words": math.log1p(len(own)),
        "claim_words": _share(sum(word in claims.plain for word in plain), len(plain)),
        "copied_claims": _share(sum(run in claims.triples for run in runs), len(runs)),
        "copied_code": _share(sum(run in code.triples for run in runs), len(runs)),
        "prose": _share(sum(word in STOP_WORDS for word in plain), len(plain)),
        "symbols": _share(len(_SYMBOL.findall(seen)), len(seen)),
        "words_per_sentence": math.log1p(len(plain) / max(1, len(_STOP.findall(seen.strip())))),
        "small_start": float(seen.strip()[:1].islower()),
        "exclamations": math.log1p(seen.count("!")),
        **{name: math.log1p(len(PHRASES[name].findall(seen))) for name in _COUNTED},
    }
    return np.array([values[feature.name] for feature in FEATURES])


def evidence(name: str, text: ReviewText) -> tuple[str, ...]:
    """Return up to three parts of a review that the feature of a name comes from.

    Empty where the feature is about the review as a whole, or counts something that it lacks.
    """
    seen, code, claims = _read(text)
    if name in _COUNTED:
        parts = [match[0].strip() for match in PHRASES[name].finditer(seen)]
    elif name in {"coverage", "focus"}:
        parts = [text.sentences[int(np.asarray(text.similarity).max(axis=0).argmax())]]
    elif name in {"copied_claims", "copied_code"}:
        known = claims.triples if name == "copied_claims" else code.triples
        parts = [" ".join(run) for run in triples(seen) if run in known]
    elif name in {"changed_names", "other_names"}:
        named = identifiers(seen)
        is_changed = name == "changed_names"
        shown = named & code.names if is_changed else named - code.all_names
        parts = [one for one in NAME.findall(seen) if one in shown]
    elif name in {"changed_words", "word_focus", "word_coverage", "own_words", "own_share"}:
        wanted = code.words if name == "changed_words" else claims.known
        is_own = name.startswith("own")
        parts = [
            word
            for word in WORD.findall(seen)
            if (stems := set(content_words(word)))
            and (not stems & (code.all_words | claims.known) if is_own else stems & wanted)
        ]
    else:
        parts = []
    return tuple(
        part if len(part) <= _LONGEST_PART else f"{part[:_LONGEST_PART].rstrip()}…"
        for part in dict.fromkeys(parts)
        if part
    )[:_SHOWN]


_ADVICE: tuple[tuple[tuple[str, ...], str], ...] = (
    (("changed_names", "changed_words", "inline_code", "links"), "names no place in the change"),
    (("reasons", "consequences"), "gives no reason in words such as because"),
    (("questions", "requests", "actions"), "asks for nothing"),
)
_MUCH = 0.5
_ONE = math.log1p(1)
_USUAL_PROSE = 0.4


def suggestions(
    features: NDArray[np.float64], score: Callable[[NDArray[np.float64]], float]
) -> tuple[str, ...]:
    """Say what a review lacks or does too much, from its features, (n features,).

    Nothing is said whose mending would not raise `score`, a prediction by features.
    """
    value = {name: float(features[place]) for name, place in _PLACE.items()}

    def helps(name: str, mended: float) -> bool:
        changed = features.copy()
        changed[_PLACE[name]] = mended
        return score(changed) > score(features)

    found = [
        text
        for names, text in _ADVICE
        if not any(value[name] for name in names) and any(helps(name, _ONE) for name in names)
    ]
    if value["copied_claims"] > _MUCH and helps("copied_claims", 0):
        found.append("repeats what the change says of itself")
    if value["copied_code"] > _MUCH and helps("copied_code", 0):
        found.append("copies lines of the change")
    if value["prose"] == 0 and value["words"] > 1 and helps("prose", _USUAL_PROSE):
        found.append("has no whole sentence")
    return tuple(found)


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0
