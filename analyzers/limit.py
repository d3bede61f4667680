"""How much of something is too much, the same for the tools that measure."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from analyzers.rule import Rule, Sight

__all__ = ["COMPLEXITY", "PARAMETERS", "Limit"]

_Measured = TypeVar("_Measured")


@dataclass(frozen=True, slots=True)
class Limit(Generic[_Measured]):
    """Smelly is what has a `measure` of more than `most`.

    `sentence` is that of a `Rule`, with `{most}` besides. Its `{message}` is what is `said` of
    the measure.
    """

    measure: Callable[[_Measured], int]
    most: int
    sentence: str
    sight: Sight = Sight.LINE
    said: Callable[[int], str] = str

    def rule(self, *, of_definition: bool) -> Rule:
        """What it means to a reviewer."""
        return Rule(self.sentence.replace("{most}", str(self.most)), self.sight, of_definition)


PARAMETERS = (6, "The function {0} takes too many parameters: {measure}, more than {most}.")
COMPLEXITY = (10, "The function {0} is too complex: its cyclomatic complexity is {measure}.")
"""Limits of the paper's Table 14 that hold for every language, each with its sentence.

Rank C, which the paper takes for the first bad one in complexity, starts at 11.
"""
