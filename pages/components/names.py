"""What scores and systems are called, and names that tell the options of a list apart."""

from collections import Counter
from collections.abc import Sequence
from itertools import count

from crscore_core.datasets.study.model import SYSTEMS
from pages.components.source.model import Source

__all__ = ["SHORT_NAMES", "distinct", "system_name"]

SHORT_NAMES = {"conciseness": "Con", "comprehensiveness": "Comp", "relevance": "Rel"}
"""What the paper's equations call the metric's scores, by the dimension that they measure."""


def system_name(source: Source, system: str) -> str:
    """What a system is called; the study's have names in the paper."""
    return system if source.study is None else SYSTEMS.get(system, system)


def distinct(names: Sequence[str]) -> list[str]:
    """The names, each that occurs more than once with a number behind it.

    Streamlit tells the options of a list by their names: of two that are the same it takes the
    last, whichever was chosen.
    """
    numbers = {name: count(1) for name, times in Counter(names).items() if times > 1}
    taken = set(names)
    shown = []
    for name in names:
        label = name
        if name in numbers:
            numbered = (f"{name} ({number})" for number in numbers[name])
            label = next(one for one in numbered if one not in taken)
            taken.add(label)
        shown.append(label)
    return shown
