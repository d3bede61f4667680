"""`crscore gate` on small runs made by hand."""

import re
import subprocess
import xml.etree.ElementTree as ET
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
import yaml  # type: ignore[import-untyped]

from crscore_core.corpus.run.finished import FinishedRun
from crscore_core.errors import InputError
from crscore_core.ranking.gate import check_baseline
from tests.crscore_core.cli.conftest import Crscore
from tests.crscore_core.corpus.made_reviews import altered
from tests.crscore_core.corpus.run.made_run import made_run
from tests.crscore_core.datasets.study.made_comparison import Made, made_comparison

MakeRun = Callable[..., Path]


@pytest.fixture
def run(tmp_path: Path) -> MakeRun:
    def make(name: str, cosines: Sequence[float], system: str = "a") -> Path:
        """Write a run of one review of each change, whose one sentence has this cosine."""
        made = made_comparison(
            *(Made(change, (3, 3, 3), [[cosine]], system) for change, cosine in enumerate(cosines))
        )
        diffs = tuple(replace(change, diff=f"+{change.id}\n") for change in made.changes)
        return made_run(tmp_path / name, altered(made, changes=diffs)).folder.path

    return make


GOOD = [0.5, 0.6, 0.4, 0.5, 0.55, 0.45, 0.5, 0.52]
WORSE = [value - 0.2 - 0.01 * (place % 3) for place, value in enumerate(GOOD)]
SHUFFLED = [0.52, 0.5, 0.45, 0.55, 0.5, 0.4, 0.6, 0.5]


@pytest.mark.parametrize(
    ("before", "now", "options", "status", "said"),
    [
        (GOOD, WORSE, [], 4, "than the baseline's; lower: similarity without a"),
        (GOOD, WORSE, [], 4, "8 changes; that says nothing about whether the reviews are right"),
        (WORSE, GOOD, [], 0, "than the baseline's; higher: similarity without"),
        (GOOD, SHUFFLED, [], 0, "no clear difference: similarity without a thresh"),
        (GOOD, SHUFFLED, ["--margin", 0.2], 0, "shown to be less than 0.2 lower"),
        (GOOD, SHUFFLED, ["--margin", 0.01], 4, "not shown to be less than 0.01 lower"),
        (GOOD, WORSE[:5], ["--most-unscored", 1], 0, "not told: similarity without a threshold"),
        (GOOD, GOOD, ["--fail-under", "no_threshold=0.51"], 4, "FAILED: no_threshold at least"),
        (GOOD, GOOD, ["--fail-under", "relevance=0.375"], 0, "mean 0.375 over 8 reviews of 8 ch"),
        (GOOD, WORSE[:5], ["--most-unscored", 3 / 8], 0, "3 of 8 reviews have none"),
        (GOOD, GOOD, ["--most-unscored", 0.2], 4, "20% of the reviews without a score; 3 of 11"),
        (GOOD, GOOD, ["--system", "a", "--most-unscored", 0.2], 0, "; 1 of 9 reviews have none"),
        (GOOD, GOOD, [], 0, "8 changes; both runs hold the same scores"),
        (GOOD, GOOD, ["--margin", 0.01], 0, "shown to be less than 0.01 lower"),
    ],
)
def test_a_run_passes_or_fails(  # noqa: PLR0917 - a table
    run: MakeRun,
    crscore: Crscore,
    before: Sequence[float],
    now: Sequence[float],
    options: list[object],
    status: int,
    said: str,
) -> None:
    command = ["gate", run("now", now), "--baseline", run("before", before)]
    found = crscore(*command, "--by", "no_threshold", *options)
    assert (found.status, said in found.out) == (status, True), found


def test_summary_and_junit_say_the_same(
    run: MakeRun, crscore: Crscore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    step = tmp_path / "step.md"
    step.write_text("before\n", encoding="utf-8")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(step))
    now = run("now", WORSE, "<b>@all|`\ufffe")
    summary, junit = tmp_path / "summary.md", tmp_path / "junit.xml"
    options = ["--baseline", run("before", GOOD), "--fail-under", "no_threshold=0.1"]
    options += ["--by", "no_threshold"]
    found = crscore("gate", now, *options, "--summary", summary, "--junit", junit)
    assert found.status == 4
    text = summary.read_text(encoding="utf-8")
    assert step.read_text(encoding="utf-8") == f"before\n{text}"
    results = [line[:10] for line in text.splitlines() if line.startswith(("| ✅", "| ❌"))]
    assert results == ["| ✅ passed", "| ❌ failed", "| ✅ passed"]
    assert "<code>All reviews are &#60;b&#62;&#64;all&#124;&#96;&#92;ufffe's" in text
    suite = ET.parse(junit).getroot()  # noqa: S314 - our own
    assert (suite.get("tests"), suite.get("failures")) == ("3", "1")
    failure = suite.findall("testcase")[1].find("failure")
    assert failure is not None
    systems = "other systems wrote the reviews (new: <b>@all|`\\ufffe; gone: a)"
    assert systems in failure.attrib["message"]
    missing = ["--baseline", tmp_path / "none.parquet"]
    assert "at the first run --baseline-may-be-missing" in crscore("gate", now, *missing).complaint
    first = crscore("gate", now, *missing, "--baseline-may-be-missing", "--junit", junit)
    assert (first.status, "there is no baseline" in first.out) == (0, True)
    suite = ET.parse(junit).getroot()  # noqa: S314 - our own
    assert (suite.get("tests"), suite.get("skipped")) == ("2", "1")
    assert suite.find("testcase/skipped") is not None


@pytest.mark.parametrize("name", ["encoder", "precision", "claims", "analyzers"])
def test_runs_that_were_scored_in_other_ways_are_not_compared(run: MakeRun, name: str) -> None:
    before, now = (FinishedRun.open(run(folder, GOOD)) for folder in ("before", "now"))
    settings = {**now.document.settings, name: "another"}
    other = replace(now, document=replace(now.document, settings=settings))
    with pytest.raises(InputError, match=f"the baseline was scored with another {name}"):
        check_baseline(other, before)


_RECORDER = r"""#!/bin/sh
{ printf '%s\0' "${0##*/}" "$@"; printf '\n\0'; } >> "$CALLS"
"""
ROOT = Path(__file__).parents[3]


def steps_of(name: str) -> tuple[list[str], Collection[str]]:
    """Return the scripts of the action or of the template, and the variables of its inputs."""
    if name == "action.yml":
        steps = yaml.safe_load((ROOT / name).read_text())["runs"]["steps"]
        variables = {key: value for step in steps for key, value in step.get("env", {}).items()}
        return [step["run"] for step in steps if "run" in step], variables
    header, template = yaml.safe_load_all((ROOT / name).read_text())
    job = template["crscore-gate"]
    texts = [one for one in job["variables"].values() if isinstance(one, dict)]
    assert not any(one["expand"] for one in texts)
    patterns = {one.get("regex") for one in header["spec"]["inputs"].values() if "type" not in one}
    assert patterns == {'^[^"\\\\]*$'}
    plain = re.findall(r"^.*\$\[\[.*$", (ROOT / name).read_text(), re.MULTILINE)
    assert all('"$[[' in line and ']]"' in line for line in plain)  # between quotes
    return job["script"], job["variables"]


@pytest.fixture
def words_of(tmp_path: Path) -> Callable[[str, dict[str, str]], list[list[str]]]:
    def run_steps(name: str, inputs: dict[str, str]) -> list[list[str]]:
        """Run all steps with programs that write down how they are called, which is returned."""
        scripts, variables = steps_of(name)
        assert not any(mark in script for script in scripts for mark in ("${{", "$[["))
        folder = tmp_path / name.replace("/", "-")
        folder.mkdir(exist_ok=True)
        (folder / "calls").unlink(missing_ok=True)
        for program in ("crscore", "python"):
            (folder / program).write_text(_RECORDER)
            (folder / program).chmod(0o755)
        subprocess.run(
            ["/bin/bash", "-eo", "pipefail", "-c", "\n".join(scripts)],
            cwd=folder,
            env=dict.fromkeys([*variables, "GITHUB_ACTION_PATH"], "")
            | {"PATH": f"{folder}:/usr/bin:/bin", "CALLS": str(folder / "calls")}
            | {key: value for key, value in inputs.items() if key in variables or "ACTION" in key},
            check=True,
        )
        assert {path.name for path in folder.iterdir()} == {"crscore", "python", "calls"}
        *calls, _ = (folder / "calls").read_text().split("\n\0")
        return [call.split("\0")[1:-1] for call in calls]

    return run_steps


BOTH = ("action.yml", "templates/crscore-gate.yml")


@pytest.mark.parametrize("name", BOTH)
@pytest.mark.parametrize("value", ["plain", ";touch${IFS}x", "$(touch\tx)", "-o", "--help", "*"])
def test_inputs_of_the_steps_stay_words(
    words_of: Callable[[str, dict[str, str]], list[list[str]]], name: str, value: str
) -> None:
    _, variables = steps_of(name)
    install, batch, gate = words_of(name, dict.fromkeys([*variables, "GITHUB_ACTION_PATH"], value))
    assert install[-1] == value
    assert batch == ["batch", "-o", value, "--", value]
    floors = [word for floor in value.split() for word in ("--fail-under", floor)]
    given = [*floors, "--baseline", value, "--margin", value]
    assert gate[: len(given) + 1] == ["gate", *given]
    assert gate[-2:] == ["--", value]


def test_the_steps_of_the_action_and_of_the_template(
    words_of: Callable[[str, dict[str, str]], list[list[str]]],
    run: MakeRun,
    crscore: Crscore,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The last step of each; those before install and score."""
    monkeypatch.chdir(tmp_path)
    now, better, before = run("no w", SHUFFLED), run("better", [0.9] * 8), run("before", GOOD)
    floors = "relevance=0.1\nrelevance=0.2\n"
    for name, baseline, status in zip(BOTH, (better, before), (4, 0), strict=True):
        given = {"RUN": str(now), "FLOORS": floors, "BASELINE": str(baseline), "JUNIT": "gate.xml"}
        *_, words = words_of(name, given)
        assert crscore(*words).status == status
        assert f'tests="4" failures="{status // 4}"' in Path("gate.xml").read_text()
        first = given | {"BASELINE": str(tmp_path / "none"), "MAY_BE_MISSING": "true"}
        *_, words = words_of(name, first)
        assert crscore(*words).status == 0
