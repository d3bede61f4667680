"""Published data sets as tables, and the tables of `benchmarks.graded`."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from benchmarks.graded import distances, held_out_grades, main
from benchmarks.published import GRADE, read_clearcrc, read_graded

CHANGES = (np.arange(120) // 2).astype(object)
GRADES = np.random.default_rng(1).permutation(np.repeat([1, 2, 3], 40))
SYSTEMS = ("Tufano's", "commentFinder", "Auger", "LLaMA-Reviewer")


def write_graded(path: Path, n_changes: int) -> Path:
    """Write a workbook in the published layout; grades differ by system and change."""
    rows = []
    for number in range(n_changes):
        cells: list[object] = [number, "Use a constant", "void f() {}"]
        for place in range(len(SYSTEMS)):
            cells += ["null" if place == 0 else "Use a constant " * place, 1 + (number + place) % 5]
        rows.append(cells)
    grade_names = [f"grade {number}" for number in range(4)]
    columns = [name for pair in zip(SYSTEMS, grade_names, strict=True) for name in pair]
    frame = pd.DataFrame(rows, columns=["ID", "groundTruth", "relatedCode", *columns])
    frame.to_excel(path, index=False)
    return path


def test_graded_reviews_have_a_reference_and_the_grade_next_to_them(tmp_path: Path) -> None:
    run = read_graded(write_graded(tmp_path / "graded.xlsx", 2))
    first, third = run.reviews.iloc[0], run.reviews.iloc[6]
    assert (first["id"], first["review"], first[GRADE]) == ("0/Tufano's", "null", 1)
    assert (third["id"], third["reference"], third[GRADE]) == ("1/Auger", "Use a constant", 4)
    assert len(run.reviews) == 8
    assert run.changes["diff"].to_list() == ["void f() {}"] * 2


def test_comments_on_one_patch_are_of_one_change(tmp_path: Path) -> None:
    path = tmp_path / "crc.csv"
    labels = {"relevance": [1, 0, 1], "informativeness": [1, 0, 0], "expression": [1, 0, 1]}
    rows = {"patch": ["@@ a", "@@ b", "@@ a"], "msg": ["Why?", "nit", "null"]}
    pd.DataFrame({**rows, "lang": ["py", "go", "js"], **labels}).to_csv(path, index=False)
    reviews, changes = read_clearcrc(path)
    assert reviews["change"].to_list() == ["patch 0", "patch 1", "patch 0"]
    assert reviews["language"].to_list() == ["python", "go", "python"]
    assert reviews["review"].to_list() == ["Why?", "nit", "null"]
    assert reviews["label_relevance"].to_list() == [1, 0, 1]
    assert changes["diff"].to_list() == ["@@ a", "@@ b"]


def test_a_tree_of_other_changes_separates_grades() -> None:
    clear, blind = GRADES * 10.0, np.ones(GRADES.size)
    assert held_out_grades(clear, GRADES, CHANGES).tolist() == GRADES.tolist()
    assert np.mean(held_out_grades(blind, GRADES, CHANGES) == GRADES) < 0.5


def test_distances_are_of_each_two_grades() -> None:
    # Values at grade 1: 0, 1, 2, 3; at 2: 2, 3, 4, 5. Two of four lie below all of the others.
    scores = np.array([0.0, 1, 2, 3, 2, 3, 4, 5, 9])
    grades = np.array([1, 1, 1, 1, 2, 2, 2, 2, 3])
    assert distances(scores, grades) == {(1, 2): 0.5, (1, 3): 1.0, (2, 3): 1.0}


def test_tables_are_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(str(write_graded(tmp_path / "graded.xlsx", 15)), "words", "rouge_l")
    printed = capsys.readouterr().out
    assert printed.count("60 reviews") == 2
    assert printed.count("macro avg") == 2
