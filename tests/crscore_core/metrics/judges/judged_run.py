"""A run to judge, and a server that judges its reviews by who wrote them."""

import json
import re
from dataclasses import replace
from pathlib import Path

from crscore_core.corpus.model import UNRATED
from crscore_core.corpus.run.finished import FinishedRun
from tests.crscore_core.changes import PYTHON
from tests.crscore_core.claims.llm.endpoint.faulty_server import Exchange, said
from tests.crscore_core.corpus.made_reviews import altered
from tests.crscore_core.corpus.run.made_run import made_run
from tests.crscore_core.datasets.study.made_comparison import Made, made_comparison, rated

SYSTEMS = ("careful", "hasty")


def run_of_two_systems(path: Path, n_changes: int) -> FinishedRun:
    """Write a run with a review by each of `SYSTEMS` of each change, which nobody rated."""
    made = made_comparison(
        *(
            Made(change, (3, 3, 3), [[0.9]], system, f"{system} {change}: the except is bare")
            for change in range(n_changes)
            for system in SYSTEMS
        )
    )
    changes = tuple(
        replace(one, diff=PYTHON.replace("store", f"store{one.id}")) for one in made.changes
    )
    unrated = rated(altered(made, changes=changes), [UNRATED] * len(made))
    return made_run(path, unrated)


def answer_of(verdict: str) -> str:
    """The answer of a judge who finds one finding right or wrong."""
    finding = {"finding": f"{verdict}: it is bare", "verdict": verdict, "line": "except:"}
    grade = 4 if verdict == "right" else 1
    return json.dumps({"findings": [finding], "worth": grade, "relevance": 2})


def verdicts(exchange: Exchange) -> None:
    """Call the finding of careful right, and that of hasty wrong."""
    prompt = json.loads(exchange.content)["messages"][0]["content"]
    (review,) = re.findall(r"```review\n(.*?)\n```", prompt)
    said(answer_of("right" if review.startswith("careful") else "wrong"))(exchange)
