"""The illustrative samples as a corpus."""

from collections.abc import Iterable

from crscore_core.corpus.model import Corpus, CorpusChange, CorpusReview, Ratings
from crscore_core.samples import Sample

__all__ = ["sample_corpus"]


def sample_corpus(samples: Iterable[Sample]) -> Corpus:
    """Changes, reviews and ratings that were made up to illustrate: no finding rests on them."""
    return Corpus("sample data", tuple(map(_change, samples)))


def _change(sample: Sample) -> CorpusChange:
    return CorpusChange(
        sample.id,
        sample.language,
        sample.diff,
        tuple(
            CorpusReview(
                f"{sample.id}/{one.system}",
                one.system,
                one.review,
                Ratings(one.conciseness, one.comprehensiveness, one.relevance),
            )
            for one in sample.reviews
        ),
        title=sample.title,
    )
