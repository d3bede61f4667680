"""Data sets with labels of people, in the layouts of the published ones, and files of one's own."""

import os
from pathlib import Path

import numpy as np
import pytest

from crscore_core.corpus.model import GROUND_TRUTH
from crscore_core.datasets.registry import load_data
from crscore_core.errors import InputError
from tests.crscore_core.datasets.labelled_files import (
    PATCH,
    write_clearcrc,
    write_graded,
    write_own,
)
from tests.crscore_core.datasets.study.small_release import small_release

SHARED = Path(__file__).resolve().parents[4] / "shared"


def test_comments_on_one_patch_are_of_one_change(tmp_path: Path) -> None:
    data = load_data("clearcrc", write_clearcrc(tmp_path))
    assert data.reviews.change.tolist() == [0, 1, 2, 2]
    assert data.reviews.language.tolist() == ["csharp", "python", "go", "go"]
    labels = data.reviews.labels
    assert list(labels) == ["relevance", "informativeness", "expression"]
    assert labels["informativeness"].values.tolist() == [1, 0, 1, 0]
    assert all(label.is_binary for label in labels.values())
    assert data.reviews.references == ("", "", "", "")
    assert data.reviews.code[0] == PATCH.format(4)


def test_generated_reviews_stand_beside_their_reference(tmp_path: Path) -> None:
    data = load_data("graded", write_graded(tmp_path))
    reviews = data.reviews
    assert not data.has_diffs
    assert len(reviews.reviews) == 8
    assert reviews.texts[:4] == ("Use a constant here", "why?", "make it a constant", "null")
    assert set(reviews.references) == {"Use a constant here", "Is `count` ever null?"}
    assert reviews.labels["grade"].values.tolist() == [5, 1, 4, 1, 1, 4, 1, 3]
    assert reviews.labels["grade"].counts() == {1: 4, 3: 1, 4: 2, 5: 1}
    assert not reviews.labels["grade"].is_binary


def test_the_study_has_its_ratings_as_labels(tmp_path: Path) -> None:
    data = load_data("study", small_release().write(tmp_path))
    assert data.labels == ("relevance", "comprehensiveness", "conciseness")
    assert GROUND_TRUTH not in {review.system for review in data.reviews.reviews}
    assert any(data.reviews.references)
    rated = data.reviews.labels["relevance"].values
    assert set(rated[~np.isnan(rated)].tolist()) <= {1, 2, 3, 4, 5}


ROWS: list[dict[str, object]] = [
    {
        "diff": PATCH.format(4),
        "review": "Good",
        "useful": "yes",
        "outcome_fixed": 1,
        "relevance": 4,
    },
    {"diff": PATCH.format(5), "review": "Bad", "useful": "no", "outcome_fixed": None},
    {"diff": PATCH.format(6), "review": "So so", "useful": "", "outcome_fixed": 0, "relevance": 2},
]


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        (["useful"], {"useful": [1, 0, None]}),
        (["relevance"], {"relevance": [4, None, 2]}),
        ([], {"relevance": [4, None, 2], "outcome_fixed": [1, None, 0]}),
    ],
)
def test_columns_of_a_file_are_labels(
    tmp_path: Path, labels: list[str], expected: dict[str, list[float | None]]
) -> None:
    data = load_data(str(write_own(tmp_path / "own.jsonl", ROWS)), labels=labels)
    found = {
        name: [None if np.isnan(value) else value for value in label.values]
        for name, label in data.reviews.labels.items()
    }
    assert found == expected


def test_a_label_that_few_reviews_have_is_found_below_the_first_rows(tmp_path: Path) -> None:
    rows = [{"diff": PATCH.format(1), "review": f"Bad {number}"} for number in range(1_001)]
    rows.append({"diff": PATCH.format(1), "review": "Good", "label_useful": "1"})
    data = load_data(str(write_own(tmp_path / "own.jsonl", rows)))
    assert np.nansum(data.reviews.labels["useful"].values) == 1


def test_what_cannot_be_read_says_what_and_where(tmp_path: Path) -> None:
    bad_label = write_clearcrc(tmp_path / "crc", [("a", "py", "2", "1", "1")] * 3)
    no_language = write_clearcrc(tmp_path / "k", [("a", "", "1", "1", "1")] * 3)
    bad_grade = write_graded(tmp_path / "g", grade=6)
    text = tmp_path / "text"
    text.mkdir()
    (text / "dataset.xlsx").write_text("no workbook")
    for name, path, labels, message in (
        ("clearcrc", bad_label, [], "row 2: relevance is '2', but must be 0 or 1"),
        ("clearcrc", write_clearcrc(tmp_path / "c"), ["useful"], "no label 'useful'"),
        ("clearcrc", no_language, [], "row 2: the language is blank"),
        ("graded", bad_grade, [], "row 2: the grade of Tufano's is '6'"),
        ("graded", text, [], "cannot be read"),
        ("graded", Path("/dev/zero"), [], "is no file"),
    ):
        with pytest.raises(InputError, match=message):
            load_data(name, path, labels)


@pytest.mark.parametrize(
    ("name", "reviews", "changes"), [("clearcrc", 1525, 1514), ("graded", 3612, 903)]
)
def test_the_published_files_are_read_whole(name: str, reviews: int, changes: int) -> None:
    named = os.environ.get(variable := f"CRSCORE_{name.upper()}")
    path = Path(named) if named else SHARED / name
    if not path.exists():
        pytest.skip(f"{name} is not at {path}; name its place in {variable}")
    data = load_data(name, path)
    assert len(data.reviews.reviews) >= reviews
    assert len(data.corpus.changes) >= changes
    assert data.oddities == ()
