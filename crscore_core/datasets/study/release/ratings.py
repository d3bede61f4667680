"""Three numbers of a row of the second phase -> a rating."""

from crscore_core.datasets.study.model import Rating
from crscore_core.datasets.study.release.tables import Row

__all__ = ["RATING_COLUMNS", "check_scale", "read_rating"]

RATING_COLUMNS = ("Con (P)", "Comp (R)", "Rel (F)")
"""The columns of a `Rating`, in its order."""

_SCALE = {str(number): number for number in range(1, 6)}


def read_rating(row: Row) -> Rating | None:
    """The rating in a row; None where all three cells are empty.

    Raises:
        StudyError: some cells are empty and others not, or one is no whole number from 1 to 5.
    """
    filled = [column for column in RATING_COLUMNS if row.has(column)]
    if not filled:
        return None
    check_scale(row)
    for column in RATING_COLUMNS:
        if column not in filled:
            raise row.error(f"{column} is empty, but {filled[0]} is not; fill all three or none")
    return Rating(*(_SCALE[row.whole(column)] for column in RATING_COLUMNS))


def check_scale(row: Row) -> None:
    """Check the ratings of a row whether or not they count.

    Raises:
        StudyError: a cell is neither empty nor a whole number from 1 to 5.
    """
    for column in RATING_COLUMNS:
        if row.has(column) and row.whole(column) not in _SCALE:
            raise row.bad_cell(column, "a whole number from 1 to 5")
