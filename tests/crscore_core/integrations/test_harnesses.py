"""Adapters, each in its harness."""

import asyncio
import gc
import json
import math
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from inspect_ai import Task, eval, score  # noqa: A004 - Inspect's names
from inspect_ai.dataset import Sample
from inspect_ai.log import EvalLog
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from langfuse import Langfuse
from langfuse.experiment import LocalExperimentItem
from mcp import Client
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from crscore_core import CRScorer
from crscore_core.integrations import mcp_server, promptfoo_assert
from crscore_core.integrations.inspect_scorer import crscore
from crscore_core.integrations.langfuse_evaluator import crscore as langfuse_crscore
from crscore_core.integrations.measures import MEASURES, measure, measured
from crscore_core.integrations.promptfoo_assert import get_assert
from tests.crscore_core.changes import PYTHON

PROMPTFOO = shutil.which("promptfoo")
REVIEW = "Returning an empty list hides every error: raise it instead."
NO_DIFF = "there is no diff here"


@pytest.fixture
def leftovers() -> Iterator[None]:
    """Collect garbage of a harness within the test that ignores its warnings."""
    yield
    gc.collect()


def test_measures_are_those_of_the_scorer() -> None:
    values = measure(PYTHON, REVIEW).values
    assert tuple(values) == MEASURES
    score = CRScorer().score(PYTHON, REVIEW)
    assert score.no_threshold
    assert values["no_threshold"] == pytest.approx(score.no_threshold.relevance)
    assert values["relevance"] == pytest.approx(score.relevance)


def test_a_review_without_sentences_has_no_values_and_a_reason() -> None:
    nothing = measured(CRScorer().score(PYTHON, " "))
    assert nothing.values == {}
    assert nothing.explanation


def answer(*_: object) -> ModelOutput:
    output = ModelOutput.from_content("mockllm", REVIEW)
    output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
    return output


def values_of(log: EvalLog) -> list[dict[str, Any]]:
    assert log.status == "success"
    return [dict((sample.scores or {})["crscore"].value) for sample in log.samples or ()]  # type: ignore[arg-type]


@pytest.mark.usefixtures("leftovers")
@pytest.mark.filterwarnings("ignore")  # Inspect's own, of packages that it uses
def test_inspect_scores_runs_and_their_logs(tmp_path: Path) -> None:
    samples = [
        Sample(input="Review this.", metadata={"patch": PYTHON}),
        Sample(input=PYTHON),
        Sample(input=NO_DIFF),
    ]
    task = Task(dataset=samples, scorer=crscore(diff="patch"))
    model = get_model("mockllm/model", custom_outputs=answer)
    (log,) = eval(task, model=model, log_dir=str(tmp_path), display="none")
    named, read, neither = values_of(log)
    assert named == read == measure(PYTHON, REVIEW).values
    assert all(map(math.isnan, neither.values()))
    means = {result.name: result.metrics["mean"].value for result in log.results.scores}  # type: ignore[union-attr]
    assert means["relevance"] == pytest.approx(named["relevance"])
    again = score(log, crscore(diff="patch"), action="overwrite", display="none")
    assert values_of(again)[:2] == [named, read]


@pytest.mark.parametrize(
    ("variables", "review", "passes", "reason"),
    [
        ({"diff": PYTHON}, REVIEW, True, ""),
        ({"diff": PYTHON}, " ", False, "the review is empty"),
        ({"diff": NO_DIFF}, REVIEW, False, "no diff found"),
        ({}, REVIEW, False, "no variable `diff`"),
    ],
)
def test_promptfoo_gets_a_grading_result(
    variables: dict[str, str], review: str, passes: bool, reason: str
) -> None:
    result = get_assert(review, {"vars": variables})
    assert result["pass"] is passes
    assert reason in result["reason"]
    if passes:
        assert result["namedScores"] == measure(PYTHON, REVIEW).values
        assert result["score"] == result["namedScores"]["relevance"]


@pytest.mark.long
@pytest.mark.skipif(not PROMPTFOO, reason="promptfoo (npm, Node.js 22.22) is not on the path")
def test_promptfoo_runs_the_assertion(tmp_path: Path) -> None:
    python = {"type": "python", "value": f"file://{promptfoo_assert.__file__}", "threshold": 0.1}
    tests = [{"vars": {"diff": PYTHON, "review": text}} for text in (REVIEW, "LGTM")]
    config = {
        "providers": ["echo"],
        "prompts": ["{{review}}"],
        "defaultTest": {"assert": [python]},
        "tests": tests,
    }
    (tmp_path / "config.json").write_text(json.dumps(config))
    private = {"PROMPTFOO_CONFIG_DIR": str(tmp_path), "PROMPTFOO_DISABLE_TELEMETRY": "1"}
    subprocess.run(
        [str(PROMPTFOO), "eval", "-c", "config.json", "-o", "out.json", "--no-cache"],
        cwd=tmp_path,
        env={**os.environ, **private, "PROMPTFOO_PYTHON": sys.executable},
        check=False,  # 100 where an assertion fails
        capture_output=True,
    )
    results = json.loads((tmp_path / "out.json").read_text())["results"]["results"]
    good, empty_praise = sorted(results, key=lambda one: -one["score"])
    assert good["success"]
    assert good["namedScores"] == pytest.approx(measure(PYTHON, REVIEW).values)
    assert not empty_praise["success"]


def test_langfuse_sends_the_measures_of_an_experiment() -> None:
    sent: list[dict[str, Any]] = []

    def server(request: httpx.Request) -> httpx.Response:
        if request.url.path == "/api/public/scores":
            sent.extend(json.loads(request.content))
        return httpx.Response(200, json={"data": []})

    client = Langfuse(
        public_key="public",
        secret_key="secret",  # noqa: S106 - of no server
        httpx_client=httpx.Client(transport=httpx.MockTransport(server)),
        span_exporter=InMemorySpanExporter(),
    )
    result = client.run_experiment(
        name="reviews",
        data=[LocalExperimentItem(input=one) for one in ({"diff": PYTHON}, NO_DIFF)],
        task=lambda **_: REVIEW,
        evaluators=[langfuse_crscore],
    )
    client.shutdown()
    values = measure(PYTHON, REVIEW).values
    good, (none,) = (item.evaluations for item in result.item_results)
    assert {one.name: one.value for one in good} == values
    assert "no diff found" in str(none.comment)
    assert {one["name"]: one["value"] for one in sent} == values | {"crscore": "none"}


@pytest.mark.usefixtures("leftovers")
def test_mcp_has_two_tools_whose_errors_say_what_is_wrong() -> None:
    async def talk() -> tuple[Any, Any, Any]:
        async with Client(mcp_server.server) as client:
            return (
                await client.call_tool("score_review", {"diff": PYTHON, "review": REVIEW}),
                await client.call_tool("review_topics", {"diff": PYTHON}),
                await client.call_tool("review_topics", {"diff": NO_DIFF}),
            )

    scored, topics, wrong = asyncio.run(talk())
    assert scored.structured_content["measures"] == measure(PYTHON, REVIEW).values
    assert {topic["kind"] for topic in topics.structured_content["result"]} >= {"claim"}
    assert wrong.is_error
    assert "no diff found" in wrong.content[0].text
