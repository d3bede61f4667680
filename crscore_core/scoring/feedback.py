"""What a score says to the person who wrote the review."""

from dataclasses import dataclass

from crscore_core.scoring.references import PseudoReference

__all__ = ["Feedback"]


@dataclass(frozen=True, slots=True)
class Feedback:
    """What the review leaves out, what it says off topic, and what it says more than once.

    A repeated sentence counts each time, so repeating one that is on topic raises conciseness;
    that is why repetition is reported.
    """

    missed: tuple[PseudoReference, ...]
    off_topic: tuple[str, ...]
    repeated: tuple[str, ...]

    @property
    def summary(self) -> str:
        """The feedback in one sentence, without the texts."""
        parts = [
            f"misses {_count(len(self.missed), 'pseudo-reference')}" if self.missed else "",
            f"has {_count(len(self.off_topic), 'sentence')} off topic" if self.off_topic else "",
            f"repeats {_count(len(self.repeated), 'sentence')}" if self.repeated else "",
        ]
        said = [part for part in parts if part]
        if not said:
            return "The review covers every pseudo-reference and stays on topic."
        return f"The review {' and '.join([', '.join(said[:-1])] * bool(said[:-1]) + said[-1:])}."


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
