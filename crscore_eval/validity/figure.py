"""One figure of a table."""

from typing import NamedTuple

from crscore_eval.statistics import Estimate


class Figure(NamedTuple):
    """A figure in a row and a column of a table."""

    row: str
    column: str
    estimate: Estimate
