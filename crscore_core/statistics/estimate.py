"""A figure with its uncertainty."""

from dataclasses import dataclass

from crscore_core.statistics.bootstrap import Interval

__all__ = ["Estimate"]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A statistic and its interval; None where the data leave either undefined."""

    value: float | None
    interval: Interval | None
