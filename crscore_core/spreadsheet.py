"""Texts of people in a table that a spreadsheet program may open."""

__all__ = ["as_cell", "as_text"]

_BEGIN_FORMULAS = ("=", "+", "-", "@", "\t", "\r")


def as_text(value: str) -> str:
    """A text that no spreadsheet takes for a formula: behind an apostrophe if it looks like one."""
    return f"'{value}" if value.startswith(_BEGIN_FORMULAS) else value


def as_cell(value: object) -> object:
    """Any value for a cell: a text by `as_text`, all others as they are."""
    return as_text(value) if isinstance(value, str) else value
