"""Loading the released study; the tests of validity hold its figures."""

from dataclasses import replace
from pathlib import Path

import pytest

from crscore_core.datasets.study import load, phases
from crscore_core.datasets.study.load import load_study
from crscore_core.datasets.study.location import CONTEXT_FOLDER, PHASE_1, PHASE_2
from crscore_core.datasets.study.model import HumanStudy


def test_nothing_is_lost_and_context_files_are_there_or_named(
    real_study: HumanStudy, study_dir: Path
) -> None:
    assert len(real_study.double_ratings) == 90
    assert all(change.references for change in real_study.changes if change.is_rated)
    found = {path for one in real_study.changes for path in (one.old_file, one.new_file) if path}
    assert all(path.is_file() for path in found)
    assert bool(found) == (study_dir / CONTEXT_FOLDER).is_dir()
    if not found:
        assert real_study.missing


def test_without_the_switches_what_people_filled_in_tells_whose_entries_count(
    real_study: HumanStudy, study_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, phase in (("PHASE_1", PHASE_1), ("PHASE_2", PHASE_2)):
        unknown = {language: f"no {index}" for language, index in phase.switch.items()}
        for module in (load, phases):
            monkeypatch.setattr(module, name, replace(phase, switch=unknown))
    assert load_study(study_dir).changes == real_study.changes
