"""Files of a working tree: whole where they fit the diff, never from outside of it."""

import os
from pathlib import Path

import pytest

from crscore_core.change import parse_change
from crscore_core.errors import WholeFileError
from crscore_core.scoring.smells import files_of_tree

NEW = "x = 1\ny = 2\n"


def diff(path: str) -> str:
    return f"--- a/{path}\n+++ b/{path}\n@@ -1,2 +1,2 @@\n-x = 0\n+x = 1\n y = 2\n"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    folder = tmp_path / "tree"
    (folder / "src").mkdir(parents=True)
    (folder / "src" / "a.py").write_text(NEW, encoding="utf-8")
    (tmp_path / "secret.py").write_text(NEW, encoding="utf-8")
    return folder


def read(tree: Path, *paths: str, **given: str) -> tuple[dict[str, str], tuple[str, ...]]:
    return files_of_tree(parse_change("".join(map(diff, paths))), tree, given)


def test_a_file_that_fits_is_read_and_a_given_one_counts_before_it(tree: Path) -> None:
    assert read(tree, "src/a.py") == ({"src/a.py": NEW}, ())
    (tree / "src" / "link.py").symlink_to("a.py")
    (tree / "more").symlink_to("src")
    paths = "src/link.py", "more/a.py"
    assert read(tree, *paths) == (dict.fromkeys(paths, NEW), ())
    given = {"a.py": f"{NEW}z = 3\n"}
    assert files_of_tree(parse_change(diff("src/a.py")), tree, given) == (given, ())


def test_files_that_nobody_analyses_or_that_the_diff_shows_whole_are_passed_over(
    tree: Path,
) -> None:
    added = "--- /dev/null\n+++ b/new.py\n@@ -0,0 +1 @@\n+x = 1\n"
    deleted = "--- a/old.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-x = 1\n"
    change = parse_change(diff("notes.unheard") + added + deleted)
    assert files_of_tree(change, tree, {}) == ({}, ())


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("gone.py", "it is missing"),
        ("folder.py", "no regular file"),
        ("pipe.py", "no regular file"),
        ("loop.py", "no regular file"),
        ("../secret.py", "it is outside the working tree"),
        ("out.py", "it is outside the working tree"),
        ("up/secret.py", "it is outside the working tree"),
        ("other.py", "line 1 of the new file"),
        ("latin.py", "not valid UTF-8"),
        ("large.py", "larger than"),
    ],
)
def test_a_file_that_is_not_used_is_a_warning(
    tree: Path, path: str, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tree / "folder.py").mkdir()
    os.mkfifo(tree / "pipe.py")
    (tree / "loop.py").symlink_to("loop.py")
    (tree / "out.py").symlink_to(tree.parent / "secret.py")
    (tree / "up").symlink_to("..")
    (tree / "other.py").write_text("x = 7\ny = 2\n", encoding="utf-8")
    (tree / "latin.py").write_bytes(b"x = 1\ny = 2\n# \xe9\n")
    (tree / "large.py").write_text(NEW + "#" * 100, encoding="utf-8")
    monkeypatch.setattr("crscore_core.scoring.smells._MOST_BYTES", 50)
    files, (warning,) = read(tree, path, "src/a.py")
    assert files == {"src/a.py": NEW}
    assert warning.startswith(f"{path}: its file in the working tree is not used: ")
    assert reason in warning


def test_a_working_tree_is_a_folder(tree: Path) -> None:
    with pytest.raises(WholeFileError, match="is no folder"):
        read(tree / "src" / "a.py", "src/a.py")
