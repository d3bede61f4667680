"""ClearCRC: comments of real reviewers in nine languages, each with its hunk.

People labelled each comment 0 or 1 for relevance to the change, informativeness and clear
expression (Chen et al., FSE 2025). The table has a row per comment: patch, msg, lang and the three
labels. Comments on the same patch belong to one change, whose language is taken from the first
comment, since eleven patches are listed with two.
"""

from pathlib import Path

from crscore_core.change import normalise_language
from crscore_core.corpus.model import Corpus, CorpusChange, CorpusReview
from crscore_core.corpus.reading import Cell, read_table
from crscore_core.datasets.labelled import LabelledData
from crscore_core.errors import CorpusError, DatasetError, LanguageError

FILE = "crc_labelled_data.csv"
LABELS = ("relevance", "informativeness", "expression")
_COLUMNS = ("patch", "msg", "lang", *LABELS)
_SYSTEM = "reviewer"


def load_clearcrc(path: Path) -> LabelledData:
    """Read the ClearCRC table from a file, or from `FILE` in a folder.

    Raises:
        DatasetError: it is missing or unreadable, lacks a column, or a label is not 0 or 1.
    """
    file = path / FILE if path.is_dir() else path
    try:
        table = read_table(file)
    except CorpusError as error:
        raise DatasetError(f"ClearCRC: {error}") from error
    if missing := [name for name in _COLUMNS if name not in table.columns]:
        raise DatasetError(f"ClearCRC: {str(file)!r} has no column {missing[0]!r}")
    changes: dict[str, tuple[str, list[CorpusReview]]] = {}
    for row in table.rows:
        cells = {name: _text(row.cells.get(name)) for name in _COLUMNS}
        try:
            language = normalise_language(cells["lang"])
        except LanguageError as error:
            raise DatasetError(f"ClearCRC: {str(file)!r}, row {row.number}: {error}") from error
        labels = {}
        for name in LABELS:
            if cells[name] not in {"0", "1"}:
                raise DatasetError(
                    f"ClearCRC: {str(file)!r}, row {row.number}: {name} is {cells[name][:20]!r}, "
                    "but must be 0 or 1"
                )
            labels[name] = float(cells[name])
        review = CorpusReview(f"row {row.number}", _SYSTEM, cells["msg"], labels=labels)
        changes.setdefault(cells["patch"], (language, []))[1].append(review)
    corpus = Corpus(
        "ClearCRC",
        tuple(
            CorpusChange(f"patch {number}", language, patch, tuple(reviews))
            for number, (patch, (language, reviews)) in enumerate(changes.items(), start=1)
        ),
    )
    oddities = tuple(f"row {row.number}: {row.reason}" for row in table.rejected)
    return LabelledData("clearcrc", "ClearCRC", corpus, LABELS, oddities=oddities)


def _text(cell: Cell) -> str:
    return "" if cell is None else str(cell)
