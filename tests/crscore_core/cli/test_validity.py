"""`crscore validity` on a small synthetic study, with the embedded encoder."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from crscore_core.cli.main import main
from crscore_core.datasets.study.location import GPT_4O_CLAIMS, Annotator
from crscore_core.datasets.study.model import SYSTEMS
from tests.crscore_core.datasets.study.small_release import phase2, small_release


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return small_release().write(tmp_path / "study")


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        main(["validity", *arguments])
    output = capsys.readouterr()
    assert isinstance(ended.value.code, int)
    return ended.value.code, output.out, output.err


def document(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    status, output, errors = run(capsys, *arguments, "--json", "--resamples", "60")
    assert (status, errors) == (0, "")
    found: dict[str, Any] = json.loads(output)
    return found


def test_json_has_what_programs_rely_on(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = document(capsys, "--study", str(folder))
    assert {
        "study", "encoder", "claims", "tau", "review_level", "system_level", "calibrated",
        "claim_quality", "krippendorff_alpha_ordinal", "human_means_0_to_1", "metric_means",
        "presets",
    } <= set(found)  # fmt: skip
    assert found["study"]["changes"] == {"py": 4, "java": 4, "js": 4}
    assert (found["encoder"], found["claims"]) == ("all-MiniLM-L6-v2", "study")
    assert found["tau"] == 0.327
    assert set(found["review_level"]) == {"conciseness", "comprehensiveness", "relevance"}
    for level in found["review_level"].values():
        assert {"spearman", "kendall", "spearman_ci"} <= set(level)
    assert {"spearman", "kendall"} <= set(found["system_level"])
    assert set(found["metric_means"]) == set(SYSTEMS)
    assert set(found["presets"]) == {"tau_best", "tau_gt"}


@pytest.mark.parametrize("name", ["tau_best", "tau_gt"])
def test_tau_by_name_is_that_of_the_study(
    folder: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    found = document(capsys, "--study", str(folder), "--tau", name)
    assert found["tau"] == found["presets"][name]
    assert found["tau"] not in {0.327, 0.469}


def test_tables_are_printed_and_written(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "tables.csv"
    status, output, _ = run(
        capsys, "--study", str(folder), "--tau", "0.4", "--resamples", "60", "--csv", str(file)
    )
    assert status == 0
    assert "tau 0.4000" in output
    assert "Quality of claims, in percent (Table 1 and section 5.1)" in output
    assert "percentiles of 60 resamples of changes" in output
    with file.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    (row,) = [row for row in rows if row["figure"] == "py accuracy"]
    assert (row["table"], row["paper"]) == ("claim_quality", "83.65")
    assert f"  {float(row['here']):.2f}  [" in output


def test_claims_by_a_backend_and_of_a_file(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    symbolic = document(capsys, "--study", str(folder), "--claims", "symbolic")
    assert symbolic["claims"] == "symbolic"
    diffs = {row["diff"] for row in small_release().files[phase2("py")[0]] if row["diff"]}
    claims = "\n".join(json.dumps({"diff": diff, "claims": ["A line changes."]}) for diff in diffs)
    file = tmp_path / "claims.jsonl"
    file.write_text(claims, encoding="utf-8")
    status, output, errors = run(
        capsys, "--study", str(folder), "--claims", str(file), "--json", "--resamples", "60"
    )
    of_file = json.loads(output)
    left_out = "8 of 12 changes are left out: claims.jsonl has no claims about them"
    assert (status, errors) == (0, f"warning: {left_out}\n")
    assert of_file["warnings"] == [left_out]
    assert (of_file["claims"], of_file["changes_without_pseudo_references"]) == ("claims.jsonl", 8)
    released = folder / GPT_4O_CLAIMS
    released.parent.mkdir(parents=True)
    released.write_text(claims, encoding="utf-8")
    _, output, _ = run(
        capsys, "--study", str(folder), "--claims", "gpt-4o", "--json", "--resamples", "60"
    )
    gpt_4o = json.loads(output)
    assert gpt_4o["claims"] == "gpt-4o"
    assert gpt_4o["metric_means"] == of_file["metric_means"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--tau", "2"], "tau 2.0 is no cosine"),
        (["--tau", "high"], "'high'"),
        (["--claims", "nothing"], "nothing"),
        (["--claims", "gpt-4o"], "gpt-4o.jsonl"),
        (["--encoder", "no/such encoder"], "no such encoder"),
        (["--resamples", "3"], "--resamples"),
        (["--study", "nowhere"], "nowhere: there is no folder human_study"),
        (
            ["--csv", "nowhere/tables.csv"],
            "'nowhere/tables.csv' cannot be written: there",
        ),
    ],
)
def test_bad_input_is_one_line(
    folder: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    status, output, errors = run(capsys, "--study", str(folder), *arguments)
    assert (status, output) == (2, "")
    assert errors.count("\n") == 1
    assert message in errors


def test_a_damaged_study_is_one_line_that_names_file_and_row(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    release = small_release()
    name = phase2("py")[list(Annotator).index(Annotator.MARCUS)]
    release.row(name, 3)["Rel (F)"] = "6"
    status, output, errors = run(capsys, "--study", str(release.write(tmp_path)))
    assert (status, output) == (2, "")
    assert errors == (
        f"crscore: {name}, row 3: Rel (F) is '6'; it must be a whole number from 1 to 5\n"
    )
