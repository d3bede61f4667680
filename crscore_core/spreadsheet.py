"""Texts of people in a table that a spreadsheet program may open."""

__all__ = ["as_text"]

_BEGIN_FORMULAS = ("=", "+", "-", "@", "\t", "\r")


def as_text(value: str) -> str:
    """A text that no spreadsheet takes for a formula: behind an apostrophe if it looks like one."""
    return f"'{value}" if value.startswith(_BEGIN_FORMULAS) else value
