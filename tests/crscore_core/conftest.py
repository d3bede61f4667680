"""Fixtures made once a session: the study."""

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest
from crscore_core.corpus.reviews import Reviews
from crscore_core.datasets.study.corpus import study_corpus
from crscore_core.datasets.study.model import HumanStudy
from crscore_core.datasets.study.shipped import shipped_comparison, shipped_study

from crscore_core.scoring import CachedEncoder


@pytest.fixture(scope="session")
def real_study() -> HumanStudy:
    return shipped_study()


@pytest.fixture(scope="session")
def expected() -> dict[str, Any]:
    """Figures of the shipped part that other scripts computed."""
    path = Path(__file__).parent / "datasets" / "study" / "expected.json"
    figures: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return figures


@pytest.fixture(scope="session")
def study_encoder() -> CachedEncoder:
    """The embedded encoder; what one test has encoded costs the next one nothing."""
    return CachedEncoder()


@pytest.fixture(scope="session")
def study_comparison() -> Reviews:
    """Every rated review against the study's own claims and smells."""
    return shipped_comparison()


@pytest.fixture(scope="session")
def symbolic_comparison(real_study: HumanStudy, study_encoder: CachedEncoder) -> Reviews:
    """Every rated review against symbolic claims and our smells, with every analyzer at hand."""
    for tool in ("java", "node"):
        if shutil.which(tool) is None and "CI" not in os.environ:
            pytest.skip(f"{tool} is not on this machine, and without it there are fewer smells")
    return study_corpus(real_study, "symbolic").score(study_encoder)
