"""Events of a whole file, and what can be said of one whose lines are not examined."""

import re

from crscore_core.change import FileChange, FileStatus
from crscore_core.claims.symbolic.candidate import Candidate, claim, implication
from crscore_core.claims.symbolic.quoting import quoted

__all__ = ["file_events", "is_submodule", "is_test_path", "line_of", "size_of"]

_SUBMODULE = "160000"
_SYMLINK = "120000"


def line_of(file: FileChange, line: int) -> int | None:
    """The line to name: none in a deleted file, nor where the new file has no such line."""
    return None if file.status is FileStatus.DELETED or line < 1 else line


def is_submodule(file: FileChange) -> bool:
    """Whether `file` is a link to a commit of another repository."""
    return _SUBMODULE in {file.old_mode, file.new_mode}


_TEST_NAME = re.compile(
    r"(?:^test|^test[_-].*|.*[_.-](?:test|tests|spec)|.*[a-z0-9](?:Test|Tests|TestCase|Spec|IT))"
    r"\.[^.]+$|^Test[A-Z].*\.[^.]+$|^conftest\.py$"
)
_TEST_FOLDERS = frozenset({"test", "tests", "spec", "specs", "__tests__", "testing"})


def is_test_path(path: str | None) -> bool:
    """Whether the name of a file, or of a folder that holds it, says that it holds tests."""
    *folders, name = (path or "").replace("\\", "/").split("/")
    return bool(_TEST_NAME.match(name)) or bool(_TEST_FOLDERS & {f.casefold() for f in folders})


def file_events(file: FileChange) -> list[Candidate]:
    """Describe what happens to `file` as a whole; nothing where only its lines change."""
    old, new = quoted(file.old_path or "the file"), quoted(file.new_path or "the file")
    if is_submodule(file):
        return _submodule(file)
    found: list[Candidate] = []
    noun = "binary file" if file.is_binary else "file"
    if _SYMLINK in {file.old_mode, file.new_mode}:
        noun = "symbolic link"
    empty = not file.hunks and not file.is_binary
    match file.status:
        case FileStatus.ADDED if file.path:
            kind = f"empty {noun}" if empty else noun
            found.append(claim(f"The new {kind} {new} is added", 70, None))
        case FileStatus.DELETED if file.path:
            found.append(claim(f"The {noun} {old} is deleted", 90, None))
            text = f"Code that refers to {old} has to do without it"
            found.append(implication(text, 50, None))
        case FileStatus.RENAMED:
            found.append(claim(f"The {noun} {old} is renamed to {new}", 90, None))
            text = f"Imports of and references to {old} have to use {new}"
            found.append(implication(text, 50, None))
        case FileStatus.COPIED:
            found.append(claim(f"The {noun} {old} is copied to {new}", 90, None))
            text = f"{old} and {new} duplicate code that has to be kept in step"
            found.append(implication(text, 50, None))
        case _ if file.is_binary:
            found.append(claim(f"The binary file {new} changes", 80, None))
    return found + _mode(file)


def _mode(file: FileChange) -> list[Candidate]:
    if file.old_mode is None or file.new_mode is None or file.old_mode == file.new_mode:
        return []
    name = quoted(file.path or "the file")
    found = [claim(f"The mode of {name} changes from {file.old_mode} to {file.new_mode}", 80, None)]
    was, now = file.old_mode.endswith("755"), file.new_mode.endswith("755")
    if was != now:
        text = f"{name} {'becomes' if now else 'is no longer'} executable"
        found.append(implication(text, 60, None))
    return found


def _submodule(file: FileChange) -> list[Candidate]:
    name = quoted(file.path or "the submodule")
    commits = [
        line.text.removeprefix("Subproject commit ").strip()[:12]
        for line in (*file.removed[:1], *file.added[:1])
    ]
    if len(commits) == 2:
        text = f"The submodule {name} moves from commit {commits[0]} to {commits[1]}"
    elif file.status is FileStatus.DELETED:
        text = f"The submodule {name} is removed"
    else:
        text = f"The submodule {name} is added or changed"
    return [
        claim(text, 90, None),
        implication(f"The code of the submodule {name} is at another version", 50, None),
    ]


def size_of(file: FileChange, added: int, removed: int, line: int | None) -> Candidate:
    """Say how much of a file changes, for one that is too large to examine line by line."""
    name = quoted(file.path or "the file")
    parts = []
    if added:
        parts.append(f"{_lines(added)} added to {name}")
    if removed:
        parts.append(f"{_lines(removed)} removed from {name}")
    text = " and ".join(parts)
    return claim(text, 40, line)


def _lines(count: int) -> str:
    return "1 line is" if count == 1 else f"{count} lines are"
