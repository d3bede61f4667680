"""`crscore validity`: the shipped study, other claims, the contract of its JSON."""

import json
from pathlib import Path
from typing import Any

import pytest

from crscore_eval.data import study_run
from crscore_eval.data.shipped import shipped_study
from crscore_eval.data.study import Study
from crscore_eval.data.study_run import score_study
from tests.crscore_cli.conftest import Command


def small(study: Study, n: int) -> Study:
    """The first rated changes of a study."""
    changes = study.changes[study.changes["is_rated"]].head(n)
    kept = set(changes["change"])
    names = ("references", "reviews", "claims")
    tables = {name: getattr(study, name) for name in names}
    limited = {name: table[table["change"].isin(kept)] for name, table in tables.items()}
    return study._replace(changes=changes, **limited)


def test_the_json_has_the_keys_of_the_contract(crscore: Command) -> None:
    status, out, _ = crscore("validity", "--json")
    document: dict[str, Any] = json.loads(out)
    assert status == 0
    assert {
        "study", "encoder", "claims", "tau", "review_level", "system_level", "no_threshold",
        "claim_quality", "krippendorff_alpha_ordinal", "human_means_0_to_1", "metric_means",
        "presets",
    } <= set(document)  # fmt: skip
    assert (document["claims"], document["tau"]) == ("study", 0.331)
    assert document["review_level"]["relevance"]["spearman"] == pytest.approx(0.5465460204)
    assert document["presets"]["tau_best"] == pytest.approx(0.4827265293)


def test_tables_are_printed_with_the_paper_and_intervals(crscore: Command) -> None:
    status, out, _ = crscore("validity", "--all", "--tau", "tau_best")
    assert status == 0
    (line,) = [line for line in out.splitlines() if "relevance" in line and "0.543" in line]
    assert "0.516" in line
    assert " to " in line


def test_figures_at_a_preset_do_not_depend_on_the_tau_in_use(crscore: Command) -> None:
    outs = [crscore("validity", "--tau", tau).output for tau in ("tau_gt", "tau_best")]
    figures = [{line for line in out.splitlines() if " tau_" in line} for out in outs]
    assert len(figures[0]) == 4
    assert figures[0] == figures[1]


def test_the_default_is_only_the_agreement_with_people(crscore: Command) -> None:
    status, out, _ = crscore("validity")
    assert status == 0
    lines = [" ".join(line.split()) for line in out.splitlines()]
    assert "reviews tau_gt 0.331 0.540 0.547 (0.501 to 0.592) 1647" in lines
    assert "systems tau_best 0.483 0.950 0.950 9" in lines
    assert len(lines) < 24


def test_numbers_of_reviews_changes_and_systems_are_printed(crscore: Command) -> None:
    out = crscore("validity", "--all").output
    assert "1,647 reviews by systems of 183 changes; left out: 182 reference reviews" in out
    assert "90 reviews of 9 changes" in out
    first, *tables = out.split("\n\n")[1:]
    assert {line.split()[-1] for line in first.splitlines() if " tau_" in line} == {"1647", "9"}
    for table in tables:
        counts = ("Thresholds computed", " n ", " pairs ", " claims ", " reviews ")
        assert any(count in table for count in counts), table
        has_intervals = any(" to " in line for line in table.splitlines()[1:])
        assert ("(95%)" in table) is has_intervals, table


def test_analyzers_that_analysed_nothing_are_named(
    crscore: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    uses = [
        {"name": name, "version": None, "files": files, "not_analysed": 61 - files}
        for name, files in (("pmd", 0), ("ruff", 60), ("lizard", 61))
    ]
    study, run, pairs = score_study(None)
    scored = run._replace(settings={**run.settings, "analyzers": uses})
    monkeypatch.setattr(study_run, "score_study", lambda *_: (study, scored, pairs))
    errors = crscore("validity").errors
    assert "pmd analysed none of 61 files" in errors
    assert "ruff" not in errors
    assert "lizard" not in errors


def test_claims_of_a_file_limit_the_study_to_its_changes(
    crscore: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = small(shipped_study(), 4)
    monkeypatch.setattr("crscore_eval.data.study_run.shipped_study", lambda: study)
    lines = [
        {"code_change": study.changes["diff"].iloc[0], "response": "1. A list is returned."},
        {"diff": study.changes["diff"].iloc[1], "claims": ["A name changes.", {"text": "More."}]},
    ]
    claims = tmp_path / "mine.jsonl"
    claims.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    arguments = ("validity", "--claims", claims, "--tau", "0.3", "--json")
    status, out, errors = crscore(*arguments)
    document = json.loads(out)
    assert status == 0
    assert document["claims"] == "mine.jsonl"
    assert document["review_level"]["relevance"]["n"] == 18
    assert "2 changes" in errors


@pytest.mark.parametrize("line", ["{}", "[1]", '{"diff": 3}', '{"diff": "x"}', "no JSON"])
def test_a_damaged_file_of_claims_is_named_with_its_line(
    crscore: Command, tmp_path: Path, line: str
) -> None:
    file = tmp_path / "claims.jsonl"
    file.write_text(f'{{"diff": "x", "claims": []}}\n{line}\n', encoding="utf-8")
    status, _, errors = crscore("validity", "--claims", file)
    assert status == 2
    assert "line 2" in errors
