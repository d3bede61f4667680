"""What a tool reports of a text, before it is known whether a reviewer would raise it."""

from dataclasses import dataclass

__all__ = ["Finding"]


@dataclass(frozen=True, slots=True)
class Finding:
    """Rows and columns count from 1, in characters; the last column is the first one after.

    `names` are what the tool names, most telling first. `measure` is how bad a smell of degree
    is, the more the worse; None for those that are there or not. `scope` is the first and last
    row of the function that the tool found it in, both 0 outside of any; None where the tool
    does not say, so that its place has to tell.
    """

    rule: str
    message: str
    first_row: int
    first_column: int
    last_row: int
    last_column: int
    names: tuple[str, ...] = ()
    measure: int | None = None
    scope: tuple[int, int] | None = None
