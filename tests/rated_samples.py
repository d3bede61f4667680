"""The samples as a corpus whose systems and ratings are made up."""

import json
from collections.abc import Iterable
from pathlib import Path

from crscore_core.corpus.model import Corpus, CorpusChange, CorpusReview, Ratings
from crscore_core.datasets.examples import Sample, load_samples

_RATINGS = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
"""System, conciseness, comprehensiveness and relevance of each review, by sample."""


def rated_reviews(sample: Sample) -> tuple[CorpusReview, ...]:
    """The reviews of a sample with their systems and ratings."""
    return tuple(
        CorpusReview(f"{sample.id}/{system}", system, review, Ratings(*ratings))
        for review, (system, *ratings) in zip(sample.reviews, _RATINGS[sample.id], strict=True)
    )


def rated_samples(samples: Iterable[Sample] | None = None) -> Corpus:
    """All samples, or some, as a corpus."""
    return Corpus(
        "samples",
        tuple(
            CorpusChange(
                sample.id, sample.language, sample.diff, rated_reviews(sample), title=sample.title
            )
            for sample in (load_samples().values() if samples is None else samples)
        ),
    )
