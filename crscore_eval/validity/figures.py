"""Validity as one table with a row per figure, as computed here and as printed in the paper."""

from math import isnan, nan
from typing import Any

import pandas as pd

from crscore_eval.commonness import STUDY_CLAIMS
from crscore_eval.data.study import LANGUAGE_OF_SUFFIX, Study
from crscore_eval.formatting import records
from crscore_eval.statistics.bootstrap import Estimate, bootstrap_changes, clusters
from crscore_eval.statistics.correlation import correlate
from crscore_eval.table import DIMENSIONS, Run, is_by_system, run_signature, scores_at
from crscore_eval.table.measures import people_ratings, run_tau
from crscore_eval.validity.agreement import (
    TAU_NAMES,
    Figures,
    procedure_taus,
    system_correlation,
    system_means,
    system_ratings,
)
from crscore_eval.validity.annotations import alpha_figures, claim_quality, matching_figures
from crscore_eval.validity.shown_tables import COUNTS, TABLES, paper_figures

_NOT_EMPTY = "review_level_not_empty"
_WITHOUT_CLAIMS = ("claim_quality", "krippendorff_alpha_ordinal", "matching", "human_means_0_to_1")
"""Tables that do not depend on the claims that reviews are compared with."""


def validity_tables(
    run: Run,
    tau: float | None = None,
    study: Study | None = None,
    pairs: pd.DataFrame | None = None,
) -> pd.DataFrame:
    """Return every figure of the paper's validation that can be computed, one row per figure.

    `tau` is by default the run's tau. `study` adds the tables of annotations, the paper's figures,
    and the tables at the other of `TAU_NAMES`. `pairs` adds Table 4. Columns:

        table: name of the table, a key of `TABLES`
        tau_name: one of `TAU_NAMES` if the tau of the table equals it to three decimals, as presets
            do, else `tau`; "" if the table does not depend on tau
        tau: that tau, or NaN
        row, column: what the figure is
        recomputed, low, high: the figure of this run with its 95% interval, NaN if undefined
        paper: the paper's figure; tables that depend on tau have it only at the paper's tau

    Tables that do not depend on tau come first, then those at `tau`, then those at other taus.

    Raises:
        InputError: `tau` is not a finite number.
    """
    reviews = run.reviews
    measured = procedure_taus(reviews)
    named = {name: round(of.value, 3) for name, of in measured.items() if not isnan(of.value)}
    tau = run_tau(reviews) if tau is None else tau
    in_use = next((name for name, of in named.items() if of == round(tau, 3)), "tau")
    taus = {in_use: tau} | ({**named, in_use: tau} if study else {})
    without = scores_at(reviews, None, count_empty=True)
    ratings = {name: (people_ratings(reviews, name) - 1) / 4 for name in DIMENSIONS}
    tables: dict[str, Figures] = {}
    if study is not None:
        tables["claim_quality"] = claim_quality(study)
        tables["krippendorff_alpha_ordinal"] = alpha_figures(study)
    if pairs is not None:
        tables["matching"] = matching_figures(pairs, taus)
    tables["procedure_taus"] = {name: {"tau": measured[name]} for name in named}
    tables["no_threshold"] = _review_level(reviews, without) | _system_level(reviews, without)
    tables["human_means_0_to_1"] = _mean_scores(reviews, pd.DataFrame(ratings))
    at_tau = {("", nan): tables}
    for name, value in taus.items():
        at_tau[name, value] = _at_tau(reviews, scores_at(reviews, value, count_empty=True))
    rows = [
        (table, *at, row, column, *estimate)
        for at, tables in at_tau.items()
        for table, figures in tables.items()
        for row, columns in figures.items()
        for column, estimate in columns.items()
    ]
    keys = ["table", "tau_name", "tau", "row", "column"]
    paper = paper_figures() if study else paper_figures()[:0]
    if run.settings["claims"] != STUDY_CLAIMS:
        paper = paper[paper["table"].isin(_WITHOUT_CLAIMS)]
    return pd.DataFrame(rows, columns=[*keys, "recomputed", "low", "high"]).merge(paper, "left")


def agreement_rows(tables: pd.DataFrame) -> pd.DataFrame:
    """Return Spearman's correlation of relevance with people: of reviews, then of systems.

    There is one row for the tau in use, one for each other tau in `TAU_NAMES`, and one without a
    threshold. With tau, another is of the reviews that are not empty, if some are. `tables` is the
    result of `validity_tables`. The columns `of` and `at` describe the row in words, and `n` is the
    number of reviews or systems.
    """
    keys = ["table", "tau_name", "row"]
    n = tables[tables["column"] == "n"].set_index(keys)["recomputed"].rename("n")
    rows = tables[
        (tables["column"] == "spearman")
        & tables["table"].isin(["review_level", _NOT_EMPTY, "system_level", "no_threshold"])
        & tables["row"].isin(["relevance", "systems"])
    ].drop_duplicates(["row", "tau_name", "recomputed", "low"])  # equal if no review is empty
    at = rows["tau_name"] + rows["tau"].map(" {:.3f}".format).astype(object)
    at = at.where(rows["tau"].notna(), "without a threshold")
    of = rows["row"].replace({"relevance": "reviews", "systems": "reviewers"})
    of = of.mask(rows["table"] == _NOT_EMPTY, "reviews that state something")
    return rows.join(n, on=keys).assign(of=of, at=at).sort_values(["row", "of", "tau"])


def _review_level(reviews: pd.DataFrame, scores: pd.DataFrame) -> Figures:
    """Return the agreement of each dimension with people, over reviews (Tables 3 and 9)."""
    sampled = clusters(reviews), bootstrap_changes(reviews)
    return {
        name: correlate(scores[name], system_ratings(reviews, name), *sampled)
        for name in DIMENSIONS
    }


def _system_level(reviews: pd.DataFrame, scores: pd.DataFrame) -> Figures:
    """Return the agreement of relevance with people, over the means of systems (Table 2)."""
    people = system_ratings(reviews, "relevance")
    return {"systems": system_correlation(reviews, scores["relevance"], people)}


def _mean_scores(reviews: pd.DataFrame, scores: pd.DataFrame) -> Figures:
    """Return the mean scores of systems (Table 10)."""
    figures: dict[str, dict[str, Estimate]] = {}
    for name, values in scores.dropna(axis="columns", how="all").items():
        for system, *of in system_means(reviews, values).itertuples():
            figures.setdefault(system, {})[str(name)] = Estimate(*of)
    counted = reviews["system"][scores.notna().any(axis=1)].value_counts()
    return {name: {**of, "n": Estimate(counted[name])} for name, of in figures.items()}


def _at_tau(reviews: pd.DataFrame, scores: pd.DataFrame) -> dict[str, Figures]:
    """Return the tables that depend on tau."""
    people, relevance = system_ratings(reviews, "relevance"), scores["relevance"]
    sampled = clusters(reviews), bootstrap_changes(reviews)
    not_empty = relevance.where(reviews["n_sentences"] > 0)  # empty ones are 0 in the others
    by_group = {
        f"review_level_by_{column}": {
            name: correlate(values.where(reviews[column] == name), people, *sampled)
            for name in reviews[column].unique()
        }
        for column, values in {"language": relevance, "system": not_empty}.items()
    }
    return {
        "system_level": _system_level(reviews, scores),
        "review_level": _review_level(reviews, scores),
        _NOT_EMPTY: {"relevance": correlate(not_empty, people, *sampled)},
        "metric_means": _mean_scores(reviews, scores),
        **by_group,
    }


def validity_document(
    run: Run, tables: pd.DataFrame, tau: float, study: Study, pairs: pd.DataFrame
) -> dict[str, Any]:
    """Return the JSON object of `crscore validity` for a run of the study.

    `tables` is the result of `validity_tables` with `study` and `pairs`; `tau` is the tau in use.
    Undefined figures are null. Each table is an object with an object for each row, except that
    `system_level` has one row. `tables` has the tables at other values of tau, and that of alpha.
    """
    is_at = tables["tau"].isna() | (tables["tau"] == tau)
    objects: dict[str, Any] = {table: rows_by_name(tables[is_at], table) for table in TABLES}
    alpha = objects.pop("krippendorff_alpha_ordinal")
    objects["system_level"] = objects["system_level"].get("systems")
    objects["no_threshold"]["system_level"] = objects["no_threshold"].pop("systems", None)
    quality = objects["claim_quality"]
    languages = study.changes["language"][study.changes["is_rated"]]
    n_changes = {}
    for suffix, language in LANGUAGE_OF_SUFFIX.items():
        quality[suffix] = quality.pop(language, None)
        n_changes[suffix] = int((languages == language).sum())
    presets = objects["procedure_taus"]
    others = tables[~is_at | (tables["table"] == "krippendorff_alpha_ordinal")]
    n_addressed = int(pairs["addressed"].sum())
    change_warnings = run.changes["warnings"].explode().dropna().unique()
    return {
        "study": {
            "changes": n_changes,
            "ratings": len(study.reviews),
            "ratings_without_ground_truth": int(is_by_system(study.reviews).sum()),
            "pairs": {"addressed": n_addressed, "not_addressed": len(pairs) - n_addressed},
        },
        "encoder": run.settings["encoder"],
        "claims": run.settings["claims"],
        "tau": tau,
        "signature": str(run_signature(run.settings, tau)),
        **objects,
        "krippendorff_alpha_ordinal": {row: of["alpha"] for row, of in alpha.items()},
        "presets": {name: presets.get(name, {}).get("tau") for name in TAU_NAMES},
        "changes_without_pseudo_references": int(run.changes["left_out"].notna().sum()),
        "warnings": [*run.settings["warnings"], *change_warnings],
        "tables": others.astype(object).where(others.notna(), None).to_dict("records"),
    }


def rows_by_name(tables: pd.DataFrame, table: str) -> dict[str, dict[str, Any]]:
    """Return figures by row and column, with the interval `<column>_ci` and `<column>_paper`.

    `tables` has each table at one tau. Undefined figures and intervals are None; figures that are
    not in the paper lack `<column>_paper`.
    """
    rows: dict[str, dict[str, Any]] = {}
    for cell in records(tables[tables["table"] == table]):
        name, value = cell["column"], cell["recomputed"]
        value = int(value) if name in COUNTS else value
        row = rows.setdefault(cell["row"], {})
        row |= {name: value, f"{name}_ci": cell["ci"]}
        row |= {} if cell["paper"] is None else {f"{name}_paper": cell["paper"]}
    return rows
