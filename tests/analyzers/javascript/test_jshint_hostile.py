"""JSHint missing, broken, hanging or lied to: never a clean bill, never an exception."""

import json
import sys
from pathlib import Path

import pytest

from analyzers import AnalyzerResult, SourceFile, Status
from analyzers.javascript import jshint as module
from analyzers.javascript.configurations import CONFIGURATIONS
from analyzers.javascript.jshint import JSHint
from analyzers.linter import Linter
from analyzers.process import Limits
from analyzers.syntax.reading import READERS
from analyzers.tool import Unread
from tests.analyzers import sources
from tests.analyzers.processes import are_gone

SMELLY = "open(size == 3);\n"
JAVASCRIPT = READERS["javascript"]


def whole(text: str, path: str | None = "app.js") -> SourceFile:
    return sources.whole(text, path=path, language="javascript")


def fake(folder: Path, code: str, limits: Limits | None = None) -> Linter:
    """A JSHint that runs `code`, in which `files` are those of the request, instead."""
    program = folder / "fake.py"
    start = "import json, os, sys\n"
    asked = "files = [one['file'] for one in json.load(open(sys.argv[1]))['files']]\n"
    program.write_text(start + asked + code)
    command = sys.executable, "-I", str(program)
    return Linter(JSHint(command=command, limits=limits or Limits()), JAVASCRIPT)


def rules(result: AnalyzerResult) -> set[str]:
    return {smell.rule for smell in result.smells}


REPORT = "print(json.dumps({'file': file, 'findings': []}))"


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("", "unreadable output: not one line for each file"),
        ("print('All fine!')", "unreadable output: not one line for each file"),
        ("for file in files: print('All fine!')", "unreadable output: not a report"),
        ("for file in files: print('{}')", "unreadable output: not a report"),
        ("for file in files: print('[' * 100_000)", "unreadable output: not a report"),
        (f"for file in files: {REPORT}", "did not report what it has to report"),
        (f"for file in files[:-1]: {REPORT}", "unreadable output: not one line"),
        (f"for file in reversed(files): {REPORT}", "unreadable output: not a report"),
        ("sys.exit(1)", "JSHint failed with status 1"),
        (f"for file in files: {REPORT}\nsys.exit(1)", "JSHint failed with status 1"),
        ("print('oh no', file=sys.stderr); sys.exit(2)", "status 2: oh no"),
        ("os.kill(os.getpid(), 11)", "failed with status -11"),
        ("while True: print('[' * 10_000)", "wrote more than could be taken"),
    ],
)
def test_a_broken_jshint_is_not_a_clean_file(tmp_path: Path, code: str, reason: str) -> None:
    limits = Limits(seconds=60, output_bytes=1_000_000)
    for result in fake(tmp_path, code, limits).analyze([whole(SMELLY), whole("open();\n")]):
        assert result.status is Status.NOT_ANALYSED
        assert result.reason is not None
        assert reason in result.reason
        assert result.smells == ()
        assert result.version is None


def test_a_missing_command_is_said(tmp_path: Path) -> None:
    linter = Linter(JSHint(command=(str(tmp_path / "jshint"),)), JAVASCRIPT)
    (result,) = linter.analyze([whole(SMELLY)])
    assert (result.status, result.reason) == (Status.NOT_ANALYSED, "jshint was not found")


def test_without_node_it_is_said_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    results = Linter(JSHint(), JAVASCRIPT).analyze([whole(SMELLY), whole("open();\n")])
    assert {result.status for result in results} == {Status.NOT_ANALYSED}
    assert {result.reason for result in results} == {
        "Node.js was not found: install it (for instance `apt-get install nodejs`)"
    }


@pytest.mark.parametrize("about", [None, "", "{", "[]", "{}"])
def test_without_the_package_it_is_said_how_to_get_it(
    about: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if about is not None:
        (tmp_path / "jshint").mkdir()
        (tmp_path / "jshint" / "package.json").write_text(about)
    monkeypatch.setattr("analyzers.batches.NODE_MODULES", tmp_path)
    (result,) = Linter(JSHint(), JAVASCRIPT).analyze([whole(SMELLY)])
    assert result.status is Status.NOT_ANALYSED
    assert result.reason is not None
    assert result.reason.startswith("JSHint is not installed: ")
    assert "npm ci --prefix analyzers" in result.reason
    assert result.version is None


def test_a_package_of_another_make_does_not_pass(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that says that all is fine, and one without the parts that we take hold of."""
    (tmp_path / "index.js").write_text("exports.JSHINT = () => true; exports.JSHINT.errors = [];")
    monkeypatch.setattr(module, "_PACKAGE", tmp_path)
    (broken,) = Linter(JSHint(), JAVASCRIPT).analyze([whole(SMELLY)])
    for name, exported in {"lex": "Lexer", "state": "state", "vars": "vars"}.items():
        (tmp_path / "src").mkdir(exist_ok=True)
        (tmp_path / "src" / f"{name}.js").write_text(
            f"exports.{exported} = class {{ scanComments() {{}} }};"
            + "".join(f"exports.{one} = {{}};" for one in CONFIGURATIONS["modern"].environments)
        )
    (silent,) = Linter(JSHint(), JAVASCRIPT).analyze([whole(SMELLY)])
    assert {broken.status, silent.status} == {Status.NOT_ANALYSED}
    assert "JSHint failed with status 1" in str(broken.reason)
    assert silent.reason == "JSHint did not report what it has to report in every run"


def test_twenty_hangs_end_and_leave_no_process(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    script = f'sleep 600 & echo "$$ $!" >> {pids}; sleep 600'
    jshint = JSHint(command=("/bin/sh", "-c", script), limits=Limits(seconds=0.5))
    linter = Linter(jshint, JAVASCRIPT)
    for _ in range(20):
        (result,) = linter.analyze([whole(SMELLY)])
        assert result.status is Status.NOT_ANALYSED
        assert result.reason == "JSHint took too long and was stopped"
    started = [int(pid) for pid in pids.read_text().split()]
    assert len(started) > 20
    assert are_gone(started)


# Does `{harm}` to one text, and is the real JSHint for all others.
_PICKY = """
import subprocess
if any("HARM" in open(file).read() for file in files):
    {harm}
sys.exit(subprocess.run([*{command!r}, sys.argv[1]]).returncode)
"""


@pytest.mark.parametrize(
    "harm",
    ["os.abort()", "print('x' * 9_000_000)", "sys.exit(134)", "print('{}')"],
)
def test_one_text_that_harms_jshint_costs_the_others_nothing(tmp_path: Path, harm: str) -> None:
    files = [whole(SMELLY if i != 3 else "// HARM\n", path=f"{i}.js") for i in range(6)]
    limits = Limits(seconds=60, memory_bytes=None, output_bytes=1_000_000)
    code = _PICKY.format(harm=harm, command=module._installed())
    for index, result in enumerate(fake(tmp_path, code, limits).analyze(files)):
        if index == 3:
            assert (result.status, rules(result)) == (Status.NOT_ANALYSED, set())
        else:
            assert (result.status, rules(result)) == (Status.ANALYSED, {"W116"})


SLOW = f"rooms = [{'1, ' * 300_000}];\n"  # grows with the square of their number


def test_a_text_that_takes_too_long_costs_the_others_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "_TEXT_SECONDS", 1)
    before, slow, after = Linter(JSHint(), JAVASCRIPT).analyze(
        [whole(SMELLY), whole(SLOW), whole(SMELLY)]
    )
    assert (slow.status, slow.smells) == (Status.NOT_ANALYSED, ())
    assert slow.reason == "JSHint took more than 1 seconds and was stopped"
    assert rules(before) == rules(after) == {"W116"}


@pytest.mark.parametrize(
    "text",
    [
        f"size = {'(' * 6_000}1{')' * 6_000};\n",
        f"size = {'- ' * 100_000}1;\n",
        f"{'{' * 50_000}{'}' * 50_000}\n",
        f"{'if (a) ' * 20_000}open();\n",
        f"size = {'a => ' * 20_000}1;\n",
        f"{'function f() {' * 5_000}{'}' * 5_000}\n",
    ],
    ids=lambda text: text[:20],
)
def test_deep_nesting_is_not_a_clean_file(text: str) -> None:
    deep, other = JSHint().lint([f"debugger; {text}", SMELLY])
    assert deep == Unread("nested too deeply for JSHint")
    assert not isinstance(other, Unread)


@pytest.mark.parametrize("text", ["[" * 100_000, "size = " + "[" * 100_000 + "]" * 100_000])
def test_many_brackets_are_not_a_clean_file(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_TEXT_SECONDS", 1)
    (result,) = JSHint().lint([text])
    assert isinstance(result, Unread)


def test_fifty_thousand_findings_are_kept() -> None:
    (result,) = JSHint().lint(["open(a == b);\n" * 50_000])
    assert not isinstance(result, Unread)
    assert len(result) == 50_000


_SILENCING = json.dumps(
    {"jshintConfig": {"-W116": True}, "-W116": True, "maxerr": 1, "extends": "secret.json"}
)


@pytest.mark.parametrize("configuration", CONFIGURATIONS)
@pytest.mark.parametrize(
    ("name", "text"),
    [
        (".jshintrc", _SILENCING),
        ("jshint.json", _SILENCING),
        ("package.json", json.dumps({"type": "module", **json.loads(_SILENCING)})),
        (".jshintignore", "**\n*.js\nsource0.js\n"),
        ("node_modules/jshint/package.json", '{"version": "0.0.0", "main": "index.js"}'),
        ("node_modules/jshint/index.js", "process.exit(0);"),
        ("node_modules/lodash/index.js", "process.exit(0);"),
        ("node_modules/fs/index.js", "process.exit(0);"),
        (".noderc", "--require=./evil.js"),
    ],
)
def test_planted_files_steer_nothing(
    configuration: str, name: str, text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    below = tmp_path / "below"
    home = tmp_path / "home"
    for folder in (tmp_path, below, home):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
        (folder / "secret.json").write_text("a secret\n")
        (folder / "evil.js").write_text("process.exit(0);")
    before = set(below.iterdir())
    monkeypatch.chdir(tmp_path)  # the user's current folder
    monkeypatch.setattr("tempfile.tempdir", str(below))  # above the working folder
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("NODE_PATH", str(tmp_path / "node_modules"))
    monkeypatch.setenv("NODE_OPTIONS", f"--require={tmp_path / 'evil.js'}")
    monkeypatch.setenv("JSHINT_CONFIG", str(tmp_path / name))
    smelly = "size = 3\nif (true) { debugger; }\n"
    (result,) = Linter(JSHint(configuration), JAVASCRIPT).analyze([whole(smelly)])
    assert result.version is not None
    assert result.version.startswith("2.13.6")
    assert "W087" in rules(result)
    assert "secret" not in str(result)
    assert set(below.iterdir()) == before


@pytest.mark.parametrize(
    "path",
    [
        None,
        "",
        "../../../etc/cron.d/x.js",
        "/etc/passwd",
        "C:\\x.js",
        "--require=x",
        "-e",
        "a\nb\0c.js",
        "\udcff.js",
        "x" * 10_000,
    ],
)
def test_file_names_are_labels_only(path: str | None) -> None:
    (result,) = Linter(JSHint(), JAVASCRIPT).analyze([whole(SMELLY, path=path)])
    assert result.path == path
    assert rules(result) == {"W116"}
    assert {smell.path for smell in result.smells} == {path}


def test_code_cannot_dress_up_a_sentence() -> None:
    long = "x" * 500
    code = (
        f"import a from 'b';\n{long} == `\u202e`;\nsize = {{ '`\t\u2028{long}': 1, "
        f"'`\t\u2028{long}': 2 }};\nif (typeof a == '`\\n') {{ }}\n\u0430\u0430();\n"
    )
    (result,) = Linter(JSHint(), JAVASCRIPT).analyze([whole(code)])
    assert result.status is Status.ANALYSED
    assert {"W116", "W075", "W117", "W035"} <= rules(result)
    for smell in result.smells:
        assert smell.text.isprintable()
        assert smell.text.count("`") % 2 == 0
        assert len(smell.text) < 200
