"""The GitHub action: its last step checks the run in every combination of its inputs."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml  # type: ignore[import-untyped]

from tests.pages.small_run import small_run, write_run

ACTION = Path(__file__).parents[1] / "action.yml"


@pytest.mark.parametrize(
    ("floors", "baseline", "status"),
    [
        ("", "", 0),
        ("relevance=0.1\nscored=0.5", "missing", 0),
        ("relevance=0.99", "", 4),
        ("", "earlier", 0),
    ],
)
def test_the_gate_takes_floors_and_a_baseline(
    floors: str, baseline: str, status: int, tmp_path: Path
) -> None:
    (script,) = [
        step["run"]
        for step in yaml.safe_load(ACTION.read_text(encoding="utf-8"))["runs"]["steps"]
        if step.get("name") == "Gate"
    ]
    for name in ("run", "earlier"):
        write_run(tmp_path / name, small_run(is_rated=False))
    environment = {"RUN": "run", "FLOORS": floors, "BASELINE": baseline, "BY": "relevance"}
    environment |= {"GITHUB_STEP_SUMMARY": "summary.md"}
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    ended = subprocess.run(
        ["bash", "-eo", "pipefail", "-c", script],
        cwd=tmp_path,
        env={**os.environ, **environment, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == status, ended.stderr
    assert "###" in (tmp_path / "summary.md").read_text(encoding="utf-8")
