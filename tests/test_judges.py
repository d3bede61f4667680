"""Tables of `benchmarks.judges`, with a judge that knows what each of the six kinds is worth."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pandas as pd

from benchmarks.judges import judged, table
from crscore_core.claims import Answer
from crscore_eval.data.sources import KINDS
from crscore_eval.table import Run, read_table

REVIEWS = read_table(KINDS)


class KnowingJudge:
    """A model that judges the review in a prompt as its labels do."""

    name = "knowing"

    def count_tokens(self, text: str) -> int:
        return len(text) // 4

    def answer(
        self,
        prompts: Sequence[str],
        schema: Mapping[str, Any] | None = None,  # noqa: ARG002
    ) -> Iterator[Answer]:
        for prompt in prompts:
            of = next(one for one in REVIEWS.to_dict("records") if one["review"] in prompt)
            verdict = {1.0: "right", 0.0: "wrong"}.get(of["label_right"], "cannot tell")
            line = re.findall(r"^[+-](?![+-]).*\w.*$", of["diff"], re.MULTILINE)[0]
            answer = {
                "findings": [{"finding": "one", "verdict": verdict, "line": line}],
                "worth": int(of["label_worth"]),
                "relevance": 1 + 4 * int(of["label_on_topic"]),
            }
            yield Answer(json.dumps(answer))


def test_a_judge_is_compared_like_a_metric() -> None:
    changes = REVIEWS.drop_duplicates("change")[["change", "diff"]]
    run = judged(Run(pd.DataFrame(REVIEWS).drop(columns="diff"), changes, {}), KnowingJudge())
    head, rows = table(run, ("words",), n_resamples=20)
    assert head == ["question", "reviews", "number of words", "judge"]
    perfect = "1.000 (1.000 to 1.000)"
    assert [(question, reviews, judge) for question, reviews, _, judge in rows] == [
        ("about the change?", "144", f"{perfect}, 144 reviews"),
        ("right?", "96: insight, long, wrong, recital", f"{perfect}, 96 reviews"),
        ("right?", "72: insight, long, wrong", f"{perfect}, 72 reviews"),
        ("right?", "48: insight, wrong", f"{perfect}, 48 reviews"),
        ("worth, 1 to 5", "144", f"{perfect}, 144 reviews"),
        ("worth, 1 to 5", "96: insight, long, wrong, recital", f"{perfect}, 96 reviews"),
    ]
