"""Missing, broken, hanging or tampered tools never report clean code or raise."""

import importlib.metadata
import json
import re
from pathlib import Path

import pytest
from analyzers.process import Limits

from analyzers import Status
from analyzers.tool import Unread
from tests.analyzers.kits import KITS, Kit, at
from tests.cases import cases

SHORT = Limits(seconds=60, output_bytes=1_000_000)
GARBAGE = "gave unreadable output|did not report|missed the control"
BROKEN = {
    name: (code, reason)
    for name, code, reason in cases(Path(__file__).with_name("broken_tools.txt"))
}


@pytest.fixture(params=[name for name in KITS if name != "jshint, original"])
def kit(request: pytest.FixtureRequest) -> Kit:
    return KITS[request.param]


def test_only_a_complete_report_is_accepted(kit: Kit, tmp_path: Path) -> None:
    tool = kit.fake(tmp_path, "report(names)", SHORT)
    assert tool.lint([kit.smelly, kit.smelly]) == [[], []]
    assert tool.version is None
    outcomes = kit.fake(tmp_path, "report(names[1:])", SHORT).lint([kit.smelly, kit.smelly])
    assert all(isinstance(outcome, Unread) for outcome in outcomes) is kit.names_files


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_tool_reports_no_clean_file(kit: Kit, case: str, tmp_path: Path) -> None:
    code, reason = BROKEN[case]
    linter = kit.linter(kit.fake(tmp_path, code, SHORT))
    for result in linter.analyze([kit.file(kit.smelly), kit.file(f"{kit.smelly}\n")]):
        assert (result.status, result.smells) == (Status.NOT_ANALYSED, ())
        assert str(result.reason).lower().startswith(kit.said_name.lower())
        assert re.search(GARBAGE if reason == "GARBAGE" else re.escape(reason), str(result.reason))


def test_a_missing_tool_is_reported(kit: Kit, tmp_path: Path) -> None:
    tool = kit.make((str(tmp_path / "missing"),), SHORT)
    (result,) = kit.linter(tool).analyze([kit.file(kit.smelly)])
    assert (result.status, result.reason) == (Status.NOT_ANALYSED, "missing was not found")
    assert tool.lint([]) == []


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("pmd", "Java was not found: install a Java runtime (for instance `apt-get install "),
        ("jshint", "Node.js was not found: install it (for instance `apt-get install nodejs`)"),
    ],
)
def test_a_missing_runtime_is_reported_with_how_to_install_it(
    name: str, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", "/nowhere")
    for outcome in KITS[name].make(None, SHORT).lint([KITS[name].smelly] * 2):
        assert isinstance(outcome, Unread)
        assert outcome.reason.startswith(reason)


@pytest.mark.parametrize(
    ("name", "place"),
    [("pmd", "analyzers.java.pmd._LIBRARIES"), ("jshint", "analyzers.batches.NODE_MODULES")],
)
@pytest.mark.parametrize("about", [None, "", "{", "[]", "{}"])
def test_a_missing_or_damaged_package_is_reported_with_how_to_install_it(
    name: str, place: str, about: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if about is not None:
        (tmp_path / "jshint").mkdir()
        (tmp_path / "jshint" / "package.json").write_text(about)
    monkeypatch.setattr(place, tmp_path)
    tool = KITS[name].installed()
    (outcome,) = tool.lint([KITS[name].smelly])
    assert isinstance(outcome, Unread)
    assert outcome.reason.lower().startswith(f"{name} is not installed")
    assert "npm ci --prefix analyzers" in outcome.reason
    assert tool.version is None


def test_a_hanging_tool_is_stopped(kit: Kit, tmp_path: Path) -> None:
    linter = kit.linter(kit.fake(tmp_path, "import time; time.sleep(600)", Limits(seconds=0.5)))
    said = f"{kit.said_name} took too long and was stopped"
    for reason in (said, f"{said}; it will be tried again in 60 seconds"):
        (result,) = linter.analyze([kit.file(kit.smelly)])
        assert (result.status, result.reason) == (Status.NOT_ANALYSED, reason)


@pytest.mark.parametrize("harm", ["os.abort()", "print('x' * 9_000_000)", "print('{}')"])
def test_a_text_that_breaks_the_tool_does_not_affect_others(
    kit: Kit, harm: str, tmp_path: Path
) -> None:
    code = f"if any('HARM' in open(name).read() for name in names): {harm}\n"
    texts = ["# HARM\n" if index == 3 else kit.smelly for index in range(5)]
    outcomes = kit.fake(tmp_path, f"{code}report(names)", SHORT).lint(texts)
    assert [isinstance(outcome, Unread) for outcome in outcomes] == [i == 3 for i in range(5)]


_RUFF = 'lint.ignore = ["ALL"]\nlint.per-file-ignores = {"*" = ["ALL"]}\nexclude = ["*"]\n'
_JSHINT = {"jshintConfig": {"-W116": True}, "-W116": True, "maxerr": 1, "extends": "secret.json"}
_PMD = """<?xml version="1.0"?>
<ruleset name="none" xmlns="http://pmd.sourceforge.net/ruleset/2.0.0">
  <description>None.</description>
  <exclude-pattern>.*</exclude-pattern>
</ruleset>
"""
_EXIT_PYTHON = "raise SystemExit('planted')\n"
_EXIT_NODE = "process.exit(0);"
PLANTED = {
    "ruff.toml": _RUFF,
    ".ruff.toml": _RUFF,
    ".config/ruff/ruff.toml": _RUFF,
    "pyproject.toml": f"[tool.ruff]\n{_RUFF}",
    ".gitignore": "*\n",
    **{f"{name}.py": _EXIT_PYTHON for name in ("lizard", "json", "pathlib", "sitecustomize")},
    "whitelizer.txt": "*\n",
    ".jshintrc": json.dumps(_JSHINT),
    "jshint.json": json.dumps(_JSHINT),
    "package.json": json.dumps({"type": "module", **_JSHINT}),
    ".jshintignore": "**\n*.js\nsource0.js\n",
    "secret.json": "a secret\n",
    "evil.js": _EXIT_NODE,
    ".noderc": "--require=./evil.js",
    "node_modules/jshint/package.json": '{"version": "0.0.0", "main": "index.js"}',
    **{f"node_modules/{name}/index.js": _EXIT_NODE for name in ("jshint", "lodash", "fs")},
    "rules.xml": _PMD,
    "rulesets/java/quickstart.xml": _PMD,
    "category/java/bestpractices.xml": _PMD,
    "pmd.properties": "pmd.error_recovery=false\n",
    ".pmd": _PMD,
    ".pmdruleset.xml": _PMD,
    "simplelogger.properties": "org.slf4j.simpleLogger.defaultLogLevel=off\n",
    "net/sourceforge/pmd/cli/PmdCli.class": "no class",
    "META-INF/services/net.sourceforge.pmd.lang.Language": "planted.Language\n",
    "files.txt": "/etc/passwd\n",
    ".hotspotrc": "-Xmx1m\n",
}
VARIABLES = {
    **dict.fromkeys(
        ("JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS", "PMD_JAVA_OPTS"),
        "-Xmx1m -Dpmd.error_recovery=false -cp /nowhere",
    ),
    "CLASSPATH": "{}",
    "PYTHONPATH": "{}",
    "RUFF_CONFIG": "{}/ruff.toml",
    "NODE_PATH": "{}/node_modules",
    "NODE_OPTIONS": "--require={}/evil.js",
    "JSHINT_CONFIG": "{}/.jshintrc",
    "HOME": "{}/home",
}


@pytest.mark.parametrize("kit", KITS.values(), ids=KITS)
def test_planted_files_and_variables_have_no_effect(
    kit: Kit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    above = tmp_path / "above"
    for folder in (tmp_path, tmp_path / "home", above):
        for name, text in PLANTED.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text)
    for name, value in VARIABLES.items():
        monkeypatch.setenv(name, value.format(tmp_path))
    monkeypatch.chdir(tmp_path)  # the user's current folder
    monkeypatch.setattr("tempfile.tempdir", str(above))  # above the working folder
    before = sorted(above.rglob("*"))
    (result,) = kit.linter(kit.installed()).analyze([kit.file(kit.smelly)])
    assert at(result) == kit.found
    assert result.version is not None
    assert result.version.startswith(VERSIONS.get(result.name, ""))
    assert {smell.source for smell in result.smells} == {result.name}
    assert "secret" not in str(result)
    assert sorted(above.rglob("*")) == before


VERSIONS = {
    "jshint": "2.13.6",
    **{name: importlib.metadata.version(name) for name in ("ruff", "lizard")},
}
LABELS = [
    None, "", "../../../etc/cron.d/x", "/etc/passwd", "C:\\x", "--help", "--fix", "--require=x",
    "-e", "@arguments.txt", "a\nb\0c", "\udcff", "x" * 10_000, "jar:file:/x.jar!/x", "x.zip"
]  # fmt: skip


@pytest.mark.parametrize("kit", KITS.values(), ids=KITS)
def test_paths_are_labels_and_code_cannot_fake_a_sentence(kit: Kit) -> None:
    files = [kit.file(kit.smelly, path) for path in LABELS]
    clean, *results, odd = kit.linter(kit.installed()).analyze(
        [kit.file(""), *files, kit.file(kit.odd)]
    )
    assert [rule for rule, _ in at(clean) if rule != "NoPackage"] == []
    for path, result in zip(LABELS, results, strict=True):
        assert result.path == path
        assert at(result) == kit.found
        assert {smell.path for smell in result.smells} == {path}
    assert odd.status is Status.ANALYSED
    assert kit.odd_rules <= {smell.rule for smell in odd.smells}
    for smell in odd.smells:
        assert smell.text.isprintable()
        assert smell.text.count("`") % 2 == 0
        assert len(smell.text) < 250
