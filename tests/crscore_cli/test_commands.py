"""score, claims, analyze, doctor: what they print, and as JSON."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

from crscore_core.analyzers.tool import NODE_MODULES
from crscore_eval.table import read_table
from tests.crscore_cli.conftest import Command, Model
from tests.crscore_core.changes import PYTHON

REVIEW = "The bare except hides every error. Why is an empty list returned?"
SIGNATURE = {
    "text", "encoder", "claims", "analyzers", "tau", "version", "scoring_version", "claims_version",
        "references_digest",
}  # fmt: skip


@pytest.fixture
def diff(tmp_path: Path) -> str:
    path = tmp_path / "change.diff"
    path.write_text(PYTHON, encoding="utf-8")
    return str(path)


def test_score_prints_the_contract_as_json(crscore: Command, diff: str) -> None:
    ended = crscore("score", "--diff", diff, "--review", REVIEW, "--review", "LGTM", "--json")
    document = json.loads(ended.output)
    assert ended.status == 0
    assert set(document) == {
        "signature", "tau", "pseudo_references", "analyzers", "reviews", "warnings",
    }  # fmt: skip
    assert set(document["signature"]) == SIGNATURE
    first, second = document["reviews"]
    assert first["relevance"] > (second["relevance"] or 0)
    assert set(first["no_threshold"]) == {"conciseness", "comprehensiveness", "relevance"}
    assert len(first["similarity"]) == len(document["pseudo_references"])
    assert sorted(first["covered"] + first["missed"]) == list(range(len(first["similarity"])))
    assert set(first["sentences"][0]) == {"text", "on_topic", "best_similarity", "best_reference"}


def test_score_names_the_best_match_of_each_sentence_and_pseudo_reference(
    crscore: Command, diff: str
) -> None:
    arguments = ("score", "--diff", diff, "--review", REVIEW)
    document = json.loads(crscore(*arguments, "--json").output)
    (review,) = document["reviews"]
    lines = [line.split() for line in crscore(*arguments).output.splitlines()]
    printed = {line[0]: line for line in lines if line and line[0][1:].isdecimal()}
    assert len(printed) == len(review["sentences"]) + len(document["pseudo_references"])
    for number, sentence in enumerate(review["sentences"], start=1):
        assert f"P{sentence['best_reference'] + 1}" in printed[f"S{number}"]
        assert f"{sentence['best_similarity']:.3f}" in printed[f"S{number}"]
        assert ("matches" in printed[f"S{number}"]) == sentence["on_topic"]
    covered = {int(name[1:]) - 1 for name, line in printed.items() if "covered" in line}
    assert covered == {*review["covered"]}


def test_a_reader_that_is_gone_is_no_traceback() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "crscore_cli", "--version"]
    ended = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, check=False)
    os.close(writer)
    assert (ended.returncode, ended.stderr) == (1, b"")


def test_a_review_of_a_change_without_pseudo_references_has_no_matches(
    crscore: Command, tmp_path: Path
) -> None:
    diff = tmp_path / "same.diff"
    diff.write_text("@@ -1 +1 @@\n same\n")
    arguments = ("score", "--diff", diff, "--review", "Why?")
    (review,) = json.loads(crscore(*arguments, "--json").output)["reviews"]
    assert [sentence["on_topic"] for sentence in review["sentences"]] == [None]
    assert "no match" not in crscore(*arguments).output


@pytest.mark.parametrize(
    ("reviews", "status"),
    [(["a b"], 0), (["!"], 0), (["a b", "<!-- hidden -->"], 3), (["> only quoted"], 0)],
)
@pytest.mark.parametrize("form", [(), ("--json",)])
def test_a_review_without_a_score_gives_status_3(
    crscore: Command, diff: str, reviews: list[str], status: int, form: tuple[str, ...]
) -> None:
    options = [option for review in reviews for option in ("--review", review)]
    assert crscore("score", "--diff", diff, *options, *form)[0] == status


def test_score_reads_standard_input(crscore: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(PYTHON.encode())))
    ended = crscore("score", "--diff", "-", "--review", REVIEW)
    assert ended.status == 0
    assert "relevance" in ended.output
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"Why?")))
    assert crscore("score", "--diff", "-", "--review", "-").status == 2


def test_tau_decides_the_scores(crscore: Command, diff: str) -> None:
    for tau, relevance in (("-1", 1), ("1", 0)):
        ended = crscore("score", "--diff", diff, "--review", REVIEW, "--tau", tau, "--json")
        assert json.loads(ended.output)["reviews"][0]["relevance"] == relevance


def test_claims_and_smells_are_those_of_the_score(crscore: Command, diff: str) -> None:
    claims = json.loads(crscore("claims", "--diff", diff, "--json").output)["claims"]
    smells = json.loads(crscore("analyze", "--diff", diff, "--json").output)["smells"]
    ended = crscore("score", "--diff", diff, "--review", REVIEW, "--json")
    references = json.loads(ended.output)["pseudo_references"]
    assert [one["text"] for one in claims + smells] == [one["text"] for one in references]
    assert {"text", "kind", "source", "path", "line", "wordings"} == set(claims[0])
    assert {"text", "rule", "source", "path", "line"} == set(smells[0])


def test_claims_of_a_file_replace_the_backend(crscore: Command, diff: str, tmp_path: Path) -> None:
    file = tmp_path / "claims.txt"
    file.write_text("An empty list is returned on errors.\n", encoding="utf-8")
    ended = crscore("claims", "--diff", diff, "--claims", str(file), "--json")
    assert [one["text"] for one in json.loads(ended.output)["claims"]] == [
        "An empty list is returned on errors."
    ]


def test_server_in_the_environment_is_for_the_endpoint_alone(
    crscore: Command, diff: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = crscore("claims", "--diff", diff)
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    assert crscore("claims", "--diff", diff) == alone
    assert "127.0.0.1:9" in crscore("claims", "--diff", diff, "--claims", "endpoint").errors


def test_whole_file_shows_the_analyzers_more(crscore: Command, tmp_path: Path) -> None:
    change = "--- a/a.py\n+++ b/a.py\n@@ -2 +2 @@\n-    return 1\n+    return 2\n"
    (tmp_path / "change.diff").write_text(change)
    (tmp_path / "a.py").write_text("def f():\n    return 2\n")
    base = ("analyze", "--diff", tmp_path / "change.diff", "--json")
    alone, whole = (
        json.loads(crscore(*base, *more).output)["analyzers"]
        for more in ((), ("--file", f"a.py={tmp_path / 'a.py'}"))
    )
    assert {one["status"] for one in alone} != {one["status"] for one in whole}


def test_doctor_finds_what_scoring_needs(crscore: Command) -> None:
    ended = crscore("doctor", "--json")
    checks = {one["part"]: one for one in json.loads(ended.output)["checks"]}
    assert ended.status == 0
    assert checks["encoder all-MiniLM-L6-v2"]["works"]
    assert checks["claims symbolic"]["works"]


def test_doctor_shows_how_to_install_what_is_missing(
    crscore: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    assert f"npm ci --prefix {NODE_MODULES.parent}" in crscore("doctor").output


def test_reviews_of_a_file_are_judged_and_judged_again(
    crscore: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = Model(4, 2)
    monkeypatch.setattr("crscore_cli.judge.language_model", lambda *_: model)
    file = tmp_path / "reviews.csv"
    rows = {"diff": [PYTHON, ""], "review": ["- why?", "- a row without a diff"]}
    pd.DataFrame(rows).to_csv(file, index=False)
    for source, target, grade, n_rejected in (("reviews", "once", 4, 1), ("once", "again", 2, 0)):
        paths = [tmp_path / f"{name}.csv" for name in (source, target)]
        ended = crscore("judge", paths[0], "-o", paths[1], "--json")
        assert ended.status == (3 if n_rejected else 0), ended.errors
        assert json.loads(ended.output)["n_rejected"] == n_rejected
        judged, _ = read_table(tmp_path / f"{target}.csv")
        assert judged["judge_worth"].tolist() == [grade]
        assert judged["review"].tolist() == ["- why?"]
        assert {"judge_reason", "judge_model"} < {*judged}
        assert "file_row" not in judged


def test_dashboard_shows_the_study_by_name(
    crscore: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[str | None] = []
    monkeypatch.setenv("CRSCORE_RUN", "another")
    monkeypatch.setattr("os.execv", lambda *_: started.append(os.environ.get("CRSCORE_RUN")))
    monkeypatch.setattr("subprocess.run", lambda *_, **__: subprocess.CompletedProcess([], 0))
    assert crscore("dashboard", "study", "--port=1").status == 0
    assert started == [None]
