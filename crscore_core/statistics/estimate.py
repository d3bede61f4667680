"""A figure with its uncertainty."""

import math
from dataclasses import dataclass

from crscore_core.statistics.bootstrap import Interval

__all__ = ["Estimate", "number_or_none"]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A statistic and its interval; None where the data leave either undefined."""

    value: float | None
    interval: Interval | None


def number_or_none(value: float) -> float | None:
    """A statistic as a plain number; None where it is undefined (NaN)."""
    return None if math.isnan(value) else float(value)
