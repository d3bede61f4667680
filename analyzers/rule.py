"""What a rule of a tool means to a reviewer."""

from dataclasses import dataclass
from enum import IntEnum

__all__ = ["Rule", "Sight"]


class Sight(IntEnum):
    """How much of a file has to be in sight before a finding can be believed."""

    LINE = 1
    BLOCK = 2  # the `if`, loop, handler, function or class around it, to its end
    FUNCTION = 3  # the function around it, from its header to its end
    FILE = 4


@dataclass(frozen=True, slots=True)
class Rule:
    """A sentence with places for what a finding names.

    `{0}` is the first of the finding's names, `{code}` the code it points at, `{line}` the line
    that this is on, `{measure}` its measure, `{message}` what the tool says, `{where}`
    " in `function`" where that is known, else nothing. What is wrong with a function or class
    `of_definition` counts when a changed line lies anywhere in it and the old side was not as
    bad.
    """

    sentence: str
    sight: Sight = Sight.LINE
    of_definition: bool = False
