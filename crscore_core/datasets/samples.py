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
class SampleReview:
    """A review by an invented system, with ratings from 1 to 5 by the paper's codebook (D.2)."""

    system: str
    review: str
    conciseness: int
    comprehensiveness: int
    relevance: int


@dataclass(frozen=True, slots=True)
class Sample:
    """A change written for this project, and its reviews.

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
    reviews: tuple[SampleReview, ...]


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
        reviews = tuple(SampleReview(**review) for review in data.pop("reviews"))
        return Sample(**data, diff=diff, reviews=reviews)
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise SampleError(f"sample {path.name!r} is damaged: {error}") from error


def sample_corpus(samples: Iterable[Sample]) -> Corpus:
    """Join samples into a corpus. Its ratings were made up to illustrate: no finding rests on them.

    The id of a review is the sample's and the system's.
    """
    return Corpus(
        "sample data",
        tuple(
            CorpusChange(
                sample.id,
                sample.language,
                sample.diff,
                tuple(
                    CorpusReview(
                        f"{sample.id}/{review.system}",
                        review.system,
                        review.review,
                        Ratings(review.conciseness, review.comprehensiveness, review.relevance),
                    )
                    for review in sample.reviews
                ),
                title=sample.title,
            )
            for sample in samples
        ),
    )
