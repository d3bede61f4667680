"""Where the study lies."""

from pathlib import Path

import pytest

from crscore_core.datasets.study.location import check_folder, default_study_folder
from crscore_core.errors import StudyError


def test_the_environment_names_the_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("CRSCORE_STUDY", "some/where")
    assert default_study_folder() == Path("some/where")
    monkeypatch.setenv("CRSCORE_STUDY", "")
    unnamed = default_study_folder()
    monkeypatch.delenv("CRSCORE_STUDY")
    assert default_study_folder() == unnamed
    assert unnamed.parts[-2:] == ("crscore", "study")


def test_a_home_is_meant_by_its_sign(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert check_folder(Path("~/study")) == tmp_path / "study"
    assert check_folder(Path("nowhere/yet")) == Path("nowhere/yet")


@pytest.mark.parametrize("name", ["a\0b", "~nobody-is-called-so/study"])
def test_what_no_folder_can_be_called_is_refused(name: str) -> None:
    with pytest.raises(StudyError, match="no folder can be called"):
        check_folder(Path(name))
