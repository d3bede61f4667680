"""A folder of the released study -> `HumanStudy`, all of it or an error."""

import os
from pathlib import Path, PurePosixPath, PureWindowsPath

from crscore_core.datasets.study.location import CONTEXT_FOLDER, PHASE_1, PHASE_2, find_release
from crscore_core.datasets.study.model import STUDY_LANGUAGES, HumanStudy, StudyChange
from crscore_core.datasets.study.phases import read_double_ratings, read_phase1, read_phase2
from crscore_core.datasets.study.tables import Row, odd_cell, says
from crscore_core.errors import StudyError


def load_study(folder: Path) -> HumanStudy:
    """Load the study, or a part of it: fewer changes, never fewer spreadsheets.

    `folder` holds `human_study`, or is it. The phases are joined by the index of a change; the
    fields of a phase that lacks the change stay empty.

    Raises:
        StudyError: there is no study or an empty one, a spreadsheet is missing, or a row of one
            is damaged.
    """
    release = find_release(folder)
    missing: dict[str, None] = {}
    oddities: list[str] = []
    changes: dict[str, StudyChange] = {}
    for language in STUDY_LANGUAGES:
        rated = read_phase2(release, language)
        known = {
            index: change.rated_by
            for index, change in rated.items()
            if change.rated_by and PHASE_1.switch[language] == PHASE_2.switch[language]
        }
        coded = read_phase1(release, language, known)
        for index in coded | rated:
            phases = [phase[index] for phase in (coded, rated) if index in phase]
            oddities += [line for change in phases for line in change.oddities]
            # Spreadsheet programs turned the tabs of some diffs into spaces: the shorter is whole.
            start = min((change.start for change in phases), key=lambda row: len(row["diff"]))
            if index in changes:
                other = changes[index].language
                what = f"the change with the index {index} is among those of {other} already"
                raise StudyError(says(start, what))
            first, second = coded.get(index), rated.get(index)
            changes[index] = StudyChange(
                index,
                language,
                start["diff"],
                first.coded_claims if first else (),
                first.added_claims if first else (),
                second.references if second else (),
                second.reviews if second else (),
                _context_file(release, start, "old_file", missing),
                _context_file(release, start, "new_file", missing),
            )
    if not changes:
        raise StudyError(
            f"{folder}: the study's spreadsheets have no rows; download it again with "
            "'crscore study fetch'"
        )
    return HumanStudy(
        tuple(changes.values()), read_double_ratings(release), tuple(missing), tuple(oddities)
    )


def _context_file(release: Path, start: Row, column: str, missing: dict[str, None]) -> Path | None:
    """Find the context file that a cell names; note a file that the folder lacks in `missing`.

    Raises:
        StudyError: the name is a path. Names come from a download: they must not lead out of the
            study's own folder.
    """
    name: str = start[column]
    if not name:
        return None
    is_plain = name == PurePosixPath(name).name == PureWindowsPath(name).name and name != ".."
    if not (is_plain and name.isprintable()):
        raise StudyError(odd_cell(start, column, "a plain file name without folders"))
    path = release / CONTEXT_FOLDER / name
    # os.path.isfile is False for impossible names; Path.is_file raises.
    if os.path.isfile(path):
        return path
    missing[f"{CONTEXT_FOLDER}/{name}"] = None
    return None
