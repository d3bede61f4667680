"""The rules of ruff that a reviewer would raise, and the sentence for each."""

from dataclasses import dataclass
from enum import IntEnum

__all__ = ["RULES", "Rule", "Sight"]


class Sight(IntEnum):
    """How much of a file has to be in sight before a finding can be believed."""

    LINE = 1
    BLOCK = 2  # the `if`, loop, handler or function around it, to its end
    FUNCTION = 3  # the function around it, from its header to its end
    FILE = 4


@dataclass(frozen=True, slots=True)
class Rule:
    """A sentence with places for what a finding names.

    `{0}`, `{1}` are the names in backticks in ruff's message, `{code}` the code it points at,
    `{where}` is " in `function`" where that is known, else nothing.
    """

    sentence: str
    sight: Sight = Sight.LINE


RULES: dict[str, Rule] = {
    # What is never used, or is not there
    "F401": Rule("The import {0} is never used.", Sight.FILE),
    "F402": Rule("The loop variable {0} shadows an import of the same name."),
    "F403": Rule("The star import {0} hides where names come from."),
    "F811": Rule("{0} is defined again here although the earlier definition was never used."),
    "F821": Rule("The name {0} is not defined.", Sight.FILE),
    "F822": Rule("The name {0} in `__all__` is not defined.", Sight.FILE),
    "F823": Rule("The local variable {0} is used before it is assigned.", Sight.FUNCTION),
    "F841": Rule("The variable {0} is assigned but never used.", Sight.FUNCTION),
    "F842": Rule("The variable {0} is annotated but never used.", Sight.FUNCTION),
    "B007": Rule("The loop variable {0} is not used in the loop body.", Sight.FUNCTION),
    "ARG001": Rule("The parameter {0} is never used{where}.", Sight.FUNCTION),
    "RUF059": Rule("The unpacked variable {0} is never used.", Sight.FUNCTION),
    # Strings and formats
    "F501": Rule("The format string {code} is not valid."),
}
