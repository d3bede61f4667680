"""Facts about a file as a whole: added, deleted, renamed, its mode, a submodule."""

import re

from crscore_core.change import FileChange, FileStatus
from crscore_core.claims.model import ClaimKind
from crscore_core.claims.symbolic.fact import Fact
from crscore_core.claims.symbolic.wording import quoted

_SUBMODULE, _SYMLINK = "160000", "120000"
_TEST_NAME = re.compile(
    r"(?:^test|^test[_-].*|.*[_.-](?:test|tests|spec)|.*[A-Za-z0-9](?:Test|Tests|TestCase|Spec|IT))"
    r"\.[^.]+$|^Test[A-Z].*\.[^.]+$|^conftest\.py$"
)
_TEST_FOLDERS = frozenset({"test", "tests", "spec", "specs", "__tests__", "testing"})
_TEST_FOLDER = re.compile(r".*[a-z.]Tests?$")


def is_test_path(path: str | None) -> bool:
    """Return True if the name of a file or of a parent folder indicates tests."""
    *folders, name = (path or "").replace("\\", "/").split("/")
    return bool(_TEST_NAME.match(name)) or any(
        folder.casefold() in _TEST_FOLDERS or _TEST_FOLDER.match(folder) for folder in folders
    )


def is_submodule(file: FileChange) -> bool:
    """Return True if the file is a link to a commit in another repository."""
    return _SUBMODULE in {file.old_mode, file.new_mode}


def facts_of_file(file: FileChange) -> list[Fact]:
    """Return facts about a file as a whole; empty if only its lines change."""
    if is_submodule(file):
        names = [line.text.rpartition(" ")[2][:12] for line in (*file.removed, *file.added)]
        way = f"moves from commit {names[0]} to {names[1]}" if len(names) == 2 else "changes"
        way = "is removed" if file.status is FileStatus.DELETED else way
        return [Fact(f"the submodule {quoted(file.path or 'unnamed')} {way}", 90, None)]
    old, new = quoted(file.old_path or "the file"), quoted(file.new_path or "the file")
    noun = "binary file" if file.is_binary else "file"
    noun = "symbolic link" if _SYMLINK in {file.old_mode, file.new_mode} else noun
    facts = []
    match file.status:
        case FileStatus.ADDED if file.path:
            empty = "" if file.hunks or file.is_binary else "empty "
            facts.append(Fact(f"the {empty}{noun} {new} is added", 58, None))
        case FileStatus.DELETED if file.path:
            facts.append(Fact(f"the {noun} {old} is deleted", 90, None))
        case FileStatus.RENAMED:
            facts.append(Fact(f"the {noun} {old} is renamed to {new}", 90, None))
            text = f"references to {old} have to name {new}"
            facts.append(Fact(text, 40, None, ClaimKind.IMPLICATION))
        case FileStatus.COPIED:
            facts.append(Fact(f"the {noun} {old} is copied to {new}", 90, None))
        case _ if file.is_binary:
            facts.append(Fact(f"the binary file {new} changes", 80, None))
    return facts + _mode(file)


def _mode(file: FileChange) -> list[Fact]:
    if file.old_mode is None or file.new_mode is None or file.old_mode == file.new_mode:
        return []
    name = quoted(file.path or "the file")
    was, now = file.old_mode.endswith("755"), file.new_mode.endswith("755")
    effect = "" if was == now else f": it {'becomes' if now else 'is no longer'} executable"
    text = f"the mode of {name} changes from {file.old_mode} to {file.new_mode}{effect}"
    return [Fact(text, 80, None)]
