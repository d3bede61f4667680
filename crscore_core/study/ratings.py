"""Three numbers of a row of the second phase -> a rating."""

from crscore_core.study.model import Rating
from crscore_core.study.tables import Row

__all__ = ["RATING_COLUMNS", "read_rating"]

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
    for column in RATING_COLUMNS:
        if column not in filled:
            raise row.error(f"{column} is empty, but {filled[0]} is not; fill all three or none")
        if row[column].strip() not in _SCALE:
            raise row.bad_cell(column, "a whole number from 1 to 5")
    return Rating(*(_SCALE[row[column].strip()] for column in RATING_COLUMNS))
