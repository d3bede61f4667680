"""Every bare hunk of the human study is read without loss."""

import pytest
from crscore_core.datasets.study.model import STUDY_LANGUAGES
from crscore_core.datasets.study.shipped import shipped_study

from crscore_core.change import FileStatus, LineKind, parse_change


@pytest.mark.parametrize("short", STUDY_LANGUAGES)
def test_all_hunks_are_read(short: str) -> None:
    diffs = [change.diff for change in shipped_study().changes if change.language == short]
    assert len(diffs) > 50
    for diff in diffs:
        change = parse_change(diff, language=short)
        (file,) = change.files
        assert change.warnings == ()
        assert (file.path, file.status) == (None, FileStatus.MODIFIED)
        assert file.language == STUDY_LANGUAGES[short]
        changed = [line for line in file.lines() if line.kind is not LineKind.CONTEXT]
        assert [line.kind + line.text for line in changed] == [
            line.removesuffix("\r") for line in diff.split("\n") if line[:1] in {"+", "-"}
        ]
