"""Validity as one JSON object."""

from typing import Any

import pandas as pd

from crscore_eval.data.study import GROUND_TRUTH, LANGUAGES, SYSTEM_TITLES, Study
from crscore_eval.table import DIMENSIONS, HUMAN, Run
from crscore_eval.validity.agreement import scored
from crscore_eval.validity.annotations import RATES

Document = dict[str, Any]

_SHORT = {name: short for short, name in LANGUAGES.items()}


def validity_document(
    run: Run,
    tables: pd.DataFrame,
    tau: float,
    study: Study | None = None,
    pairs: pd.DataFrame | None = None,
) -> Document:
    """Return the JSON object of `crscore validity`: `validity_tables` under documented keys.

    `tau` is the tau in use. Undefined figures are null.
    """
    reviews = scored(run.reviews)
    left_out = int(run.changes["left_out"].notna().sum())
    warnings = [one for of_change in run.changes["warnings"] for one in of_change]
    return {
        **_contents(reviews, tables, study, pairs),
        "encoder": run.settings["encoder"],
        "claims": run.settings["claims"],
        "tau": tau,
        "changes_without_pseudo_references": left_out,
        "review_level": _correlations(tables, "review_level"),
        "system_level": _correlations(tables, "system_level").get("systems"),
        "review_level_by_language": {
            _SHORT.get(name, name) if study else name: of
            for name, of in _correlations(tables, "review_level_by_language").items()
        },
        "no_threshold": {
            {"systems": "system_level"}.get(name, name): of
            for name, of in _correlations(tables, "no_threshold").items()
        },
        "pairwise": {
            row: {"accuracy": of["accuracy"], "ci": of["accuracy_ci"], "epsilon": of["epsilon"],
                  "pairs": int(of["pairs"])}
            for row, of in figures(tables, "pairwise").items()
        },
        "soft_pairwise_accuracy": _soft(tables),
        "human_means_0_to_1": _means(tables, "human_means_0_to_1"),
        "metric_means": _means(tables, "metric_means"),
        "presets": {row: of["tau"] for row, of in figures(tables, "procedure_taus").items()},
        "warnings": [*run.settings.get("warnings", []), *dict.fromkeys(warnings)],
        "tables": [
            {name: None if pd.isna(value) else value for name, value in row.items()}
            for row in tables.to_dict("records")
        ],
    }  # fmt: skip


def figures(tables: pd.DataFrame, table: str) -> dict[str, Document]:
    """Return the figures of a table by row and column; `<column>_ci` has the interval.

    Undefined figures and intervals are None.
    """
    found: dict[str, Document] = {}
    chosen = tables[tables["table"] == table].astype(object)
    for one in chosen.where(chosen.notna(), None).to_dict("records"):
        row = found.setdefault(one["row"], {})
        row[one["column"]] = one["here"]
        row[f"{one['column']}_ci"] = None if one["low"] is None else [one["low"], one["high"]]
    return found


def _contents(
    reviews: pd.DataFrame, tables: pd.DataFrame, study: Study | None, pairs: pd.DataFrame | None
) -> Document:
    """Count what was rated, and add what only the study has."""
    is_of_a_system = reviews["system"] != GROUND_TRUTH
    if study is None:
        rated = {name: HUMAN[name] for name in DIMENSIONS if HUMAN[name] in reviews}
        return {
            "changes": int(reviews["change"].nunique()),
            "reviews": len(reviews),
            "reviews_rated": {
                name: int((reviews[column].notna() & is_of_a_system).sum())
                for name, column in rated.items()
            },
            "systems": int(reviews["system"].nunique()),
        }
    rated_changes = study.changes[study.changes["is_rated"]]
    addressed = 0 if pairs is None else int(pairs["addressed"].sum())
    return {
        "study": {
            "changes": {
                short: int((rated_changes["language"] == name).sum())
                for short, name in LANGUAGES.items()
            },
            "ratings": len(study.reviews),
            "ratings_without_ground_truth": int((study.reviews["system"] != GROUND_TRUTH).sum()),
            "pairs": {
                "addressed": addressed,
                "not_addressed": 0 if pairs is None else len(pairs) - addressed,
            },
        },
        "claim_quality": {
            _SHORT[name]: {"claims": int(of["claims"]), **{rate: of[rate] for rate in RATES}}
            for name, of in figures(tables, "claim_quality").items()
            if name in _SHORT
        },
        "krippendorff_alpha_ordinal": {
            name: of["alpha"] for name, of in figures(tables, "krippendorff_alpha_ordinal").items()
        },
    }


def _correlations(tables: pd.DataFrame, table: str) -> dict[str, Document]:
    names = ("spearman", "kendall", "spearman_ci", "kendall_ci", "spearman_p", "kendall_p")
    return {
        row: {**{name: of[name] for name in names}, "n": int(of["n"])}
        for row, of in figures(tables, table).items()
    }


def _soft(tables: pd.DataFrame) -> Document:
    of = figures(tables, "system_level").get("systems", {})
    name = "soft_pairwise_accuracy"
    return {"value": of.get(name), "ci": of.get(f"{name}_ci")}


def _means(tables: pd.DataFrame, table: str) -> Document:
    found = figures(tables, table)
    order = [name for name in SYSTEM_TITLES if name in found]
    systems = [*order, *(name for name in found if name not in order)]
    return {row: {name: found[row].get(name) for name in DIMENSIONS} for row in systems}
