"""Files of reviews that people bring -> rows, columns with a meaning, a corpus."""

from crscore_core.corpus.reading.files import RowStream, read_table
from crscore_core.corpus.reading.mapping import (
    FIELDS,
    ColumnMapping,
    Field,
    check_mapping,
    guess_mapping,
    is_usual,
    label_column,
    label_columns,
    label_name,
    label_remark,
    unread_ratings,
)
from crscore_core.corpus.reading.review_row import UNNAMED
from crscore_core.corpus.reading.table import (
    LARGEST_FILE,
    Cell,
    RejectedRow,
    Row,
    Table,
    TableRow,
    cell_number,
    is_truth_word,
)

__all__ = [
    "FIELDS",
    "LARGEST_FILE",
    "UNNAMED",
    "Cell",
    "ColumnMapping",
    "Field",
    "RejectedRow",
    "Row",
    "RowStream",
    "Table",
    "TableRow",
    "cell_number",
    "check_mapping",
    "guess_mapping",
    "is_truth_word",
    "is_usual",
    "label_column",
    "label_columns",
    "label_name",
    "label_remark",
    "read_table",
    "unread_ratings",
]
