"""The tables of validity as one JSON object."""

from typing import Any

import pandas as pd

from crscore_eval.data.study import LANGUAGE_OF_SUFFIX, Study
from crscore_eval.table import DIMENSIONS, Run, is_by_system
from crscore_eval.validity.annotations import RATES

Document = dict[str, Any]

_SHORT = {name: short for short, name in LANGUAGE_OF_SUFFIX.items()}


def validity_document(
    run: Run, tables: pd.DataFrame, tau: float, study: Study, pairs: pd.DataFrame
) -> Document:
    """Return the JSON object of `crscore validity` for a run of the study.

    `tables` are those of `validity_tables` with `study` and `pairs`; `tau` is the tau in use.
    Undefined figures are null.
    """
    at_tau = tables[tables["tau"].isna() | (tables["tau"] == tau)]
    left_out = int(run.changes["left_out"].notna().sum())
    warnings = [warning for warnings in run.changes["warnings"] for warning in warnings]
    systems = rows_of_table(at_tau, "system_level").get("systems", {})
    procedure_taus = rows_of_table(at_tau, "procedure_taus")
    return {
        "study": _study_counts(study, pairs),
        "claim_quality": {
            _SHORT[name]: {"claims": int(row["claims"]), **{rate: row[rate] for rate in RATES}}
            for name, row in rows_of_table(at_tau, "claim_quality").items()
            if name in _SHORT
        },
        "krippendorff_alpha_ordinal": {
            name: row["alpha"]
            for name, row in rows_of_table(at_tau, "krippendorff_alpha_ordinal").items()
        },
        "encoder": run.settings["encoder"],
        "claims": run.settings["claims"],
        "tau": tau,
        "changes_without_pseudo_references": left_out,
        "review_level": _correlations(at_tau, "review_level"),
        "system_level": _correlations(at_tau, "system_level").get("systems"),
        "review_level_by_language": {
            _SHORT.get(name, name): correlations
            for name, correlations in _correlations(at_tau, "review_level_by_language").items()
        },
        "no_threshold": {
            {"systems": "system_level"}.get(name, name): correlations
            for name, correlations in _correlations(at_tau, "no_threshold").items()
        },
        "pairwise": {
            name: {"accuracy": row["accuracy"], "ci": row["accuracy_ci"], "epsilon": row["epsilon"],
                   "pairs": int(row["pairs"])}
            for name, row in rows_of_table(at_tau, "pairwise").items()
        },
        "soft_pairwise_accuracy": {"value": systems.get("soft_pairwise_accuracy"),
                                   "ci": systems.get("soft_pairwise_accuracy_ci")},
        "human_means_0_to_1": _means(at_tau, "human_means_0_to_1"),
        "metric_means": _means(at_tau, "metric_means"),
        "presets": {role: row["tau"] for role, row in procedure_taus.items()},
        "warnings": [*run.settings.get("warnings", []), *dict.fromkeys(warnings)],
        "tables": [
            {name: None if pd.isna(value) else value for name, value in row.items()}
            for row in tables.to_dict("records")
        ],
    }  # fmt: skip


def rows_of_table(tables: pd.DataFrame, table: str) -> dict[str, Document]:
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


def _study_counts(study: Study, pairs: pd.DataFrame) -> Document:
    """Return the numbers of rated changes, ratings, and pairs of review and pseudo-reference."""
    rated_changes = study.changes[study.changes["is_rated"]]
    n_addressed = int(pairs["addressed"].sum())
    return {
        "changes": {
            short: int((rated_changes["language"] == name).sum())
            for short, name in LANGUAGE_OF_SUFFIX.items()
        },
        "ratings": len(study.reviews),
        "ratings_without_ground_truth": int(is_by_system(study.reviews).sum()),
        "pairs": {"addressed": n_addressed, "not_addressed": len(pairs) - n_addressed},
    }


def _correlations(tables: pd.DataFrame, table: str) -> dict[str, Document]:
    columns = ("spearman", "kendall", "spearman_ci", "kendall_ci", "spearman_p", "kendall_p")
    return {
        name: {**{column: row[column] for column in columns}, "n": int(row["n"])}
        for name, row in rows_of_table(tables, table).items()
    }


def _means(tables: pd.DataFrame, table: str) -> Document:
    return {
        system: {name: row.get(name) for name in DIMENSIONS}
        for system, row in rows_of_table(tables, table).items()
    }
