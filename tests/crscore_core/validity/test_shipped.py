"""The shipped part of the human study: its figures are those of its tables, computed anew."""

import numpy as np

from crscore_core.corpus.reviews import Reviews
from crscore_core.datasets.study.corpus import study_corpus
from crscore_core.datasets.study.model import HumanStudy
from crscore_core.scoring import DEFAULT_ENCODER, CachedEncoder, tau_preset
from crscore_core.validity.addressed import addressed_pairs
from crscore_core.validity.shipped import shipped_pairs, shipped_validity

ROUNDING = 1e-5
"""Largest difference of a similarity: processors round the encoder's sums differently."""


def test_stored_similarities_are_those_of_the_encoder(
    real_study: HumanStudy, study_comparison: Reviews, study_encoder: CachedEncoder
) -> None:
    computed = study_corpus(real_study).score(study_encoder)
    assert len(computed) == len(study_comparison) == 1829
    for one, other in zip(computed, study_comparison, strict=True):
        assert (one.id, one.text, one.ratings) == (other.id, other.text, other.ratings)
        np.testing.assert_allclose(one.similarity, other.similarity, atol=ROUNDING)
    pairs, stored = addressed_pairs(real_study, study_encoder), shipped_pairs()
    assert pairs is not None
    np.testing.assert_allclose(pairs.similarity, stored.similarity, atol=ROUNDING)
    assert (pairs.is_match == stored.is_match).all()
    assert (pairs.cluster == stored.cluster).all()


def test_presets_are_those_of_the_shipped_part() -> None:
    computed = shipped_validity(50).presets.preset
    preset = tau_preset(DEFAULT_ENCODER, "study")
    assert preset is not None
    assert (round(computed.tau_gt, 3), round(computed.tau_best, 3)) == (
        preset.tau_gt,
        preset.tau_best,
    )
