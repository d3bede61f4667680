"""Validity of the real study and of a small synthetic one."""

import pytest

from crscore_core.datasets.study.load import load_study
from crscore_core.datasets.study.model import HumanStudy
from crscore_core.datasets.study.pseudo_references import study_references
from crscore_core.scoring import CachedEncoder
from crscore_core.validity.study_validity import StudyValidity
from tests.crscore_core.datasets.study.small_release import small_release
from tests.word_encoder import WordEncoder


@pytest.fixture(scope="session")
def real_validity(real_study: HumanStudy, study_encoder: CachedEncoder) -> StudyValidity:
    return StudyValidity(real_study, study_references(real_study), study_encoder, 200)


@pytest.fixture(scope="session")
def small_validity(tmp_path_factory: pytest.TempPathFactory) -> StudyValidity:
    """Twelve changes and an encoder without a preset and without a calibrated model."""
    study = load_study(small_release().write(tmp_path_factory.mktemp("release")))
    return StudyValidity(study, study_references(study), WordEncoder(), 100)
