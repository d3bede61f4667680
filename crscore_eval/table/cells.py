"""Cells of CSV files and tables that a spreadsheet does not take for formulas."""

_BEGIN_FORMULAS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def as_text(value: str) -> str:
    """Put an apostrophe before text that a spreadsheet would take for a formula.

    Text that already starts with one gets another, so that `text_of_cell` restores both.
    """
    return f"'{value}" if value.lstrip("'").startswith(_BEGIN_FORMULAS) else value


def text_of_cell(value: str) -> str:
    """Strip the apostrophe added by `as_text`."""
    return value[1:] if value.startswith("'") and as_text(value) != value else value


def as_cell(value: object) -> object:
    """Make a value safe for a cell: pass text through `as_text`, return others unchanged."""
    return as_text(value) if isinstance(value, str) else value
