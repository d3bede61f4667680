"""Tables of `benchmarks.judges`, with a judge that knows what each of the six kinds is worth."""

import json
import re

from benchmarks.judges import judged, table
from crscore_core.claims import Answer
from crscore_eval.data.sources import KINDS
from crscore_eval.run.grouping import read_table
from crscore_eval.table import Run
from tests.crscore_core.claims.llm.scripted_model import ScriptedModel

REVIEWS, _ = read_table(KINDS)


def knowing(prompt: str) -> Answer:
    """Judge the review in a prompt as its labels do."""
    of = next(one for one in REVIEWS.to_dict("records") if one["review"] in prompt)
    verdict = {1.0: "right", 0.0: "wrong"}.get(of["label_right_by_model"], "cannot tell")
    line = re.findall(r"^[+-](?![+-]).*\w.*$", of["diff"], re.MULTILINE)[0]
    finding = {"finding": "one", "verdict": verdict, "line": line}
    grades = {"findings": [finding], "relevance": 1 + 4 * int(of["label_on_topic"])}
    return Answer(json.dumps(grades | {"worth": int(of["label_worth_by_model"])}))


def test_a_judge_is_compared_like_a_metric() -> None:
    changes = REVIEWS.drop_duplicates("change")[["change", "diff"]]
    run = judged(Run(REVIEWS.drop(columns="diff"), changes, {}), ScriptedModel(knowing))
    head, rows = table(run, ("words",))
    assert head == ["question", "reviews", "number of words", "judge"]
    perfect = "1.000"  # equal resamples have no interval
    counts = {reviews: judge for _, reviews, _, judge in rows}
    assert counts == {
        "144": f"{perfect}, 144 reviews",
        "96: insight, long, wrong, recital": f"{perfect}, 96 reviews",
        "72: insight, long, wrong": f"{perfect}, 72 reviews",
        "48: insight, wrong": f"{perfect}, 48 reviews",
    }
