"""Missing, broken or manipulated tools never report clean code and never raise."""

import json
import sys
from pathlib import Path

import pytest

from crscore_core.analyzers import ANALYZERS, Status, analyze_files
from crscore_core.analyzers.linter import Linter
from tests.analyzers.sources import require, whole

SMELLY: dict[str, tuple[str, str, list[tuple[str, int]]]] = {
    "ruff": ("python", "x = y == None\n", [("F821", 1), ("E711", 1)]),
    "pmd": ("java", "class Cache {\n    private int size;\n}\n",
        [("NoPackage", 1), ("UnusedPrivateField", 2)]),
    "jshint": ("javascript", "open(size == 3);\nif (true) { debugger; }\n",
        [("W116", 1), ("W087", 2)]),
    "lizard": ("c", "int work(int a, int b, int c, int d, int e, int f, int g) {\n}\n",
        [("long-parameter-list", 1)]),
}  # fmt: skip
"""For each tool: its language, code with smells, and these smells."""
BROKEN = {
    "silence": "", "words": "print('All fine!')", "deep brackets": "print('[' * 100_000)",
    "null": "print('null')", "an empty list": "print('[]')",
    "an object for each file": "for _ in range(2): print('{}')",
    "a report on a file of the system": 'print(\'[{"filename": "/etc/passwd"}]\')',
    "JSHint": """for i in range(3): print('{"file": "source%d.js", "findings": []}' % i)""",
    "lizard": """for i in range(3): print('{"file": "source%d.c", "functions": []}' % i)""",
    "PMD": """print('{"files": [], "processingErrors": [], "suppressedViolations": []}')""",
    "an error exit": "print('[]'); raise SystemExit(3)",
    "a crash": "import os; os.kill(os.getpid(), 11)",
}  # fmt: skip
_RUFF = 'lint.ignore = ["ALL"]\nexclude = ["*"]\n'
_JSHINT = json.dumps({"jshintConfig": {"-W116": True}, "-W116": True, "maxerr": 1})
_PMD = """<?xml version="1.0"?>
<ruleset name="none" xmlns="http://pmd.sourceforge.net/ruleset/2.0.0">
  <description>None.</description>
  <exclude-pattern>.*</exclude-pattern>
</ruleset>
"""
PLANTED = {
    "ruff.toml": _RUFF, "pyproject.toml": f"[tool.ruff]\n{_RUFF}", ".gitignore": "*\n",
    "lizard.py": "raise SystemExit('planted')\n", "whitelizer.txt": "*\n",
    "sitecustomize.py": "raise SystemExit('planted')\n",
    ".jshintrc": _JSHINT, "package.json": _JSHINT, ".jshintignore": "**\n",
    "evil.js": "process.exit(0);", "node_modules/jshint/index.js": "process.exit(0);",
    "rules.xml": _PMD, "rulesets/java/quickstart.xml": _PMD,
    "files.txt": "/etc/passwd\n", ".hotspotrc": "-Xmx1m\n",
}  # fmt: skip
VARIABLES = {
    **dict.fromkeys(("JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS"), "-Xmx1m"),
    **dict.fromkeys(("CLASSPATH", "PYTHONPATH", "HOME"), "{}"),
    "RUFF_CONFIG": "{}/ruff.toml", "NODE_PATH": "{}/node_modules",
    "NODE_OPTIONS": "--require={}/evil.js",
}  # fmt: skip
ODD_PATHS = ("../../../etc/cron.d/x", "--help", "@arguments.txt", "a\nb\0c")


@pytest.fixture(params=SMELLY)
def linter(request: pytest.FixtureRequest) -> Linter:
    language = SMELLY[request.param][0]
    (found,) = (one for one in ANALYZERS[language] if one.name == request.param)
    assert isinstance(found, Linter)
    return found


@pytest.mark.parametrize("code", BROKEN.values(), ids=BROKEN)
def test_a_broken_tool_reports_no_clean_file(
    linter: Linter, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = sys.executable, "-I", "-c", code
    monkeypatch.setattr(type(linter.tool), "command", lambda _: command)
    language, smelly, _ = SMELLY[linter.name]
    files = [whole(smelly + end, language=language) for end in ("", "\n")]
    for (result,) in analyze_files(files, {language: [linter]}):
        assert (result.name, result.status, result.smells) == (linter.name, Status.NOT_ANALYSED, ())
        assert result.reason


@pytest.mark.parametrize("name", ["pmd", "jshint"])
def test_a_missing_runtime_is_reported_with_how_to_install_it(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", "/nowhere")
    language, smelly, _ = SMELLY[name]
    (result, _) = analyze_files([whole(smelly, language=language)])[0]
    assert (result.name, result.status) == (name, Status.NOT_ANALYSED)
    assert result.version  # signatures name it
    assert "install" in str(result.reason)


def test_planted_files_variables_and_paths_have_no_effect(
    linter: Linter, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    require(linter)
    above = tmp_path / "above"
    for folder in (tmp_path, above):
        for name, text in PLANTED.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text)
    for name, value in VARIABLES.items():
        monkeypatch.setenv(name, value.format(tmp_path))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tempfile.tempdir", str(above))
    before = sorted(above.rglob("*"))
    language, smelly, found = SMELLY[linter.name]
    results = linter.analyze([whole(smelly, path=path, language=language) for path in ODD_PATHS])
    assert sorted(above.rglob("*")) == before
    for path, result in zip(ODD_PATHS, results, strict=True):
        assert result.version
        assert result.path == path
        assert [(smell.rule, smell.line) for smell in result.smells] == found
        assert {smell.path for smell in result.smells} == {path}
