"""The score of one review, with its explanation."""

from collections import defaultdict
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import TypeAdapter

from crscore_core.analyzers import AnalyzerResult, Status
from crscore_core.claims import PseudoReference
from crscore_core.scoring import metric
from crscore_core.scoring.presets import check_tau
from crscore_core.scoring.references import ReferenceSet
from crscore_core.scoring.signature import Signature
from crscore_core.text import listed

_ATTRIBUTES = (
    "signature", "tau", "pseudo_references", "analyzers", "review", "conciseness",
    "comprehensiveness", "relevance", "no_threshold", "without_threshold", "sentences", "covered",
    "missed", "similarity", "warnings",
)  # fmt: skip
"""Attributes of a score that its JSON contains."""


@dataclass(frozen=True, slots=True)
class Feedback:
    """Pseudo-references that a review misses, and sentences that match no pseudo-reference."""

    missed: tuple[PseudoReference, ...]
    off_topic: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReviewSentence:
    """One sentence of a review.

    on_topic: whether it matches a pseudo-reference.
    best_similarity, best_reference: the highest similarity, and the index of its reference.

    Without pseudo-references, all three are None.
    """

    text: str
    on_topic: bool | None
    best_similarity: float | None
    best_reference: int | None


@dataclass(frozen=True, eq=False)
class ReviewScore:
    """Conciseness, comprehensiveness and relevance of one review (paper, equations 1 to 3).

    `similarity` is float32, (n pseudo-references, n sentences). If it is empty, the review cannot
    be scored: the scores are None, not 0, and `warnings` gives the reason.
    """

    review: str
    reference_set: ReferenceSet
    sentence_texts: tuple[str, ...]
    similarity: NDArray[np.float32]
    signature: Signature
    warnings: tuple[str, ...]

    @property
    def tau(self) -> float:
        """Threshold that a similarity must exceed to be a match."""
        return self.signature.tau

    @property
    def conciseness(self) -> float | None:
        """Share of the sentences that match a pseudo-reference, or None."""
        return self._scores.conciseness if self._scores else None

    @property
    def comprehensiveness(self) -> float | None:
        """Share of the pseudo-references that are covered, or None."""
        return self._scores.comprehensiveness if self._scores else None

    @property
    def relevance(self) -> float | None:
        """Harmonic mean of conciseness and comprehensiveness, or None."""
        return self._scores.relevance if self._scores else None

    @property
    def no_threshold(self) -> float | None:
        """Relevance without a threshold, or None."""
        return self.without_threshold.relevance if self.without_threshold else None

    @cached_property
    def without_threshold(self) -> metric.Scores | None:
        """The three scores without a threshold, or None; see `metric.score`."""
        return metric.score(self.similarity, None) if self.similarity.size else None

    @property
    def summary(self) -> str:
        """Text on what matches and is covered, and if one sentence covers most of it."""
        by_sentence = self._matches.sum(axis=0).tolist()
        n, most = len(self.pseudo_references), max(by_sentence, default=0)
        on_topic = f"{np.count_nonzero(by_sentence)} of {len(self.sentence_texts)}"
        covered = f"Pseudo-references covered: {len(self.covered)} of {n}."
        if most > max(n / 2, 3):  # more than a few
            covered += f" S{by_sentence.index(most) + 1} alone covers {most}."
        return f"Sentences that match a pseudo-reference: {on_topic}. {covered}"

    @property
    def analyzers(self) -> tuple[AnalyzerResult, ...]:
        """The result of each analyzer for each file, with the reason if it did not run."""
        return self.reference_set.analyzers

    @property
    def not_analysed(self) -> tuple[str, ...]:
        """Sentences that list unanalysed files by reason; smells in them may be missing."""
        paths: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
        for result in self.analyzers:
            if result.status is Status.NOT_ANALYSED:
                kind, why = f"not analysed by {result.name}", f" ({result.reason})"
                if result.name == "none":
                    kind, why = f"not analysed for code smells, {result.reason}", ""
                paths[kind, why].append(result.path or "a hunk")
        return tuple(f"{kind}: {listed(files)}{why}" for (kind, why), files in paths.items())

    @property
    def pseudo_references(self) -> tuple[PseudoReference, ...]:
        """The pseudo-references of the change; the rows of `similarity`."""
        return self.reference_set.pseudo_references

    @cached_property
    def sentences(self) -> tuple[ReviewSentence, ...]:
        """The sentences of the review; the columns of `similarity`."""
        if not self.similarity.size:
            return tuple(ReviewSentence(text, None, None, None) for text in self.sentence_texts)
        on_topic = self._matches.max(axis=0).tolist()
        maxima, best = self.similarity.max(axis=0).tolist(), self.similarity.argmax(axis=0).tolist()
        return tuple(map(ReviewSentence, self.sentence_texts, on_topic, maxima, best))

    @cached_property
    def covered(self) -> tuple[int, ...]:
        """Indices of the pseudo-references that a sentence matches."""
        return tuple(np.flatnonzero(self._matches.any(axis=1)).tolist())

    @cached_property
    def missed(self) -> tuple[int, ...]:
        """Indices of the pseudo-references that no sentence matches."""
        return tuple(np.flatnonzero(~self._matches.any(axis=1)).tolist())

    @cached_property
    def feedback(self) -> Feedback:
        """Points to add to the review, and sentences to remove."""
        return Feedback(
            tuple(self.pseudo_references[index] for index in self.missed),
            tuple(sentence.text for sentence in self.sentences if sentence.on_topic is False),
        )

    def at(self, tau: float) -> "ReviewScore":
        """Return the score at another `tau` (see `check_tau`) without embedding anything again."""
        return replace(self, signature=replace(self.signature, tau=check_tau(tau)))

    def to_dict(self) -> dict[str, Any]:
        """Return the scores, texts, similarities and warnings as a dict that JSON can represent.

        Each key is an attribute of this class.
        """
        values: dict[str, Any] = {name: getattr(self, name) for name in _ATTRIBUTES}
        values["signature"] = self.signature.document()
        values["analyzers"] = [result.to_dict() for result in self.analyzers]
        values["similarity"] = self.similarity.tolist()
        return dict(TypeAdapter(dict[str, Any]).dump_python(values, mode="json"))

    @cached_property
    def _matches(self) -> NDArray[np.bool_]:
        return metric.matches(self.similarity, self.tau)

    @cached_property
    def _scores(self) -> metric.Scores | None:
        return metric.score(self.similarity, self.tau) if self.similarity.size else None
