"""Examples on the Score page: rated reviews of the human study, and samples of this project."""

import json
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from crscore_eval.data.shipped import SHIPPED, shipped_run
from crscore_eval.data.study import LANGUAGE_OF_SUFFIX, SYSTEM_TITLES
from crscore_eval.table import GROUND_TRUTH, HUMAN
from crscore_eval.table.one_review import find_change

_TITLES = SYSTEM_TITLES | {GROUND_TRUTH: "Original reviewer"}


class Example(NamedTuple):
    """A change with reviews by author; `note` says what to look at.

    `rows` are the rows of the reviews in the shipped run. A sample has none: nobody rated it, and
    it is scored when it is shown.
    """

    title: str
    note: str
    language: str
    diff: str
    reviews: dict[str, str]
    rows: tuple[int, ...] = ()


def load_examples() -> dict[str, Example]:
    """Return the examples by name; examples of the human study come first."""
    entries = json.loads((SHIPPED / "examples.json").read_text(encoding="utf-8"))
    examples = {f"study/{entry['change']}": _study_example(entry) for entry in entries}
    for language in LANGUAGE_OF_SUFFIX.values():
        for path in sorted(SHIPPED.parent.glob(f"{language}/*.json")):
            examples[path.stem] = _sample(path)
    return examples


def example_ratings(example: Example) -> "pd.Series[float]":
    """Return people's relevance ratings of an example's reviews, 1 to 5; empty for a sample."""
    return shipped_run().reviews[HUMAN["relevance"]].iloc[list(example.rows)]


def _study_example(entry: dict[str, str]) -> Example:
    run = shipped_run()
    change = find_change(run, entry["change"])
    reviews = run.reviews[run.reviews["change"] == entry["change"]]
    by_system = reviews.reset_index(names="row_in_run").set_index("system")
    reviews = by_system.loc[list(entry["systems"])]
    return Example(
        entry["title"],
        f"{entry['note']} People edited these claims; rules make those about your own changes.",
        change["language"],
        change["diff"],
        dict(zip(reviews.index.map(_TITLES), reviews["review"], strict=True)),
        tuple(reviews["row_in_run"]),
    )


def _sample(path: Path) -> Example:
    sample = json.loads(path.read_text(encoding="utf-8"))
    diff = path.with_suffix(".diff").read_bytes().decode("utf-8")  # line ends are content
    reviews = {f"Review {n}": str(text) for n, text in enumerate(sample["reviews"], start=1)}
    return Example(sample["title"], sample["description"], sample["language"], diff, reviews)
