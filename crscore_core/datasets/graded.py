"""GradedReviews: reviews by four systems, graded against a reference review.

Three people graded each review from 1 (unrelated to the reference) to 5 (identical to it) and
agreed on one grade ("Deep Assessment of Code Review Generation Approaches", section 4). The
workbook has a row per change: ID, groundTruth, relatedCode, then a column per system, each followed
by its grade. The code is a method, not a diff.
"""

from pathlib import Path
from typing import Any

from crscore_core.corpus.model import GROUND_TRUTH, Corpus, CorpusChange, CorpusReview
from crscore_core.datasets.labelled import LabelledData
from crscore_core.errors import DatasetError
from crscore_core.text import whole_text

FILE = "dataset.xlsx"
LABEL = "grade"
SYSTEMS = ("Tufano's", "commentFinder", "Auger", "LLaMA-Reviewer")
_GRADES = {1.0, 2.0, 3.0, 4.0, 5.0}
_MOST_BYTES = 50_000_000


def load_graded(path: Path) -> LabelledData:
    """Read the GradedReviews workbook from a file, or from `FILE` in a folder.

    Raises:
        DatasetError: it is missing or unreadable, lacks a column, or a grade is not from 1 to 5.
    """
    file = path / FILE if path.is_dir() else path
    header, rows = _rows(file)
    places = {}
    for name in ("ID", "groundTruth", "relatedCode", *SYSTEMS):
        if name not in header:
            raise DatasetError(f"GradedReviews: {str(file)!r} has no column {name!r}")
        places[name] = header.index(name)
    changes = []
    for number, row in enumerate(rows, start=2):
        change = _text(row, places, "ID")
        reference = _text(row, places, "groundTruth")
        reviews = [CorpusReview(f"{change}/{GROUND_TRUTH}", GROUND_TRUTH, reference)]
        for system in SYSTEMS:
            grade = row[places[system] + 1] if places[system] + 1 < len(row) else "missing"
            if grade not in _GRADES:
                raise DatasetError(
                    f"GradedReviews: {str(file)!r}, row {number}: the grade of {system} is "
                    f"{str(grade)[:20]!r}, but must be from 1 to 5"
                )
            labels = {LABEL: float(grade)}
            text = _text(row, places, system)
            reviews.append(CorpusReview(f"{change}/{system}", system, text, labels=labels))
        code = _text(row, places, "relatedCode")
        changes.append(CorpusChange(change, "java", code, tuple(reviews)))
    corpus = Corpus("GradedReviews", tuple(changes))
    return LabelledData("graded", "GradedReviews", corpus, (LABEL,), has_diffs=False)


def _rows(file: Path) -> tuple[list[str], list[tuple[Any, ...]]]:
    """Read the header and rows of the first sheet."""
    from zipfile import BadZipFile

    import pandas as pd

    try:
        if file.stat().st_size > _MOST_BYTES:
            raise DatasetError(f"GradedReviews: {str(file)!r} is larger than {_MOST_BYTES:,} bytes")
        # Words such as "null" are reviews here, not missing values.
        sheet = pd.read_excel(file, engine="openpyxl", dtype=object, keep_default_na=False)
    except (OSError, BadZipFile, KeyError, ValueError, SyntaxError) as error:  # also from XML
        raise DatasetError(f"GradedReviews: {str(file)!r} cannot be read: {error}") from error
    return [str(name) for name in sheet.columns], list(sheet.itertuples(index=False, name=None))


def _text(row: tuple[Any, ...], places: dict[str, int], name: str) -> str:
    return whole_text(str(row[places[name]]))
