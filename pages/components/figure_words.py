"""Figures and their intervals in words."""

from crscore_core.statistics import Interval

__all__ = ["between", "number"]


def number(value: float | None, digits: int = 3) -> str:
    """A figure, or a dash where it is not defined."""
    return "–" if value is None else f"{value:.{digits}f}"


def between(interval: Interval | None, digits: int = 3, *, nothing: str = "–") -> str:
    """An interval in words; `nothing` where there is none."""
    if interval is None:
        return nothing
    return f"{interval.low:.{digits}f} to {interval.high:.{digits}f}"
