"""Every bare hunk of the human study is read without anything being lost."""

import csv
from pathlib import Path

import pytest

from crscore_core.change import FileStatus, LanguageSource, LineKind, parse_change

LANGUAGES = {"py": "python", "java": "java", "js": "javascript"}


def _diffs(study_dir: Path, short: str) -> list[str]:
    path = study_dir / "human_study" / "phase2" / f"{short}_marcus_review_qual_final.csv"
    with path.open(newline="", encoding="utf-8") as rows:
        return [row["diff"] for row in csv.DictReader(rows) if row["diff"].strip()]


@pytest.mark.parametrize("short", LANGUAGES)
def test_all_hunks_are_read(study_dir: Path, short: str) -> None:
    diffs = _diffs(study_dir, short)
    assert len(diffs) > 50
    for diff in diffs:
        change = parse_change(diff, language=short)
        (file,) = change.files
        assert change.warnings == ()
        assert (file.path, file.status) == (None, FileStatus.MODIFIED)
        assert file.language == LANGUAGES[short]
        lines = list(file.lines())
        marked = [line for line in diff.split("\n") if line[:1] in {"+", "-"}]
        assert [line.kind + line.text for line in lines if line.kind is not LineKind.CONTEXT] == [
            line.removesuffix("\r") for line in marked
        ]


@pytest.mark.parametrize("short", LANGUAGES)
def test_most_guesses_are_right_and_all_are_told(study_dir: Path, short: str) -> None:
    diffs = _diffs(study_dir, short)
    right = 0
    for diff in diffs:
        change = parse_change(diff)
        (file,) = change.files
        guessed = file.language_source is LanguageSource.GUESS
        assert guessed == (file.language is not None)
        assert len(change.warnings) == guessed
        right += file.language == LANGUAGES[short]
    assert right / len(diffs) > 0.9
