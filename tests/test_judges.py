"""Tables of `benchmarks.judges`, with a judge that knows what each of the six kinds is worth."""

import json
import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from crscore_core.datasets.registry import load_data
from crscore_core.metrics.judges import ReviewJudge

from benchmarks import judges
from tests.crscore_core.metrics.judges.told_judge import KnowingJudge

_KINDS = load_data("kinds")


def answer_about(prompt: str) -> str:
    """Judge the review in a prompt as its labels do; nobody can tell what has no label."""
    review = next(one for one in _KINDS.reviews.reviews if one.text in prompt)
    right, worth = review.labels.get("right"), review.labels["worth"]
    lines = re.findall(r"^[+-](?![+-]).*\w.*$", prompt.partition("```diff")[2], re.MULTILINE)
    verdict = {1.0: "right", 0.0: "wrong", None: "cannot tell"}[right]
    return json.dumps(
        {
            "findings": [{"finding": "one", "verdict": verdict, "line": lines[0]}],
            "worth": int(worth),
            "relevance": 1 + 4 * int(review.labels["on_topic"]),
        }
    )


def test_a_judge_stands_next_to_metrics(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judges, "METRICS", ("words",))
    target = tmp_path / "judged.jsonl"
    model = KnowingJudge(answer_about)
    judges.judged(ReviewJudge("review", model), target)
    head, rows = judges.table(target, 20)
    assert head == ["question", "reviews", "number of words", "judge"]
    assert [cells_of(row) for row in rows] == [
        ("about the change?", "144", "1.000 (1.000 to 1.000), 144 reviews"),
        ("right?", "96: insight, long, wrong, recital", "1.000 (1.000 to 1.000), 96 reviews"),
        ("right?", "72: insight, long, wrong", "1.000 (1.000 to 1.000), 72 reviews"),
        ("right?", "48: insight, wrong", "1.000 (1.000 to 1.000), 48 reviews"),
        ("worth, 1 to 5", "144", "1.000 (1.000 to 1.000), 144 reviews"),
        (
            "worth, 1 to 5",
            "96: insight, long, wrong, recital",
            "1.000 (1.000 to 1.000), 96 reviews",
        ),
    ]
    asked = len(model.asked)
    judges.judged(ReviewJudge("review", model), target)
    assert (asked, len(model.asked)) == (144, 144)
    lines = target.read_bytes().splitlines(keepends=True)
    target.write_bytes(b"".join([*lines[20:], *lines[:20]]))  # as after a failure and a resume
    assert judges.table(target, 20)[1] == rows


def cells_of(row: Sequence[str]) -> tuple[str, str, str]:
    question, reviews, _words, judge = row
    return question, reviews, judge
