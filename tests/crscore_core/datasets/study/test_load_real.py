"""Loading the released study; the tests of validity hold its figures."""

from dataclasses import replace
from pathlib import Path

import pytest

from crscore_core.datasets.study import load
from crscore_core.datasets.study.load import load_study
from crscore_core.datasets.study.location import PHASE_1, PHASE_2
from crscore_core.datasets.study.model import HumanStudy


def test_what_is_shipped_is_what_the_tables_of_the_release_hold(
    real_study: HumanStudy, study_dir: Path
) -> None:
    loaded = load_study(study_dir)
    assert loaded.changes == real_study.changes
    assert loaded.double_ratings == real_study.double_ratings
    assert len(real_study.double_ratings) == 90
    assert all(change.references for change in real_study.changes if change.is_rated)


@pytest.mark.long
def test_the_shipped_changes_are_those_of_the_released_study(
    real_study: HumanStudy, released_study: Path
) -> None:
    released = {change.index: change for change in load_study(released_study).changes}
    for change in real_study.changes:
        found = replace(released[change.index], old_file=None, new_file=None)
        assert found == change


def test_without_the_switches_what_people_filled_in_tells_whose_entries_count(
    real_study: HumanStudy, study_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, phase in (("PHASE_1", PHASE_1), ("PHASE_2", PHASE_2)):
        unknown = {language: f"no {index}" for language, index in phase.switch.items()}
        monkeypatch.setattr(load, name, replace(phase, switch=unknown))
    assert load_study(study_dir).changes == real_study.changes
