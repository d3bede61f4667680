"""A model of predicted relevance as JSON that a person can read; the model of this package."""

import functools
import json
import re
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from crscore_core.errors import CalibrationError
from crscore_core.predicted.features import FEATURES, FEATURES_VERSION
from crscore_core.predicted.model import (
    CalibratedModel,
    Curve,
    HeldOut,
    OrdinalModel,
    Provenance,
)
from crscore_core.statistics.bootstrap import Estimate, Interval

_SHIPPED_FILE = Path(__file__).with_name("relevance.json")
"""The model of this package, made by `crscore study calibrate` for the embedded encoder."""

_DECIMALS = 4  # of agreement
_LIST_OF_VALUES = re.compile(r"\[\n[^\[\]{}]*\]")


@functools.cache
def calibrated_model(encoder: str) -> CalibratedModel | None:
    """Return this package's model for the encoder of this name; None if there is none.

    Raises:
        CalibrationError: the file of this package is damaged.
    """
    model = read_model(_SHIPPED_FILE)
    return model if model.encoder == encoder else None


def read_model(path: Path) -> CalibratedModel:
    """Read a model from a file.

    Raises:
        CalibrationError: the file cannot be read, or holds no model of these features.
    """
    try:
        return _model(json.loads(path.read_text(encoding="utf-8")))
    except CalibrationError as error:
        raise CalibrationError(f"{path}: {error}") from error
    except (OSError, KeyError, TypeError, ValueError, OverflowError, RecursionError) as error:
        raise CalibrationError(
            f"{path}: no calibrated model: {type(error).__name__}: {str(error)[:100]}"
        ) from error


def model_text(model: CalibratedModel) -> str:
    """Return the text of a model's file, with each list of numbers on one line."""
    text = json.dumps(model_document(model), ensure_ascii=False, allow_nan=False, indent=1)
    return _LIST_OF_VALUES.sub(lambda match: _on_one_line(match[0]), text) + "\n"


def _on_one_line(printed: str) -> str:
    # Line feeds inside of texts are escaped, so these are the list's own.
    lines = [line.strip() for line in printed.split("\n")]
    return f"[{' '.join(lines[1:-1])}]"


def model_document(model: CalibratedModel) -> dict[str, Any]:
    """Return a model as a JSON object; agreement is rounded to four decimals."""
    provenance = model.provenance
    return {
        "predicts": "relevance of a review, from 1 to 5, as people rated it",
        "encoder": model.encoder,
        "features_version": FEATURES_VERSION,
        "features": [
            {
                "name": feature.name,
                "meaning": feature.meaning,
                "monotone": feature.is_monotone,
                "points": list(curve.points),
                "log_odds": list(curve.values),
            }
            for feature, curve in zip(FEATURES, model.ordinal.curves, strict=True)
        ],
        "thresholds": list(model.ordinal.thresholds),
        "provenance": {
            **asdict(provenance),
            "claims": list(provenance.claims),
            "held_out": [_held_out_document(held_out) for held_out in provenance.held_out],
        },
    }


def _held_out_document(held_out: HeldOut) -> dict[str, Any]:
    rho, interval = held_out.spearman.value, held_out.spearman.interval
    return {
        "left_out": held_out.left_out,
        "claims": held_out.claims,
        "reviews": held_out.reviews,
        "spearman": rho and round(rho, _DECIMALS),
        "spearman_ci": interval
        and [round(end, _DECIMALS) for end in (interval.low, interval.high)],
        "level": interval and interval.level,
    }


def _model(document: Mapping[str, Any]) -> CalibratedModel:
    names = [feature["name"] for feature in document["features"]]
    if document["features_version"] != FEATURES_VERSION or names != [
        feature.name for feature in FEATURES
    ]:
        raise CalibrationError(
            f"the model is for other features than version {FEATURES_VERSION} has; fit it "
            "again with 'crscore study calibrate'"
        )
    provenance = document["provenance"]
    return CalibratedModel(
        str(document["encoder"]),
        OrdinalModel(
            tuple(
                Curve(_numbers(feature["points"]), _numbers(feature["log_odds"]))
                for feature in document["features"]
            ),
            _numbers(document["thresholds"]),
        ),
        Provenance(
            **{
                **provenance,
                "claims": tuple(provenance["claims"]),
                "held_out": tuple(map(_held_out, provenance["held_out"])),
            }
        ),
    )


def _held_out(document: Mapping[str, Any]) -> HeldOut:
    interval = None
    if document["spearman_ci"] is not None:
        low, high = _numbers(document["spearman_ci"])
        interval = Interval(low, high, float(document["level"]))
    spearman = Estimate(float(document["spearman"]), interval)
    return HeldOut(
        str(document["left_out"]), str(document["claims"]), int(document["reviews"]), spearman
    )


def _numbers(values: list[float]) -> tuple[float, ...]:
    return tuple(map(float, values))
