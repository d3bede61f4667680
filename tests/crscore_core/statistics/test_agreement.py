"""Krippendorff's alpha against hand calculation and published examples."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crscore_core.errors import StatisticsError
from crscore_core.statistics import (
    ClusterBootstrap,
    ClusteredRatings,
    Scale,
    krippendorff_alpha,
)

Table = list[list[float | None]]


def by_rater(*raters: str) -> Table:
    """A row for each unit, from one line for each rater; a dot is a missing rating."""
    rows = zip(*(line.split() for line in raters), strict=True)
    return [[None if value == "." else float(value) for value in row] for row in rows]


def test_alpha_equals_the_hand_calculation() -> None:
    # Units (1, 1), (1, 2), (2, 3): each pair counts in both orders, 1 / (2 - 1) each.
    # o: 11 -> 2, 12 = 21 -> 1, 23 = 32 -> 1. n1 = 3, n2 = 2, n3 = 1, n = 6.
    table = by_rater("1 1 2", "1 2 3")
    # Nominal: observed 1 + 1 + 1 + 1 = 4; expected 2 * (3 * 2 + 3 * 1 + 2 * 1) = 22.
    assert krippendorff_alpha(table, "nominal") == pytest.approx(1 - 5 * 4 / 22)
    # Interval: d12 = d23 = 1, d13 = 4; observed 4; expected 2 * (6 + 3 * 4 + 2) = 40.
    assert krippendorff_alpha(table, "interval") == pytest.approx(1 - 5 * 4 / 40)
    # Ordinal: d12 = (3 + 2 - 5/2)² = 6.25, d23 = (2 + 1 - 3/2)² = 2.25,
    # d13 = (3 + 2 + 1 - 4/2)² = 16; observed 2 * (6.25 + 2.25) = 17;
    # expected 2 * (6 * 6.25 + 3 * 16 + 2 * 2.25) = 180.
    assert krippendorff_alpha(table, "ordinal") == pytest.approx(1 - 5 * 17 / 180)


# Krippendorff, "Computing Krippendorff's Alpha-Reliability" (2011).
TWO_OBSERVERS_BINARY = by_rater("0 1 0 0 0 0 0 0 1 0", "1 1 1 0 0 1 0 0 0 0")
FOUR_OBSERVERS = by_rater(
    "1 2 3 3 2 1 4 1 2 . . .",
    "1 2 3 3 2 2 4 1 2 5 . 3",
    ". 3 3 3 2 3 4 2 2 5 1 .",
    "1 2 3 3 2 4 4 1 2 5 1 .",
)


@pytest.mark.parametrize(
    ("table", "scale", "published"),
    [
        (TWO_OBSERVERS_BINARY, "nominal", 0.095),
        (FOUR_OBSERVERS, "nominal", 0.743),
        (FOUR_OBSERVERS, "ordinal", 0.815),
        (FOUR_OBSERVERS, "interval", 0.849),
    ],
)
def test_alpha_equals_published_examples(table: Table, scale: Scale, published: float) -> None:
    assert krippendorff_alpha(table, scale) == pytest.approx(published, abs=0.0005)


def test_what_says_nothing_of_agreement_has_no_alpha() -> None:
    assert krippendorff_alpha(by_rater("3 3 3", "3 3 3")) is None
    assert krippendorff_alpha(by_rater("1 . 3", ". 2 .")) is None
    assert krippendorff_alpha(np.empty((0, 2))) is None


def test_nan_is_missing_like_none() -> None:
    table = [[np.nan if value is None else value for value in row] for row in FOUR_OBSERVERS]
    assert krippendorff_alpha(table) == krippendorff_alpha(FOUR_OBSERVERS)


@pytest.mark.parametrize(
    ("table", "message"),
    [([1.0, 2.0], "shape"), ([["a", "b"]], "numbers"), ([[1], [1, 2]], "numbers"),
     ([[1.0, np.inf]], "finite")],
)  # fmt: skip
def test_what_is_no_table_is_refused(table: object, message: str) -> None:
    with pytest.raises(StatisticsError, match=message):
        krippendorff_alpha(table)  # type: ignore[arg-type]


def test_an_unknown_scale_is_refused() -> None:
    with pytest.raises(StatisticsError, match="ratio"):
        krippendorff_alpha([[1, 2]], "ratio")  # type: ignore[arg-type]


@pytest.mark.parametrize("scale", ["nominal", "ordinal", "interval"])
def test_alpha_of_a_resample_is_that_of_its_units(scale: Scale) -> None:
    cluster = np.array([0, 0, 0, 1, 1, 3, 3, 3, 4, 4, 4, 2])
    weights = np.vstack([ClusterBootstrap(5, 50).weights, np.ones((1, 5)), np.eye(5)])
    found = ClusteredRatings(FOUR_OBSERVERS, cluster, scale).alpha(weights)
    for row, alpha in zip(weights.astype(int), found, strict=True):
        units = [
            unit
            for unit, number in zip(FOUR_OBSERVERS, cluster, strict=True)
            for _ in range(row[number])
        ]
        expected = krippendorff_alpha(units, scale)
        assert alpha == pytest.approx(np.nan if expected is None else expected, nan_ok=True)


def test_weights_must_fit_the_clusters() -> None:
    ratings = ClusteredRatings([[1, 2], [3, 3]], [0, 1])
    with pytest.raises(StatisticsError, match="2 or more columns"):
        ratings.alpha(np.ones((3, 1)))
    with pytest.raises(StatisticsError, match="cluster must be 2"):
        ClusteredRatings([[1, 2], [3, 3]], [0])
    with pytest.raises(StatisticsError, match="no ratings"):
        ClusteredRatings(np.empty((0, 2)), [])


rating = st.none() | st.integers(1, 5).map(float)
tables = st.integers(2, 4).flatmap(
    lambda raters: st.lists(st.lists(rating, min_size=raters, max_size=raters), min_size=1)
)
scales = st.sampled_from(["nominal", "ordinal", "interval"])


@given(st.lists(st.integers(1, 5), min_size=2), scales)
def test_perfect_agreement_is_one(values: list[int], scale: Scale) -> None:
    expected = 1.0 if len(set(values)) > 1 else None
    assert krippendorff_alpha([[value, value, value] for value in values], scale) == expected


@given(tables, scales, st.randoms(use_true_random=False))
def test_who_the_raters_are_and_the_order_of_units_do_not_matter(
    table: Table, scale: Scale, random: object
) -> None:
    raters, units = list(range(len(table[0]))), list(range(len(table)))
    random.shuffle(raters)  # type: ignore[attr-defined]
    random.shuffle(units)  # type: ignore[attr-defined]
    shuffled = [[table[unit][rater] for rater in raters] for unit in units]
    assert krippendorff_alpha(shuffled, scale) == pytest.approx(krippendorff_alpha(table, scale))


@given(tables)
def test_only_the_order_of_values_matters_on_an_ordinal_scale(table: Table) -> None:
    stretched = [[None if value is None else value**3 for value in row] for row in table]
    assert krippendorff_alpha(stretched) == pytest.approx(krippendorff_alpha(table))


@given(tables, scales)
def test_the_definition_itself(table: Table, scale: Scale) -> None:
    """Observed over expected disagreement, pair of ratings by pair of ratings."""
    units = [[v for v in row if v is not None] for row in table]
    units = [unit for unit in units if len(unit) > 1]
    values = [value for unit in units for value in unit]

    def distance(one: float, other: float) -> float:
        low, high = sorted((one, other))
        if scale == "nominal":
            return float(low != high)
        if scale == "interval":
            return (high - low) ** 2
        between = sum(low <= value <= high for value in values)
        return (between - (values.count(low) + values.count(high)) / 2) ** 2 if low != high else 0

    expected = sum(distance(a, b) for a in values for b in values)
    if not expected:
        assert krippendorff_alpha(table, scale) is None
        return
    observed = sum(
        distance(a, b) / (len(unit) - 1)
        for unit in units
        for i, a in enumerate(unit)
        for j, b in enumerate(unit)
        if i != j
    )
    alpha = 1 - (len(values) - 1) * observed / expected
    assert krippendorff_alpha(table, scale) == pytest.approx(alpha)
