"""Formulas in cells: escaped when a file is written, and restored when it is read."""

_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def escape_formula(value: object) -> object:
    """Put an apostrophe before text that a spreadsheet would take for a formula.

    Text that already has an apostrophe there gets another, so that `unescape_formula` restores it.
    """
    is_formula = isinstance(value, str) and value.lstrip("'").startswith(_FORMULA_STARTS)
    return f"'{value}" if is_formula else value


def unescape_formula(cell: str) -> str:
    """Remove the apostrophe that `escape_formula`, or a person, put before a formula."""
    return cell[1:] if cell[:1] == "'" and escape_formula(cell) != cell else cell
