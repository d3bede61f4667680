"""People's own work in the study, by hand."""

from pathlib import Path

import pytest

from crscore_core.corpus.model import Ratings
from crscore_core.datasets.study.load import load_study
from crscore_core.datasets.study.model import STUDY_LANGUAGES, HumanStudy, SharedRating
from crscore_core.errors import InputError
from crscore_core.validity.annotations import (
    ClaimQuality,
    claim_quality,
    claim_quality_by_language,
    rater_agreement,
)
from crscore_eval.statistics import Estimate, Interval
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
    overall = claim_quality(study.changes)
    assert overall.claims == 14
    assert values(overall) == pytest.approx([1200 / 14, 100 / 14, 100 / 14, 1200 / 14])
    assert python.error_rate.interval == Interval(0, 300 / 10, 0.95)
    # A resample of 4 changes with the first one three times has 3 * 3 + 1 claims that count; the
    # share of those with it four times, 1 in 256, is beyond the interval.


def test_what_is_ambiguous_incomplete_or_not_coded_counts_nowhere(tmp_path: Path) -> None:
    release = small_release(4)
    before = claim_quality(load_study(release.write(tmp_path)).changes)
    release.row(phase1("py")[0], 3)[CODE] = "2"
    release.row(phase1("py")[0], 4)[CODE] = "-2"
    assert claim_quality(load_study(release.write(tmp_path)).changes) == before
    assert values(before) == [100, 0, 0, 100]


def test_claims_that_nobody_coded_have_no_rates(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no change"):
        claim_quality(())
    assert claim_quality_by_language(HumanStudy((), (), ())) == {}
    release = small_release(4)
    for language in STUDY_LANGUAGES:
        for file in phase1(language):
            for row in release.files[file]:
                row.update({CODE: "", "additional claims": ""})
    quality = claim_quality(load_study(release.write(tmp_path)).changes)
    undefined = Estimate(None, None)
    assert quality == ClaimQuality(0, undefined, undefined, undefined, undefined)


def double(change: int, first: int, second: int) -> SharedRating:
    return SharedRating(change, (Ratings(first, 3, first), Ratings(second, 3, first)))


def test_alpha_of_two_raters_equals_the_hand_calculation() -> None:
    # Units (1, 1), (1, 2), (2, 3): see test_agreement.py of the statistics.
    found = rater_agreement([double(0, 1, 1), double(0, 1, 2), double(1, 2, 3)])
    assert found
    assert (found.reviews, found.changes) == (3, 2)
    assert found.alpha["conciseness"].value == pytest.approx(1 - 5 * 17 / 180)
    assert found.alpha["comprehensiveness"] == Estimate(None, None)
    assert found.alpha["relevance"].value == 1
    assert rater_agreement([]) is None


def test_the_same_ratings_say_less_where_they_are_of_fewer_changes() -> None:
    pairs = [(1, 1), (1, 2), (2, 3), (5, 4), (3, 3), (5, 5), (4, 2), (1, 1)]
    widths = []
    for changes in (64, 8):
        found = rater_agreement([double(row % changes, *pairs[row % 8]) for row in range(64)])
        assert found
        low, high = found.alpha["conciseness"].ends or (0, 0)
        widths.append(high - low)
    assert 0 < widths[0] < widths[1] / 2
