"""Changes that a model of predicted ratings was fitted to, and how far others differ from them."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

_TAIL = 0.05
_FEW = 0.25
"""Share of changes beyond what was seen that is worth a warning; five in a hundred are usual."""


class SeenChange(NamedTuple):
    """A change as a fit sees it; `language` is empty where unknown."""

    language: str
    diff: str
    pseudo_references: int


@dataclass(frozen=True, slots=True)
class SeenChanges:
    """Languages of changes, and the 5 % and 95 % quantiles of their sizes.

    `lines` is of the number of lines that a change adds or removes, `pseudo_references` of the
    number of its pseudo-references.
    """

    languages: tuple[str, ...]
    lines: tuple[float, float]
    pseudo_references: tuple[float, float]

    @classmethod
    def of(cls, changes: Sequence[SeenChange]) -> "SeenChanges":
        """Describe changes, of which there is one at least."""
        lines, references = (
            tuple(np.quantile(values, [_TAIL, 1 - _TAIL]).round(1).tolist())
            for values in _sizes(changes)
        )
        return cls(tuple(sorted({change.language for change in changes})), lines, references)

    def with_others(self, others: "SeenChanges") -> "SeenChanges":
        """Describe these changes and others together: all languages, the wider range of sizes."""
        (fewest, most), (least, greatest) = (
            (min(one[0], other[0]), max(one[1], other[1]))
            for one, other in (
                (self.lines, others.lines),
                (self.pseudo_references, others.pseudo_references),
            )
        )
        languages = sorted({*self.languages, *others.languages})
        return SeenChanges(tuple(languages), (fewest, most), (least, greatest))

    def unlike(self, changes: Sequence[SeenChange]) -> list[str]:
        """Say in what a quarter or more of some changes differ from those that were seen."""
        others = Counter(
            change.language or "" for change in changes if change.language not in self.languages
        )
        del others[""]
        differences = []
        if others.total() >= _FEW * len(changes):
            named = ", ".join(name for name, _ in others.most_common(3))
            differences.append(
                f"{others.total():,} are in other languages than {', '.join(self.languages)}: "
                f"{named}"
            )
        phrases = "add or remove {} than {:g} lines", "have {} than {:g} pseudo-references"
        seen = self.lines, self.pseudo_references
        for phrase, (low, high), values in zip(phrases, seen, _sizes(changes), strict=True):
            for word, end, beyond in (
                ("fewer", low, values < low),
                ("more", high, values > high),
            ):
                if beyond.sum() >= _FEW * len(changes):
                    differences.append(f"{beyond.sum():,} {phrase.format(word, end)}")
        return differences


def _sizes(changes: Iterable[SeenChange]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    sizes = [(_changed_lines(change.diff), change.pseudo_references) for change in changes]
    lines, references = np.array(sizes).reshape(-1, 2).T
    return lines, references


def _changed_lines(diff: str) -> int:
    """Count lines that begin as added or removed ones, without headers: no diff is parsed."""
    return sum(
        line.startswith(("+", "-")) and not line.startswith(("+++ ", "--- "))
        for line in diff.split("\n")
    )
