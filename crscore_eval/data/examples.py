"""Examples of the page Score: rated reviews of the human study, and samples written here."""

import json
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from crscore_core.errors import InputError
from crscore_eval.data.shipped import SHIPPED, shipped_run
from crscore_eval.data.study import SYSTEM_TITLES
from crscore_eval.table import HUMAN

_SAMPLES = SHIPPED.parent
_LANGUAGES = ("python", "java", "javascript")


class Example(NamedTuple):
    """A change with reviews by the name of their author.

    `note` says what to look at. `rows` are the reviews' rows in the shipped run, empty for a
    sample, which nobody rated and which is scored when it is shown.
    """

    title: str
    note: str
    language: str
    diff: str
    reviews: dict[str, str]
    rows: tuple[int, ...] = ()


def load_examples(samples: Path = _SAMPLES) -> dict[str, Example]:
    """Return the examples by name, those of the human study first.

    Raises:
        InputError: the file of a sample is missing or damaged.
    """
    chosen = json.loads((SHIPPED / "examples.json").read_text(encoding="utf-8"))
    examples = {f"study/{example['change']}": _of_study(example) for example in chosen}
    for language in _LANGUAGES:
        for path in sorted(samples.glob(f"{language}/*.json")):
            examples[path.stem] = _sample(path)
    return examples


def example_ratings(example: Example) -> "pd.Series[float]":
    """Return people's ratings of relevance, from 1 to 5, of an example's reviews; may be empty."""
    ratings: pd.Series[float] = shipped_run().reviews.iloc[list(example.rows)][HUMAN["relevance"]]
    return ratings


def _of_study(chosen: dict[str, str]) -> Example:
    run = shipped_run()
    change = run.changes[run.changes["change"] == chosen["change"]].iloc[0]
    reviews = run.reviews[run.reviews["change"] == chosen["change"]]
    texts, rows = (
        dict(zip(reviews["system"], values, strict=True))
        for values in (reviews["review"], reviews.index)
    )
    systems = chosen["systems"]
    return Example(
        chosen["title"],
        chosen["note"],
        change["language"],
        change["diff"],
        {SYSTEM_TITLES[system]: str(texts[system]) for system in systems},
        tuple(rows[system] for system in systems),
    )


def _sample(path: Path) -> Example:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        diff = path.with_suffix(".diff").read_bytes().decode("utf-8")  # line ends are content
        reviews = {f"Review {n}": str(text) for n, text in enumerate(data["reviews"], start=1)}
        return Example(data["title"], data["description"], data["language"], diff, reviews)
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise InputError(f"sample {path.name!r} is damaged: {error}") from error
