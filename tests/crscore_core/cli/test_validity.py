"""`crscore validity` on a small synthetic study, with the embedded encoder."""

import csv
import json
from functools import partial
from pathlib import Path

import pytest

from crscore_core.datasets.study.model import SYSTEMS
from tests.crscore_core.cli.conftest import Crscore
from tests.crscore_core.datasets.study.small_release import phase2, small_release


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return small_release().write(tmp_path / "study")


@pytest.fixture
def validity(folder: Path, crscore: Crscore) -> Crscore:
    return partial(crscore, "validity", "--study", folder, "--resamples", "60")


def test_json_has_what_programs_rely_on(validity: Crscore) -> None:
    document = validity("--json").document
    assert {
        "study", "encoder", "claims", "tau", "review_level", "system_level", "no_threshold",
        "claim_quality", "krippendorff_alpha_ordinal", "human_means_0_to_1", "metric_means",
        "presets",
    } <= set(document)  # fmt: skip
    assert document["study"]["changes"] == {"py": 4, "java": 4, "js": 4}
    assert (document["encoder"], document["claims"]) == ("all-MiniLM-L6-v2", "study")
    assert document["tau"] == 0.327
    assert set(document["review_level"]) == {"conciseness", "comprehensiveness", "relevance"}
    for level in document["review_level"].values():
        assert {"spearman", "kendall", "spearman_ci"} <= set(level)
    assert {"spearman", "kendall"} <= set(document["system_level"])
    without = dict(document["no_threshold"])
    assert set(without.pop("system_level")) == set(document["system_level"])
    assert {name: set(level) for name, level in without.items()} == {
        name: set(level) for name, level in document["review_level"].items()
    }
    assert set(document["metric_means"]) == set(SYSTEMS)
    assert set(document["presets"]) == {"tau_best", "tau_gt"}
    at_best = validity("--tau", "tau_best", "--json").document
    assert at_best["no_threshold"] == document["no_threshold"]
    assert at_best["tau"] == document["presets"]["tau_best"] not in {0.327, 0.469}


def test_tables_are_printed_and_written(validity: Crscore, tmp_path: Path) -> None:
    file = tmp_path / "tables.csv"
    done = validity("--tau", "0.4", "--csv", file)
    assert done.status == 0
    assert "tau 0.4000" in done.out
    assert "Agreement without a threshold\n" in done.out
    assert "Quality of claims, in percent (Table 1 and section 5.1)" in done.out
    assert "percentiles of 60 resamples of changes" in done.out
    with file.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    (row,) = [row for row in rows if row["figure"] == "Python: accuracy"]
    assert (row["table"], row["paper"]) == ("claim_quality", "83.65")
    assert f"  {float(row['here']):.2f}  [" in done.out


def test_claims_by_a_backend_and_of_a_file(validity: Crscore, tmp_path: Path) -> None:
    assert validity("--claims", "symbolic", "--json").document["claims"] == "symbolic"
    diffs = {row["diff"] for row in small_release().files[phase2("py")[0]] if row["diff"]}
    claims = "\n".join(json.dumps({"diff": diff, "claims": ["A line changes."]}) for diff in diffs)
    file = tmp_path / "claims.jsonl"
    file.write_text(claims, encoding="utf-8")
    done = validity("--claims", file, "--json")
    left_out = "8 of 12 changes are left out: claims.jsonl has no claims about them"
    assert done.err == f"warning: {left_out}\n"
    of_file = done.document
    assert of_file["warnings"] == [left_out]
    assert (of_file["claims"], of_file["changes_without_pseudo_references"]) == ("claims.jsonl", 8)


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ("--tau=2", "tau 2.0 is no cosine"),
        ("--tau=high", "'high'"),
        ("--claims=nothing", "nothing"),
        ("--claims=gpt-4o", "gpt-4o.jsonl"),
        ("--encoder=no/such encoder", "no such encoder"),
        ("--resamples=3", "--resamples"),
        ("--study=nowhere", "nowhere: there is no folder human_study"),
        ("--csv=nowhere/tables.csv", "'nowhere/tables.csv' cannot be written: there"),
    ],
)
def test_bad_input_is_one_line(validity: Crscore, option: str, message: str) -> None:
    assert message in validity(option).complaint
