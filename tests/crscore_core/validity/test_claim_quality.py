"""Claims as people coded them: by hand, and against the study's own figures."""

from pathlib import Path
from typing import Any

import pytest

from crscore_core.datasets.study.load import load_study
from crscore_core.datasets.study.model import STUDY_LANGUAGES, HumanStudy
from crscore_core.errors import StudyError
from crscore_core.statistics import Estimate
from crscore_core.validity.claim_quality import (
    ClaimQuality,
    claim_quality,
    claim_quality_by_language,
)
from tests.crscore_core.datasets.study.small_release import CODE, phase1, small_release

RATES = ("accuracy", "error_rate", "unverifiable_rate", "missing_rate")


def values(quality: ClaimQuality) -> list[float | None]:
    return [getattr(quality, name).value for name in RATES]


def test_rates_equal_the_hand_calculation(tmp_path: Path) -> None:
    release = small_release(4)
    # Each change has the codes 1, -2 and none, and one added claim. The first change, which
    # Marcus coded, gets -1 and 0 in place of the latter two: of py, 4 + 2 claims count.
    marcus = phase1("py")[0]
    release.row(marcus, 3)[CODE] = "-1"
    release.row(marcus, 4)[CODE] = "0"
    study = load_study(release.write(tmp_path))
    python = claim_quality_by_language(study)["py"]
    assert python.claims == 6
    assert values(python) == pytest.approx([400 / 6, 100 / 6, 100 / 6, 400 / 6])
    overall = claim_quality(study)
    assert overall.claims == 14
    assert values(overall) == pytest.approx([1200 / 14, 100 / 14, 100 / 14, 1200 / 14])
    interval = python.error_rate.interval
    assert interval
    assert interval.low == 0
    assert interval.high == pytest.approx(300 / 10)
    # A resample of 4 changes with the first one three times has 3 * 3 + 1 claims that count; the
    # share of those with it four times, 1 in 256, is beyond the interval.


def test_what_is_ambiguous_incomplete_or_not_coded_counts_nowhere(tmp_path: Path) -> None:
    release = small_release(4)
    before = claim_quality(load_study(release.write(tmp_path)))
    release.row(phase1("py")[0], 3)[CODE] = "2"
    release.row(phase1("py")[0], 4)[CODE] = "-2"
    assert claim_quality(load_study(release.write(tmp_path))) == before
    assert values(before) == [100, 0, 0, 100]


def test_claims_that_nobody_coded_have_no_rates() -> None:
    with pytest.raises(StudyError, match="no change"):
        claim_quality(HumanStudy((), (), ()))
    assert claim_quality_by_language(HumanStudy((), (), ())) == {}


def test_a_study_without_codes_has_no_rates(tmp_path: Path) -> None:
    release = small_release(4)
    for language in STUDY_LANGUAGES:
        for file in phase1(language):
            for row in release.files[file]:
                row.update({CODE: "", "additional claims": ""})
    quality = claim_quality(load_study(release.write(tmp_path)))
    undefined = Estimate(None, None)
    assert quality == ClaimQuality(0, undefined, undefined, undefined, undefined)


@pytest.mark.parametrize("language", STUDY_LANGUAGES)
def test_the_study_s_own_figures(
    real_study: HumanStudy, expected: dict[str, Any], language: str
) -> None:
    found, figures = claim_quality_by_language(real_study)[language], expected["claim_quality"]
    assert found.claims == figures[language]["claims"]
    for name in RATES:
        estimate: Estimate = getattr(found, name)
        assert estimate.value is not None
        assert estimate.interval is not None
        assert round(estimate.value, 2) == figures[language][name]
        assert estimate.interval.low < estimate.value < estimate.interval.high


def test_shares_sum_to_all(real_study: HumanStudy) -> None:
    for quality in (claim_quality(real_study), *claim_quality_by_language(real_study).values()):
        shares = (quality.accuracy, quality.error_rate, quality.unverifiable_rate)
        assert sum(share.value or 0 for share in shares) == pytest.approx(100)
