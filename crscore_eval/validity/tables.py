"""Validity as one table with a row per figure, computed here and printed in the paper."""

from collections.abc import Callable, Iterable, Mapping
from math import isnan, nan
from typing import NamedTuple

import pandas as pd

from crscore_eval.data.study import Study
from crscore_eval.statistics.bootstrap import Estimate, Weights, clustered_mean
from crscore_eval.table import (
    DIMENSIONS,
    Run,
    people_ratings,
    run_tau,
    scores_at,
    scores_without_threshold,
)
from crscore_eval.table.clusters import bootstrap_changes, clusters
from crscore_eval.validity.agreement import (
    Figures,
    correlation,
    system_correlations,
    system_means,
    system_ratings,
    with_pseudo_references,
)
from crscore_eval.validity.annotations import claim_quality, matching_figures, rater_agreement
from crscore_eval.validity.failures import OVER, UNDER, failing_reviews
from crscore_eval.validity.paper import paper_figures
from crscore_eval.validity.shown_tables import TABLES
from crscore_eval.validity.thresholds import (
    BEST_SYSTEM,
    TAU_NAMES,
    NamedTau,
    named_tau,
    procedure_taus,
    sweep,
)

COLUMNS = ["table", "tau_name", "tau", "row", "column", "paper", "recomputed", "low", "high"]

_NO_TAU = NamedTau("", nan)
_AGREEMENT = ("review_level", "system_level")
_TAUS_SHOWN = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
_SWEPT = {
    "tau": "tau",
    "spearman_relevance": "spearman",
    "kendall_relevance": "kendall",
    **{name: name for name in ("system_spearman", "share_zero", "share_one")},
}


class ScoredReviews(NamedTuple):
    """A run, its scores at one tau or without a threshold, and resamples of the changes."""

    run: Run
    scores: pd.DataFrame
    weights: Weights


def validity_tables(
    run: Run,
    tau: float | None = None,
    study: Study | None = None,
    pairs: pd.DataFrame | None = None,
    n_resamples: int = 1000,
) -> pd.DataFrame:
    """Return every figure of the paper's validation that can be computed, one row per figure.

    `tau` is by default the run's tau. `study` adds the tables of annotations, the paper's figures,
    and the tables that the paper prints at another of `TAU_NAMES`. `pairs` adds Table 4. Columns:

        table: name of the table, a key of `TABLES`
        tau_name: name of the tau of the table (see `NamedTau`), "" if it does not depend on tau
        tau: that tau, or NaN
        row, column: what the figure is
        paper: the paper's figure; tables that depend on tau have it only at the paper's tau
        recomputed, low, high: the figure of this run with its 95% interval, NaN if undefined

    Of a table at several taus, the one at `tau` comes first.

    Raises:
        InputError: `tau` is not a finite number.
    """
    scorable, weights = _scorable(run, n_resamples)
    measured = procedure_taus(scorable.reviews, weights, BEST_SYSTEM if study else None)
    in_use = named_tau(run_tau(run.reviews) if tau is None else tau, measured)
    taus = _taus_shown(in_use, measured)
    without = scores_without_threshold(scorable.reviews, count_empty=True)
    scored = ScoredReviews(scorable, without, weights)
    rated = scorable if study is None else run
    ratings = {name: (people_ratings(rated.reviews, name) - 1) / 4 for name in DIMENSIONS}
    tables: dict[str, Figures] = {
        "procedure_taus": {name: {"tau": of} for name, of in measured.items()},
        "no_threshold": {**_review_level(scored), **_system_level(scored)},
        "thresholds": _threshold_figures(scorable.reviews, taus),
        "human_means_0_to_1": _mean_scores(ScoredReviews(rated, pd.DataFrame(ratings), weights)),
    }
    if study is not None:
        tables["claim_quality"] = claim_quality(study, n_resamples)
        tables["krippendorff_alpha_ordinal"] = rater_agreement(study, n_resamples)
    if pairs is not None:
        tables["matching"] = matching_figures(pairs, taus, n_resamples)
    rows = [row for name, figures in tables.items() for row in _rows(name, figures)]
    rows += _rows_at(scorable, weights, in_use, AT_TAU)
    if study is not None:
        paper = paper_figures()
        for name, of in measured.items():
            if not isnan(of.value) and name != in_use.name:
                printed = {*_AGREEMENT, *paper.loc[paper["tau_name"] == name, "table"]}
                named = [table for table in AT_TAU if table in printed]
                rows += _rows_at(scorable, weights, NamedTau(name, round(of.value, 3)), named)
    return _frame(rows, has_paper=study is not None)


def tables_at_tau(
    run: Run, tau: float, *, is_study: bool = False, n_resamples: int = 1000
) -> pd.DataFrame:
    """Return only the tables of `validity_tables` that depend on tau, at one tau.

    `is_study` adds the paper's figures if `tau` is `tau_gt` or `tau_best`.

    Raises:
        InputError: `tau` is not a finite number.
    """
    scorable, weights = _scorable(run, n_resamples)
    measured = procedure_taus(scorable.reviews, weights, BEST_SYSTEM if is_study else None)
    rows = _rows_at(scorable, weights, named_tau(tau, measured), AT_TAU)
    return _frame(rows, has_paper=is_study)


def agreement_rows(tables: pd.DataFrame) -> pd.DataFrame:
    """Return Spearman's correlation of relevance with people: of reviews, then of systems.

    One row for the tau in use, one for each other of `TAU_NAMES`, and one without a threshold.
    `tables` are those of `validity_tables`; the columns `of` and `at` name the rows for people, and
    `n` is the number of reviews or systems.
    """
    keys = ["table", "tau_name", "row"]
    n = tables[tables["column"] == "n"].set_index(keys)["recomputed"].rename("n")
    rows = tables[
        (tables["column"] == "spearman")
        & tables["table"].isin([*_AGREEMENT, "no_threshold"])
        & tables["row"].isin(["relevance", "systems"])
    ]
    names = rows["tau_name"].where(rows["tau_name"].isin(TAU_NAMES), "tau")
    at = names + rows["tau"].map(" {:.3f}".format).astype(object)
    return (
        rows.join(n, on=keys)
        .assign(
            of=rows["row"].replace("relevance", "reviews"),
            at=at.where(rows["tau"].notna(), "without a threshold"),
        )
        .sort_values("of", kind="stable")
    )


def _scorable(run: Run, n_resamples: int) -> tuple[Run, Weights]:
    """Leave out reviews of changes without pseudo-references, and resample the other changes."""
    reviews = with_pseudo_references(run.reviews)
    return run._replace(reviews=reviews), bootstrap_changes(reviews, n_resamples)


def _rows_at(
    run: Run, weights: Weights, tau: NamedTau, names: Iterable[str]
) -> list[tuple[object, ...]]:
    """Compute tables of `AT_TAU` at one tau."""
    scored = ScoredReviews(run, scores_at(run.reviews, tau.value, count_empty=True), weights)
    return [row for name in names for row in _rows(name, AT_TAU[name](scored), tau)]


def _rows(table: str, figures: Figures, tau: NamedTau = _NO_TAU) -> list[tuple[object, ...]]:
    """Return rows with the columns of `validity_tables` except `paper`."""
    return [
        (table, *tau, row, column, *estimate)
        for row, columns in figures.items()
        for column, estimate in columns.items()
    ]


def _frame(rows: list[tuple[object, ...]], *, has_paper: bool) -> pd.DataFrame:
    """Return rows as a table in the order of `TABLES`, with the paper's figures if `has_paper`.

    They are the figures at the same tau, or else those that name no tau.
    """
    order = [*TABLES]
    frame = pd.DataFrame(rows, columns=[name for name in COLUMNS if name != "paper"]).sort_values(
        "table", key=lambda names: names.map(order.index), kind="stable", ignore_index=True
    )
    frame["paper"] = nan
    if has_paper:
        keys, paper = ["table", "row", "column"], paper_figures()
        same_tau = frame[[*keys, "tau_name"]].merge(paper, "left", [*keys, "tau_name"])["paper"]
        any_tau = frame[keys].merge(paper[paper["tau_name"] == ""], "left", keys)["paper"]
        frame["paper"] = same_tau.fillna(any_tau)
    return frame[COLUMNS].astype(
        dict.fromkeys(("tau", "paper", "recomputed", "low", "high"), float)
    )


def _taus_shown(in_use: NamedTau, measured: Mapping[str, Estimate]) -> list[NamedTau]:
    """Return the taus of a grid, those with a name, and the tau in use, by increasing tau."""
    by_name = {f"{tau:.4g}": tau for tau in _TAUS_SHOWN}
    by_name |= {name: round(of.value, 3) for name, of in measured.items() if not isnan(of.value)}
    by_name[in_use.name] = in_use.value  # a preset replaces the tau of the same name
    return sorted(map(NamedTau._make, by_name.items()), key=lambda tau: tau.value)


def _review_level(scored: ScoredReviews) -> Figures:
    """Return the agreement of each dimension with people, over reviews (Tables 3 and 9)."""
    run, scores, weights = scored
    return {
        name: correlation(run.reviews, scores[name], system_ratings(run.reviews, name), weights)
        for name in DIMENSIONS
    }


def _by_language(scored: ScoredReviews) -> Figures:
    reviews, relevance = scored.run.reviews, scored.scores["relevance"]
    language, ratings = reviews["language"], system_ratings(reviews, "relevance")
    return {
        str(name): correlation(reviews, relevance.where(language == name), ratings, scored.weights)
        for name in language.unique()
    }


def _system_level(scored: ScoredReviews) -> Figures:
    """Return the agreement of relevance with people, over the means of systems (Table 2)."""
    (figures,) = system_correlations(scored.run.reviews, scored.scores[["relevance"]])
    return {"systems": figures}


def _mean_scores(scored: ScoredReviews) -> Figures:
    """Return the mean scores of systems (Table 10)."""
    figures: dict[str, dict[str, Estimate]] = {}
    for name, values in scored.scores.dropna(axis="columns", how="all").items():
        for system, of in system_means(scored.run.reviews, values).items():
            figures.setdefault(system, {})[str(name)] = of
    counted = scored.run.reviews["system"][scored.scores.notna().any(axis=1)].value_counts()
    return {name: {**of, "n": Estimate(counted[name])} for name, of in figures.items()}


def _failures(scored: ScoredReviews) -> Figures:
    """Return how many of the rated reviews fail by the paper's rule (appendix E.1)."""
    reviews, scores = scored.run.reviews, scored.scores["relevance"]
    ratings = system_ratings(reviews, "relevance").rename("relevance")
    if ratings.isna().all():
        return {}
    failure = failing_reviews(scores, ratings, "paper")["failure"].reindex(reviews.index)
    is_judged = scores.notna() & ratings.notna()
    shares = {kind: (failure == kind) * 1.0 for kind in (UNDER, OVER)}
    return {
        kind: {
            "reviews": Estimate(of.sum()),
            "share": clustered_mean(of[is_judged], clusters(reviews)[is_judged], scored.weights),
            "n": Estimate(is_judged.sum()),
        }
        for kind, of in shares.items()
    }


def _threshold_figures(reviews: pd.DataFrame, taus: list[NamedTau]) -> Figures:
    """Return the agreement of relevance with people at each tau (Table 18)."""
    by_tau = sweep(reviews, [tau.value for tau in taus])[[*_SWEPT]].rename(columns=_SWEPT)
    by_tau["n"] = system_ratings(reviews, "relevance").count()
    return {
        tau.name: {str(name): Estimate(float(value)) for name, value in row.dropna().items()}
        for tau, (_, row) in zip(taus, by_tau.iterrows(), strict=True)
    }


AT_TAU: Mapping[str, Callable[[ScoredReviews], Figures]] = {
    "system_level": _system_level,
    "review_level": _review_level,
    "metric_means": _mean_scores,
    "review_level_by_language": _by_language,
    "failures": _failures,
}
"""The tables that depend on tau."""
