"""Batches of texts, lines, passages, quotations and the folder of a run."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import pytest
from analyzers.batches import Failure, lint_in_batches, workspace
from analyzers.reading import Passage, source_lines
from cachetools import TTLCache

from analyzers import batches
from analyzers.tool import Outcome, Unread, quoted


def starts(
    bad: set[str], *, of_a_text: bool = True, broken: bool = False
) -> tuple[list[list[str]], list[Outcome]]:
    """Return the texts of each run, and the outcomes; texts in `bad` make a run fail."""
    given: list[list[str]] = []

    def lint_once(texts: Sequence[str]) -> list[Outcome] | Failure:
        given.append(list(texts))
        if broken or bad & set(texts):
            return Failure("crash", depends_on_text=of_a_text)
        return [[] for _ in texts]

    return given, lint_in_batches(object(), list("abcdefgh"), lint_once, 4)


def test_texts_are_split_into_runs() -> None:
    given, outcomes = starts(set())
    assert given == [list("abcd"), list("efgh")]
    assert outcomes == [[]] * 8


def test_only_the_text_that_makes_it_fail_is_lost() -> None:
    _, outcomes = starts({"c", "h"})
    lost = [index for index, outcome in enumerate(outcomes) if outcome == Unread("crash")]
    assert lost == [2, 7]
    assert [outcome for index, outcome in enumerate(outcomes) if index not in lost] == [[]] * 6


@pytest.mark.parametrize(("of_a_text", "broken"), [(False, False), (True, True)])
def test_a_tool_that_always_fails_is_given_up(of_a_text: bool, broken: bool) -> None:
    given, outcomes = starts({"a", "e"}, of_a_text=of_a_text, broken=broken)
    assert outcomes == [Unread("crash")] * 8
    assert len(given) <= 4


class Stuck:
    """A tool that hangs with the texts in `bad`, and without texts if it `hangs_always`."""

    def __init__(self, bad: str, *, hangs_always: bool = False) -> None:
        self.hangs_always = hangs_always
        self.bad = bad
        self.given: list[str] = []

    def lint(self, texts: str) -> list[str]:
        """Run with `texts`; return the texts given since the last call."""
        self.given.clear()
        self.outcomes = lint_in_batches(self, list(texts), self._once, 8)
        return [*self.given]

    def _once(self, texts: Sequence[str]) -> list[Outcome] | Failure:
        self.given.append("".join(texts))
        if self.hangs_always or set(self.bad) & set(texts):
            return Failure("hung", depends_on_text=True, is_hang=True)
        return [[] for _ in texts]


def test_a_tool_is_paused_after_a_hang(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0]
    monkeypatch.setattr(batches, "_hung", TTLCache(9, 60, timer=lambda: now[0]))
    text_hangs, tool_hangs = Stuck("b"), Stuck("", hangs_always=True)
    assert text_hangs.lint("ab") == ["ab", "", "a", "b", ""]
    assert text_hangs.outcomes == [[], Unread("hung")]
    assert text_hangs.lint("ab") == ["a"]
    said = Unread("hung; it will be tried again in 60 seconds")
    assert text_hangs.outcomes == [[], said]
    assert tool_hangs.lint("ab") == ["ab", ""]
    now[0] = 59
    assert tool_hangs.lint("c") == []
    assert tool_hangs.outcomes == [said]
    now[0] = 61
    assert tool_hangs.lint("c") == ["c", ""]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", [""]),
        ("a", ["a"]),
        ("a\n", ["a"]),
        ("a\n\n", ["a", ""]),
        ("a\r\nb\r\n", ["a", "b"]),
        ("a\rb\nc\r", ["a b", "c"]),
        ("\ufeffa\nb", ["a", "b"]),
        ("a\x0bb\x0cc\x85d\u2028e", ["a\x0bb\x0cc\x85d\u2028e"]),
    ],
)
def test_lines_end_at_line_feeds_alone(text: str, lines: list[str]) -> None:
    assert source_lines(text) == lines


def test_rows_map_to_lines_of_the_new_file() -> None:
    passage = Passage.of_lines([(None, "if 1:"), (7, "    a"), (9, "    b")])
    assert passage.text == "if 1:\n    a\n    b\n"
    assert [passage.line(row) for row in range(5)] == [None, None, 7, 9, None]
    assert passage.shows(1, 2, frozenset({7}))
    assert not passage.shows(1, 2, frozenset({8, 9}))


@pytest.mark.parametrize(
    ("code", "shown"),
    [
        ("retry_count", "`retry_count`"),
        ("a  ==\n\tb", "`a == b`"),
        ("f(`x`)", "`f('x')`"),
        ("a\u202eb\0c\udcffd", "`a b c d`"),
        ("x" * 60, f"`{'x' * 60}`"),
        ("x" * 61, f"`{'x' * 59}…`"),
        ("größe", "`größe`"),
        (" " * 5_000 + "x" * 5_000, f"`{'x' * 59}…`"),
    ],
)
def test_code_is_shown_on_one_short_line(code: str, shown: str) -> None:
    assert quoted(code) == shown


def test_texts_have_generated_names_and_are_removed_afterwards() -> None:
    with workspace(["a\n", "ö\udcff"], ".py") as space:
        written = {path.name: path.read_bytes() for path in space.folder.iterdir()}
        assert [written[name] for name in space.names] == [b"a\n", "ö?".encode()]
        assert len(written) == 2
        assert all(name.endswith(".py") for name in space.names)
    assert not space.folder.exists()


def test_folders_of_killed_processes_are_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    code = "space = workspace(['x'], ''); space.__enter__(); os._exit(9)"
    code = f"import os; from analyzers.batches import workspace; {code}"
    environment = os.environ | {"TMPDIR": str(tmp_path), "PYTHONPATH": str(Path.cwd())}
    subprocess.run([sys.executable, "-c", code], env=environment, check=False)
    (killed,) = tmp_path.iterdir()
    batches._remove_abandoned.cache_clear()
    with workspace([], "") as new:
        assert killed.exists()  # it may be so new that its process has not locked it yet
        for folder in (killed, new.folder):
            os.utime(folder, (0, 0))
        batches._remove_abandoned.cache_clear()
        with workspace([], ""):
            assert (killed.exists(), new.folder.exists()) == (False, True)
