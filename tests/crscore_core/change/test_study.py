"""Every bare hunk of the human study is read without loss."""

import pytest

from crscore_core.change import FileStatus, LanguageSource, LineKind, parse_change
from crscore_core.datasets.study.model import STUDY_LANGUAGES
from crscore_core.datasets.study.shipped import shipped_study


def _diffs(short: str) -> list[str]:
    return [change.diff for change in shipped_study().changes if change.language == short]


@pytest.mark.parametrize("short", STUDY_LANGUAGES)
def test_all_hunks_are_read(short: str) -> None:
    diffs = _diffs(short)
    assert len(diffs) > 50
    for diff in diffs:
        change = parse_change(diff, language=short)
        (file,) = change.files
        assert change.warnings == ()
        assert (file.path, file.status) == (None, FileStatus.MODIFIED)
        assert file.language == STUDY_LANGUAGES[short]
        lines = list(file.lines())
        marked = [line for line in diff.split("\n") if line[:1] in {"+", "-"}]
        assert [line.kind + line.text for line in lines if line.kind is not LineKind.CONTEXT] == [
            line.removesuffix("\r") for line in marked
        ]


@pytest.mark.parametrize("short", STUDY_LANGUAGES)
def test_most_guesses_are_right_and_all_are_reported(short: str) -> None:
    diffs = _diffs(short)
    right = 0
    for diff in diffs:
        change = parse_change(diff)
        (file,) = change.files
        guessed = file.language_source is LanguageSource.GUESS
        assert guessed == (file.language is not None)
        assert len(change.warnings) == guessed
        right += file.language == STUDY_LANGUAGES[short]
    assert right / len(diffs) > 0.9
