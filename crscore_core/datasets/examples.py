"""Examples of the page Score: rated reviews of the human study, and samples written here."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from crscore_core.corpus.reviews import Reviews
from crscore_core.datasets.study.model import SYSTEMS
from crscore_core.datasets.study.shipped import SHIPPED, shipped_comparison
from crscore_core.errors import InputError
from crscore_core.scoring import usual_tau
from crscore_core.scoring.references import ReferenceSet
from crscore_core.scoring.review_score import ReviewScore
from crscore_core.scoring.signature import Signature, package_version

_FOLDER = Path(__file__).resolve().parents[2] / "sample_data"
_LANGUAGES = ("python", "java", "javascript")


@dataclass(frozen=True, slots=True)
class Sample:
    """A change and reviews of it, all written for this project."""

    id: str
    title: str
    language: str
    description: str
    diff: str
    reviews: tuple[str, ...]


def load_samples(folder: Path = _FOLDER) -> dict[str, Sample]:
    """Read all samples, sorted, by their id.

    Raises:
        InputError: a file is missing or damaged; the message names it.
    """
    paths = sorted(path for name in _LANGUAGES for path in folder.glob(f"{name}/*.json"))
    samples = [_read(path) for path in paths]
    return {sample.id: sample for sample in samples}


def _read(path: Path) -> Sample:
    try:
        data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        # Line ends are content in a diff: they stay as they are.
        diff = path.with_suffix(".diff").read_bytes().decode("utf-8")
        reviews = tuple(str(review) for review in data.pop("reviews"))
        return Sample(**data, diff=diff, reviews=reviews)
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise InputError(f"sample {path.name!r} is damaged: {error}") from error


@dataclass(frozen=True, slots=True)
class Example:
    """A change and reviews of it by name.

    `note` says what to see. `people` has the relevance that people gave each review, from 1 to 5,
    and `scores` the scores at the default tau; both are empty for a sample.
    """

    title: str
    note: str
    language: str
    diff: str
    reviews: tuple[tuple[str, str], ...]
    people: tuple[float | None, ...] = ()
    scores: tuple[ReviewScore, ...] = ()


def load_examples() -> dict[str, Example]:
    """Read the examples by their ids, those of the human study first.

    Raises:
        InputError: a sample is missing or damaged; the message names it.
    """
    chosen = json.loads((SHIPPED / "examples.json").read_text(encoding="utf-8"))
    comparison = shipped_comparison()
    examples = {f"study/{one['change']}": _of_study(comparison, one) for one in chosen}
    for sample in load_samples().values():
        reviews = tuple((f"Review {n}", text) for n, text in enumerate(sample.reviews, start=1))
        examples[sample.id] = Example(
            sample.title, sample.description, sample.language, sample.diff, reviews
        )
    return examples


def _of_study(comparison: Reviews, chosen: dict[str, str]) -> Example:
    (number,) = (
        at for at, change in enumerate(comparison.changes) if change.id == chosen["change"]
    )
    change = comparison.changes[number]
    of_change = {review.system: review for review in comparison if review.change == number}
    reviews = [of_change[system] for system in chosen["systems"]]
    signature = Signature(
        comparison.encoder,
        comparison.claims,
        (),
        usual_tau(comparison.encoder, comparison.claims),
        package_version(),
    )
    references = ReferenceSet(change.references, comparison.claims, (), ())
    return Example(
        chosen["title"],
        chosen["note"],
        change.language,
        change.diff,
        tuple((SYSTEMS[review.system], review.text) for review in reviews),
        tuple(review.ratings.relevance for review in reviews),
        tuple(
            ReviewScore(review.text, references, review.sentences, review.similarity, signature, ())
            for review in reviews
        ),
    )
