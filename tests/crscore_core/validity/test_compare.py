"""Metrics beside each other, on labels made by hand."""

import csv
import io
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from crscore_core.corpus.model import Corpus, CorpusChange, CorpusReview
from crscore_core.datasets.labelled import LabelledData, LabelledReviews
from crscore_core.errors import InputError
from crscore_core.validity.compare import LabelComparison, LabelTable, first_choice
from crscore_core.validity.compare_document import compare_csv, compare_document
from crscore_core.validity.metric_columns import MetricColumn
from crscore_eval.statistics import ClusterBootstrap

CHANGES = 60


def labelled(values: NDArray[Any]) -> LabelledReviews:
    """Two reviews of each change with these labels, (2 x CHANGES,); half are of Python."""
    changes = tuple(
        CorpusChange(
            f"{number}",
            ("python", "go")[number % 2],
            "",
            tuple(
                CorpusReview(
                    f"{number}/{system}", f"s{system}", f"review {number} {system}",
                    labels={} if np.isnan(value) else {"label": float(value)},
                )
                for system, value in enumerate(values[2 * number : 2 * number + 2])
            ),
        )
        for number in range(len(values) // 2)
    )  # fmt: skip
    return LabelledData("own", "own", Corpus("own", changes), ("label",)).reviews


def column(name: str, values: NDArray[Any]) -> MetricColumn:
    return MetricColumn(name, values, 0.12)


def compared(labels: NDArray[Any], *columns: MetricColumn) -> LabelComparison:
    reviews = labelled(labels)
    table = LabelTable(reviews, "label", ClusterBootstrap(len(reviews.changes), 200))
    return table.compare(columns, columns[0].name)


GRADES = np.arange(2 * CHANGES) % 5 + 1.0
BINARY_LABELS = (np.arange(2 * CHANGES) % 3 == 0).astype(float)
NOISE = np.random.default_rng(0).random(2 * CHANGES)


def test_graded_labels_are_ranked() -> None:
    table = compared(
        GRADES, column("rel", GRADES), column("opposite", -GRADES), column("no", NOISE)
    )
    assert not table.is_binary
    perfect, opposite, noise = table.metrics
    assert [metric.main.value for metric in table.metrics[:2]] == pytest.approx([1, -1])
    assert perfect.statistics["kendall"].value == pytest.approx(1)
    # The two grades of a change always differ, so that no tie is right.
    assert [metric.statistics["pairwise"].value for metric in (perfect, opposite)] == [1, 0]
    assert noise.statistics["pairwise"].ends == pytest.approx((0.5, 0.5), abs=0.25)
    assert perfect.against is None
    assert opposite.against is not None
    assert opposite.against.difference.value == pytest.approx(-2)
    assert opposite.against.p == pytest.approx(2 / 201)
    assert opposite.against.p_corrected == pytest.approx(2 * 2 / 201)  # of two comparisons
    assert noise.main.interval is not None
    assert noise.main.interval.low < 0 < noise.main.interval.high
    assert [(of.language, of.rows) for of in perfect.by_language] == [("python", 60), ("go", 60)]
    assert perfect.seconds == pytest.approx(1)


def test_documents_have_pairwise_accuracy_with_its_interval() -> None:
    reviews = labelled(GRADES)
    data = LabelledData("own", "own", Corpus("own", reviews.changes), ("label",))
    table = compared(GRADES, column("rel", NOISE))
    found = table.metrics[0].statistics["pairwise"]
    metric = compare_document(data, [table])["metrics"]["rel"]
    assert (metric["pairwise"], metric["pairwise_ci"]) == (found.value, found.ends)
    lines = list(csv.DictReader(io.StringIO(compare_csv(data, [table]))))
    (line,) = (one for one in lines if one["statistic"] == "pairwise")
    assert (float(line["value"]), float(line["low"]), float(line["high"])) == (
        found.value, *(found.ends or ()),
    )  # fmt: skip


@pytest.mark.parametrize(("changes", "has_intervals"), [(5, False), (6, True)])
@pytest.mark.parametrize("values", [GRADES, BINARY_LABELS])
def test_few_changes_give_figures_without_intervals_and_p_values(
    values: NDArray[Any], changes: int, *, has_intervals: bool
) -> None:
    some = np.where(np.arange(2 * CHANGES) < 2 * changes, values, np.nan)
    table = compared(some, column("rel", some), column("no", NOISE))
    assert table.changes == changes
    _, noise = table.metrics
    assert noise.against is not None
    told = [noise.main, noise.against.difference, *noise.statistics.values()]
    assert all(one.value is not None for one in told)
    assert {one.interval is not None for one in told} == {has_intervals}
    assert (noise.against.p is not None) is has_intervals


def test_binary_labels_are_told_apart() -> None:
    labels = BINARY_LABELS
    table = compared(
        labels, column("rel", labels), column("opposite", -labels), column("no", NOISE)
    )
    assert table.is_binary
    perfect, opposite, _ = table.metrics
    assert {name: value.value for name, value in perfect.statistics.items()} == {
        "auc": 1, "average_precision": 1, "balanced_accuracy": 1, "kappa": 1,
    }  # fmt: skip
    assert opposite.main.value == 0


def test_a_difference_is_over_reviews_that_both_have() -> None:
    missing = np.where(np.arange(2 * CHANGES) < CHANGES, np.nan, GRADES)
    unlabelled = np.where(np.arange(2 * CHANGES) % 10 == 0, np.nan, GRADES)
    mixed = np.where(np.arange(2 * CHANGES) < CHANGES, -GRADES, GRADES)  # as `half` where it is
    rel, of_half = column("rel", mixed), column("half", missing)
    table = compared(unlabelled, rel, of_half)
    half = table.metrics[1]
    assert (table.rows, table.metrics[0].rows, half.rows) == (108, 108, 54)
    assert half.against is not None
    assert (half.against.rows, half.against.difference.value) == (54, 0)


def test_what_is_kept_of_a_column_belongs_to_it() -> None:
    reviews, bootstrap = labelled(GRADES), ClusterBootstrap(CHANGES, 200)
    kept = LabelTable(reviews, "label", bootstrap)
    noise = column("no", NOISE)
    for values in (GRADES, -GRADES, GRADES):  # another tau gives another column
        columns = [column("rel", values), noise]
        fresh = LabelTable(reviews, "label", bootstrap).compare(columns, "rel")
        assert kept.compare(columns, "rel") == fresh


def test_a_metric_without_a_value_has_no_figures() -> None:
    nothing = column("rel", np.full(2 * CHANGES, np.nan))
    assert first_choice([nothing, column("words", NOISE)]) == "words"
    table = compared(GRADES, column("words", NOISE), nothing)
    assert table.metrics[1].rows == 0
    assert table.metrics[1].main.value is None
    with pytest.raises(InputError, match="'con' is none of the metrics"):
        LabelTable(labelled(GRADES), "label").compare([nothing], "con")
