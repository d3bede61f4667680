"""Models of predicted ratings, their files, and those of this package."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import ArrayLike, NDArray

from crscore_core.errors import CalibrationError
from crscore_core.predicted.features import FEATURES, ReviewText, review_features
from crscore_core.predicted.model import (
    AdditiveModel,
    BesideRel,
    Curve,
    FittedModel,
    HeldOut,
    Provenance,
)
from crscore_core.predicted.model_file import (
    PREDICTIONS,
    fitted_model,
    model_document,
    model_text,
    read_model,
    read_transfer,
    shipped_file,
    shipped_transfer,
    transfer_markdown,
)
from crscore_core.predicted.seen import SeenChange, SeenChanges
from crscore_core.scoring import DEFAULT_ENCODER
from crscore_core.statistics import Estimate, Interval

FLAT = Curve((0.0,), (0.0,))
ORDINAL = AdditiveModel(
    (Curve((0.0, 0.5, 1.0), (-1.0, 0.0, 3.0)), *[FLAT] * (len(FEATURES) - 1)),
    (-1.0, 0.0, 1.0, 2.0),
)
MODEL = FittedModel(
    "relevance",
    "some encoder",
    ORDINAL,
    Provenance(
        data="made up",
        sha256="0" * 64,
        changes=60,
        ratings=480,
        seen=SeenChanges(("java", "python"), (1, 50), (2, 12)),
        claims=("study", "my [new]\n\n claims.json"),
        added="",
        ridge=3.0,
        held_out=(
            HeldOut(
                "change", "study", "x", 480, "spearman", Estimate(0.5, Interval(0.25, 0.75, 0.95))
            ),
            HeldOut("system", "study", "x", 480, "auc", Estimate(None, None)),
        ),
        beside_rel=(
            BesideRel(
                HeldOut("change", "study", "x", 480, "spearman", Estimate(0.5, None)),
                Estimate(0.25, None),
                Estimate(0.25, Interval(0.125, 0.5, 0.95)),
            ),
        ),
        version="1",
        command="crscore",
    ),
)
DIFF = "@@ -0,0 +1,2 @@\n+parser.drop_last(token)\n+cache.expire(entry)\n"
TEXTS = st.lists(st.text(max_size=30), min_size=1, max_size=4)


def row(coverage: float) -> list[float]:
    return [coverage, *[0.0] * (len(FEATURES) - 1)]


@pytest.mark.parametrize(
    ("feature", "log_odds"),
    [(0, -1), (0.25, -0.5), (0.5, 0), (0.75, 1.5), (1, 3), (-9, -1), (9, 3)],
)
def test_a_curve_is_straight_between_points_and_flat_beyond(
    feature: float, log_odds: float
) -> None:
    assert ORDINAL.curves[0].at(feature) == pytest.approx(log_odds)


def test_a_score_is_the_expected_rating_on_a_scale_from_0_to_1() -> None:
    strength, thresholds = 1.5, np.array(ORDINAL.thresholds)
    higher = 1 / (1 + np.exp(thresholds - strength))  # P(rating > k)
    each = -np.diff(np.concatenate([[1], higher, [0]]))  # P(rating = k)
    expected = float(each @ [1, 2, 3, 4, 5])
    assert each.sum() == pytest.approx(1)
    assert ORDINAL.score([row(0.75), row(0.75)]) == pytest.approx([(expected - 1) / 4] * 2)
    assert ORDINAL.score(np.zeros((0, len(FEATURES)))).shape == (0,)
    contributions = ORDINAL.contributions(row(0.75))
    assert [contribution.name for contribution in contributions] == [
        feature.name for feature in FEATURES
    ]
    assert (contributions[0].value, contributions[0].contribution) == (0.75, strength)
    assert sum(contribution.contribution for contribution in contributions) == strength


@given(st.floats(-1e308, 1e308), st.floats(-1e308, 1e308))
def test_scores_are_within_0_and_1_and_rise(one: float, other: float) -> None:
    low, high = ORDINAL.score([row(min(one, other)), row(max(one, other))])
    assert 0 <= low <= high <= 1


def test_a_model_survives_being_written_and_read(tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    path.write_text(model_text(MODEL), encoding="utf-8")
    assert read_model(path) == MODEL
    assert json.loads(model_text(MODEL)) == model_document(MODEL)
    assert f'"points": {list(ORDINAL.curves[0].points)}' in model_text(MODEL)


@pytest.mark.parametrize(
    ("place", "value", "message"),
    [
        (["predicts"], "luck", "no prediction 'luck'"),
        (["predicts"], [], "TypeError"),
        (["features_version"], 1, "other features"),
        (["features"], [], "other features"),
        (["features"], None, "TypeError"),
        (["thresholds"], [], "thresholds have to be"),
        (["thresholds"], [0, 1, 1, 2], "thresholds have to be"),
        (["thresholds"], [0, 1, 2, float("nan")], "thresholds have to be"),
        (["thresholds"], [0, 1, 2, "x"], "ValueError"),
        (["thresholds"], [0, 1, 2, 10**400], "OverflowError"),
        (["thresholds"], 1, "TypeError"),
        (["provenance"], {}, "KeyError"),
        (["provenance", "held_out"], [{}], "KeyError"),
        (["provenance", "beside_rel"], [{}], "KeyError"),
        (["provenance", "unknown"], 1, "TypeError"),
        (["features", 0, "name"], "other", "other features"),
        (["features", 0, "points"], [1, 0], "a curve needs points"),
        (["features", 0, "points"], [], "a curve needs points"),
        (["features", 0, "points"], [0, 0, 1], "have to rise"),
        (["features", 0, "log_odds"], [3, 2, 1], "coverage must not fall"),
        (["features", 0, "log_odds"], [0, 1, float("inf")], "not a finite number"),
    ],
)
def test_a_damaged_model_is_told_in_one_line(
    tmp_path: Path, place: list[Any], value: object, message: str
) -> None:
    document = json.loads(model_text(MODEL))
    *parents, key = place
    inner = document
    for parent in parents:
        inner = inner[parent]
    inner[key] = value
    path = tmp_path / "model.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    with pytest.raises(CalibrationError, match=message) as raised:
        read_model(path)
    assert str(path) in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    "content", [None, b"", b"{", b"\xff", b"[" * 100_000, b"[]", b"null", b'"x"']
)
def test_a_file_without_a_model_is_told(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "model.json"
    if content is not None:
        path.write_bytes(content)
    for read in (read_model, read_transfer):
        with pytest.raises(CalibrationError, match=r"model\.json"):
            read(path)


def test_a_value_beyond_the_fitted_range_is_outside_and_clipped() -> None:
    beyond = AdditiveModel(
        (
            Curve((0.0, 0.5, 1.0), (-1.0, 0.0, 3.0)),
            *[Curve((0.0, 9.0), (0.0, 1.0))] * (len(FEATURES) - 1),
        ),
        (0.0,),
    )
    for value, names in ((-0.2, ("coverage",)), (0.0, ()), (1.005, ()), (1.2, ("coverage",))):
        assert beyond.outside(row(value)) == names
    assert beyond.score(row(1.2)) == beyond.score(row(1.0))


def shipped(name: str = "relevance") -> FittedModel:
    model = fitted_model(name, DEFAULT_ENCODER)
    assert model is not None
    return model


def features_of(
    references: list[str], sentences: list[str], similarity: ArrayLike
) -> NDArray[np.float64]:
    return review_features(
        ReviewText("\n".join(sentences), DIFF, references, sentences, similarity)
    )


def score(references: list[str], sentences: list[str], similarity: ArrayLike) -> float:
    return float(shipped().model.score(features_of(references, sentences, similarity)))


def drawn(data: st.DataObject, rows: int, columns: int) -> NDArray[np.float64]:
    cells = data.draw(st.lists(st.floats(-1, 1), min_size=rows * columns, max_size=rows * columns))
    return np.array(cells).reshape(rows, columns)


@pytest.mark.parametrize("name", PREDICTIONS)
def test_a_shipped_model_belongs_to_its_encoder_and_says_what_it_was_fitted_to(name: str) -> None:
    assert fitted_model(name, "other") is None
    model = shipped(name)
    assert model.predicts == name
    assert read_model(shipped_file(name)) == model
    assert model_text(model) == shipped_file(name).read_text(encoding="utf-8")
    assert model.provenance.command == "crscore data fit"
    figures = [(one.left_out, one.claims, one.measure) for one in model.provenance.held_out]
    if name == "relevance":
        assert "CRScore human study" in model.provenance.data
        assert figures == [
            (left_out, claims, "spearman")
            for left_out in ("change", "system")
            for claims in ("study", "symbolic")
        ]
    else:
        assert "ClearCRC" in model.provenance.data
        assert figures == [
            ("patch", "symbolic", "auc"),
            ("patch", "symbolic", "balanced accuracy"),
        ]


def test_the_transfer_table_of_the_docs_is_that_of_the_package() -> None:
    assert shipped_transfer("other") == ()
    table = transfer_markdown(shipped_transfer(DEFAULT_ENCODER))
    assert table.count("|\n| ") == 4
    root = Path(__file__).parents[3]
    assert table in (root / "docs/validity.md").read_text(encoding="utf-8")


@given(references=TEXTS, sentences=TEXTS, data=st.data())
def test_a_higher_similarity_never_lowers_the_prediction(
    references: list[str], sentences: list[str], data: st.DataObject
) -> None:
    low = drawn(data, len(references), len(sentences))
    high = np.maximum(low, drawn(data, len(references), len(sentences)))
    # 1e-12: means of the same numbers in another order may differ in their last digit
    lower, higher = (score(references, sentences, matrix) for matrix in (low, high))
    assert 0 <= lower <= higher + 1e-12 <= 1 + 1e-12


def test_reviews_that_say_more_of_the_change_are_predicted_to_be_more_relevant() -> None:
    references = ["The parser drops the last token.", "A cache entry expires too early."]
    good = score(
        references,
        [
            "When input ends the parser loses a token, because drop_last comes first",
            "Why does an entry of the cache expire before it is read?",
        ],
        [[0.95, 0.2], [0.1, 0.9]],
    )
    assert good > 0.4
    thanks = (references, ["Looks good to me"], [[0.1], [0.05]])
    assert score(*thanks) < 0.15
    focus = shipped().model.contributions(features_of(*thanks))[1]
    assert focus.name == "focus"
    assert focus.value == pytest.approx(0.1)
    assert focus.contribution <= 0


SMALL = SeenChange("java", "--- a\n+++ b\n-x\n+y\n z\n", 3)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (SMALL, None),
        (SMALL._replace(language=""), None),
        (SMALL._replace(language="go"), "are in other languages than java, python: go"),
        (SMALL._replace(diff="+x\n" * 51), "add or remove more than 50 lines"),
        (SMALL._replace(pseudo_references=1), "have fewer than 2 pseudo-references"),
    ],
)
def test_a_quarter_of_changes_unlike_those_that_were_seen_is_said(
    change: SeenChange, words: str | None
) -> None:
    seen = MODEL.provenance.seen
    assert seen.unlike([change, *[SMALL] * 3]) == ([] if words is None else [f"1 {words}"])
    assert seen.unlike([change, *[SMALL] * 4]) == []
    assert SeenChanges.of([SMALL] * 3) == SeenChanges(("java",), (2, 2), (3, 3))
