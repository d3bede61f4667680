"""What a study holds, counted by hand."""

from pathlib import Path

import pytest

from crscore_core.datasets.study.load import load_study
from crscore_core.datasets.study.model import LanguageContents, study_contents
from tests.crscore_core.datasets.study.small_release import phase2, small_release

RATING = ("Con (P)", "Comp (R)", "Rel (F)")


def test_the_small_release(tmp_path: Path) -> None:
    contents = study_contents(load_study(small_release(4).write(tmp_path)))
    # Of each change 2 of 3 claims are coded, and all 10 reviews rated, one of them ground truth.
    assert contents.languages == dict.fromkeys(("py", "java", "js"), LanguageContents(4, 4, 8))
    assert contents.ratings == 12 * 10
    assert contents.ratings_without_ground_truth == 12 * 9
    # Two references a change. "1,2" addresses both, "1" one and not the other; "2" is noted for
    # the ground truth, which makes no pairs, and "-" makes none.
    assert contents.addressed_pairs == 12 * 3
    assert contents.not_addressed_pairs == 12 * 1
    assert contents.double_ratings == 11
    assert contents.context_files == 12 * 2
    assert contents.missing_context_files == 0


@pytest.mark.parametrize(
    ("cell", "addressed", "not_addressed"),
    [
        ("2", 12 * 3 - 1, 12 + 1),  # in place of "1,2"; the unnecessary second one counts
        ("2,9", 12 * 3 - 1, 12 + 1),  # there is no ninth reference
        ("9", 12 * 3 - 2, 12 + 2),  # something is noted, and it is neither of the two
        ("2,2", 12 * 3 - 1, 12 + 1),
        ("1.2", 12 * 3 - 2, 12),  # no number: no pair
    ],
)
def test_pairs(tmp_path: Path, cell: str, addressed: int, not_addressed: int) -> None:
    release = small_release(4)
    release.row(phase2("py")[0], 3)["claims addressed"] = cell
    contents = study_contents(load_study(release.write(tmp_path)))
    assert (contents.addressed_pairs, contents.not_addressed_pairs) == (addressed, not_addressed)


def test_what_nobody_rated_is_neither_a_rating_nor_a_pair(tmp_path: Path) -> None:
    release = small_release(4)
    for row in release.files[phase2("py")[0]][:10]:
        row.update(dict.fromkeys(RATING, ""))
    contents = study_contents(load_study(release.write(tmp_path)))
    assert contents.languages["py"] == LanguageContents(4, 3, 8)
    assert (contents.ratings, contents.ratings_without_ground_truth) == (11 * 10, 11 * 9)
    assert (contents.addressed_pairs, contents.not_addressed_pairs) == (11 * 3, 11)


def test_missing_context_files_are_counted(tmp_path: Path) -> None:
    release = small_release(4)
    del release.context["test100_old.py"]
    contents = study_contents(load_study(release.write(tmp_path)))
    assert (contents.context_files, contents.missing_context_files) == (23, 1)
