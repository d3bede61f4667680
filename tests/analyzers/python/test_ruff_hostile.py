"""Ruff missing, broken, hanging or lied to: never a clean bill, never an exception."""

import json
import sys
from pathlib import Path

import pytest

from analyzers import Status
from analyzers.linter import Linter
from analyzers.process import Limits
from analyzers.python.reading import PYTHON
from analyzers.python.ruff import Ruff
from tests.analyzers.processes import are_gone
from tests.analyzers.sources import whole

SMELLY = "x = y == None\n"


def fake(folder: Path, code: str, limits: Limits | None = None) -> Linter:
    """A ruff that runs `code` instead."""
    program = folder / "fake_ruff.py"
    program.write_text(code)
    return Linter(Ruff((sys.executable, "-I", str(program)), limits or Limits()), PYTHON)


def entry(**changes: object) -> str:
    place = {"row": 1, "column": 1}
    whole_entry = {
        "filename": "/somewhere/source0.py",
        "code": "E711",
        "message": "no",
        "location": place,
        "end_location": place,
    }
    return json.dumps([{**whole_entry, **changes}])


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("", "unreadable output: not JSON"),
        ("print('All checks passed!')", "unreadable output: not JSON"),
        ("print('[]')", "did not report what it has to report"),
        ("print('{}')", "unreadable output: not a list"),
        ("print('[' * 100_000)", "unreadable output: not JSON"),
        ('print(\'[{"filename": "source0.py", "co\')', "unreadable output: not JSON"),
        ("print('[null]')", "unreadable output: an entry without"),
        ("print('[{}]')", "unreadable output: an entry without"),
        (f"print('''{entry(filename='/etc/passwd')}''')", "unreadable output: an entry"),
        (f"print('''{entry(filename=3)}''')", "unreadable output: an entry"),
        (f"print('''{entry(location=None)}''')", "unreadable output: an entry"),
        (f"print('''{entry(location={'row': 'x', 'column': 1})}''')", "unreadable output"),
        (f"print('''{entry()}''')", "did not report what it has to report"),
        ("import sys; sys.exit(2)", "failed with status 2"),
        ("import sys; sys.exit('panicked')", "did not report|not JSON"),
        ("import sys; print('oh no', file=sys.stderr); sys.exit(2)", "status 2: oh no"),
        ("import os; os.kill(os.getpid(), 11)", "failed with status -11"),
        ("while True: print('[' * 10_000)", "wrote more than could be taken"),
    ],
)
def test_a_broken_ruff_is_not_a_clean_file(tmp_path: Path, code: str, reason: str) -> None:
    limits = Limits(seconds=60, output_bytes=1_000_000)
    results = fake(tmp_path, code, limits).analyze([whole(SMELLY), whole(SMELLY, path="b.py")])
    for result in results:
        assert result.status is Status.NOT_ANALYSED
        assert result.reason is not None
        assert any(part in result.reason for part in reason.split("|"))
        assert result.smells == ()
        assert result.version is None


def test_a_missing_ruff_is_said(tmp_path: Path) -> None:
    (result,) = Linter(Ruff((str(tmp_path / "ruff"),)), PYTHON).analyze([whole(SMELLY)])
    assert (result.status, result.reason) == (Status.NOT_ANALYSED, "ruff was not found")


def test_hangs_end_and_leave_no_process(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    code = f"""
import os, subprocess, time
grandchild = subprocess.Popen(["sleep", "600"])
with open({str(pids)!r}, "a") as file:
    file.write(f"{{os.getpid()}} {{grandchild.pid}} ")
time.sleep(600)
"""
    ruff = fake(tmp_path, code, Limits(seconds=4))
    for _ in range(4):
        (result,) = ruff.analyze([whole(SMELLY)])
        assert result.status is Status.NOT_ANALYSED
        assert result.reason == "ruff took too long and was stopped"
    started = [int(pid) for pid in pids.read_text().split()]
    assert len(started) == 8
    assert are_gone(started)


# Does `{harm}` to one text, and is the real ruff for all others.
_PICKY = """
import os, subprocess, sys, time
names = [a for a in sys.argv if a.endswith(".py") and os.path.exists(a) and a != sys.argv[0]]
if any("HARM" in open(name).read() for name in names):
    {harm}
sys.exit(subprocess.run([{ruff!r}, *sys.argv[1:]]).returncode)
"""


@pytest.mark.parametrize("harm", ["os.abort()", "print('x' * 9_000_000)", "sys.exit(2)"])
def test_one_text_that_harms_ruff_costs_the_others_nothing(tmp_path: Path, harm: str) -> None:
    ruff = str(Path(sys.executable).with_name("ruff"))
    files = [whole(SMELLY if i != 5 else "# HARM\n", path=f"{i}.py") for i in range(9)]
    limits = Limits(output_bytes=1_000_000)
    results = fake(tmp_path, _PICKY.format(ruff=ruff, harm=harm), limits).analyze(files)
    for index, result in enumerate(results):
        rules = {smell.rule for smell in result.smells}
        if index == 5:
            assert (result.status, rules) == (Status.NOT_ANALYSED, set())
        else:
            assert (result.status, rules) == (Status.ANALYSED, {"F821", "E711"})


_SILENCING = 'lint.ignore = ["ALL"]\nlint.per-file-ignores = {"*" = ["ALL"]}\nexclude = ["*"]\n'


@pytest.mark.parametrize("name", ["ruff.toml", ".ruff.toml", "pyproject.toml", ".gitignore"])
def test_planted_configuration_steers_nothing(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = {"pyproject.toml": f"[tool.ruff]\n{_SILENCING}", ".gitignore": "*\n"}
    (tmp_path / name).write_text(text.get(name, _SILENCING))
    below = tmp_path / "below"
    below.mkdir()
    home = tmp_path / "home"
    (home / ".config" / "ruff").mkdir(parents=True)
    (home / ".config" / "ruff" / "ruff.toml").write_text(_SILENCING)
    monkeypatch.chdir(tmp_path)  # the user's current folder
    monkeypatch.setattr("tempfile.tempdir", str(below))  # above the working folder
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("RUFF_CONFIG", str(tmp_path / name))
    (result,) = Linter(Ruff(), PYTHON).analyze([whole(SMELLY)])
    assert {smell.rule for smell in result.smells} == {"F821", "E711"}
    assert list(below.iterdir()) == []


@pytest.mark.parametrize(
    "path",
    [
        None,
        "",
        "../../../etc/cron.d/x.py",
        "/etc/passwd",
        "C:\\x.py",
        "--fix",
        "@arguments.txt",
        "a\nb\0c.py",
        "\udcff.py",
        "x" * 10_000,
    ],
)
def test_file_names_are_labels_only(path: str | None) -> None:
    (result,) = Linter(Ruff(), PYTHON).analyze([whole(SMELLY, path=path)])
    assert result.path == path
    assert {smell.rule for smell in result.smells} == {"F821", "E711"}
    assert {smell.path for smell in result.smells} == {path}


def test_code_cannot_dress_up_a_sentence() -> None:
    code = "x = (\n    y\x0c + '`\t\udcff" + "z" * 500 + "') == None == \\\n None\nx.strip('a`a')\n"
    (result,) = Linter(Ruff(), PYTHON).analyze([whole(code)])
    assert result.status is Status.ANALYSED
    assert result.smells
    for smell in result.smells:
        assert smell.text.isprintable()
        assert smell.text.count("`") % 2 == 0
        assert len(smell.text) < 200
