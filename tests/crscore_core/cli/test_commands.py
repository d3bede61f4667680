"""The command line, run as a person runs it."""

import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from crscore_core.cli.main import main
from tests.crscore_core.changes import BINARY, JAVA_HUNK, PYTHON

REVIEW = "The bare except hides every error. Why is an empty list returned?"


@pytest.fixture
def diff(tmp_path: Path) -> str:
    path = tmp_path / "change.diff"
    path.write_bytes(PYTHON.encode())
    return str(path)


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as stopped:
        main(list(arguments))
    captured = capsys.readouterr()
    return int(stopped.value.code or 0), captured.out, captured.err


def test_score_prints_the_document(diff: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "score", "--diff", diff, "--review", REVIEW, "--json")
    document = json.loads(out)
    assert status == 0
    assert set(document) == {
        "signature", "tau", "pseudo_references", "analyzers", "reviews", "warnings",
    }  # fmt: skip
    assert document["tau"] == 0.327
    (review,) = document["reviews"]
    assert review["review"] == REVIEW
    assert [sentence["text"] for sentence in review["sentences"]] == [
        "The bare except hides every error", "Why is an empty list returned?",
    ]  # fmt: skip
    assert review["sentences"][0]["on_topic"]
    assert 0 < review["relevance"] <= 1
    assert 0 < review["calibrated_relevance"] < 1
    smells = [one for one in document["pseudo_references"] if one["kind"] == "smell"]
    assert ("app/store.py", 14) in [(smell["path"], smell["line"]) for smell in smells]
    assert {one["status"] for one in document["analyzers"]} == {"fragment"}


def test_score_tells_a_person(diff: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "score", "--diff", diff, "--review", REVIEW, "--tau", "0.3")
    assert status == 0
    for word in ("conciseness", "comprehensiveness", "relevance", "on topic", "covered", "tau:0.3"):
        assert word in out
    assert re.search(r"calibrated relevance 0\.\d+ \(fitted to the CRScore human study\)", out)


def test_reviews_come_as_text_files_and_standard_input(
    diff: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    file = tmp_path / "review.txt"
    file.write_text("From a file.", encoding="utf-8")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"From standard input.")))
    arguments = ["--review", "As text.", "--review", str(file), "--review", "-"]
    _, out, _ = run(capsys, "score", "--diff", diff, *arguments, "--json")
    texts = [review["review"] for review in json.loads(out)["reviews"]]
    assert texts == ["As text.", "From a file.", "From standard input."]


def test_the_diff_comes_from_standard_input(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(PYTHON.encode())))
    status, out, _ = run(capsys, "claims", "--diff", "-", "--json")
    document = json.loads(out)
    assert status == 0
    assert set(document) == {"claims", "warnings"}
    assert all(set(one) == {"text", "kind", "source", "path", "line"} for one in document["claims"])
    assert {one["path"] for one in document["claims"]} == {"app/store.py"}


def test_analyze_prints_smells_and_statuses(diff: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "analyze", "--diff", diff, "--json")
    document = json.loads(out)
    assert status == 0
    assert set(document) == {"analyzers", "smells", "warnings"}
    assert ("E722", 14) in [(smell["rule"], smell["line"]) for smell in document["smells"]]


def test_analyze_says_what_it_did_not_analyse(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "hunk.diff"
    path.write_text(PYTHON.replace("store.py", "Store.kt"), encoding="utf-8")
    _, out, _ = run(capsys, "analyze", "--diff", str(path))
    assert "not analysed (no analyzer for kotlin)" in out


def test_a_guessed_language_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "hunk.diff"
    path.write_text(JAVA_HUNK, encoding="utf-8")
    _, out, err = run(capsys, "analyze", "--diff", str(path))
    assert "analyzer lizard: hunk: fragment" in out
    assert "guess: java" in err


def test_other_rules_can_be_chosen(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "change.diff"
    path.write_text("--- a/x.js\n+++ b/x.js\n@@ -1 +1,2 @@\n a();\n+const b = 1;\n")
    arguments = ["analyze", "--diff", str(path), "--json"]
    rules = {}
    for configuration in ("modern", "original"):
        _, out, _ = run(capsys, *arguments, "--jshint", configuration)
        rules[configuration] = [smell["rule"] for smell in json.loads(out)["smells"]]
    assert rules == {"modern": [], "original": ["W104"]}


@pytest.mark.parametrize("missing", [("java", "pmd", "Java"), ("node", "jshint", "Node.js")])
def test_a_missing_tool_is_named_with_the_way_to_get_it(
    missing: tuple[str, str, str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    executable, tool, name = missing
    path = tmp_path / "change.diff"
    suffix = "java" if executable == "java" else "js"
    path.write_text(f"--- a/x.{suffix}\n+++ b/x.{suffix}\n@@ -1 +1 @@\n-a();\n+b();\n")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("JAVA_HOME", raising=False)
    status, out, _ = run(capsys, "analyze", "--diff", str(path), "--json")
    document = json.loads(out)
    results = {result["name"]: result for result in document["analyzers"]}
    assert status == 0
    assert results["lizard"]["status"] == "fragment"
    assert results[tool]["status"] == "not_analysed"
    assert f"{name} was not found" in results[tool]["reason"]
    assert "apt-get install" in results[tool]["reason"]


@pytest.mark.parametrize(
    ("option", "text"), [("--file", "import os\nx = 1\n"), ("--old-file", "x = 1\n")]
)
def test_a_whole_file_is_analysed_whole(
    option: str, text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    local = tmp_path / "local.py"
    local.write_text(text, encoding="utf-8")
    diff = tmp_path / "change.diff"
    diff.write_text("--- a/m=1.py\n+++ b/m=1.py\n@@ -1 +1,2 @@\n-x = 1\n+import os\n+x = 1\n")
    arguments = ["analyze", "--diff", str(diff), option, f"m=1.py={local}", "--json"]
    status, out, _ = run(capsys, *arguments)
    document = json.loads(out)
    assert status == 0
    assert {one["status"] for one in document["analyzers"]} == {"analysed"}
    assert "F401" in [smell["rule"] for smell in document["smells"]]


def test_given_claims_replace_the_symbolic_ones(
    diff: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    claims = tmp_path / "claims.txt"
    claims.write_text("errors are hidden\n", encoding="utf-8")
    arguments = ["score", "--diff", diff, "--review", REVIEW, "--claims", str(claims), "--json"]
    _, out, _ = run(capsys, *arguments)
    sources = {one["source"] for one in json.loads(out)["pseudo_references"]}
    assert "given" in sources
    assert "symbolic" not in sources


def test_what_claims_prints_can_be_given_back(
    diff: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, out, _ = run(capsys, "claims", "--diff", diff, "--json")
    claims = tmp_path / "claims.json"
    claims.write_text(out, encoding="utf-8")
    _, again, _ = run(capsys, "claims", "--diff", diff, "--claims", str(claims), "--json")
    texts = [[one["text"] for one in json.loads(text)["claims"]] for text in (out, again)]
    assert texts[0] == texts[1] != []


def test_a_change_that_cannot_be_scored_is_no_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "context.diff"
    path.write_text("@@ -1 +1 @@\n same\n", encoding="utf-8")
    status, out, _ = run(capsys, "score", "--diff", str(path), "--review", "x", "--json")
    document = json.loads(out)
    assert status == 0
    assert document["reviews"][0]["relevance"] is None
    assert any("cannot be scored" in warning for warning in document["warnings"])


BAD = [
    pytest.param("", ["--review", "x"], "it is empty", id="empty diff"),
    pytest.param("just prose\n", ["--review", "x"], "no diff found", id="prose"),
    pytest.param("@@ -1,5 +1,5 @@\n a\n", ["--review", "x"], "line 2", id="cut off"),
    pytest.param("x" * 2_000_001, ["--review", "x"], "2,000,000 bytes", id="too large"),
    pytest.param(PYTHON, ["--review", ""], "a review is empty", id="empty review"),
    pytest.param(PYTHON, ["--review", " \n"], "a review is empty", id="blank review"),
    pytest.param(PYTHON, ["--review", "gone.txt"], "is no file", id="missing review file"),
    pytest.param(PYTHON, ["--review", "x", "--claims", "nope"], "no claims backend", id="backend"),
    pytest.param(PYTHON, ["--review", "x", "--encoder", "a b"], "no preset", id="encoder, no tau"),
    pytest.param(
        PYTHON, ["--review", "x", "--encoder", "a b", "--tau", "0.5"], "no such encoder",
        id="encoder",
    ),
    pytest.param(
        PYTHON, ["--review", "x", "--encoder", "../x", "--tau", "0.5"], "no such encoder",
        id="encoder that is no folder",
    ),
    pytest.param(
        PYTHON, ["--review", "x", "--encoder", "a--b", "--tau", "0.5"], "no such encoder",
        id="encoder that the hub refuses",
    ),
    pytest.param(PYTHON, ["--review", "./gone"], "is no file", id="missing relative file"),
    pytest.param(PYTHON, ["--review", "/tmp"], "is no file", id="folder as a review"),
    pytest.param(PYTHON, ["--review", "x", "--tau", "7"], "tau", id="tau"),
    pytest.param(PYTHON, ["--review", "x", "--tau", "warm"], "tau", id="tau in words"),
    pytest.param(PYTHON, ["--review", "x", "--language", "latin"], "unknown language", id="latin"),
    pytest.param(PYTHON, ["--review", "x", "--file", "a.py"], "PATH=LOCALFILE", id="no pair"),
    pytest.param(PYTHON, ["--review", "x", "--pmd", "x.xml"], "no rule set", id="rule set"),
    pytest.param(PYTHON, ["--review", "x", "--jshint", "y"], "no configuration", id="JSHint"),
    pytest.param(PYTHON, ["--review", "x", "--file", "a.py=/no/x"], "cannot be read", id="no file"),
    pytest.param(PYTHON, [], "Missing option", id="no review"),
    pytest.param(PYTHON, ["--review", "x", "--nonsense"], "No such option", id="unknown option"),
]  # fmt: skip


@pytest.mark.parametrize(("content", "arguments", "message"), BAD)
def test_bad_input_is_one_clear_line_and_status_2(
    content: str,
    arguments: list[str],
    message: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = tmp_path / "change.diff"
    path.write_text(content, encoding="utf-8")
    status, out, err = run(capsys, "score", "--diff", str(path), *arguments)
    assert status == 2
    assert out == ""
    assert err.count("\n") == 1
    assert message in err


@pytest.mark.parametrize("name", ["missing.diff", ".", "a\0b", "x" * 5000])
def test_a_diff_that_cannot_be_read_is_one_clear_line(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    status, _, err = run(capsys, "score", "--diff", name, "--review", "x")
    assert status == 2
    assert err.count("\n") == 1
    assert "cannot be read" in err


@pytest.mark.parametrize("arguments", [[], ["nonsense"], ["score"]])
def test_bad_usage_is_one_clear_line(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    status, _, err = run(capsys, *arguments)
    assert status == 2
    assert err.count("\n") == 1


def test_standard_input_is_read_once(
    diff: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"once")))
    status, _, err = run(capsys, "score", "--diff", diff, "--review", "-", "--claims", "-")
    assert status == 2
    assert "standard input (-) can be only one" in err


def test_closed_standard_input_is_one_clear_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", None)
    status, _, err = run(capsys, "claims", "--diff", "-")
    assert status == 2
    assert "standard input (-) is closed" in err


def test_claims_come_from_standard_input(
    diff: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"one\ntwo\n")))
    _, out, _ = run(capsys, "claims", "--diff", diff, "--claims", "-", "--json")
    assert [claim["text"] for claim in json.loads(out)["claims"]] == ["one", "two"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_files_of_other_editors_are_read(
    diff: str, encoding: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    review = tmp_path / "review.txt"
    review.write_text("Größe?", encoding=encoding)
    _, out, _ = run(capsys, "score", "--diff", diff, "--review", str(review), "--json")
    assert json.loads(out)["reviews"][0]["review"] == "Größe?"


def test_a_pipe_is_read_as_a_file(diff: str, tmp_path: Path) -> None:
    command = Path(sys.executable).with_name("crscore")
    done = subprocess.run(
        ["bash", "-c", f"'{command}' score --diff '{diff}' --review <(echo piped) --json"],
        capture_output=True,
        check=True,
        env={"PATH": os.environ["PATH"]},
        cwd=tmp_path,
    )
    assert json.loads(done.stdout)["reviews"][0]["review"] == "piped\n"
    assert done.stderr == b""


def test_a_full_disk_is_one_clear_line(diff: str) -> None:
    command = Path(sys.executable).with_name("crscore")
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [command, "claims", "--diff", diff], stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert done.returncode == 1
    assert b"Traceback" not in done.stderr
    assert done.stderr.count(b"\n") == 1


def test_a_terminal_is_not_steered_by_what_it_shows(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "binary.diff"
    path.write_text(BINARY, encoding="utf-8")
    claims = tmp_path / "claims.json"
    claims.write_text(json.dumps(["clear \x1b[2J\u202e the screen"]), encoding="utf-8")
    _, out, _ = run(capsys, "claims", "--diff", str(path), "--claims", str(claims))
    assert "\x1b" not in out
    assert "\u202e" not in out
    assert "\\u001b" in out


def test_the_installed_command_works_and_survives_a_closed_pipe(diff: str) -> None:
    command = Path(sys.executable).with_name("crscore")
    environment = {"PATH": os.environ["PATH"], "HF_HUB_OFFLINE": "1"}
    shown = subprocess.run(
        [command, "--version"], capture_output=True, text=True, check=True, env=environment
    )
    assert shown.stdout.startswith("crscore, version ")
    piped = subprocess.run(
        f"'{command}' claims --diff '{diff}' --json | head -c 1",
        shell=True,
        capture_output=True,
        text=True,
        check=False,
        env=environment,
    )
    assert piped.stdout == "{"
    assert "Traceback" not in piped.stderr


def test_bytes_that_are_no_text_survive_a_strict_terminal(diff: str, tmp_path: Path) -> None:
    command = Path(sys.executable).with_name("crscore")
    claims = tmp_path / "claims.json"
    claims.write_text('["a \\ud800 claim"]', encoding="utf-8")
    environment = {"PATH": os.environ["PATH"], "PYTHONIOENCODING": "utf-8:strict"}
    arguments: list[str | bytes | Path] = [command, "score", "--diff", diff, "--json"]
    arguments += ["--review", b"a\xffb c", "--claims", claims]
    done = subprocess.run(arguments, capture_output=True, check=False, env=environment)
    assert done.returncode == 0, done.stderr.decode()
    document = json.loads(done.stdout)
    assert document["reviews"][0]["review"] == "a\ufffdb c"
    assert document["pseudo_references"][0]["text"] == "a \ufffd claim"


def test_input_without_end_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    status, _, err = run(capsys, "score", "--diff", "/dev/zero", "--review", "x")
    assert status == 2
    assert err.count("\n") == 1
