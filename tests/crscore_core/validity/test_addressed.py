"""What people say a review addresses, against similarity: by hand, and on the study."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from crscore_core.datasets.study.load import load_study
from crscore_core.datasets.study.model import HumanStudy, study_contents
from crscore_core.errors import StatisticsError
from crscore_core.scoring import CachedEncoder
from crscore_core.statistics import ClusterBootstrap, Estimate
from crscore_core.validity.addressed import (
    AddressedPairs,
    addressed_pairs,
    matching_curve,
    matching_table,
)
from tests.crscore_core.datasets.study.small_release import phase2, small_release
from tests.word_encoder import WordEncoder


def pairs(*rows: tuple[float, bool, int]) -> AddressedPairs:
    similarity, is_match, change = zip(*rows, strict=True)
    return AddressedPairs(
        "by hand",
        np.array(similarity),
        np.array(is_match),
        np.array(change),
        max(change) + 1,
    )


BY_HAND = pairs(
    (0.9, True, 0), (0.8, False, 0), (0.7, True, 1), (0.5, True, 1), (0.3, False, 2),
    (-1.0, True, 2),
)  # fmt: skip


def test_the_pairs_of_a_small_study(tmp_path: Path) -> None:
    release = small_release(4)
    marcus = phase2("py")[0]
    # Each change has two references. Of its reviews the second addresses both of them ("1,2")
    # and the third the first alone, and the ground truth, which makes no pairs, the other.
    release.set(phase2("py"), 3, review="Something else. Reference 1 of 100.")
    release.set(phase2("py"), 4, review="")
    release.row(marcus, 8)["claims addressed"] = "9"  # there is no ninth reference
    study = load_study(release.write(tmp_path))
    encoder = WordEncoder()
    found = addressed_pairs(study, encoder)
    assert found
    assert found.encoder == "words"
    assert found.n_changes == 12
    assert found.is_match[:6].tolist() == [True, True, True, False, False, False]
    assert found.change.tolist() == [0] * 6 + [change for change in range(1, 12) for _ in "1234"]
    assert found.similarity[0] == pytest.approx(1)  # a sentence of the review says just that
    assert 0 < found.similarity[1] < 1  # "Reference 2 of 100.": one word differs
    assert found.similarity[2:4].tolist() == [-1, -1]  # a review without a sentence
    (texts,) = encoder.calls
    assert len(set(texts)) == len(texts)
    contents = study_contents(study)
    assert found.is_match.sum() == contents.addressed_pairs
    assert (~found.is_match).sum() == contents.not_addressed_pairs


def test_a_study_without_notes_has_no_pairs(tmp_path: Path) -> None:
    release = small_release(4)
    for rows in release.files.values():
        for row in rows:
            if "claims addressed" in row:
                row["claims addressed"] = "-"
    assert addressed_pairs(load_study(release.write(tmp_path)), WordEncoder()) is None


def test_rows_equal_the_hand_calculation() -> None:
    rows = matching_table(BY_HAND, [0.95, 0.7, 0.4, -2.0], ClusterBootstrap(3))
    assert [row.tau for row in rows] == [0.95, 0.7, 0.4, -2.0]
    # Nothing is above 0.95; 0.9 and 0.8 are above 0.7, which itself is not; three of the four
    # above 0.4 are matches; all six are above -2.
    assert [row.precision.value for row in rows] == [None, 1 / 2, 3 / 4, 4 / 6]
    assert [row.recall.value for row in rows] == [0, 1 / 4, 3 / 4, 1]
    assert [row.f1.value for row in rows] == [0, 2 / 6, 6 / 8, pytest.approx(0.8)]
    assert rows[0].precision.interval is None
    assert rows[3].recall.interval
    assert (rows[3].recall.interval.low, rows[3].recall.interval.high) == (1, 1)


def test_the_curve_equals_the_hand_calculation() -> None:
    curve = matching_curve(BY_HAND, ClusterBootstrap(3))
    assert [(point.precision, point.recall) for point in curve.points] == [
        (4 / 6, 1), (3 / 5, 3 / 4), (3 / 4, 3 / 4), (2 / 3, 2 / 4), (1 / 2, 1 / 4), (1, 1 / 4),
    ]  # fmt: skip
    assert curve.points[1].tau == -1
    # Recall rises by 1/4 at 0.9 (precision 1), 0.7 (2/3), 0.5 (3/4) and -1 (4/6).
    assert curve.average_precision.value == pytest.approx((1 + 2 / 3 + 3 / 4 + 4 / 6) / 4)
    assert curve.share_of_matches == 4 / 6
    assert curve.best.tau < -1
    assert curve.best.f1.value == pytest.approx(0.8)
    assert curve.best.recall.value == 1


def test_a_thinned_curve_keeps_its_ends() -> None:
    random = np.random.default_rng(0)
    many = pairs(*((float(value), bool(value > 0.4), 0) for value in random.random(1000)))
    whole = matching_curve(many, ClusterBootstrap(1), 1000)
    thinned = matching_curve(many, ClusterBootstrap(1), 50)
    assert (len(whole.points), len(thinned.points)) == (1000, 50)
    assert (thinned.points[0], thinned.points[-1]) == (whole.points[0], whole.points[-1])
    assert set(thinned.points) < set(whole.points)
    assert thinned.best == whole.best
    assert thinned.best.f1.value == 1


def test_where_people_found_no_match_there_is_no_recall() -> None:
    nothing = pairs((0.9, False, 0), (0.1, False, 1))
    curve = matching_curve(nothing, ClusterBootstrap(2))
    assert curve.points == ()
    assert curve.average_precision == Estimate(None, None)
    assert curve.best.recall == Estimate(None, None)


def test_a_bootstrap_of_other_changes_is_refused() -> None:
    with pytest.raises(StatisticsError, match="of 4 changes, but the pairs are of 3"):
        matching_table(BY_HAND, [0.5], ClusterBootstrap(4))


def test_the_study_s_own_pairs(
    real_study: HumanStudy, study_encoder: CachedEncoder, expected: dict[str, Any]
) -> None:
    found = addressed_pairs(real_study, study_encoder)
    assert found
    figures = expected["pairs"]
    assert int(found.is_match.sum()) == figures["addressed"]
    assert int((~found.is_match).sum()) == figures["not_addressed"]
    bootstrap = ClusterBootstrap(found.n_changes)
    curve = matching_curve(found, bootstrap)
    # As measured; both are well above guessing, which has the share of matches as precision.
    assert curve.average_precision.value == pytest.approx(0.583, abs=0.002)
    assert curve.best.f1.value == pytest.approx(0.597, abs=0.002)
    assert curve.best.f1.interval
    assert curve.best.f1.interval.low > 2 * curve.share_of_matches / (1 + curve.share_of_matches)
    rows = matching_table(found, [0.2, 0.4, 0.6, 0.8], bootstrap)
    recalls = [row.recall.value or 0 for row in rows]
    precisions = [row.precision.value or 0 for row in rows]
    assert recalls == sorted(recalls, reverse=True)
    assert precisions == sorted(precisions)
