"""PMD broken, hanging, lied to or fed with odd Java: never a clean bill, never an exception."""

import sys
from pathlib import Path

import pytest

from analyzers import AnalyzerResult, SourceFile, Status
from analyzers.java.pmd import PMD
from analyzers.java.rulesets import READ
from analyzers.linter import Linter
from analyzers.process import Limits
from analyzers.syntax.reading import READERS
from analyzers.tool import Unread
from tests.analyzers.java.odd import FOUND, ODD, SMELLY, UNREADABLE
from tests.analyzers.processes import are_gone
from tests.analyzers.sources import whole

# What PMD says last is not what went wrong.
_LAST_WORDS = "[main] ERROR x - Out of luck.\n[main] INFO x - Found no violations."


def java(text: str, path: str | None = "Cache.java") -> SourceFile:
    return whole(text, path=path, language="java")


def found(result: AnalyzerResult) -> list[tuple[str, int]]:
    return [(smell.rule, smell.line) for smell in result.smells]


def fake(folder: Path, code: str, limits: Limits | None = None) -> PMD:
    """A PMD that runs `code` instead; `names` are the files that it has to read."""
    program = folder / "fake_pmd.py"
    program.write_text(f"names = open('files.txt').read().split()\n{code}")
    limits = limits or Limits(seconds=60, output_bytes=1_000_000)
    return PMD(command=(sys.executable, "-I", str(program)), limits=limits)


def report(files: str) -> str:
    """Code that prints a report on `files`, each read and clean."""
    violation = {
        "beginline": 1,
        "begincolumn": 1,
        "endline": 1,
        "endcolumn": 1,
        "description": "",
        "rule": READ,
    }
    rest: dict[str, list[object]] = {
        "suppressedViolations": [],
        "processingErrors": [],
        "configurationErrors": [],
    }
    whole_report = {"formatVersion": 0, "pmdVersion": "7", **rest}
    return f"""
import json
files = [dict(filename=name, violations=[{violation!r}]) for name in {files}]
print(json.dumps({whole_report!r} | dict(files=files)))
"""


def test_a_report_on_every_file_is_believed(tmp_path: Path) -> None:
    assert fake(tmp_path, report("names")).lint([SMELLY, SMELLY]) == [[], []]


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("", "unreadable output: not JSON"),
        ("print('Found no violations.')", "unreadable output: not JSON"),
        ("print('[' * 100_000)", "unreadable output: not JSON"),
        ("print('{}')", "unreadable output: not a report on these files"),
        (report("[]"), "unreadable output: nothing on one of the files"),
        (report("names[1:]"), "unreadable output: nothing on one of the files"),
        (report("names[:-1]"), "unreadable output: nothing on one of the files"),
        (report("[*names, 'other.java']"), "unreadable output: not a report on these files"),
        (report("names") + "raise SystemExit(1)", "pmd failed with status 1"),
        (report("names") + "raise SystemExit(2)", "pmd failed with status 2"),
        ("import sys; sys.exit('Killed')", "pmd failed with status 1: Killed"),
        ("import os; os.kill(os.getpid(), 11)", "pmd failed with status -11"),
        ("while True: print('[' * 10_000)", "pmd wrote more than could be taken"),
        (f"import sys; sys.exit({_LAST_WORDS!r})", "pmd failed with status 1: Out of luck."),
    ],
)
def test_a_broken_pmd_finds_nothing_clean(tmp_path: Path, code: str, reason: str) -> None:
    for outcome in fake(tmp_path, code).lint([SMELLY, SMELLY]):
        assert isinstance(outcome, Unread)
        assert reason in outcome.reason


def test_a_truncated_report_finds_nothing_clean(tmp_path: Path) -> None:
    code = report("names").replace("print(", "cut = (") + "print(cut[: len(cut) // 2])"
    (outcome,) = fake(tmp_path, code).lint([SMELLY])
    assert outcome == Unread("PMD gave unreadable output: not JSON")


def test_a_command_that_does_not_exist_is_said(tmp_path: Path) -> None:
    (outcome,) = PMD(command=(str(tmp_path / "pmd"),)).lint([SMELLY])
    assert outcome == Unread("pmd was not found")


def test_hangs_end_and_leave_no_process(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    code = f"""
import os, subprocess, time
grandchild = subprocess.Popen(["sleep", "600"])
with open({str(pids)!r}, "a") as file:
    file.write(f"{{os.getpid()}} {{grandchild.pid}} ")
time.sleep(600)
"""
    pmd = fake(tmp_path, code, Limits(seconds=0.7))
    for _ in range(20):
        (outcome,) = pmd.lint([SMELLY])
        assert outcome == Unread("pmd took too long and was stopped")
    started = [int(pid) for pid in pids.read_text().split()]
    assert len(started) == 40
    assert are_gone(started)


@pytest.mark.parametrize("harm", ["os.abort()", "print('x' * 9_000_000)", "names.pop(0)"])
def test_one_text_that_harms_pmd_costs_the_others_nothing(tmp_path: Path, harm: str) -> None:
    code = f"import os\nif any('HARM' in open(name).read() for name in names): {harm}\n"
    texts = ["// HARM\n" if i == 5 else SMELLY for i in range(9)]
    outcomes = fake(tmp_path, code + report("names")).lint(texts)
    assert [isinstance(outcome, Unread) for outcome in outcomes] == [i == 5 for i in range(9)]


_SILENT = """<?xml version="1.0"?>
<ruleset name="none" xmlns="http://pmd.sourceforge.net/ruleset/2.0.0">
  <description>None.</description>
  <exclude-pattern>.*</exclude-pattern>
</ruleset>
"""
_PLANTED = {
    "rules.xml": _SILENT,
    "rulesets/java/quickstart.xml": _SILENT,
    "category/java/bestpractices.xml": _SILENT,
    "pmd.properties": "pmd.error_recovery=false\n",
    ".pmd": _SILENT,
    ".pmdruleset.xml": _SILENT,
    "simplelogger.properties": "org.slf4j.simpleLogger.defaultLogLevel=off\n",
    "net/sourceforge/pmd/cli/PmdCli.class": "no class",
    "META-INF/services/net.sourceforge.pmd.lang.Language": "planted.Language\n",
    "files.txt": "/etc/passwd\n",
    ".hotspotrc": "-Xmx1m\n",
}


def test_planted_files_and_variables_steer_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, above = tmp_path / "home", tmp_path / "above"
    for folder in (tmp_path, home, above):
        for name, text in _PLANTED.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text)
    options = "-Xmx1m -Dpmd.error_recovery=false -cp /nowhere"
    for name in ("JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS", "PMD_JAVA_OPTS"):
        monkeypatch.setenv(name, options)
    monkeypatch.setenv("CLASSPATH", str(tmp_path))
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.chdir(tmp_path)  # the user's current folder
    monkeypatch.setattr("tempfile.tempdir", str(above))  # above the working folder
    before = sorted(above.rglob("*"))
    (result,) = Linter(PMD(), READERS["java"]).analyze([java(SMELLY)])
    assert found(result) == FOUND
    assert sorted(above.rglob("*")) == before


_LABELS = [
    None, "", "../../../etc/cron.d/X.java", "/etc/passwd", "C:\\X.java", "--help", "@arguments.txt",
    "a\nb\0c.java", "\udcff.java", "x" * 10_000, "jar:file:/x.jar!/X.java", "X.zip",
]  # fmt: skip


def test_file_names_are_labels_only() -> None:
    files = [java(SMELLY, path=path) for path in _LABELS]
    for path, result in zip(_LABELS, Linter(PMD(), READERS["java"]).analyze(files), strict=True):
        assert result.path == path
        assert found(result) == FOUND
        assert {smell.path for smell in result.smells} == {path}


@pytest.fixture(scope="module")
def odd_results() -> dict[str, AnalyzerResult]:
    """What is found in each odd text, all in one start of PMD."""
    files = [java(text, path=name) for name, (text, _) in {**ODD, **UNREADABLE}.items()]
    results = Linter(PMD(), READERS["java"]).analyze(files)
    return {str(result.path): result for result in results}


@pytest.mark.parametrize("name", ODD)
def test_odd_java_is_read_line_by_line(name: str, odd_results: dict[str, AnalyzerResult]) -> None:
    result = odd_results[name]
    assert (result.status, result.reason) == (Status.ANALYSED, None)
    assert found(result) == ODD[name][1]


@pytest.mark.parametrize("name", UNREADABLE)
def test_unreadable_java_is_said_and_costs_the_others_nothing(
    name: str, odd_results: dict[str, AnalyzerResult]
) -> None:
    result = odd_results[name]
    assert result.status is Status.NOT_ANALYSED
    assert result.reason is not None
    assert result.reason.startswith(UNREADABLE[name][1])
    assert result.smells == ()


def test_code_cannot_dress_up_a_sentence() -> None:
    field = "    private int si\0ze" + "e" * 500 + ";\n"
    comparison = '    boolean b = "\u202e`\\t".equals(null);\n'
    code = f"package a;\nclass A {{\n{field}{comparison}}}\n"
    (result,) = Linter(PMD(), READERS["java"]).analyze([java(code)])
    assert {rule for rule, _ in found(result)} >= {"UnusedPrivateField", "EqualsNull"}
    for smell in result.smells:
        assert smell.text.isprintable()
        assert smell.text.count("`") % 2 == 0
        assert len(smell.text) < 250
