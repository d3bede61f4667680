"""Cells of CSV files and tables that a spreadsheet does not take for formulas."""

_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def as_cell(value: object) -> object:
    """Put an apostrophe before text that a spreadsheet would take for a formula.

    Text that already starts with one gets another, so that `text_of_cell` restores both.
    """
    is_formula = isinstance(value, str) and value.lstrip("'").startswith(_FORMULA_STARTS)
    return f"'{value}" if is_formula else value


def text_of_cell(cell: str) -> str:
    """Strip the apostrophe added by `as_cell`, or by a person for the same reason."""
    return cell[1:] if cell[:1] == "'" and as_cell(cell) != cell else cell
