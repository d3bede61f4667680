"""Similarity at finding what people say a review addresses, by hand."""

from pathlib import Path

import pytest

from crscore_core.datasets.study.load import load_study
from crscore_core.datasets.study.model import study_contents
from crscore_core.validity.addressed import addressed_pairs, matching_table
from crscore_eval.statistics import ClusterBootstrap, ClusteredMatches, Estimate, Interval
from tests.crscore_core.datasets.study.small_release import phase2, small_release
from tests.word_encoder import WordEncoder

BY_HAND = ClusteredMatches(
    [0.9, 0.8, 0.7, 0.5, 0.3, -1.0], [True, False, True, True, False, True], [0, 0, 1, 1, 2, 2]
)


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
    assert found.n_clusters == 12
    assert found.is_match[:6].tolist() == [True, True, True, False, False, False]
    assert found.cluster.tolist() == [0] * 6 + [change for change in range(1, 12) for _ in "1234"]
    assert found.similarity[0] == pytest.approx(1)  # a sentence of the review says just that
    assert 0 < found.similarity[1] < 1  # "Reference 2 of 100.": one word differs
    assert found.similarity[2:4].tolist() == [-1, -1]  # a review without a sentence
    (texts,) = encoder.calls
    assert len(set(texts)) == len(texts)
    counts = found.is_match.sum(), (~found.is_match).sum()
    assert counts == tuple(study_contents(study).pairs.values())


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
    assert rows[3].recall.interval == Interval(1, 1, 0.95)
    nothing = ClusteredMatches([0.9, 0.1], [False, False], [0, 1])
    (row,) = matching_table(nothing, [0.5], ClusterBootstrap(2))
    assert row.recall == Estimate(None, None)
