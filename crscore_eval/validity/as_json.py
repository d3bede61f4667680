"""The JSON object of `crscore validity`."""

from typing import Any

import pandas as pd

from crscore_eval.data.study import LANGUAGE_OF_SUFFIX, Study
from crscore_eval.table import Run, is_by_system, run_signature

Document = dict[str, Any]

_OBJECTS = (
    "claim_quality",
    "review_level",
    "review_level_by_language",
    "no_threshold",
    "human_means_0_to_1",
    "metric_means",
)
"""Tables that are objects with an object for each row."""

_KEYS = {
    **{language: suffix for suffix, language in LANGUAGE_OF_SUFFIX.items()},
    "systems": "system_level",
}
"""Keys of rows that are not called as in the table."""


def validity_document(
    run: Run, tables: pd.DataFrame, tau: float, study: Study, pairs: pd.DataFrame
) -> Document:
    """Return the JSON object of `crscore validity` for a run of the study.

    `tables` are those of `validity_tables` with `study` and `pairs`; `tau` is the tau in use.
    Undefined figures are null.
    """
    at_tau = tables[tables["tau"].isna() | (tables["tau"] == tau)]
    objects = {
        table: {_KEYS.get(row, row): of for row, of in rows_by_name(at_tau, table).items()}
        for table in _OBJECTS
    }
    objects["claim_quality"].pop("all", None)
    alpha = rows_by_name(at_tau, "krippendorff_alpha_ordinal")
    presets = rows_by_name(at_tau, "procedure_taus")
    languages = study.changes.loc[study.changes["is_rated"], "language"]
    n_addressed = int(pairs["addressed"].sum())
    return {
        "study": {
            "changes": {
                suffix: int((languages == language).sum())
                for suffix, language in LANGUAGE_OF_SUFFIX.items()
            },
            "ratings": len(study.reviews),
            "ratings_without_ground_truth": int(is_by_system(study.reviews).sum()),
            "pairs": {"addressed": n_addressed, "not_addressed": len(pairs) - n_addressed},
        },
        "encoder": run.settings["encoder"],
        "claims": run.settings["claims"],
        "tau": tau,
        "signature": str(run_signature(run.settings, tau)),
        **objects,
        "system_level": rows_by_name(at_tau, "system_level").get("systems"),
        "krippendorff_alpha_ordinal": {row: of["alpha"] for row, of in alpha.items()},
        "presets": {name: of["tau"] for name, of in presets.items()},
        "changes_without_pseudo_references": int(run.changes["left_out"].notna().sum()),
        "warnings": [
            *run.settings["warnings"],
            *dict.fromkeys(run.changes["warnings"].explode().dropna()),
        ],
        "tables": tables.astype(object).where(tables.notna(), None).to_dict("records"),
    }


def rows_by_name(tables: pd.DataFrame, table: str) -> dict[str, Document]:
    """Return the figures of a table by row and column, intervals by `<column>_ci`.

    `tables` has each table at one tau. Undefined figures and intervals are None.
    """
    rows: dict[str, Document] = {}
    cells = tables[tables["table"] == table].astype(object)
    for cell in cells.where(cells.notna(), None).to_dict("records"):
        name, value = cell["column"], cell["recomputed"]
        row = rows.setdefault(cell["row"], {})
        row[name] = int(value) if name in {"claims", "n"} else value
        row[f"{name}_ci"] = None if cell["low"] is None else [cell["low"], cell["high"]]
    return rows
