"""The model that comes with this package."""

import functools
from collections.abc import Sequence
from pathlib import Path

from numpy.typing import ArrayLike

from crscore_core.predicted.features import review_features
from crscore_core.predicted.model import CalibratedModel
from crscore_core.predicted.model_file import read_model

__all__ = ["SHIPPED_FILE", "calibrated_model", "calibrated_relevance"]

SHIPPED_FILE = Path(__file__).with_name("relevance.json")
"""What `crscore study calibrate` makes of the study, for the embedded encoder."""


def calibrated_model(encoder: str) -> CalibratedModel | None:
    """The model for an encoder, by its name; None where there is none.

    Raises:
        CalibrationError: the file of this package is damaged.
    """
    model = _shipped()
    return model if model.encoder == encoder else None


def calibrated_relevance(
    encoder: str, references: Sequence[str], sentences: Sequence[str], similarity: ArrayLike
) -> float | None:
    """(Predicted human relevance - 1) / 4 of one review, in [0, 1]; None without a model.

    `references` and `sentences` are the texts of the rows and columns of `similarity`, at least
    one of each; the similarities are those of `encoder`.

    Raises:
        SimilarityError: as for `review_features`.
    """
    model = calibrated_model(encoder)
    if model is None:
        return None
    return float(model.ordinal.score(review_features(references, sentences, similarity)))


@functools.cache
def _shipped() -> CalibratedModel:
    return read_model(SHIPPED_FILE)
