import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from crscore_core.errors import CalibrationError
from crscore_core.predicted.agreement import Agreement
from crscore_core.predicted.fit import fit_model
from crscore_core.predicted.model import CalibratedModel, HeldOut, Provenance
from crscore_core.predicted.model_file import (
    model_document,
    model_of_document,
    model_text,
    read_model,
)
from crscore_core.statistics import Interval
from tests.crscore_core.predicted.synthetic import synthetic_reviews

MODEL = CalibratedModel(
    "some encoder",
    fit_model(synthetic_reviews()),
    Provenance(
        data="made up",
        sha256="0" * 64,
        changes=60,
        ratings=480,
        claims=("study", "my [new]\n\n claims.json"),
        ridge=3.0,
        held_out=(
            HeldOut("change", "study", Agreement(0.5, Interval(0.25, 0.75, 0.95), 480)),
            HeldOut("system", "study", Agreement(0.5, None, 480)),
        ),
        version="1",
        command="crscore",
    ),
)


def test_a_model_survives_being_written_and_read(tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    path.write_text(model_text(MODEL), encoding="utf-8")
    assert read_model(path) == MODEL
    assert json.loads(model_text(MODEL)) == model_document(MODEL)
    curve = MODEL.ordinal.curves[0]
    assert f'"points": {list(curve.points)}' in model_text(MODEL)


def change(key: str, value: object) -> Callable[[dict[str, Any]], None]:
    def damage(document: dict[str, Any]) -> None:
        document[key] = value

    return damage


def change_feature(key: str, value: object) -> Callable[[dict[str, Any]], None]:
    def damage(document: dict[str, Any]) -> None:
        document["features"][0][key] = value

    return damage


def change_provenance(key: str, value: object) -> Callable[[dict[str, Any]], None]:
    def damage(document: dict[str, Any]) -> None:
        document["provenance"][key] = value

    return damage


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (change("features_version", 2), "other features"),
        (change("features", []), "other features"),
        (change("features", None), "TypeError"),
        (change("encoder", 3), "a text is expected"),
        (change("thresholds", [0, 1]), "4 thresholds"),
        (change("thresholds", [0, 1, 2, "3"]), "a number is expected"),
        (change("thresholds", [0, 1, 2, True]), "a number is expected"),
        (change("thresholds", [0, 1, 2, 10**400]), "OverflowError"),
        (change("thresholds", 1), "a list of numbers"),
        (change("provenance", []), "TypeError"),
        (change_feature("name", "other"), "other features"),
        (change_feature("points", [1, 0]), "a curve needs points"),
        (change_feature("points", [3, 2, 1, 0]), "have to rise"),
        (change_feature("log_odds", [3, 2, 1, 0]), "must not fall"),
        (change_feature("log_odds", [0, 1, 2, float("nan")]), "not a finite number"),
        (change_provenance("changes", "60"), "a count is expected"),
        (change_provenance("held_out", [{}]), "KeyError"),
        (lambda document: document.pop("thresholds"), "KeyError: 'thresholds'"),
    ],
)
def test_a_damaged_model_is_told_in_one_line(
    tmp_path: Path, damage: Callable[[dict[str, Any]], None], message: str
) -> None:
    document = json.loads(model_text(MODEL))
    damage(document)
    path = tmp_path / "model.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    with pytest.raises(CalibrationError, match=message) as raised:
        read_model(path)
    assert str(path) in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("content", [b"", b"{", b"\xff", b"[" * 100_000, b"[]", b"null", b'"x"'])
def test_what_is_no_model_is_told(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "model.json"
    path.write_bytes(content)
    with pytest.raises(CalibrationError, match=r"model\.json"):
        read_model(path)


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(CalibrationError, match="missing"):
        read_model(tmp_path / "missing.json")


def test_an_interval_may_be_missing() -> None:
    again = model_of_document(json.loads(model_text(MODEL)))
    assert again.provenance.held_out[1].agreement.interval is None
