"""`crscore gate`: exit status, output, summary."""

from pathlib import Path

import pytest

from tests.crscore_cli.conftest import Command
from tests.crscore_eval.ranking.runs_of_rows import EXPERT, GOOD, RECITER, WORSE, bot

RUNS = {
    "good": bot(GOOD),
    "worse": bot(WORSE),
    "expert": bot(WORSE, EXPERT, raters={"Ann": 8}),
    "reciter": bot(GOOD, RECITER, raters={"Ann": 8}),
    "short": bot(GOOD[:5]),
    "<b>@all|`\ufffe": bot(GOOD, EXPERT),
}


@pytest.fixture(autouse=True)
def _runs_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("crscore_eval.data.sources.open_data", lambda name, *_: RUNS[name])


@pytest.mark.parametrize(("arguments", "status"), [
    ("good --fail-under relevance=0.8", 0),
    ("good --fail-under relevance=0.81", 4),
    ("good --fail-under relevance=0.81 --fail-under relevance=0.1", 4),
    ("good --fail-under relevance=0.5 --fail-under scored=1", 0),
    ("good --baseline worse", 0),
    ("worse --baseline good", 4),
    ("worse --baseline good --tau 0.95", 0),
    ("reciter --baseline expert", 4),  # rated lower, though relevance rose
    ("expert --baseline reciter", 4),  # rated higher, but relevance fell
    ("expert --baseline reciter --by people", 0),
    ("good --fail-under words=4", 2),  # not a measure of the run
    ("good --fail-under relevance=0.1 --by conciseness", 2),
    ("good --baseline short", 3),
    ("good --baseline short --fail-under relevance=0.81", 4),
    ("good --baseline good", 2),
    ("good --fail-under relevance=nan", 2),
    ("good --fail-under rel=50", 2),
])  # fmt: skip
def test_exit_status_is_0_for_a_pass_only(crscore: Command, arguments: str, status: int) -> None:
    assert crscore(f"gate {arguments}").status == status


def test_json_has_one_row_per_condition(crscore: Command) -> None:
    document = crscore("gate reciter --baseline expert --json").json
    assert document["passed"] is False
    results = {check["measure"]: check["result"] for check in document["checks"]}
    assert results == {"scored": "passed", "relevance": "passed", "people": "failed"}
    rows = [*document["checks"], *document["systems"]]
    compared = [row for row in rows if row["ci"]]
    assert all(row["ci"][0] <= row["difference"] <= row["ci"][1] for row in compared)
    assert 2 <= len(compared) < len(rows)


def test_a_summary_shows_the_conditions_and_names_as_they_are(crscore: Command) -> None:
    options = "--baseline worse --fail-under relevance=0.99 --summary summary.md"
    assert crscore(f"gate '<b>@all|`\ufffe' {options}").status == 4
    text = Path("summary.md").read_text(encoding="utf-8")
    marks = [line.split("|")[1].strip() for line in text.splitlines() if line.startswith("| ")]
    assert marks == ["result", "✅ passed", "❌ failed", "✅ passed", "➖ not compared"]
    assert "&#60;b&#62;&#64;all&#124;&#96;U+FFFE" in text
    assert "<b>" not in text
    assert "baseline worse" in text
    assert "\nSignature: <code>crscore&#58;0&#124;" in text
