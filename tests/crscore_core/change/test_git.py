"""Generated changes: the parsed diff agrees with git on both versions."""

import os
import random
import subprocess
from pathlib import Path

import pytest

from crscore_core.change import FileChange, FileStatus, other_side, parse_change

LINES = (
    "", " ", "\t", "x = 1", "return x", "--- x", "--- a/other.py", "+++ y", "++ y", "-- z", "-",
    "+", "@@ -1 +1 @@", "@@@ -1 -1 +1 @@@", "\\ No newline at end of file", "ends\r", "in\rside",
    "form\ffeed", "next\x85line", "line\u2028separator", "diff --git a/x b/x", "```", "Index: x",
    "Binary files a/x and b/x differ", "rename from x", "-- ", "größe", "def f(a):", "\ufeffmark",
)  # fmt: skip
NAMES = (
    "plain.py", "no_extension", "two words.java", " lead and trail ", 'quo"te.js', "tab\there.py",
    "back\\slash.c", "größe.py", "a/b/x.py", "b/x.go", "deep/er/x and y.php", "dev/null",
    "c/mnemonic.c", "i/w/o.ts", "x 2020-01-01 10:00:00", "x => y", "differ",
)  # fmt: skip
OPTIONS = (
    "--no-renames", "-U0 -M", "-U3 -C --find-copies-harder", "-M20% --no-prefix",
    "-U0 --no-prefix --no-renames", "-M --binary", "-U2 -M -R",
    "-M --src-prefix=i/ --dst-prefix=w/",
    "-M --src-prefix=src:// --dst-prefix=dst://", "-M --src-prefix=before/ --dst-prefix=behind/",
    "-M -U999 --patience", "-M --color=always", "-W -M", "-W -R --no-renames --no-prefix",
)  # fmt: skip
STATUSES = {
    "A": FileStatus.ADDED, "D": FileStatus.DELETED, "M": FileStatus.MODIFIED,
    "R": FileStatus.RENAMED, "C": FileStatus.COPIED,
}  # fmt: skip
Tree = dict[str, bytes]


def _trees(seed: int) -> tuple[Tree, Tree]:
    """Return an old and a new tree: files edited, moved, copied, added, deleted, some binary."""
    chance = random.Random(seed)  # noqa: S311 - the same trees in every run

    def content(lines: list[str]) -> bytes:
        return ("\n".join(lines) + "\n" * chance.randrange(2)).encode()

    old = {name: chance.choices(LINES, k=chance.randrange(40)) for name in NAMES[:-3]}
    new = {name: chance.choices(LINES, k=5) for name in NAMES[-3:]}
    for name, lines in old.items():
        kind = chance.random()
        at = chance.randrange(len(lines) + 1)
        edited = [*lines[:at], *chance.choices(LINES, k=2), *lines[at + chance.randrange(3) :]]
        if kind < 0.85:
            new[f"moved/{name}" if kind < 0.15 else name] = edited
        if kind < 0.25:
            new[f"copy/{name}"] = lines
    binary = {f"binary {number}": bytes([0, number, 10]) * 9 for number in range(2)}
    before = {name: content(lines) for name, lines in old.items()} | binary
    after = {name: content(lines) for name, lines in new.items()} | {"binary 1": b"\0new"}
    return before, after


def git(folder: Path, *arguments: str) -> bytes:
    """Return the standard output of a git command with fixed settings."""
    settings = {
        "PATH": os.environ["PATH"], "HOME": str(folder), "LC_ALL": "C",
        "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1",
    }  # fmt: skip
    command = ["git", "-c", "core.autocrlf=false", "-c", "diff.renameLimit=0", *arguments]
    return subprocess.run(command, cwd=folder, env=settings, capture_output=True, check=True).stdout


@pytest.fixture(scope="module", params=range(3))
def repository(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, Tree, Tree]:
    """A repository with the old tree committed and the new one in its index; both trees."""
    folder = tmp_path_factory.mktemp("repository")
    old, new = _trees(request.param)
    git(folder, "init", "--quiet", ".")
    for tree in (old, new):
        git(folder, "rm", "-rq", "--ignore-unmatch", ".")
        for name, content in tree.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(content)
        git(folder, "add", "--force", ".")
        if tree is old:
            git(folder, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "old")
    return folder, old, new


@pytest.mark.parametrize("given", OPTIONS)
def test_a_diff_is_read_as_git_means_it(repository: tuple[Path, Tree, Tree], given: str) -> None:
    options = ["diff", "--cached", *given.split()]
    folder, old, new = repository
    if "-R" in options:
        old, new = new, old
    statuses = git(folder, *options, "--no-color", "--name-status", "-z").decode().split("\0")
    for file in parse_change(git(folder, *options)).files:
        letter, old_path = statuses.pop(0)[0], statuses.pop(0)
        new_path = statuses.pop(0) if letter in "RC" else old_path
        assert file.status is STATUSES[letter]
        assert file.old_path == (None if letter == "A" else old_path)
        assert file.new_path == (None if letter == "D" else new_path)
        before = b"" if letter == "A" else old[old_path]
        after = b"" if letter == "D" else new[new_path]
        assert file.is_binary == (b"\0" in before + after)
        if not file.is_binary:
            _check_texts(file, before.decode(), after.decode())
    assert statuses == [""]


def _check_texts(file: FileChange, before: str, after: str) -> None:
    for line in file.lines():
        assert line.old is None or before.split("\n")[line.old - 1] == line.text
        assert line.new is None or after.split("\n")[line.new - 1] == line.text
    if file.hunks:
        assert other_side(file, before, is_new=False).rstrip("\n") == after.rstrip("\n")
