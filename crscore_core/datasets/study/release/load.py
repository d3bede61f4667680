"""A folder of the released study -> `HumanStudy`, all of it or an error."""

from pathlib import Path

from crscore_core.datasets.study.model import STUDY_LANGUAGES, HumanStudy, StudyChange
from crscore_core.datasets.study.release.context_files import context_file_name, context_path
from crscore_core.datasets.study.release.double_ratings import read_double_ratings
from crscore_core.datasets.study.release.layout import (
    CONTEXT_FOLDER,
    PHASE_1,
    PHASE_2,
    find_release,
)
from crscore_core.datasets.study.release.phase1 import CodedChange, read_phase1
from crscore_core.datasets.study.release.phase2 import RatedChange, read_phase2
from crscore_core.datasets.study.release.tables import Row
from crscore_core.errors import StudyError

__all__ = ["load_study"]


def load_study(folder: Path) -> HumanStudy:
    """Load the study, or a part of it: fewer changes, never fewer spreadsheets.

    `folder` holds `human_study`, or is it. The phases are joined by the index of a change; what
    one phase does not know of a change stays empty.

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
            first, second = coded.get(index), rated.get(index)
            oddities += [line for phase in (first, second) if phase for line in phase.oddities]
            start = _start(first, second)
            if index in changes:
                raise start.error(
                    f"the change with the index {index} is among those of "
                    f"{changes[index].language} already"
                )
            changes[index] = StudyChange(
                index,
                language,
                start["diff"],
                first.coded_claims if first else (),
                first.added_claims if first else (),
                second.references if second else (),
                second.reviews if second else (),
                _context(release, start, "old_file", missing),
                _context(release, start, "new_file", missing),
            )
    if not changes:
        raise StudyError(
            f"{folder}: the study's spreadsheets have no rows; download it again with "
            "'crscore study fetch'"
        )
    return HumanStudy(
        tuple(changes.values()), read_double_ratings(release), tuple(missing), tuple(oddities)
    )


def _start(coded: CodedChange | None, rated: RatedChange | None) -> Row:
    """The row that starts a change, of the phase whose copy of the diff is the original one.

    Spreadsheet programs turned the tabs of some diffs into spaces, which makes them longer.
    """
    rows = [change.start for change in (coded, rated) if change]
    return min(rows, key=lambda row: len(row["diff"]))


def _context(release: Path, start: Row, column: str, missing: dict[str, None]) -> Path | None:
    name = context_file_name(start, column)
    if name is None:
        return None
    path = context_path(release, name)
    if path is None:
        missing[f"{CONTEXT_FOLDER}/{name}"] = None
    return path
