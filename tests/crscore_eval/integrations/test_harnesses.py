"""Adapters, each in its harness."""

import asyncio
import gc
import math
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from crscore_core import CRScorer
from crscore_eval.integrations.promptfoo_assert import get_assert
from crscore_eval.integrations.scoring import SCORE_NAMES, score_output, text_of
from tests.crscore_core.changes import PYTHON

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog
    from inspect_ai.model import ModelOutput

REVIEW = "Returning an empty list hides every error: raise it instead."
NO_DIFF = "there is no diff here"


@pytest.fixture
def leftovers() -> Iterator[None]:
    """Collect garbage of a harness within the test that ignores its warnings."""
    yield
    gc.collect()


def test_scores_equal_the_scorer() -> None:
    scores = score_output(PYTHON, REVIEW).scores
    assert tuple(scores) == SCORE_NAMES
    score = CRScorer().score(PYTHON, REVIEW)
    assert score.no_threshold
    assert scores["no_threshold"] == pytest.approx(score.no_threshold, abs=1e-5)
    assert scores["relevance"] == pytest.approx(score.relevance)


@pytest.mark.parametrize(
    ("output", "text"),
    [
        (None, ""),
        ("Fine.", "Fine."),
        (["Fine.", "Rename it."], "Fine.\nRename it."),
        ({"comment": "Fine."}, "Fine."),
        ([{"path": "a.py", "body": "Fine."}, {"body": "Rename it."}], "Fine.\nRename it."),
        ({"verdict": 1}, '{"verdict": 1}'),
        (7, "7"),
    ],
)
def test_reads_any_output_as_text(output: object, text: str) -> None:
    assert text_of(output) == text


@pytest.mark.parametrize("output", [None, "", [], {}, [None], 7, {"body": None}])
@pytest.mark.parametrize("diff", [PYTHON, NO_DIFF, None, ["x"], 3])
def test_never_raises(diff: object, output: object) -> None:
    result = get_assert(output, {"vars": {"diff": diff}})
    assert result["reason"]
    assert isinstance(result["pass"], bool)


def answer(*_: object) -> "ModelOutput":
    from inspect_ai.model import ModelOutput, ModelUsage

    output = ModelOutput.from_content("mockllm", REVIEW)
    output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
    return output


def values_of(log: "EvalLog") -> list[dict[str, Any]]:
    assert log.status == "success"
    return [dict((sample.scores or {})["crscore"].value) for sample in log.samples or ()]


@pytest.mark.usefixtures("leftovers")
@pytest.mark.filterwarnings("ignore")  # Inspect's own, of packages that it uses
def test_inspect_scores_runs_and_their_logs(tmp_path: Path) -> None:
    import inspect_ai
    from inspect_ai.dataset import Sample
    from inspect_ai.model import get_model

    from crscore_eval.integrations.inspect_scorer import crscore

    samples = [
        Sample(input="Review this.", metadata={"patch": PYTHON}),
        Sample(input=PYTHON),
        Sample(input=NO_DIFF),
    ]
    task = inspect_ai.Task(dataset=samples, scorer=crscore(diff="patch"))
    model = get_model("mockllm/model", custom_outputs=answer)
    (log,) = inspect_ai.eval(task, model=model, log_dir=str(tmp_path), display="none")
    by_metadata, by_input, without_diff = values_of(log)
    assert by_metadata == by_input == score_output(PYTHON, REVIEW).scores
    assert all(map(math.isnan, without_diff.values()))
    means = {result.name: result.metrics["mean"].value for result in log.results.scores}
    assert means["relevance"] == pytest.approx(by_metadata["relevance"])
    again = inspect_ai.score(log, crscore(diff="patch"), action="overwrite", display="none")
    assert values_of(again)[:2] == [by_metadata, by_input]


@pytest.mark.parametrize(
    ("variables", "review", "passes"),
    [
        ({"diff": PYTHON}, REVIEW, True),
        ({"diff": PYTHON}, " ", False),
        ({"diff": NO_DIFF}, REVIEW, False),
        ({}, REVIEW, False),
    ],
)
def test_promptfoo_gets_a_grading_result(
    variables: dict[str, str], review: str, passes: bool
) -> None:
    result = get_assert(review, {"vars": variables})
    assert result["pass"] is passes
    if passes:
        assert result["namedScores"] == score_output(PYTHON, REVIEW).scores
        assert result["score"] == result["namedScores"]["relevance"]


@pytest.mark.usefixtures("leftovers")
def test_mcp_has_two_tools_whose_errors_say_what_is_wrong() -> None:
    from mcp import Client

    from crscore_eval.integrations import mcp_server

    async def talk() -> tuple[Any, Any, Any]:
        async with Client(mcp_server.server) as client:
            return (
                await client.call_tool("score_review", {"diff": PYTHON, "review": REVIEW}),
                await client.call_tool("review_topics", {"diff": PYTHON}),
                await client.call_tool("review_topics", {"diff": NO_DIFF}),
            )

    scored, topics, wrong = asyncio.run(talk())
    assert scored.structured_content["scores"] == score_output(PYTHON, REVIEW).scores
    assert {topic["kind"] for topic in topics.structured_content["result"]} >= {"claim"}
    assert wrong.is_error
