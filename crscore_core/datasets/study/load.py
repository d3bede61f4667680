"""A folder of the released study -> `HumanStudy`, all of it or an error."""

import os
import re
from collections.abc import Iterable
from pathlib import Path, PurePosixPath, PureWindowsPath

from crscore_core.corpus.model import GROUND_TRUTH, Ratings
from crscore_core.datasets.study.location import (
    ADDED,
    ADDRESSED,
    CODE,
    CONTEXT_FOLDER,
    DOUBLE_RATED_ROWS,
    INDEX,
    NECESSARY,
    PHASE_1,
    PHASE_2,
    RATINGS,
    SYSTEM,
    double_rating_files,
    find_release,
)
from crscore_core.datasets.study.model import (
    STUDY_LANGUAGES,
    SYSTEMS,
    ClaimCode,
    CodedClaim,
    HumanStudy,
    SharedRating,
    StudyChange,
    StudyReference,
    StudyReview,
)
from crscore_core.datasets.study.tables import (
    Row,
    odd_cell,
    read_changes,
    read_pair,
    rows_of,
    says,
)
from crscore_core.errors import InputError
from crscore_core.scoring.references import ReferenceKind

_CODES = {str(code.value): code for code in ClaimCode}
_NUMBER = re.compile("0*[1-9][0-9]{0,3}")  # from 1, and no change has 10,000 references
_IS_NECESSARY = {"0": False, "1": True, "": True}
_KINDS = {"claim": ReferenceKind.CLAIM, "issue": ReferenceKind.SMELL, "": ReferenceKind.CLAIM}
_SYSTEMS = {(f"{system}_pred" if system != GROUND_TRUTH else system): system for system in SYSTEMS}


def load_study(folder: Path) -> HumanStudy:
    """Load the study, or a part of it: fewer changes, never fewer spreadsheets.

    `folder` holds `human_study`, or is it. The phases are joined by the index of a change; the
    fields of a phase that lacks the change stay empty.

    Raises:
        InputError: there is no study or an empty one, a spreadsheet is missing, or a row of one
            is damaged.
    """
    release = find_release(folder)
    missing: dict[str, None] = {}
    oddities: list[str] = []
    changes: dict[str, StudyChange] = {}
    for language in STUDY_LANGUAGES:
        rated = read_changes(release, PHASE_2, language, {})
        known = {
            index: change.annotator
            for index, change in rated.items()
            if PHASE_1.switch[language] == PHASE_2.switch[language]
            and any(row[SYSTEM] and row[RATINGS[0]] for row in change.rows)
        }
        coded = read_changes(release, PHASE_1, language, known)
        for index in coded | rated:
            phases = [phase[index] for phase in (coded, rated) if index in phase]
            # Spreadsheet programs turned the tabs of some diffs into spaces: the shorter is whole.
            start = min((change.start for change in phases), key=lambda row: len(row["diff"]))
            if index in changes:
                other = changes[index].language
                what = f"the change with the index {index} is among those of {other} already"
                raise InputError(says(start, what))
            coded_rows, rated_rows = (
                phase[index].rows if index in phase else () for phase in (coded, rated)
            )
            changes[index] = StudyChange(
                index,
                language,
                start["diff"],
                _coded_claims(coded_rows, oddities),
                tuple(row[ADDED] for row in coded_rows if row[ADDED]),
                _references(rated_rows, oddities),
                _reviews(rated_rows, oddities),
                _context_file(release, start, "old_file", missing),
                _context_file(release, start, "new_file", missing),
            )
    if not changes:
        raise InputError(
            f"{folder}: the study's spreadsheets have no rows; download it again with "
            "'crscore study fetch'"
        )
    return HumanStudy(
        tuple(changes.values()), _double_ratings(release), tuple(missing), tuple(oddities)
    )


def _coded_claims(rows: Iterable[Row], oddities: list[str]) -> tuple[CodedClaim, ...]:
    for row in rows:
        if row[CODE] and row[CODE] not in _CODES:
            oddities.append(odd_cell(row, CODE, f"one of {', '.join(_CODES)}"))
        elif row[CODE] and not row["claim"]:
            oddities.append(says(row, "it has a code but no claim"))
    return tuple(CodedClaim(row["claim"], _CODES.get(row[CODE])) for row in rows if row["claim"])


def _references(rows: Iterable[Row], oddities: list[str]) -> tuple[StudyReference, ...]:
    references = []
    for row in rows:
        necessary, kind = row[NECESSARY], row["type"].lower()
        if necessary not in _IS_NECESSARY:
            oddities.append(odd_cell(row, NECESSARY, "0 or 1"))
        if kind not in _KINDS:
            oddities.append(odd_cell(row, "type", "claim or issue"))
        if row["claim"]:
            of_kind = _KINDS.get(kind, ReferenceKind.CLAIM)
            is_necessary = _IS_NECESSARY.get(necessary, True)
            references.append(StudyReference(row["claim"], of_kind, is_necessary))
    return tuple(references)


def _reviews(rows: Iterable[Row], oddities: list[str]) -> tuple[StudyReview, ...]:
    reviews: dict[str, StudyReview] = {}
    for row in rows:
        name, rating = row[SYSTEM], _rating(row)
        if not name:
            if row["review"].strip():
                raise InputError(says(row, "it has a review but no system; name the system"))
            if rating:
                oddities.append(says(row, "it has a rating but no review"))
            continue
        if name not in _SYSTEMS:
            raise InputError(odd_cell(row, SYSTEM, f"one of {', '.join(_SYSTEMS)}"))
        system = _SYSTEMS[name]
        if system in reviews:
            raise InputError(says(row, f"this change has a review of {system} already"))
        # Annotators wrote "-" for none.
        words = [word.strip() for word in row[ADDRESSED].split(",")]
        words = [word for word in words if word not in {"", "-"}]
        addressed = tuple(int(word) for word in words if _NUMBER.fullmatch(word))
        if len(addressed) < len(words):
            oddities.append(odd_cell(row, ADDRESSED, "numbers with commas between them"))
        reviews[system] = StudyReview(system, row["review"], rating, addressed)
    return tuple(reviews.values())


def _double_ratings(release: Path) -> tuple[SharedRating, ...]:
    """Read the rows of `DOUBLE_RATED_ROWS` that both annotators rated, Marcus's rating first."""
    marcus, atharva = read_pair(release, double_rating_files(), (INDEX, SYSTEM, *RATINGS))
    changes = (marcus[INDEX] != "").cumsum()
    pairs = zip(changes, map(_rating, rows_of(marcus)), map(_rating, rows_of(atharva)), strict=True)
    numbers: dict[int, int] = {}
    return tuple(
        SharedRating(numbers.setdefault(change, len(numbers)), (first, second))
        for change, first, second in [*pairs][DOUBLE_RATED_ROWS]
        if first and second
    )


def _rating(row: Row) -> Ratings | None:
    """Read the rating in a row; None if all three cells are empty."""
    filled = [column for column in RATINGS if row[column]]
    if filled and len(filled) < len(RATINGS):
        empty = next(column for column in RATINGS if not row[column])
        raise InputError(
            says(row, f"{empty} is empty, but {filled[0]} is not; fill all three or none")
        )
    return Ratings(*(int(row[column]) for column in RATINGS)) if filled else None


def _context_file(release: Path, start: Row, column: str, missing: dict[str, None]) -> Path | None:
    """Find the context file that a cell names; note a file that the folder lacks in `missing`.

    Raises:
        InputError: the name is a path. Names come from a download: they must not lead out of the
            study's own folder.
    """
    name: str = start[column]
    if not name:
        return None
    is_plain = name == PurePosixPath(name).name == PureWindowsPath(name).name and name != ".."
    if not (is_plain and name.isprintable()):
        raise InputError(odd_cell(start, column, "a plain file name without folders"))
    path = release / CONTEXT_FOLDER / name
    # os.path.isfile is False for impossible names; Path.is_file raises.
    if os.path.isfile(path):
        return path
    missing[f"{CONTEXT_FOLDER}/{name}"] = None
    return None
