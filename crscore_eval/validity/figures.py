"""Validity as one table with a row per figure, as computed here and as printed in the paper."""

from collections.abc import Callable, Mapping
from functools import partial
from math import isnan, nan
from operator import itemgetter
from typing import Any

import pandas as pd

from crscore_eval.commonness import STUDY_CLAIMS
from crscore_eval.data.study import LANGUAGE_OF_SUFFIX, Study
from crscore_eval.formatting import records
from crscore_eval.statistics.bootstrap import Estimate, clustered_mean
from crscore_eval.statistics.correlation import correlate
from crscore_eval.table import (
    DIMENSIONS,
    Run,
    is_by_system,
    people_ratings,
    run_signature,
    run_tau,
    scores_at,
    scores_without_threshold,
)
from crscore_eval.table.clusters import bootstrap_changes, clusters
from crscore_eval.table.columns import RATING_SCALE
from crscore_eval.validity.agreement import (
    BEST_SYSTEM,
    TAU_NAMES,
    Figures,
    procedure_taus,
    system_correlations,
    system_means,
    system_ratings,
    tau_name,
    with_pseudo_references,
)
from crscore_eval.validity.annotations import alpha_figures, claim_quality, matching_figures
from crscore_eval.validity.failures import OVER, UNDER, failing_reviews
from crscore_eval.validity.shown_tables import TABLES, paper_figures

_FIGURES = ["paper", "recomputed", "low", "high"]
COLUMNS = ["table", "tau_name", "tau", "row", "column", *_FIGURES]

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
        tau_name: name of the tau of the table (see `tau_name`), "" if it does not depend on tau
        tau: that tau, or NaN
        row, column: what the figure is
        paper: the paper's figure; tables that depend on tau have it only at the paper's tau
        recomputed, low, high: the figure of this run with its 95% interval, NaN if undefined

    If a table exists at several taus, the one at `tau` comes first.

    Raises:
        InputError: `tau` is not a finite number.
    """
    reviews = with_pseudo_references(run.reviews)
    measured = procedure_taus(reviews, BEST_SYSTEM if study else None)
    tau = run_tau(run.reviews) if tau is None else tau
    in_use = tau_name(tau, measured)
    named = {name: round(of.value, 3) for name, of in measured.items() if not isnan(of.value)}
    taus = dict(sorted({**named, in_use: tau}.items(), key=itemgetter(1)))
    without = scores_without_threshold(reviews, count_empty=True)
    rated = run.reviews if study else reviews
    ratings = {name: (people_ratings(rated, name) - 1) / 4 for name in DIMENSIONS}
    tables: dict[str, Figures] = {
        "procedure_taus": {name: {"tau": measured[name]} for name in named},
        "no_threshold": {**_review_level(reviews, without), **_system_level(reviews, without)},
        "human_means_0_to_1": _mean_scores(rated, pd.DataFrame(ratings)),
        "krippendorff_alpha_ordinal": alpha_figures(run.reviews, study),
    }
    if study is not None:
        tables["claim_quality"] = claim_quality(study)
    if pairs is not None:
        tables["matching"] = matching_figures(pairs, taus)
    rows = _rows(tables)
    for name, at in ({in_use: tau, **taus} if study else {in_use: tau}).items():
        scores = scores_at(reviews, at, count_empty=True)
        rows += _rows({table: make(reviews, scores) for table, make in AT_TAU.items()}, name, at)
    return _frame(rows, run if study else None)


def agreement_rows(tables: pd.DataFrame) -> pd.DataFrame:
    """Return Spearman's correlation of relevance with people: of reviews, then of systems.

    There is one row for the tau in use, one for each other tau in `TAU_NAMES`, and one without a
    threshold. `tables` is the result of `validity_tables`. The columns `of` and `at` describe the
    row in words, and `n` is the number of reviews or systems.
    """
    keys = ["table", "tau_name", "row"]
    n = tables[tables["column"] == "n"].set_index(keys)["recomputed"].rename("n")
    rows = tables[
        (tables["column"] == "spearman")
        & tables["table"].isin(["review_level", "system_level", "no_threshold"])
        & tables["row"].isin(["relevance", "systems"])
    ]
    names = rows["tau_name"].where(rows["tau_name"].isin(TAU_NAMES), "tau")
    at = names + rows["tau"].map(" {:.3f}".format).astype(object)
    at = at.where(rows["tau"].notna(), "without a threshold")
    rows = rows.join(n, on=keys).assign(of=rows["row"].replace("relevance", "reviews"), at=at)
    return rows.sort_values("of", kind="stable")


def _rows(
    tables: Mapping[str, Figures], name: str = "", tau: float = nan
) -> list[tuple[object, ...]]:
    """Return rows with the columns of `validity_tables` except `paper`."""
    return [
        (table, name, tau, row, column, *estimate)
        for table, figures in tables.items()
        for row, columns in figures.items()
        for column, estimate in columns.items()
    ]


def _frame(rows: list[tuple[object, ...]], study: Run | None) -> pd.DataFrame:
    """Return rows as a table in the order of `TABLES`, with the paper's figures for the study.

    The paper's figures are those at the same tau, or else those without a tau. If the claims are
    not the study's, only tables that do not depend on claims have them.
    """
    keys = ["table", "row", "column"]
    frame = pd.DataFrame(rows, columns=[name for name in COLUMNS if name != "paper"]).sort_values(
        "table", key=lambda names: names.map([*TABLES].index), kind="stable", ignore_index=True
    )
    paper = paper_figures() if study else paper_figures()[:0]
    if study and study.settings["claims"] != STUDY_CLAIMS:
        paper = paper[paper["table"].isin(_WITHOUT_CLAIMS)]
    same_tau = frame[[*keys, "tau_name"]].merge(paper, "left", [*keys, "tau_name"])["paper"]
    any_tau = frame[keys].merge(paper[paper["tau_name"] == ""], "left", keys)["paper"]
    frame = frame.assign(paper=same_tau.fillna(any_tau))[COLUMNS]
    return frame.astype(dict.fromkeys(("tau", *_FIGURES), float))


def _review_level(reviews: pd.DataFrame, scores: pd.DataFrame) -> Figures:
    """Return the agreement of each dimension with people, over reviews (Tables 3 and 9)."""
    sampled = clusters(reviews), bootstrap_changes(reviews)
    return {
        name: correlate(scores[name], system_ratings(reviews, name), *sampled)
        for name in DIMENSIONS
    }


def _by(column: str, reviews: pd.DataFrame, scores: pd.DataFrame) -> Figures:
    """Return the agreement of relevance with people in each group of reviews."""
    people, sampled = system_ratings(reviews, "relevance"), bootstrap_changes(reviews)
    figures = {
        str(name): correlate(
            scores["relevance"].where(reviews[column] == name), people, clusters(reviews), sampled
        )
        for name in reviews[column].unique()
    }
    return {name: of for name, of in figures.items() if of}


def _system_level(reviews: pd.DataFrame, scores: pd.DataFrame) -> Figures:
    """Return the agreement of relevance with people, over the means of systems (Table 2)."""
    people = system_ratings(reviews, "relevance")
    return {"systems": system_correlations(reviews, scores[["relevance"]], people)[0]}


def _mean_scores(reviews: pd.DataFrame, scores: pd.DataFrame) -> Figures:
    """Return the mean scores of systems (Table 10)."""
    figures: dict[str, dict[str, Estimate]] = {}
    for name, values in scores.dropna(axis="columns", how="all").items():
        for system, *of in system_means(reviews, values).itertuples():
            figures.setdefault(system, {})[str(name)] = Estimate(*of)
    counted = reviews["system"][scores.notna().any(axis=1)].value_counts()
    return {name: {**of, "n": Estimate(counted[name])} for name, of in figures.items()}


def _failures(reviews: pd.DataFrame, scores: pd.DataFrame) -> Figures:
    """Return how many of the rated reviews fail by the paper's rule (appendix E.1)."""
    relevance, ratings = scores["relevance"], system_ratings(reviews, "relevance")
    is_judged = relevance.notna() & ratings.notna()
    failure = failing_reviews(relevance, ratings, "paper", RATING_SCALE)["failure"]
    failure = failure.reindex(reviews.index)[is_judged]
    sampled = clusters(reviews)[is_judged], bootstrap_changes(reviews)
    return {
        kind: {
            "reviews": Estimate((failure == kind).sum()),
            "share": clustered_mean(failure == kind, *sampled),
            "n": Estimate(is_judged.sum()),
        }
        for kind in (UNDER, OVER)
        if is_judged.any()
    }


AT_TAU: Mapping[str, Callable[[pd.DataFrame, pd.DataFrame], Figures]] = {
    "system_level": _system_level,
    "review_level": _review_level,
    "metric_means": _mean_scores,
    "review_level_by_language": partial(_by, "language"),
    "review_level_by_system": partial(_by, "system"),
    "failures": _failures,
}
"""The tables that depend on tau, as functions of reviews and their scores."""

_OBJECTS = (
    "claim_quality",
    "review_level",
    "system_level",
    "no_threshold",
    "human_means_0_to_1",
    "metric_means",
)
"""Tables that are objects with an object for each row, except that `system_level` has one row."""

_KEYS = {
    **{language: suffix for suffix, language in LANGUAGE_OF_SUFFIX.items()},
    "systems": "system_level",
}
"""Keys of rows whose names differ from those in the table."""


def validity_document(
    run: Run, tables: pd.DataFrame, tau: float, study: Study, pairs: pd.DataFrame
) -> dict[str, Any]:
    """Return the JSON object of `crscore validity` for a run of the study.

    `tables` is the result of `validity_tables` with `study` and `pairs`; `tau` is the tau in use.
    Undefined figures are null. `tables` has the figures that have no key of their own.
    """
    at_tau = tables[tables["tau"].isna() | (tables["tau"] == tau)]
    objects: dict[str, Any] = {
        table: {_KEYS.get(row, row): of for row, of in rows_by_name(at_tau, table).items()}
        for table in _OBJECTS
    }
    objects |= {"system_level": None, **objects["system_level"]}
    others = tables.drop(at_tau.index[at_tau["table"].isin(_OBJECTS)])
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
        "krippendorff_alpha_ordinal": {row: of["alpha"] for row, of in alpha.items()},
        "presets": {name: presets.get(name, {}).get("tau") for name in TAU_NAMES},
        "changes_without_pseudo_references": int(run.changes["left_out"].notna().sum()),
        "warnings": [
            *run.settings["warnings"],
            *dict.fromkeys(run.changes["warnings"].explode().dropna()),
        ],
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
        value = int(value) if name in {"claims", "n"} else value
        row = rows.setdefault(cell["row"], {})
        row |= {name: value, f"{name}_ci": cell["ci"]}
        row |= {} if cell["paper"] is None else {f"{name}_paper": cell["paper"]}
    return rows
