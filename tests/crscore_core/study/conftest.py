"""What several tests of the study share, made once a session."""

from pathlib import Path

import pytest

from crscore_core.sts import CachedEncoder
from crscore_core.study.comparison import StudyComparison, compare_study
from crscore_core.study.load import load_study
from crscore_core.study.model import HumanStudy
from crscore_core.study.pseudo_references import study_references


@pytest.fixture(scope="session")
def real_study(study_dir: Path) -> HumanStudy:
    return load_study(study_dir)


@pytest.fixture(scope="session")
def study_encoder(tmp_path_factory: pytest.TempPathFactory) -> CachedEncoder:
    """The embedded encoder; what one test has encoded costs the next one nothing."""
    return CachedEncoder(folder=tmp_path_factory.mktemp("embeddings"))


@pytest.fixture(scope="session")
def study_comparison(real_study: HumanStudy, study_encoder: CachedEncoder) -> StudyComparison:
    """Every rated review against the study's own claims and smells; about a minute."""
    return compare_study(study_references(real_study), study_encoder)
