"""Tables of `benchmarks.graded`, on grades that a metric tells apart and on some it does not."""

from pathlib import Path

import numpy as np
import pytest

from benchmarks.graded import distances, held_out_grades, main
from tests.crscore_core.datasets.labelled_files import write_graded

CHANGES = np.arange(120) // 2
GRADES = np.random.default_rng(1).permutation(np.repeat([1, 2, 3], 40))


def test_grades_are_told_apart_by_a_tree_of_other_changes() -> None:
    clear, blind = GRADES * 10.0, np.ones(GRADES.size)
    assert held_out_grades(clear, GRADES, CHANGES).tolist() == GRADES.tolist()
    assert np.mean(held_out_grades(blind, GRADES, CHANGES) == GRADES) < 0.5


def test_distances_are_of_each_two_grades() -> None:
    # Values at grade 1: 0, 1, 2, 3; at 2: 2, 3, 4, 5. Two of four lie below all of the others.
    scores = np.array([0.0, 1, 2, 3, 2, 3, 4, 5, 9])
    grades = np.array([1, 1, 1, 1, 2, 2, 2, 2, 3])
    assert distances(scores, grades) == {(1, 2): 0.5, (1, 3): 1.0, (2, 3): 1.0}


def test_tables_are_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write_graded(tmp_path)
    monkeypatch.setenv("CRSCORE_GRADED", str(tmp_path))
    monkeypatch.setattr("benchmarks.graded._FOLDS", 2)
    main("words", "rel")
    printed = capsys.readouterr().out
    assert "rel: the data set has code, and no diffs" in printed
    assert "macro avg" in printed
    assert "Kolmogorov-Smirnov statistic between" in printed
