"""A calibrated model as JSON that a person can read, and back."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from crscore_core.errors import CalibrationError
from crscore_core.predicted.agreement import Agreement
from crscore_core.predicted.curve import Curve
from crscore_core.predicted.features import FEATURES, FEATURES_VERSION
from crscore_core.predicted.model import CalibratedModel, HeldOut, Provenance
from crscore_core.predicted.ordinal import OrdinalModel
from crscore_core.statistics.bootstrap import Interval

__all__ = ["model_document", "model_of_document", "model_text", "read_model"]

_DECIMALS = 4  # of agreement
_LIST_OF_VALUES = re.compile(r"\[\n[^\[\]{}]*\]")


def read_model(path: Path) -> CalibratedModel:
    """Read a model from a file.

    Raises:
        CalibrationError: the file cannot be read, or holds no model of these features.
    """
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise CalibrationError(f"{path}: no calibrated model can be read: {error}") from error
    try:
        return model_of_document(document)
    except CalibrationError as error:
        raise CalibrationError(f"{path}: {error}") from error


def model_text(model: CalibratedModel) -> str:
    """The text of the file of a model, with lists of numbers on one line."""
    text = json.dumps(model_document(model), ensure_ascii=False, allow_nan=False, indent=1)
    return _LIST_OF_VALUES.sub(lambda found: _on_one_line(found[0]), text) + "\n"


def model_document(model: CalibratedModel) -> dict[str, Any]:
    """A model as a JSON object; agreement is rounded to four decimals."""
    made = model.provenance
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
            "data": made.data,
            "sha256": made.sha256,
            "changes": made.changes,
            "ratings": made.ratings,
            "claims": list(made.claims),
            "ridge": made.ridge,
            "held_out": [_held_out_document(one) for one in made.held_out],
            "version": made.version,
            "command": made.command,
        },
    }


def model_of_document(document: Mapping[str, Any]) -> CalibratedModel:
    """The model that a JSON object describes.

    Raises:
        CalibrationError: it describes none, or one of other features than these.
    """
    try:
        version = document["features_version"]
        names = [feature["name"] for feature in document["features"]]
        if version != FEATURES_VERSION or names != [feature.name for feature in FEATURES]:
            raise CalibrationError(
                f"the model is for other features than version {FEATURES_VERSION} has; fit it "
                "again with 'crscore study calibrate'"
            )
        curves = tuple(
            Curve(_numbers(feature["points"]), _numbers(feature["log_odds"]))
            for feature in document["features"]
        )
        return CalibratedModel(
            _text(document["encoder"]),
            OrdinalModel(curves, _numbers(document["thresholds"])),
            _provenance(document["provenance"]),
        )
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise CalibrationError(
            f"no calibrated model: {type(error).__name__}: {str(error)[:100]}"
        ) from error


def _on_one_line(printed: str) -> str:
    """A printed list of values; line feeds inside of texts are escaped, so these are its own."""
    lines = [line.strip() for line in printed.split("\n")]
    return f"[{' '.join(lines[1:-1])}]"


def _held_out_document(one: HeldOut) -> dict[str, Any]:
    found = one.agreement.interval
    return {
        "left_out": one.left_out,
        "claims": one.claims,
        "reviews": one.agreement.n,
        "spearman": round(one.agreement.spearman, _DECIMALS),
        "spearman_ci": found and [round(end, _DECIMALS) for end in (found.low, found.high)],
        "level": found and found.level,
    }


def _provenance(document: Mapping[str, Any]) -> Provenance:
    return Provenance(
        data=_text(document["data"]),
        sha256=_text(document["sha256"]),
        changes=_count(document["changes"]),
        ratings=_count(document["ratings"]),
        claims=tuple(map(_text, document["claims"])),
        ridge=_number(document["ridge"]),
        held_out=tuple(map(_held_out, document["held_out"])),
        version=_text(document["version"]),
        command=_text(document["command"]),
    )


def _held_out(document: Mapping[str, Any]) -> HeldOut:
    ends = document["spearman_ci"]
    interval = None
    if ends is not None:
        low, high = _numbers(ends)
        interval = Interval(low, high, _number(document["level"]))
    return HeldOut(
        _text(document["left_out"]),
        _text(document["claims"]),
        Agreement(_number(document["spearman"]), interval, _count(document["reviews"])),
    )


def _numbers(values: object) -> tuple[float, ...]:
    if not isinstance(values, list):
        raise TypeError(f"a list of numbers is expected, not {str(values)[:60]}")
    return tuple(map(_number, values))


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"a number is expected, not {str(value)[:60]}")
    return float(value)


def _count(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"a count is expected, not {str(value)[:60]}")
    return value


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"a text is expected, not {str(value)[:60]}")
    return value
