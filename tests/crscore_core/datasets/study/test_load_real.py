"""Loading the released study; the tests of validity hold its figures."""

import csv
import shutil
from pathlib import Path

import pytest

from crscore_core.datasets.study.load import load_study
from crscore_core.datasets.study.location import CONTEXT_FOLDER, PHASE_1, PHASE_2
from crscore_core.datasets.study.model import STUDY_LANGUAGES, HumanStudy


@pytest.fixture(scope="module")
def study(study_dir: Path) -> HumanStudy:
    return load_study(study_dir)


def test_nothing_is_lost_and_context_files_are_there_or_named(
    study: HumanStudy, study_dir: Path
) -> None:
    assert len(study.double_ratings) == 90
    assert all(change.references for change in study.changes if change.is_rated)
    found = {path for one in study.changes for path in (one.old_file, one.new_file) if path}
    assert all(path.is_file() for path in found)
    assert bool(found) == (study_dir / CONTEXT_FOLDER).is_dir()
    if not found:
        assert study.missing


def test_a_part_without_the_switches_holds_the_same(
    study: HumanStudy, study_dir: Path, tmp_path: Path
) -> None:
    """What people filled in tells whose entries count, where the switch is not there."""
    shutil.copytree(study_dir / "human_study" / "phase2", tmp_path / "human_study" / "phase2")
    (tmp_path / "human_study" / "phase1").mkdir()
    withheld = set()
    for phase in (PHASE_1, PHASE_2):
        for language in STUDY_LANGUAGES:
            switches = {PHASE_1.switch[language], PHASE_2.switch[language]}
            withheld |= switches
            for file in phase.files(language).values():
                _copy_without(study_dir, tmp_path, file, switches)
    part = {change.index: change for change in load_study(tmp_path).changes}
    assert set(part) == {change.index for change in study.changes} - withheld
    for change in study.changes:
        if change.index in withheld:
            continue
        other = part[change.index]
        assert other.coded_claims == change.coded_claims, change.index
        assert other.added_claims == change.added_claims, change.index
        assert other.references == change.references, change.index
        assert other.reviews == change.reviews, change.index


def _copy_without(source: Path, target: Path, file: str, indices: set[str]) -> None:
    with (source / file).open(encoding="utf-8", newline="") as stream:
        header, *rows = csv.reader(stream)
    kept, keep = [], True
    for row in rows:
        if row[header.index("index")]:
            keep = row[header.index("index")] not in indices
        if keep:
            kept.append(row)
    with (target / file).open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows([header, *kept])
