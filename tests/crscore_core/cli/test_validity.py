"""`crscore validity` on a small synthetic study, with the embedded encoder."""

import csv
import json
from functools import partial
from pathlib import Path

import pytest

from tests.crscore_core.cli.conftest import Crscore
from tests.crscore_core.datasets.study.small_release import phase2, small_release


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return small_release().write(tmp_path / "study")


@pytest.fixture
def validity(folder: Path, crscore: Crscore) -> Crscore:
    return partial(crscore, "validity", "--study", folder, "--resamples", "60")


def test_another_tau_changes_nothing_that_has_no_threshold(validity: Crscore) -> None:
    document = validity("--json").document
    assert document["study"]["changes"] == {"py": 4, "java": 4, "js": 4}
    assert document["tau"] == 0.327
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


def test_claims_of_a_file(validity: Crscore, tmp_path: Path) -> None:
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
