"""Comparisons of metrics as JSON and CSV; undefined figures are null, or empty cells."""

from collections.abc import Iterator, Sequence
from typing import Any

from crscore_core.datasets.labelled import LabelledData
from crscore_core.text import csv_text
from crscore_core.validity.compare import Agreement, LabelComparison

_HEADER = (
    "data", "label", "metric", "language", "statistic", "rows", "value", "low", "high", "against",
    "difference", "difference_low", "difference_high", "p", "p_corrected", "seconds_per_1000",
)  # fmt: skip


def compare_document(data: LabelledData, tables: Sequence[LabelComparison]) -> dict[str, Any]:
    """Return the first label's table, and all of them under `labels` where there are several."""
    blocks = {table.label: _block(table) for table in tables}
    first = blocks[tables[0].label]
    document = {"data": data.name, "title": data.title, **first}
    return document | ({"labels": blocks} if len(blocks) > 1 else {})


def compare_csv(data: LabelledData, tables: Sequence[LabelComparison]) -> str:
    """Return a line a figure: of each label, metric, statistic, and the main one by language."""
    rows = [row for table in tables for row in _rows(data.name, table)]
    return csv_text([_HEADER, *rows])


def _block(table: LabelComparison) -> dict[str, Any]:
    return {
        "rows": table.rows,
        "label": table.label,
        "is_binary": table.is_binary,
        "against": table.chosen,
        "metrics": {agreement.metric: _metric(agreement) for agreement in table.metrics},
    }


def _metric(agreement: Agreement) -> dict[str, Any]:
    document: dict[str, Any] = {"rows": agreement.rows}
    for number, (name, estimate) in enumerate(agreement.statistics.items()):
        document[name] = estimate.value
        document[f"{name}_ci" if number else "ci"] = estimate.ends
    document["by_language"] = {
        of.language or "unknown": {
            "rows": of.rows,
            next(iter(agreement.statistics)): of.main.value,
            "ci": of.main.ends,
        }
        for of in agreement.by_language
    }
    if agreement.against:
        document["difference"] = agreement.against.difference.value
        document["difference_ci"] = agreement.against.difference.ends
        document["difference_rows"] = agreement.against.rows
        document["p"] = agreement.against.p
        document["p_corrected"] = agreement.against.p_corrected
    document["seconds_per_1000"] = agreement.seconds
    document["remark"] = agreement.remark or None
    return document


def _rows(data: str, table: LabelComparison) -> Iterator[tuple[object, ...]]:
    for agreement in table.metrics:
        start = (data, table.label, agreement.metric)
        for number, (name, estimate) in enumerate(agreement.statistics.items()):
            against = agreement.against if number == 0 else None
            tail: tuple[object, ...] = ("", "", "", "", "", "")
            if against:
                ends = against.difference.ends or ("", "")
                tail = (
                    table.chosen, against.difference.value, *ends, against.p, against.p_corrected,
                )  # fmt: skip
            figures = (name, agreement.rows, estimate.value, *(estimate.ends or ("", "")))
            yield (*start, "", *figures, *tail, agreement.seconds)
        main = next(iter(agreement.statistics))
        for of in agreement.by_language:
            figures = (main, of.rows, of.main.value, *(of.main.ends or ("", "")))
            yield (*start, of.language or "unknown", *figures, *[""] * 6, agreement.seconds)
