"""`crscore validity`: the shipped study, other claims, the contract of its JSON."""

from pathlib import Path

import pytest

from crscore_eval.data import study_run
from crscore_eval.data.shipped import shipped_study
from crscore_eval.data.study_run import score_study
from crscore_eval.table import GROUND_TRUTH
from tests.crscore_cli.conftest import Command
from tests.crscore_eval.run.corpus import write_rows


def test_the_json_has_the_keys_and_figures_of_the_contract(crscore: Command) -> None:
    document = crscore("validity --json").json
    assert {
        "study", "encoder", "claims", "tau", "review_level", "system_level", "no_threshold",
        "claim_quality", "krippendorff_alpha_ordinal", "human_means_0_to_1", "metric_means",
        "presets",
    } <= set(document)  # fmt: skip
    assert (document["claims"], document["tau"]) == ("study", 0.330)
    assert document["study"] == {
        "changes": {"py": 69, "java": 61, "js": 53}, "ratings": 1829,
        "ratings_without_ground_truth": 1647, "pairs": {"addressed": 1210, "not_addressed": 2221},
    }  # fmt: skip
    assert document["no_threshold"]["system_level"]["spearman"] == pytest.approx(0.9333333)
    assert document["claim_quality"]["js"]["claims"] == 217
    assert GROUND_TRUTH in document["human_means_0_to_1"]
    assert document["krippendorff_alpha_ordinal"]["relevance"] == pytest.approx(0.88056938)
    relevance = document["review_level"]["relevance"]
    low, high = relevance["spearman_ci"]
    assert relevance["spearman"] == pytest.approx(0.5474983309042781)
    assert (relevance["n"], low < relevance["spearman"] < high) == (1647, True)
    figures = {(row["table"], row["column"], row["tau"]) for row in document["tables"]}
    assert ("review_level", "spearman", 0.330) not in figures  # no figure is there twice
    assert ("review_level", "spearman", 0.483) in figures
    assert document["presets"]["tau_best"] == pytest.approx(0.4826670645)


def test_figures_at_a_preset_do_not_depend_on_the_tau_in_use(crscore: Command) -> None:
    outs = [crscore(f"validity {option}").output for option in ("", "--tau tau_best")]
    default, at_best = ({" ".join(line.split()) for line in out.splitlines() if "  tau_" in line}
                        for out in outs)  # fmt: skip
    assert default == at_best
    assert len(default) == 6
    assert "reviews tau_best 0.483 0.543 0.516 (0.467 to 0.564) 1647" in default
    assert "reviews tau_gt 0.330 0.540 0.547 (0.505 to 0.590) 1647" in default
    assert "reviewers tau_best 0.483 0.950 0.950 9" in default
    assert outs[0].count("\n") < 26  # only the agreement with people


def test_numbers_of_reviews_changes_and_systems_are_printed(crscore: Command) -> None:
    out = crscore("validity --all --tau tau_best").output
    assert "|tau:0.483" in out
    assert "1,647 reviews of 183 changes; left out: 182 reference reviews" in out
    first, *tables = out.split("\n\n")[1:]
    numbers = {line.split()[-1] for line in first.splitlines() if "  tau_" in line}
    assert numbers == {"1647", "1569", "9"}
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


def test_claims_of_a_file_limit_the_study_to_its_changes(crscore: Command) -> None:
    changes = shipped_study().changes
    first, second, *_ = changes[changes["is_rated"]]["diff"]
    write_rows(Path("mine.jsonl"), [
        {"code_change": first, "response": "1. A list is returned."},
        {"diff": second, "claims": ["A name changes.", {"text": "More."}]},
    ])  # fmt: skip
    ended = crscore("validity --claims mine.jsonl --tau 0.3 --json")
    assert ended.status == 0
    assert ended.json["claims"] == "mine.jsonl"
    assert ended.json["review_level"]["relevance"]["n"] == 18
    assert "181 changes" in ended.errors
