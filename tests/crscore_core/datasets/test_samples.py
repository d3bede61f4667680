"""The illustrative samples."""

import json
from collections import Counter
from pathlib import Path

import pytest

from crscore_core.change import parse_change
from crscore_core.claims import claim_generator
from crscore_core.corpus.model import DIMENSIONS
from crscore_core.corpus.score import score_corpus
from crscore_core.datasets.samples import Sample, load_samples, sample_corpus
from crscore_core.errors import SampleError
from crscore_core.scoring import DEFAULT_ENCODER, CachedEncoder, resolve_tau

SAMPLES = load_samples()


def test_eight_changes_in_each_language_some_built_so_that_the_metric_errs_either_way() -> None:
    languages = Counter(sample.language for sample in SAMPLES.values())
    assert languages == {"python": 8, "java": 8, "javascript": 8}
    counts = Counter(sample.designed_for for sample in SAMPLES.values())
    assert min(counts["overestimate"], counts["underestimate"]) >= 4


@pytest.mark.parametrize("sample", SAMPLES.values(), ids=list(SAMPLES))
def test_a_sample_is_sound(sample: Sample) -> None:
    assert (sample.note is None) == (sample.designed_for is None)
    change = parse_change(sample.diff, language=sample.language)
    assert {file.language for file in change.files} == {sample.language}
    assert change.warnings == ()
    assert len(sample.reviews) >= 4
    assert len({review.system for review in sample.reviews}) == len(sample.reviews)
    for review in sample.reviews:
        *both, relevance = (getattr(review.ratings, name) for name in DIMENSIONS)
        assert 1 <= min(both) <= relevance <= max(both) <= 5


def test_the_errors_happen_as_designed() -> None:
    """With the embedded encoder, a review rated 1 scores high, or one rated 5 scores low."""
    designed = [sample for sample in SAMPLES.values() if sample.designed_for]
    encoder = CachedEncoder()
    compared = score_corpus(sample_corpus(designed), claim_generator("symbolic"), encoder)
    assert not compared.left_out
    relevance = compared.scores([resolve_tau(None, DEFAULT_ENCODER)])[
        DIMENSIONS.index("relevance"), 0
    ]
    ratings = compared.ratings[:, DIMENSIONS.index("relevance")]
    for position, sample in enumerate(designed):
        scored = (compared.change == position) & [bool(one.sentences) for one in compared.reviews]
        if sample.designed_for == "overestimate":
            assert relevance[scored & (ratings == 1)].max() >= 0.5, sample.id
        else:
            assert relevance[scored & (ratings == 5)].min() <= 0.34, sample.id


@pytest.mark.parametrize(
    "damage", [{"reviews": [{"system": "only"}]}, {"reviews": None}, {"unknown": 1}]
)
def test_a_damaged_sample_is_named(tmp_path: Path, damage: dict[str, object]) -> None:
    folder = tmp_path / "python"
    folder.mkdir()
    source = Path(__file__).resolve().parents[3] / "sample_data" / "python" / "page-count"
    data = json.loads(source.with_suffix(".json").read_text(encoding="utf-8")) | damage
    (folder / "broken.json").write_text(json.dumps(data), encoding="utf-8")
    (folder / "broken.diff").write_bytes(source.with_suffix(".diff").read_bytes())
    with pytest.raises(SampleError, match=r"broken\.json"):
        load_samples(tmp_path)
    (folder / "broken.diff").unlink()
    with pytest.raises(SampleError, match=r"broken\.json"):
        load_samples(tmp_path)
