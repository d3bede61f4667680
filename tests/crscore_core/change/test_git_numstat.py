"""Generated changes: the parsed diff agrees with git on both versions."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from crscore_core.change import FileChange, FileStatus, LineKind, parse_change
from tests.crscore_core.change.git_trees import Blob, GitPair, Tree, random_trees

SEEDS = range(4)  # and fifty more in the long run
OPTIONS = (
    "--no-renames",
    "-U0 -M",
    "-U1 -M",
    "-U3 -C --find-copies-harder",
    "-M20% --no-prefix",
    "-U0 --no-prefix --no-renames",
    "-M --binary",
    "-U2 -M -R",
    "-U0 -C --find-copies-harder -R --binary",
    "-M --src-prefix=i/ --dst-prefix=w/",
    "-M -R --src-prefix=c/ --dst-prefix=i/",
    "-M --src-prefix=before/ --dst-prefix=behind/",
    "-B -M --full-index --inter-hunk-context=4",
    "-M -U999 --patience",
    "-M --color=always",
    "-W -M",
    "-W -R --no-renames --no-prefix",
)
SPACES = ("--ignore-cr-at-eol", "-w -U1 -M", "-b -W -R", "--ignore-blank-lines -M --binary")
"""Options that leave changed lines out, so that the new file does not follow from the old."""
EMPTY = Blob("000000", b"")


@dataclass(frozen=True, slots=True)
class Entry:
    """One file of `git diff --raw`."""

    letter: str
    old_mode: str
    new_mode: str
    old_path: str
    new_path: str
    is_exact: bool


@dataclass(frozen=True, slots=True)
class World:
    """Two trees and the repository that holds them."""

    old: Tree
    new: Tree
    pair: GitPair


@pytest.fixture(
    scope="module",
    params=[*SEEDS, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(4, 54))],
    ids=lambda seed: f"trees {seed}",
)
def world(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> World:
    old, new = random_trees(request.param)
    folder: Path = tmp_path_factory.mktemp("repository")
    return World(old, new, GitPair(folder, old, new))


@pytest.mark.parametrize("given", OPTIONS)
def test_a_diff_is_read_as_git_means_it(world: World, given: str) -> None:
    options = given.split()
    change = parse_change(world.pair.diff(*options))
    old_tree, new_tree = (world.new, world.old) if "-R" in options else (world.old, world.new)
    plain = [option for option in options if option[:2] != "-U" and option != "--binary"]
    numstat = iter(_numstat(world.pair.diff("--numstat", "-z", *plain)))
    entries = _raw(world.pair.diff("--raw", "-z", *plain))
    files = iter(change.files)
    assert entries
    for entry in entries:
        old = old_tree.get(entry.old_path, EMPTY)
        new = new_tree.get(entry.new_path, EMPTY)
        if entry.letter == "T":  # git shows it as a deletion and an addition
            parts = [next(files), next(files)]
            _check(parts[0], Entry("D", entry.old_mode, "", entry.old_path, "", False), old, EMPTY)
            _check(parts[1], Entry("A", "", entry.new_mode, "", entry.new_path, False), EMPTY, new)
        else:
            parts = [next(files)]
            _check(parts[0], entry, old, new)
        binary = old.is_binary or new.is_binary  # to numstat, even where the mode alone changes
        assert next(numstat) == (("-", "-") if binary else _counts(parts)), entry
    assert next(files, None) is None
    assert next(numstat, None) is None


APPLIED = [*SPACES, *(given for given in OPTIONS if "color" not in given)]


@pytest.mark.parametrize("given", APPLIED)
def test_lines_are_counted_as_git_apply_counts_them(world: World, given: str) -> None:
    options = given.split()
    diff = world.pair.diff(*options, "--binary")
    strip = "-p0" if "--no-prefix" in options else "-p1"
    counts = _numstat(world.pair.git("apply", "--numstat", "-z", strip, "-", stdin=diff))
    files = parse_change(diff).files
    assert counts == [_counts([file]) for file in files]
    assert any(count != ("-", "-") for count in counts)


def _check(file: FileChange, entry: Entry, old: Blob, new: Blob) -> None:
    statuses = {
        "A": FileStatus.ADDED, "D": FileStatus.DELETED, "M": FileStatus.MODIFIED,
        "R": FileStatus.RENAMED, "C": FileStatus.COPIED,
    }  # fmt: skip
    assert file.status is statuses[entry.letter]
    assert file.old_path == (None if entry.letter == "A" else entry.old_path)
    assert file.new_path == (None if entry.letter == "D" else entry.new_path)
    if not entry.is_exact or entry.old_mode != entry.new_mode:
        assert file.old_mode == (None if entry.letter == "A" else entry.old_mode)
        assert file.new_mode == (None if entry.letter == "D" else entry.new_mode)
    assert file.is_binary == ((old.is_binary or new.is_binary) and old.content != new.content)
    if not (old.is_binary or new.is_binary):
        assert _applied(file, old) == new.content.decode()
    for line in file.lines():
        if line.old is not None:
            assert old.lines[line.old - 1] == line.text
        if line.new is not None:
            assert new.lines[line.new - 1] == line.text


def _applied(file: FileChange, old: Blob) -> str:
    """Return the new version, computed from the old one and the parsed diff."""
    lines = [line + "\n" for line in old.lines]
    if lines and not old.content.endswith(b"\n"):
        lines[-1] = lines[-1].removesuffix("\n")
    result: list[str] = []
    at = 0
    for hunk in file.hunks:
        start = hunk.old_start - 1 if hunk.old_count else hunk.old_start
        result += lines[at:start]
        assert len(result) == (hunk.new_start - 1 if hunk.new_count else hunk.new_start)
        result += [
            line.text + ("" if line.ends_without_newline else "\n")
            for line in hunk.lines
            if line.kind is not LineKind.REMOVED
        ]
        at = start + hunk.old_count
    return "".join(result + lines[at:])


def _counts(files: list[FileChange]) -> tuple[str, str]:
    if any(file.is_binary for file in files):
        return "-", "-"
    added = sum(len(file.added) for file in files)
    removed = sum(len(file.removed) for file in files)
    return str(added), str(removed)


def _raw(output: bytes) -> list[Entry]:
    fields = iter(output.decode().split("\0")[:-1])
    entries = []
    for field in fields:
        old_mode, new_mode, old_id, new_id, status = field.removeprefix(":").split(" ")
        old_path = next(fields)
        new_path = next(fields) if status[0] in "RC" else old_path
        is_exact = old_id == new_id
        entries.append(Entry(status[0], old_mode, new_mode, old_path, new_path, is_exact))
    return entries


def _numstat(output: bytes) -> list[tuple[str, str]]:
    """Return added and removed lines by file; a rename has its two names in separate fields."""
    fields = iter(output.decode().split("\0")[:-1])
    counts = []
    for field in fields:
        added, removed, path = field.split("\t", 2)
        if not path:
            next(fields)
            next(fields)
        counts.append((added, removed))
    return counts
