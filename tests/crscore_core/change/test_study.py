"""Every bare hunk of the human study is read without loss."""

import pytest

from crscore_core.change import FileStatus, LineKind, parse_change
from crscore_eval.data.shipped import shipped_study
from crscore_eval.data.study import LANGUAGE_OF_SUFFIX


@pytest.mark.parametrize("language", LANGUAGE_OF_SUFFIX.values())
def test_all_hunks_are_read(language: str) -> None:
    changes = shipped_study().changes
    diffs = changes.loc[changes["language"] == language, "diff"]
    assert len(diffs) > 50
    for diff in diffs:
        change = parse_change(diff, language=language)
        (file,) = change.files
        assert change.warnings == ()
        assert (file.path, file.status) == (None, FileStatus.MODIFIED)
        assert file.language == language
        changed = [line for line in file.lines() if line.kind is not LineKind.CONTEXT]
        assert [line.kind + line.text for line in changed] == [
            line.removesuffix("\r") for line in diff.split("\n") if line[:1] in {"+", "-"}
        ]
