"""Print how metrics, baselines and a judge do on six kinds of reviews whose worth is known.

`python -m benchmarks.judges` prints the table of docs/validity.md. With `--base-url URL --model M`,
or `--claims magicoder`, a language model judges the 144 reviews first; its answers are kept in
`--to FILE`, so that a second run asks nothing again. Intervals resample the 24 commits.
"""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from crscore_core.datasets.labelled import LabelledData
from crscore_core.datasets.registry import DATA_SETS, load_data
from crscore_core.metrics.judges import ReviewFile, ReviewJudge, column_name
from crscore_core.validity.compare import LabelTable
from crscore_core.validity.metric_columns import (
    TITLES,
    MetricColumn,
    Scoring,
    metric_columns,
    own_columns,
)

from benchmarks.measuring import print_table
from crscore_core.claims import CLAIM_BACKENDS, ClaimOptions, language_model
from crscore_eval.statistics import ClusterBootstrap

METRICS = ("con", "comp", "rel", "no_threshold", "words", "shared_identifiers")
LABELS = ("label_on_topic", "label_right", "label_worth")

FINDINGS = "insight", "long", "wrong"
ON_TOPIC = (*FINDINGS, "recital")


@dataclass(frozen=True, slots=True)
class Question:
    """A label, the kinds of reviews that it is asked about, and the judge's figure about it."""

    text: str
    label: str
    figure: str
    kinds: tuple[str, ...] = ()


QUESTIONS = (
    Question("about the change?", "on_topic", "relevance"),
    Question("right?", "right", "right", ON_TOPIC),
    Question("right?", "right", "right", FINDINGS),
    Question("right?", "right", "right", ("insight", "wrong")),
    Question("worth, 1 to 5", "worth", "worth"),
    Question("worth, 1 to 5", "worth", "worth", ON_TOPIC),
)


def main(arguments: Sequence[str]) -> None:
    """Judge if a model is named, measure, and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.judges", description=__doc__)
    models = [name for name, backend in CLAIM_BACKENDS.items() if backend.model]
    parser.add_argument("--claims", choices=models)
    parser.add_argument("--base-url")
    parser.add_argument("--model")
    parser.add_argument("--to", type=Path, default=Path("kinds.judged.jsonl"))
    given = parser.parse_args(arguments)
    has_judge = given.claims or given.base_url or given.model
    if has_judge:
        options = ClaimOptions(model=given.model, base_url=given.base_url)
        model = language_model(given.claims or "endpoint", options)
        judged(ReviewJudge("review", model), given.to)
    print_table(
        "AUC for yes or no, Spearman for grades; 95 % intervals over 24 commits",
        *table(given.to if has_judge else None),
    )


def judged(judge: ReviewJudge, target: Path) -> None:
    """Let a judge read the reviews that `target` lacks, and say how many it could not judge."""
    source = DATA_SETS["kinds"].path("kinds") / DATA_SETS["kinds"].file
    done = ReviewFile(source, target, judge, {}).run()
    print(f"{judge.name}: {done.calls:,} answers; {done.without:,} reviews without a judgement\n")


def table(target: Path | None = None, resamples: int = 1000) -> tuple[list[str], list[list[str]]]:
    """Return the head and a row for each question; `target` has a judge's columns."""
    data = load_data("kinds")
    columns = list(metric_columns(data, METRICS, Scoring()))
    judge = _judge_columns(target, data) if target else {}
    bootstrap = ClusterBootstrap(len(data.corpus.changes), resamples)
    rows = []
    for question in QUESTIONS:
        of_judge = [judge[question.figure]] if judge else []
        rows.append(_row(data, question, [*columns, *of_judge], bootstrap))
    titles = [TITLES[one.name] for one in columns] + (["judge"] if judge else [])
    return ["question", "reviews", *titles], rows


def _judge_columns(target: Path, data: LabelledData) -> dict[str, MetricColumn]:
    """Read the judge's figures, in the order of the reviews of `data`."""
    name = column_name("review")
    own = {question.figure: f"{name}_{question.figure}" for question in QUESTIONS}
    judged = load_data(str(target), None, (*LABELS, *own.values()))
    place = {review.id: at for at, review in enumerate(judged.reviews.reviews)}
    order = [place[review.id] for review in data.reviews.reviews]
    columns = own_columns(judged, list(own.values()))
    return {
        figure: replace(column, values=column.values[order])
        for figure, column in zip(own, columns, strict=True)
    }


def _row(
    data: LabelledData,
    question: Question,
    columns: Sequence[MetricColumn],
    bootstrap: ClusterBootstrap,
) -> list[str]:
    kinds = np.array([review.system for review in data.reviews.reviews])
    asked = np.isin(kinds, question.kinds) if question.kinds else np.ones(kinds.size, bool)
    shown = [replace(one, values=np.where(asked, one.values, np.nan)) for one in columns]
    found = LabelTable(data.reviews, question.label, bootstrap).compare(shown, shown[0].name)
    cells = [
        f"{one.main}" + (f", {one.rows} reviews" if column.name.startswith("judge") else "")
        for column, one in zip(columns, found.metrics, strict=True)
    ]
    named = f": {', '.join(question.kinds)}" if question.kinds else ""
    return [question.text, f"{found.metrics[0].rows}{named}", *cells]


if __name__ == "__main__":
    main(sys.argv[1:])
