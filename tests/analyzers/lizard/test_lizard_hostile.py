"""Lizard broken, hanging, lied to or fed with what it cannot read: never a clean bill."""

import sys
from pathlib import Path

import pytest

from analyzers.lizard import LANGUAGES, Lizard
from analyzers.process import Limits
from analyzers.tool import Unread
from tests.analyzers.lizard.examples import FUNCTIONS
from tests.analyzers.processes import are_gone

SMELLY = FUNCTIONS["c"].text(parameters=9)


def fake(folder: Path, code: str, limits: Limits | None = None) -> Lizard:
    """A lizard that runs `code` instead."""
    program = folder / "fake_lizard.py"
    program.write_text(code)
    return Lizard("c", (sys.executable, "-I", str(program)), limits or Limits())


_REPORT = 'import json, sys\nfor name in sys.argv[1:]: print(json.dumps({{"file": name, {}}}))'


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("", "did not report on every file"),
        ("print('{}')", "did not report on every file"),
        ("print('{}\\n{}\\n{}')", "unreadable output"),
        ("print('[' * 100_000 + '\\n\\n')", "unreadable output"),
        (_REPORT.format('"functions": []'), "did not report what it has to report"),
        (_REPORT.format('"functions": [{}]'), "unreadable output"),
        (_REPORT.format('"functions": 3'), "unreadable output"),
        (_REPORT.format('"error": "X"'), "did not report what it has to report"),
        (_REPORT.format('"functions": []').replace("name,", "'x',"), "unreadable output"),
        ("import sys; sys.exit(2)", "failed with status 2"),
        ("import os; os.kill(os.getpid(), 11)", "failed with status -11"),
        ("while True: print('x' * 10_000)", "wrote more than could be taken"),
    ],
)
def test_a_broken_lizard_finds_nothing_clean(tmp_path: Path, code: str, reason: str) -> None:
    limits = Limits(seconds=60, output_bytes=1_000_000)
    for outcome in fake(tmp_path, code, limits).lint([SMELLY, SMELLY]):
        assert isinstance(outcome, Unread)
        assert reason in outcome.reason


def test_hangs_end_and_leave_no_process(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    code = f"""
import os, subprocess, time
grandchild = subprocess.Popen(["sleep", "600"])
with open({str(pids)!r}, "a") as file:
    file.write(f"{{os.getpid()}} {{grandchild.pid}} ")
time.sleep(600)
"""
    lizard = fake(tmp_path, code, Limits(seconds=0.7))
    for _ in range(20):
        (outcome,) = lizard.lint([SMELLY])
        assert outcome == Unread("lizard took too long and was stopped")
    started = [int(pid) for pid in pids.read_text().split()]
    assert len(started) == 40
    assert are_gone(started)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "harm",
    [
        pytest.param("(" * 6_000, id="parentheses"),
        pytest.param("{" * 100_000, id="braces"),
        pytest.param("'" * 999, id="quotes"),
        pytest.param("\x0c\u2028\r", id="breaks"),
        "\0", "\udcff", "\ufeff", "/*", "`", "<<A",
    ],
)  # fmt: skip
def test_odd_text_costs_the_others_nothing(language: str, harm: str) -> None:
    smelly = FUNCTIONS[language].text(parameters=9)
    _, after = Lizard(language).lint([f"{smelly}\n{harm}\n", smelly])
    assert not isinstance(after, Unread)
    assert [finding.rule for finding in after] == ["long-parameter-list"]


def test_planted_files_steer_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("lizard.py", "json.py", "pathlib.py", "sitecustomize.py"):
        (tmp_path / name).write_text("raise SystemExit('planted')\n")
    (tmp_path / ".gitignore").write_text("*\n")
    (tmp_path / "whitelizer.txt").write_text("*\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    (outcome,) = Lizard("c").lint([SMELLY])
    assert not isinstance(outcome, Unread)
    assert [finding.rule for finding in outcome] == ["long-parameter-list"]
