"""Whether a claims backend could run now."""

from dataclasses import dataclass

__all__ = ["Availability"]


@dataclass(frozen=True, slots=True)
class Availability:
    """Whether a backend could run now, found out at once and without loading a model.

    `reason` is a sentence for people: what makes it available, or what is missing and how to
    get it.
    """

    is_available: bool
    reason: str
