"""The illustrative changes and reviews of `sample_data`, shown when nothing else is loaded."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from crscore_core.corpus.model import Corpus, CorpusChange, CorpusReview, Ratings
from crscore_core.errors import SampleError

_FOLDER = Path(__file__).resolve().parents[2] / "sample_data"


@dataclass(frozen=True, slots=True)
class Sample:
    """A change written for this project, and reviews by invented systems.

    The ratings are by the paper's codebook (D.2). The id of a review is the sample's and the
    system's.
    `designed_for` is `overestimate` or `underestimate` if the metric is expected to err, as
    `note` explains; both are None otherwise.
    """

    id: str
    title: str
    language: str
    description: str
    designed_for: str | None
    note: str | None
    diff: str
    reviews: tuple[CorpusReview, ...]


def load_samples(folder: Path = _FOLDER) -> dict[str, Sample]:
    """Read all samples, sorted, by their id.

    Raises:
        SampleError: a file is missing or damaged; the message names it.
    """
    samples = [_read(path) for path in sorted(folder.glob("*/*.json"))]
    return {sample.id: sample for sample in samples}


def _read(path: Path) -> Sample:
    try:
        data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        # Line ends are content in a diff: they stay as they are.
        diff = path.with_suffix(".diff").read_bytes().decode("utf-8")
        reviews = tuple(_review(data["id"], **review) for review in data.pop("reviews"))
        return Sample(**data, diff=diff, reviews=reviews)
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise SampleError(f"sample {path.name!r} is damaged: {error}") from error


def _review(sample: str, system: str, review: str, **ratings: int) -> CorpusReview:
    return CorpusReview(f"{sample}/{system}", system, review, Ratings(**ratings))


def sample_corpus(samples: Iterable[Sample]) -> Corpus:
    """Join samples into a corpus whose ratings are made up: no finding rests on them."""
    return Corpus(
        "sample data",
        tuple(
            CorpusChange(
                sample.id, sample.language, sample.diff, sample.reviews, title=sample.title
            )
            for sample in samples
        ),
    )
