"""The JSON objects of `crscore validity` and `crscore compare`."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from crscore_eval.data.study import LANGUAGE_OF_SUFFIX, Study
from crscore_eval.metrics import labels_by_name, metric_title
from crscore_eval.table import DIMENSIONS, Run, is_by_system, run_signature
from crscore_eval.validity.annotations import RATES
from crscore_eval.validity.compare import compared_with_base, remark

Document = dict[str, Any]

_CORRELATIONS = ("spearman", "kendall", "spearman_ci", "spearman_p", "kendall_p", "n")
_COLUMNS: Mapping[str, tuple[str, ...]] = {
    "claim_quality": ("claims", *RATES),
    "review_level": _CORRELATIONS,
    "review_level_by_language": _CORRELATIONS,
    "no_threshold": _CORRELATIONS,
    "human_means_0_to_1": DIMENSIONS,
    "metric_means": DIMENSIONS,
}
"""Tables that are objects with an object for each row, which has these columns."""

_KEYS = {
    **{language: suffix for suffix, language in LANGUAGE_OF_SUFFIX.items()},
    "systems": "system_level",
}
"""Keys of rows and columns that are not called as in the table."""

_COUNTS = {"claims", "n", "pairs"}


def validity_document(
    run: Run, tables: pd.DataFrame, tau: float, study: Study, pairs: pd.DataFrame
) -> Document:
    """Return the JSON object of `crscore validity` for a run of the study.

    `tables` are those of `validity_tables` with `study` and `pairs`; `tau` is the tau in use.
    Undefined figures are null.
    """
    at_tau = tables[tables["tau"].isna() | (tables["tau"] == tau)]
    objects = {
        table: {
            _KEYS.get(row, row): _object(figures, columns)
            for row, figures in rows_by_name(at_tau, table).items()
            if (table, row) != ("claim_quality", "all")
        }
        for table, columns in _COLUMNS.items()
    }
    alpha = rows_by_name(at_tau, "krippendorff_alpha_ordinal")
    presets = rows_by_name(at_tau, "procedure_taus")
    systems = rows_by_name(at_tau, "system_level").get("systems", {})
    warnings = [warning for warnings in run.changes["warnings"] for warning in warnings]
    return {
        "study": _study_counts(study, pairs),
        "encoder": run.settings["encoder"],
        "claims": run.settings["claims"],
        "tau": tau,
        "signature": str(run_signature(run.settings, tau)),
        **objects,
        "system_level": _object(systems, _CORRELATIONS) if systems else None,
        "krippendorff_alpha_ordinal": {row: figures["alpha"] for row, figures in alpha.items()},
        "presets": {name: figures["tau"] for name, figures in presets.items()},
        "changes_without_pseudo_references": int(run.changes["left_out"].notna().sum()),
        "warnings": [*run.settings["warnings"], *dict.fromkeys(warnings)],
        "tables": tables.astype(object).where(tables.notna(), None).to_dict("records"),
    }


def rows_by_name(tables: pd.DataFrame, table: str) -> dict[str, Document]:
    """Return the figures of a table by row and column, intervals by `<column>_ci`.

    `tables` has each table at one tau. Undefined figures and intervals are None.
    """
    rows: dict[str, Document] = {}
    cells = tables[tables["table"] == table].astype(object)
    for cell in cells.where(cells.notna(), None).to_dict("records"):
        row = rows.setdefault(cell["row"], {})
        row[cell["column"]] = cell["recomputed"]
        row[f"{cell['column']}_ci"] = None if cell["low"] is None else [cell["low"], cell["high"]]
    return rows


def _object(figures: Document, columns: Sequence[str]) -> Document:
    """Return some figures of a row; null for those that the row lacks."""
    return {
        _KEYS.get(column, column): int(figures[column])
        if column in _COUNTS
        else figures.get(column)
        for column in columns
    }


def _study_counts(study: Study, pairs: pd.DataFrame) -> Document:
    """Return the numbers of rated changes, ratings, and pairs of review and pseudo-reference."""
    languages = study.changes.loc[study.changes["is_rated"], "language"]
    n_addressed = int(pairs["addressed"].sum())
    return {
        "changes": {
            suffix: int((languages == language).sum())
            for suffix, language in LANGUAGE_OF_SUFFIX.items()
        },
        "ratings": len(study.reviews),
        "ratings_without_ground_truth": int(is_by_system(study.reviews).sum()),
        "pairs": {"addressed": n_addressed, "not_addressed": len(pairs) - n_addressed},
    }


def compare_document(run: Run, frame: pd.DataFrame) -> dict[str, Any]:
    """Return the JSON object of `crscore compare`; undefined figures are null.

    The first label's table is at the top; with several labels, all are under `labels`.
    """
    counts = {
        name: int(values.notna().sum()) for name, values in labels_by_name(run.reviews).items()
    }
    blocks = {
        str(label): {
            "rows": counts[str(label)],
            "label": label,
            "is_binary": bool((figures["statistic"] == "auc").any()),
            "metrics": {
                str(metric): _metric_document(metric_figures, _n_compared(figures))
                for metric, metric_figures in figures.groupby("metric", sort=False)
            },
        }
        for label, figures in frame.groupby("label", sort=False)
    }
    document = {"data": run.settings["name"], **next(iter(blocks.values()))}
    return document | ({"labels": blocks} if len(blocks) > 1 else {})


def _n_compared(figures: pd.DataFrame) -> int:
    """Return the number of reviews on which the metrics of a label are compared."""
    _, table = compared_with_base(figures)
    return int(table["rows"][table["remark"] == ""].max())


def _metric_document(figures: pd.DataFrame, n_compared: int) -> dict[str, Any]:
    main = str(figures["statistic"].iloc[0])
    metric = str(figures["metric"].iloc[0])
    document: dict[str, Any] = {"title": metric_title(metric), "rows": int(figures["rows"].iloc[0])}
    by_language: dict[str, Any] = {}
    for figure in figures.astype(object).where(figures.notna(), None).to_dict("records"):
        value, rows = figure["value"], figure["rows"]
        interval = None if figure["low"] is None else [figure["low"], figure["high"]]
        if figure["language"]:
            by_language[figure["language"]] = {"rows": rows, main: value, "ci": interval}
            continue
        name = figure["statistic"]
        document[name] = value
        if name not in {"p", "p_corrected"}:
            document["ci" if name == main else f"{name}_ci"] = interval
        if name == "difference":
            document["difference_rows"] = rows
    reason = remark(metric, document["rows"], n_compared)
    return document | {"by_language": by_language, "remark": reason or None}
