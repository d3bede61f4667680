"""`crscore score`, `claims` and `analyze`, run as a person runs them."""

import io
import json
import os
import re
import subprocess
import sys
import threading
from collections import defaultdict
from pathlib import Path

import pytest

from tests.crscore_core.changes import BINARY, JAVA_HUNK, PYTHON
from tests.crscore_core.cli.conftest import Crscore

REVIEW = "The bare except hides every error. Why is an empty list returned?"
COMMAND = Path(sys.executable).with_name("crscore")


@pytest.fixture
def diff(tmp_path: Path) -> Path:
    return written(tmp_path / "change.diff", PYTHON)


def written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8", newline="")
    return path


@pytest.fixture
def standard_input(monkeypatch: pytest.MonkeyPatch) -> io.BytesIO:
    """Bytes that stand on standard input; write them before the command."""
    content = io.BytesIO()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(content))
    return content


def give(standard_input: io.BytesIO, text: str) -> None:
    standard_input.write(text.encode())
    standard_input.seek(0)


def test_score_tells_a_person(diff: Path, crscore: Crscore) -> None:
    done = crscore("score", "--diff", diff, "--review", REVIEW, "--tau", "0.3")
    assert done.status == 0
    for part in ("conciseness", "comprehensiveness", "relevance", "matches", "covered", "tau:0.3"):
        assert part in done.out
    lines = done.out.splitlines()
    assert re.fullmatch(
        r"  About the change: [12] of 2 sentences\. Covers \d+ of \d+ points\.", lines[1]
    )
    assert re.fullmatch(r"  without a threshold 0\.\d{3}", lines[5])
    assert lines.count("Not judged: whether it is right, or worth saying.") == 1


def test_texts_come_as_arguments_files_pipes_and_standard_input(
    diff: Path, tmp_path: Path, crscore: Crscore, standard_input: io.BytesIO
) -> None:
    give(standard_input, "From standard input.")
    reviews = ["As text.", "a\udcffb c", "-"]
    for encoding in ("utf-8", "utf-8-sig", "utf-16"):
        file = tmp_path / f"{encoding}.txt"
        file.write_text(f"Größe in {encoding}?", encoding=encoding)
        reviews.append(str(file))
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    threading.Thread(target=pipe.write_text, args=["piped\n"], daemon=True).start()
    options = [part for review in [*reviews, pipe] for part in ("--review", review)]
    claims = written(tmp_path / "claims.json", '["a \\ud800 claim"]')
    document = crscore("score", "--diff", diff, "--claims", claims, *options, "--json").document
    assert [review["review"] for review in document["reviews"]] == [
        "As text.", "a\ufffdb c", "From standard input.",
        "Größe in utf-8?", "Größe in utf-8-sig?", "Größe in utf-16?", "piped\n",
    ]  # fmt: skip
    assert document["pseudo_references"][0]["text"] == "a \ufffd claim"
    assert {reference["source"] for reference in document["pseudo_references"]} & {
        "given", "symbolic",
    } == {"given"}  # fmt: skip


def test_the_diff_or_the_claims_come_from_standard_input(
    diff: Path, crscore: Crscore, standard_input: io.BytesIO
) -> None:
    give(standard_input, PYTHON)
    document = crscore("claims", "--diff", "-", "--json").document
    assert set(document) == {"claims", "warnings"}
    for claim in document["claims"]:
        assert set(claim) == {"text", "kind", "source", "path", "line", "wordings"}
        assert claim["path"] == "app/store.py"
    standard_input.truncate(0)
    standard_input.seek(0)
    give(standard_input, "one\ntwo\n")
    claims = crscore("claims", "--diff", diff, "--claims", "-", "--json").document["claims"]
    assert [claim["text"] for claim in claims] == ["one", "two"]


def test_standard_input_is_read_once_and_may_be_closed(
    diff: Path, crscore: Crscore, standard_input: io.BytesIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    give(standard_input, "once")
    twice = crscore("score", "--diff", diff, "--review", "-", "--claims", "-")
    assert "standard input (-) can be only one" in twice.complaint
    monkeypatch.setattr("sys.stdin", None)
    assert "standard input (-) is closed" in crscore("claims", "--diff", "-").complaint


def test_what_claims_prints_can_be_given_back(diff: Path, tmp_path: Path, crscore: Crscore) -> None:
    printed = crscore("claims", "--diff", diff, "--json")
    file = written(tmp_path / "claims.json", printed.out)
    again = crscore("claims", "--diff", diff, "--claims", file, "--json")
    texts = [[claim["text"] for claim in done.document["claims"]] for done in (printed, again)]
    assert texts[0] == texts[1] != []


def test_analyze_prints_smells_and_statuses(tmp_path: Path, crscore: Crscore) -> None:
    kotlin = written(tmp_path / "kotlin.diff", PYTHON.replace("store.py", "Store.kt"))
    assert "not analysed (no analyzer for kotlin)" in crscore("analyze", "--diff", kotlin).out
    bare = written(tmp_path / "bare.diff", "@@ -1 +1 @@\n-let a;\n+let b;\n")
    found = crscore("analyze", "--diff", bare, "--language", "Rust", "--json").document
    assert [(one["status"], one["reason"]) for one in found["analyzers"]] == [
        ("not_analysed", "no analyzer for rust")
    ]
    hunk = written(tmp_path / "java.diff", JAVA_HUNK)
    assert "not analysed (unknown language)" in crscore("analyze", "--diff", hunk).out
    java = crscore("analyze", "--diff", hunk, "--language", "java")
    assert "analyzer lizard: hunk: fragment" in java.out


@pytest.mark.parametrize(
    ("option", "text"), [("--file", "import os\nx = 1\n"), ("--old-file", "x = 1\n")]
)
def test_a_whole_file_is_analysed_whole(
    option: str, text: str, tmp_path: Path, crscore: Crscore
) -> None:
    local = written(tmp_path / "local.py", text)
    diff = written(
        tmp_path / "change.diff",
        "--- a/m=1.py\n+++ b/m=1.py\n@@ -1 +1,2 @@\n-x = 1\n+import os\n+x = 1\n",
    )
    done = crscore("analyze", "--diff", diff, option, f"m=1.py={local}", "--json")
    assert {analyzer["status"] for analyzer in done.document["analyzers"]} == {"analysed"}
    assert "F401" in [smell["rule"] for smell in done.document["smells"]]


def test_a_working_tree_gives_whole_files(tmp_path: Path, crscore: Crscore) -> None:
    tree = tmp_path / "tree"
    tree.mkdir()
    written(tree / "a.py", "import os\nx = 1\n")
    hunk = "@@ -1 +1,2 @@\n-x = 1\n+import os\n+x = 1\n"
    diff = written(
        tmp_path / "change.diff",
        f"--- a/a.py\n+++ b/a.py\n{hunk}--- a/b.py\n+++ b/b.py\n{hunk}",
    )
    options = "--diff", diff, "--repo", tree, "--json"
    found = crscore("analyze", *options).document
    statuses = {analyzer["path"]: analyzer["status"] for analyzer in found["analyzers"]}
    assert statuses == {"a.py": "analysed", "b.py": "fragment"}
    (warning,) = found["warnings"]
    assert warning.startswith("b.py: its file in the working tree is not used: it is missing")
    assert warning in crscore("score", "--review=x", *options).document["warnings"]


def test_a_change_that_cannot_be_scored_is_no_error(tmp_path: Path, crscore: Crscore) -> None:
    diff = written(tmp_path / "context.diff", "@@ -1 +1 @@\n same\n")
    document = crscore("score", "--diff", diff, "--review", "x", "--json").document
    assert document["reviews"][0]["relevance"] is None
    assert any("cannot be scored" in warning for warning in document["warnings"])


def test_a_terminal_is_not_steered_by_what_it_shows(tmp_path: Path, crscore: Crscore) -> None:
    diff = written(tmp_path / "binary.diff", BINARY)
    claims = written(tmp_path / "claims.json", json.dumps(["clear \x1b[2J\u202e the screen"]))
    out = crscore("claims", "--diff", diff, "--claims", claims).out
    assert "\x1b" not in out
    assert "\u202e" not in out
    assert "\\u001b" in out


def test_a_full_disk_is_one_clear_line(diff: Path) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [COMMAND, "claims", "--diff", diff],
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
            env=os.environ | {"PYTHONUNBUFFERED": ""},
        )
    assert done.returncode == 1
    assert b"Traceback" not in done.stderr
    assert done.stderr.count(b"\n") == 1


def test_the_installed_command_works_and_survives_a_closed_pipe(diff: Path) -> None:
    environment = {"PATH": os.environ["PATH"], "HF_HUB_OFFLINE": "1"}
    shown = subprocess.run(
        [COMMAND, "--version"], capture_output=True, text=True, check=True, env=environment
    )
    assert shown.stdout.startswith("crscore, version ")
    piped = subprocess.run(
        f"'{COMMAND}' claims --diff '{diff}' --json | head -c 1",
        shell=True,
        capture_output=True,
        text=True,
        check=False,
        env=environment,
    )
    assert piped.stdout == "{"
    assert "Traceback" not in piped.stderr


def test_doctor_tells_what_works_and_how_to_mend_the_rest(
    crscore: Crscore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("CRSCORE_RUNS", "/dev/null/runs")
    findings = crscore("doctor", "--json").document["findings"]
    found: dict[str, list[dict[str, object]]] = defaultdict(list)
    for finding in findings:
        found[finding["part"].split(" ", 1)[0]].append(finding)
    assert [one["works"] for one in found["encoder"]] == [True]
    assert [one["works"] for one in found["folder"]] == [True, False]
    missing = {
        str(one["part"]): str(one["reason"]) for one in found["analyzer"] if not one["works"]
    }
    assert [part.split()[1] for part in missing] == ["pmd", "jshint"]
    assert "Java" in next(iter(missing.values()))
    monkeypatch.setattr("crscore_core.scoring.registry.EMBEDDED_DIGEST", "0" * 64)
    said = crscore("doctor")
    assert said.status == 1
    assert "BAD encoder all-MiniLM-L6-v2: the files" in said.out
