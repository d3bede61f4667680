"""`crscore gate` and the baseline of `crscore rank`, on small runs made by hand."""

import os
import shlex
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
import yaml  # type: ignore[import-untyped]

from tests.crscore_core.cli.conftest import Crscore
from tests.crscore_core.corpus.run.made_run import made_run
from tests.crscore_core.datasets.study.made_comparison import Made, made_comparison

MakeRun = Callable[..., Path]


@pytest.fixture
def run(tmp_path: Path) -> MakeRun:
    def make(name: str, predicted: Sequence[float], system: str = "a") -> Path:
        """Write a run of one review of each change, with these predictions."""
        changes = range(len(predicted))
        made = made_comparison(*(Made(change, (3, 3, 3), [[0.75]], system) for change in changes))
        reviews = tuple(
            replace(review, predicted=(value, 0.5, 0.5, 0.5))
            for review, value in zip(made.reviews, predicted, strict=True)
        )
        diffs = tuple(replace(change, diff=f"+{change.id}\n") for change in made.changes)
        comparison = replace(made, changes=diffs, reviews=reviews)
        return made_run(tmp_path / name, comparison).folder.path

    return make


GOOD = [0.5, 0.6, 0.4, 0.5, 0.55, 0.45, 0.5, 0.52]
WORSE = [value - 0.2 - 0.01 * (place % 3) for place, value in enumerate(GOOD)]
SHUFFLED = [0.52, 0.5, 0.45, 0.55, 0.5, 0.4, 0.6, 0.5]


@pytest.mark.parametrize(
    ("before", "now", "options", "status", "said"),
    [
        (GOOD, WORSE, [], 4, "FAILED: no worse than the baseline; clearly worse: predicted"),
        (WORSE, GOOD, [], 0, "passed: no worse than the baseline; clearly better: predicted"),
        (GOOD, SHUFFLED, [], 0, "not clearly different: predicted relevance 0.50 against 0.50,"),
        (GOOD, SHUFFLED, ["--margin", 0.2], 0, "shown to be less than 0.2 worse"),
        (GOOD, SHUFFLED, ["--margin", 0.01], 4, "not shown to be less than 0.01 worse"),
        (GOOD, WORSE[:5], [], 0, "too few changes to tell: predicted relevance"),
        (GOOD, GOOD, ["--fail-under", "predicted_relevance=0.51"], 4, "FAILED: predicted_relev"),
        (GOOD, GOOD, ["--fail-under", "relevance=0.5"], 0, "over 8 reviews of 8 changes"),
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
    command = ["gate", run("now", now), "--baseline", run("before", before), *options]
    found = crscore(*command)
    assert (found.status, said in found.out) == (status, True), found


def test_summary_and_junit_say_the_same(
    run: MakeRun, crscore: Crscore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    step = tmp_path / "step.md"
    step.write_text("before\n", encoding="utf-8")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(step))
    now = run("now", WORSE, "<b>@all|`")
    summary, junit = tmp_path / "summary.md", tmp_path / "junit.xml"
    options = ["--baseline", run("before", GOOD), "--no-worse", "--fail-under", "relevance=0.1"]
    found = crscore("gate", now, *options, "--summary", summary, "--junit", junit)
    assert found.status == 4
    text = summary.read_text(encoding="utf-8")
    assert step.read_text(encoding="utf-8") == f"before\n{text}"
    results = [line[:10] for line in text.splitlines() if line.startswith(("| ✅", "| ❌"))]
    assert results == ["| ✅ passed", "| ❌ failed"]
    assert "<code>All reviews are &#60;b&#62;&#64;all&#124;&#96;'s" in text
    suite = ET.parse(junit).getroot()  # noqa: S314 - our own
    assert (suite.get("tests"), suite.get("failures")) == ("2", "1")
    assert suite.findall("testcase")[1].find("failure") is not None
    ranked = crscore("rank", now, "--baseline", options[1], "--json")
    assert ranked.status == 4
    assert '"passed": false' in ranked.out


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ([], "Nothing to check"),
        (["--no-worse"], "--no-worse needs --baseline"),
        (["--margin", "0.1"], "--margin needs --baseline"),
        (["--fail-under", "relevance=2"], "X from 0 to 1"),
        (["--fail-under", "tau=0.5"], "'tau=0.5' is not COLUMN=X"),
        (["--fail-under", "relevance=0.1", "--system", "b"], "no review by 'b'"),
        (["--fail-under", "relevance=0.1", "--junit", "no/such/x.xml"], "cannot be written"),
    ],
)
def test_bad_usage(run: MakeRun, crscore: Crscore, options: list[str], words: str) -> None:
    assert words in crscore("gate", run("now", GOOD), *options).complaint


def test_the_steps_of_the_action_and_of_the_template(
    run: MakeRun, crscore: Crscore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last step of each; those before install and score."""
    root = Path(__file__).parents[3]
    (gate,) = (
        step
        for step in yaml.safe_load((root / "action.yml").read_text())["runs"]["steps"]
        if step.get("name") == "Gate"
    )
    now, better, before = run("no w", SHUFFLED), run("better", [0.9] * 8), run("before", GOOD)
    given = {"RUN": now, "FLOORS": "relevance=0.1\n", "BASELINE": better, "JUNIT": "gate.xml"}
    assert {*given, "MARGIN"} == set(gate["env"])
    _, template = yaml.safe_load_all((root / "templates/crscore-gate.yml").read_text())
    line = template["crscore-gate"]["script"][-1]
    for name, value in {"run": str(now), "options": f"--baseline {before}"}.items():
        line = line.replace(f"$[[ inputs.{name} ]]", value)
    monkeypatch.chdir(tmp_path)
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    texts = {name: str(value) for name, value in given.items()}
    finished = subprocess.run(
        ["bash", "-eo", "pipefail", "-c", gate["run"]],
        env=os.environ | {"PATH": path, "MARGIN": ""} | texts,
        check=False,
    )
    assert finished.returncode == 4
    assert 'failures="1"' in Path("gate.xml").read_text(encoding="utf-8")
    assert crscore(*shlex.split(line)[1:]).status == 0
    assert 'failures="0"' in Path("gate.xml").read_text(encoding="utf-8")
