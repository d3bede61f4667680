"""Names of scores, systems and options, and figures in words."""

from collections import Counter
from collections.abc import Collection, Sequence
from itertools import count

import streamlit as st

from crscore_core.datasets.study.model import SYSTEMS
from crscore_core.statistics import Interval
from pages.components.source.model import Source

SHORT_NAMES = {"conciseness": "Con", "comprehensiveness": "Comp", "relevance": "Rel"}
"""Names of the metric's scores in the paper's equations, by the dimension that they measure."""


def system_name(source: Source, system: str) -> str:
    """Return the name of a system; the study's have names in the paper."""
    return system if source.study is None else SYSTEMS.get(system, system)


def number(value: float | None, digits: int = 3) -> str:
    """Write a figure, or a dash where it is not defined."""
    return "–" if value is None else f"{value:.{digits}f}"


def between(interval: Interval | None, digits: int = 3, *, nothing: str = "–") -> str:
    """Write an interval, or `nothing` where there is none."""
    if interval is None:
        return nothing
    return f"{interval.low:.{digits}f} to {interval.high:.{digits}f}"


def distinct(names: Sequence[str]) -> list[str]:
    """Return the names, with a number behind each that occurs more than once.

    Streamlit tells the options of a list by their names: among equal names it takes the last,
    whichever was chosen.
    """
    numbers = {name: count(1) for name, times in Counter(names).items() if times > 1}
    taken = set(names)
    shown = []
    for name in names:
        label = name
        if name in numbers:
            numbered = (f"{name} ({number})" for number in numbers[name])
            label = next(candidate for candidate in numbered if candidate not in taken)
            taken.add(label)
        shown.append(label)
    return shown


def keep_options(key: str, options: Collection[object]) -> None:
    """Forget choices under a key that are no options, such as those of another source."""
    chosen = st.session_state.get(key)
    if isinstance(chosen, list):
        st.session_state[key] = [option for option in chosen if option in options]
    elif chosen is not None and chosen not in options:
        del st.session_state[key]
