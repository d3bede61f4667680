"""Published data sets with labels of people: ClearCRC and GradedReviews.

ClearCRC has comments of real reviewers in nine languages, each with its hunk. People labelled each
comment 0 or 1 for relevance to the change, informativeness and clear expression (Chen et al., FSE
2025). The table has a row per comment: patch, msg, lang and the three labels. Comments on the same
patch belong to one change, whose language is taken from the first comment, since eleven patches
are listed with two.

GradedReviews has reviews by four systems, graded against a reference review. Three people graded
each review from 1 (unrelated to the reference) to 5 (identical to it) and agreed on one grade
("Deep Assessment of Code Review Generation Approaches", section 4). The workbook has a row per
change: ID, groundTruth, relatedCode, then a column per system, each followed by its grade. The
code is a method, not a diff.
"""

import os.path
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

from crscore_core.change import normalise_language
from crscore_core.corpus.model import GROUND_TRUTH, Corpus, CorpusChange, CorpusReview
from crscore_core.corpus.reading import read_table
from crscore_core.datasets.labelled import LabelledData
from crscore_core.errors import InputError
from crscore_core.text import whole_text

CLEARCRC = "ClearCRC"
_LABELS = ("relevance", "informativeness", "expression")

GRADED, GRADE = "GradedReviews", "grade"
_SYSTEMS = ("Tufano's", "commentFinder", "Auger", "LLaMA-Reviewer")
_MOST_BYTES = 50_000_000


def load_clearcrc(file: Path) -> LabelledData:
    """Read the ClearCRC table.

    Raises:
        InputError: it is missing or unreadable, lacks a column, or a label is not 0 or 1.
    """
    where = f"{CLEARCRC}: {str(file)!r}"
    try:
        table = read_table(file)
    except InputError as error:
        raise InputError(f"{CLEARCRC}: {error}") from error
    columns = ("patch", "msg", "lang", *_LABELS)
    _check_columns(where, table.columns, columns)
    changes: dict[str, tuple[str, list[CorpusReview]]] = {}
    for row in table.rows:
        of_row = f"{where}, row {row.number}"
        patch, text, named, *given = (
            "" if (cell := row.cells.get(name)) is None else str(cell) for name in columns
        )
        try:
            language = normalise_language(named)
        except InputError as error:
            raise InputError(f"{of_row}: {error}") from error
        labels = {
            name: _label(of_row, name, value, ("0", "1"), "0 or 1")
            for name, value in zip(_LABELS, given, strict=True)
        }
        review = CorpusReview(f"row {row.number}", "reviewer", text, labels=labels)
        changes.setdefault(patch, (language, []))[1].append(review)
    made = tuple(
        CorpusChange(f"patch {number}", language, patch, tuple(reviews))
        for number, (patch, (language, reviews)) in enumerate(changes.items(), start=1)
    )
    oddities = tuple(f"row {row.number}: {row.reason}" for row in table.rejected)
    return LabelledData("clearcrc", CLEARCRC, Corpus(CLEARCRC, made), _LABELS, oddities=oddities)


def load_graded(file: Path) -> LabelledData:
    """Read the GradedReviews workbook.

    Raises:
        InputError: it is missing or unreadable, lacks a column, or a grade is not from 1 to 5.
    """
    from zipfile import BadZipFile

    import pandas as pd

    where = f"{GRADED}: {str(file)!r}"
    try:
        if os.path.exists(file) and not os.path.isfile(file):  # a device may have no end
            raise InputError(f"{where} is no file")
        if file.stat().st_size > _MOST_BYTES:
            raise InputError(f"{where} is larger than {_MOST_BYTES:,} bytes")
        # Words such as "null" are reviews here, not missing values.
        sheet = pd.read_excel(file, engine="openpyxl", dtype=object, keep_default_na=False)
    except (OSError, BadZipFile, KeyError, ValueError, SyntaxError) as error:  # also from XML
        raise InputError(f"{where} cannot be read: {error}") from error
    columns = ("ID", "groundTruth", "relatedCode", *_SYSTEMS)
    header = [str(name) for name in sheet.columns]
    _check_columns(where, header, columns)
    places = [header.index(name) for name in columns]
    changes = []
    for number, row in enumerate(sheet.itertuples(index=False, name=None), start=2):
        change, reference, code, *texts = (whole_text(str(row[place])) for place in places)
        reviews = [CorpusReview(f"{change}/{GROUND_TRUTH}", GROUND_TRUTH, reference)]
        for system, place, text in zip(_SYSTEMS, places[3:], texts, strict=True):
            grade = row[place + 1] if place + 1 < len(row) else "missing"
            of_system = f"the grade of {system}"
            value = _label(f"{where}, row {number}", of_system, grade, range(1, 6), "from 1 to 5")
            labels = {GRADE: value}
            reviews.append(CorpusReview(f"{change}/{system}", system, text, labels=labels))
        changes.append(CorpusChange(change, "java", code, tuple(reviews)))
    corpus = Corpus(GRADED, tuple(changes))
    return LabelledData("graded", GRADED, corpus, (GRADE,), has_diffs=False)


def _check_columns(where: str, columns: Collection[str], needed: Sequence[str]) -> None:
    if missing := [name for name in needed if name not in columns]:
        raise InputError(f"{where} has no column {missing[0]!r}")


def _label(where: str, name: str, value: Any, scale: Collection[Any], words: str) -> float:  # noqa: ANN401 - a cell
    if value not in scale:
        raise InputError(f"{where}: {name} is {str(value)[:20]!r}, but must be {words}")
    return float(value)
