"""Models of predicted ratings as JSON that a person can read; the models of this package."""

import functools
import json
import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeVar

from crscore_core.caches import sha256_of
from crscore_core.errors import CalibrationError
from crscore_core.predicted.features import FEATURES, FEATURES_VERSION
from crscore_core.predicted.model import (
    AdditiveModel,
    BesideRel,
    Curve,
    FittedModel,
    HeldOut,
    Provenance,
    Transfer,
)
from crscore_core.predicted.seen import SeenChanges
from crscore_core.statistics.bootstrap import Estimate, Interval

ReadT = TypeVar("ReadT")

PREDICTIONS: Mapping[str, str] = {
    "relevance": "relevance of a review to its change, from 1 to 5, as people rated it",
    "relevant": "probability that people call a review relevant to the change",
    "informative": "probability that people call a review informative",
    "well_expressed": "probability that people call a review well expressed",
}
"""Every prediction, and what it predicts."""

TRANSFER = "transfer"
"""Name of the file of the transfer table, beside those of the models."""

MEASURES = {"spearman": "Spearman", "auc": "AUC"}
"""Measures of agreement with people, as readers know them."""

FOLDER = "CRSCORE_PREDICTED"
"""Environment variable that names a folder of models to predict with."""

_DECIMALS = 4  # of agreement
_LIST_OF_VALUES = re.compile(r"\[\n[^\[\]{}]*\]")


def shipped_file(name: str) -> Path:
    """Return the file of this package's model of a prediction, made by `crscore data fit`."""
    return Path(__file__).with_name(f"{name}.json")


@functools.cache
def shipped_transfer(encoder: str) -> tuple[Transfer, ...]:
    """Return the transfer table of this package's models for this encoder, empty without.

    Raises:
        CalibrationError: the file of this package is damaged.
    """
    fitted_with, table = read_transfer(shipped_file(TRANSFER))
    return table if fitted_with == encoder else ()


def fitted_model(name: str, encoder: str) -> FittedModel | None:
    """Return the model of a prediction for the encoder of this name, None without.

    The folder that `CRSCORE_PREDICTED` names goes before this package.

    Raises:
        CalibrationError: the folder holds no model, or a file is damaged.
    """
    return _of_encoder(_own_files(os.environ.get(FOLDER, "")).get(name), name, encoder)


def shipped_model(name: str, encoder: str) -> FittedModel | None:
    """Return this package's model of a prediction for the encoder of this name, None without."""
    return _of_encoder(None, name, encoder)


def own_models() -> str | None:
    """Name the models of the folder that `CRSCORE_PREDICTED` names; None without.

    Raises:
        CalibrationError: the folder holds no model.
    """
    files = _own_files(os.environ.get(FOLDER, ""))
    digests = [f"{name}={sha256_of(file)[:12]}" for name, file in sorted(files.items())]
    return "own:" + ",".join(digests) if digests else None


@functools.cache
def _own_files(folder: str) -> Mapping[str, Path]:
    files = {name: Path(folder) / f"{name}.json" for name in PREDICTIONS if folder}
    there = {name: file for name, file in files.items() if file.is_file()}
    if folder and not there:
        raise CalibrationError(
            f"{FOLDER} names {folder!r}, which holds no model of predicted ratings; make one with "
            "'crscore data fit --ratings', or unset it"
        )
    return there


def _of_encoder(file: Path | None, name: str, encoder: str) -> FittedModel | None:
    fitted = _model_of(file or shipped_file(name), name)
    return fitted if fitted.encoder == encoder else None


@functools.cache
def _model_of(file: Path, name: str) -> FittedModel:
    fitted = read_model(file)
    if fitted.predicts != name:
        raise CalibrationError(f"{file}: the model predicts {fitted.predicts[:40]!r}")
    return fitted


def read_model(path: Path) -> FittedModel:
    """Read a model from a file; nothing in it is executed.

    Raises:
        CalibrationError: the file cannot be read, or holds no model of these features.
    """
    return _read(path, _model)


def read_transfer(path: Path) -> tuple[str, tuple[Transfer, ...]]:
    """Read a transfer table from a file: the name of its encoder, and the figures.

    Raises:
        CalibrationError: the file cannot be read, or holds no transfer table.
    """
    return _read(path, _transfer)


def _read(path: Path, parse: Callable[[Any], ReadT]) -> ReadT:
    try:
        return parse(json.loads(path.read_text(encoding="utf-8")))
    except CalibrationError as error:
        raise CalibrationError(f"{path}: {error}") from error
    except (OSError, KeyError, TypeError, ValueError, OverflowError, RecursionError) as error:
        raise CalibrationError(
            f"{path}: no file of predicted ratings: {type(error).__name__}: {str(error)[:100]}"
        ) from error


def model_text(fitted: FittedModel) -> str:
    """Return the text of a model's file."""
    return _text(model_document(fitted))


def transfer_text(models: Sequence[FittedModel], transfer: Sequence[Transfer]) -> str:
    """Return the text of the file of a transfer table, of which `models` came with the same fit.

    The file says which data were fitted to, as the first model that was fitted to each says.
    """
    provenance = {
        of.provenance.held_out[0].data: {
            "data": of.provenance.data,
            "sha256": of.provenance.sha256,
            "version": of.provenance.version,
            "command": of.provenance.command,
        }
        for of in reversed(models)
    }
    return _text(
        {
            "meaning": "relevance fitted to one data set and measured on another",
            "encoder": models[0].encoder,
            "transfer": list(map(transfer_document, transfer)),
            "provenance": provenance,
        }
    )


def transfer_document(row: Transfer) -> dict[str, Any]:
    """Return a figure of a transfer table as a JSON object."""
    return {"fitted_to": row.fitted_to, **held_out_document(row.measured)}


def transfer_rows(transfer: Sequence[Transfer]) -> list[dict[str, str]]:
    """Return the transfer table to read: a row for each fit, a column for what it is measured on.

    Cells are a figure and its interval.
    """
    rows: dict[str, dict[str, str]] = {}
    for figure in transfer:
        of = figure.measured
        claims = "its" if of.claims == of.data else of.claims
        row = rows.setdefault(figure.fitted_to, {"fitted to": figure.fitted_to})
        row[f"{of.data}, {claims} claims: {MEASURES[of.measure]}"] = str(of.estimate)
    return list(rows.values())


def transfer_markdown(transfer: Sequence[Transfer]) -> str:
    """Return the transfer table in Markdown, as `docs/validity.md` has it."""
    rows = transfer_rows(transfer)
    cells = [[*rows[0]], ["---"] * len(rows[0]), *(row.values() for row in rows)]
    return "\n".join(f"| {' | '.join(row)} |" for row in cells)


def _text(document: Mapping[str, Any]) -> str:
    """Return the text of a file, with each list of numbers on one line."""
    text = json.dumps(document, ensure_ascii=False, allow_nan=False, indent=1)
    return _LIST_OF_VALUES.sub(lambda match: _on_one_line(match[0]), text) + "\n"


def _on_one_line(printed: str) -> str:
    # Line feeds inside of texts are escaped, so these are the list's own.
    lines = [line.strip() for line in printed.split("\n")]
    return f"[{' '.join(lines[1:-1])}]"


def model_document(fitted: FittedModel) -> dict[str, Any]:
    """Return a model as a JSON object; agreement is rounded to four decimals."""
    provenance = fitted.provenance
    return {
        "predicts": fitted.predicts,
        "meaning": PREDICTIONS[fitted.predicts],
        "encoder": fitted.encoder,
        "features_version": FEATURES_VERSION,
        "features": [
            {
                "name": feature.name,
                "meaning": feature.meaning,
                "monotone": feature.is_monotone,
                "points": list(curve.points),
                "log_odds": list(curve.values),
            }
            for feature, curve in zip(FEATURES, fitted.model.curves, strict=True)
        ],
        "thresholds": list(fitted.model.thresholds),
        "provenance": {
            **asdict(provenance),
            "seen": {name: list(value) for name, value in asdict(provenance.seen).items()},
            "claims": list(provenance.claims),
            "held_out": [held_out_document(held_out) for held_out in provenance.held_out],
            "beside_rel": [beside_rel_document(beside) for beside in provenance.beside_rel],
        },
    }


def held_out_document(held_out: HeldOut) -> dict[str, Any]:
    """Return a figure on what was left out as a JSON object."""
    return {
        "left_out": held_out.left_out,
        "data": held_out.data,
        "claims": held_out.claims,
        "reviews": held_out.reviews,
        "measure": held_out.measure,
        **estimate_document(held_out.estimate),
    }


def beside_rel_document(beside: BesideRel) -> dict[str, Any]:
    """Return agreement beside that of Rel as a JSON object."""
    return {
        **held_out_document(beside.measured),
        "rel": estimate_document(beside.rel),
        "difference": estimate_document(beside.difference),
    }


def estimate_document(estimate: Estimate) -> dict[str, Any]:
    """Return a figure and its interval as JSON has them."""
    value, interval = estimate.value, estimate.interval
    return {
        "value": None if value is None else round(value, _DECIMALS),
        "ci": interval and [round(end, _DECIMALS) for end in (interval.low, interval.high)],
        "level": interval and interval.level,
    }


def _model(document: Mapping[str, Any]) -> FittedModel:
    names = [feature["name"] for feature in document["features"]]
    if document["features_version"] != FEATURES_VERSION or names != [
        feature.name for feature in FEATURES
    ]:
        raise CalibrationError(
            f"the model is for other features than version {FEATURES_VERSION} has; fit it "
            "again with 'crscore data fit'"
        )
    if document["predicts"] not in PREDICTIONS:
        raise CalibrationError(f"there is no prediction {str(document['predicts'])[:40]!r}")
    provenance = document["provenance"]
    return FittedModel(
        document["predicts"],
        str(document["encoder"]),
        AdditiveModel(
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
                "seen": _seen(provenance["seen"]),
                "held_out": tuple(map(_held_out, provenance["held_out"])),
                "beside_rel": tuple(map(_beside_rel, provenance["beside_rel"])),
            }
        ),
    )


def _seen(document: Mapping[str, Any]) -> SeenChanges:
    (fewest, most), (least, greatest) = (
        _numbers(document[name]) for name in ("lines", "pseudo_references")
    )
    return SeenChanges(tuple(map(str, document["languages"])), (fewest, most), (least, greatest))


def _transfer(document: Mapping[str, Any]) -> tuple[str, tuple[Transfer, ...]]:
    rows = (Transfer(str(row["fitted_to"]), _held_out(row)) for row in document["transfer"])
    return str(document["encoder"]), tuple(rows)


def _beside_rel(document: Mapping[str, Any]) -> BesideRel:
    others = _estimate(document["rel"]), _estimate(document["difference"])
    return BesideRel(_held_out(document), *others)


def _held_out(document: Mapping[str, Any]) -> HeldOut:
    return HeldOut(
        str(document["left_out"]),
        str(document["data"]),
        str(document["claims"]),
        int(document["reviews"]),
        str(document["measure"]),
        _estimate(document),
    )


def _estimate(document: Mapping[str, Any]) -> Estimate:
    interval = None
    if document["ci"] is not None:
        low, high = _numbers(document["ci"])
        interval = Interval(low, high, float(document["level"]))
    value = document["value"]
    return Estimate(None if value is None else float(value), interval)


def _numbers(values: list[float]) -> tuple[float, ...]:
    return tuple(map(float, values))
