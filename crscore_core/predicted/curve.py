"""A curve of straight pieces: how one feature counts."""

import itertools
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from crscore_core.errors import CalibrationError

__all__ = ["Curve"]


@dataclass(frozen=True, slots=True)
class Curve:
    """Straight lines between points: `values` at `points`, which rise.

    Before the first point and after the last, which are the ends of what was fitted, it stays at
    their values. Values are log odds relative to those of a typical review.

    Raises:
        CalibrationError: there are no points, not one value for each, or points do not rise.
    """

    points: tuple[float, ...]
    values: tuple[float, ...]

    def __post_init__(self) -> None:
        if not self.points or len(self.points) != len(self.values):
            raise CalibrationError("a curve needs points, and one value for each of them")
        if not np.isfinite([*self.points, *self.values]).all():
            raise CalibrationError("a point or a value of a curve is not a finite number")
        if any(later <= earlier for earlier, later in itertools.pairwise(self.points)):
            raise CalibrationError(f"the points of a curve have to rise: {self.points}")

    @property
    def never_falls(self) -> bool:
        """Whether no value is lower than the one before it."""
        return all(later >= earlier for earlier, later in itertools.pairwise(self.values))

    def at(self, feature: ArrayLike) -> NDArray[np.float64]:
        """Log odds at each value of the feature; same shape."""
        values = np.asarray(feature, dtype=np.float64)
        return np.asarray(np.interp(values, self.points, self.values))
