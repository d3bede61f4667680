"""Validity as one table with a row per figure, computed here and printed in the paper."""

import csv
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import NamedTuple

import numpy as np
import pandas as pd

from crscore_core.scoring import resolve_tau
from crscore_eval.data.study import SYSTEM_TITLES, Study
from crscore_eval.statistics import ClusterBootstrap, Correlation, Estimate
from crscore_eval.table import DIMENSIONS, Run, no_threshold, run_tau, scores_at
from crscore_eval.validity.agreement import (
    bootstrap_of,
    correlation,
    mean,
    means_of_systems,
    n_words,
    pairwise,
    ratings,
    system_agreement,
    with_pseudo_references,
)
from crscore_eval.validity.annotations import addressed_agreement, claim_quality, rater_agreement
from crscore_eval.validity.failures import failure_traits, failures
from crscore_eval.validity.thresholds import (
    GRID,
    best_tau,
    cross_validated_tau,
    procedure_taus,
    sweep,
)

Figure = tuple[str, str, Estimate]
"""Row, column, and the figure computed here."""

ROLES = ("tau_gt", "tau_best")
"""Thresholds of the paper, by the ground truth and by the best system (section 3.3)."""

COLUMNS = ["table", "row", "column", "paper", "recomputed", "low", "high"]

BEST_SYSTEM = "gpt3.5"
"""The system of the study that people rate best; tau_best comes from its reviews."""

_TAUS_SHOWN = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
_COUNT_COLUMNS = frozenset({"claims", "n", "pairs", "reviews"})
_TAU_TOLERANCE = 0.0005
"""Largest difference of equal taus; presets are rounded to three decimals."""


class TableInfo(NamedTuple):
    """A table's title, its place in the paper ("" if none), and the decimals of its figures."""

    title: str
    source: str
    digits: int = 3


TABLES: Mapping[str, TableInfo] = {
    "claim_quality": TableInfo(
        "Quality of the study's own claims, in percent", "Table 1 and section 5.1", 2
    ),
    "procedure_taus": TableInfo("Thresholds that the procedure gives", "section 3.3"),
    "krippendorff_alpha_ordinal": TableInfo("Raters, Krippendorff's alpha", "section 4.2"),
    "system_level": TableInfo("Order of systems, relevance with people", "Table 2"),
    "review_level": TableInfo("Agreement of the metric with people on reviews", "Tables 3 and 9"),
    "no_threshold": TableInfo("Agreement without a threshold", ""),
    "pairwise": TableInfo("Pairwise accuracy within changes, with ties", ""),
    "matching": TableInfo("The encoder at finding what a review addresses", "Table 4"),
    "human_means_0_to_1": TableInfo("Means of systems, people (0 to 1)", "Table 10"),
    "metric_means": TableInfo("Means of systems, metric", "Table 10"),
    "review_level_by_language": TableInfo("Agreement of relevance by language", "Table 11"),
    "rankings": TableInfo("Ranks of systems", "Table 15", 1),
    "thresholds": TableInfo("Sensitivity of relevance to tau", "Table 18"),
    "levels": TableInfo("Mean score by people's rating", "Figure 8"),
    "failures": TableInfo(
        "Failures of relevance by the paper's rule", "section 5.4 and appendix E.1"
    ),
}
"""The tables in the order of the paper. A table at another tau is named `<table> at <role>`."""


class ScoredReviews(NamedTuple):
    """Reviews, their scores at one tau or without a threshold, and resamples of the changes."""

    reviews: pd.DataFrame
    scores: pd.DataFrame
    bootstrap: ClusterBootstrap


def validity_tables(
    run: Run,
    tau: float | str | None = None,
    study: Study | None = None,
    pairs: pd.DataFrame | None = None,
    n_resamples: int = 1000,
) -> pd.DataFrame:
    """Return every figure of the paper's validation that can be computed, one row per figure.

    `tau` is a number, a role (`tau_gt` or `tau_best`, computed on this data), or None for the run's
    own. `study` adds the tables of annotations, the paper's figures, and the tables that the paper
    prints at the other role, such as `failures at tau_best`. `pairs` adds Table 4. Columns:

        table, row, column: what the figure is
        paper: the paper's figure; tables that depend on tau have it only at a tau of its role
        recomputed, low, high: the figure of this run with its 95% interval, NaN if undefined

    Raises:
        InputError: no change has pseudo-references, or the run has no such tau.
    """
    is_study = study is not None
    in_use = tau_of_study(run, tau, is_study=is_study)
    figures = _figures_without_tau(run, in_use, study, pairs, n_resamples)
    taus = _taus_by_role(run, is_study=is_study)
    role_in_use = role_of(in_use, taus)
    figures += _figures_at_tau(run, in_use, "", role_in_use or "-", n_resamples)
    for role, role_tau in taus.items() if is_study else ():
        if role != role_in_use:
            figures += _figures_at_tau(run, role_tau, f" at {role}", role, n_resamples)
    return _table_of_figures(figures, has_paper=is_study)


def tables_at_tau(
    run: Run, tau: float, *, is_study: bool = False, n_resamples: int = 1000
) -> pd.DataFrame:
    """Return only the tables of `validity_tables` that depend on tau, at one tau.

    `is_study` adds the paper's figures if `tau` is the tau of a role.

    Raises:
        InputError: no change has pseudo-references.
    """
    role = role_of(tau, _taus_by_role(run, is_study=is_study))
    return _table_of_figures(
        _figures_at_tau(run, tau, "", role or "-", n_resamples), has_paper=is_study
    )


def _figures_without_tau(
    run: Run, tau: float, study: Study | None, pairs: pd.DataFrame | None, n_resamples: int
) -> list[tuple[str, str, Figure]]:
    """Compute the tables that do not depend on tau."""
    reviews = with_pseudo_references(run.reviews)
    bootstrap = bootstrap_of(reviews, n_resamples)
    taus = procedure_taus(reviews, bootstrap, BEST_SYSTEM if study else None)
    named_taus = _named_taus(tau, _taus_by_role(run, is_study=study is not None))
    scored = ScoredReviews(reviews, no_threshold(reviews, count_empty=True), bootstrap)
    rated = run.reviews if study else reviews
    people = {name: ratings(rated, name, with_ground_truth=True) for name in DIMENSIONS}
    from_0_to_1 = (pd.DataFrame(people) - 1) / 4
    tables: dict[str, Iterable[Figure]] = {
        "procedure_taus": ((name, "tau", estimate) for name, estimate in taus.items()),
        "no_threshold": [*_review_level(scored), *_system_level(scored)],
        "human_means_0_to_1": _means(rated, from_0_to_1, bootstrap_of(rated, n_resamples)),
        "thresholds": _thresholds(reviews, named_taus, bootstrap),
    }
    if study is not None:
        alpha = rater_agreement(study, n_resamples)
        tables["claim_quality"] = claim_quality(study, n_resamples)
        tables["krippendorff_alpha_ordinal"] = (
            (name, "alpha", estimate) for name, estimate in alpha.items()
        )
    if pairs is not None:
        tables["matching"] = addressed_agreement(pairs, named_taus, n_resamples)
    return [(name, "", figure) for name, figures in tables.items() for figure in figures]


def _figures_at_tau(
    run: Run, tau: float, suffix: str, by: str, n_resamples: int
) -> list[tuple[str, str, Figure]]:
    """Compute the tables that depend on tau; with a suffix, only those of the paper's `by`."""
    reviews = with_pseudo_references(run.reviews)
    scores = scores_at(reviews, tau, count_empty=True)
    scored = ScoredReviews(reviews, scores, bootstrap_of(reviews, n_resamples))
    tables = {table for table, _, _, role in _paper_figures() if role == by}
    names = [name for name in AT_TAU if not suffix or name in tables]
    return [(f"{name}{suffix}", by, figure) for name in names for figure in AT_TAU[name](scored)]


def _taus_by_role(run: Run, *, is_study: bool) -> dict[str, float]:
    """Return the taus that the procedure gives on this data, by role."""
    reviews = with_pseudo_references(run.reviews)
    taus = procedure_taus(reviews, bootstrap_of(reviews, 2), BEST_SYSTEM if is_study else None)
    return {name: tau.value for name, tau in taus.items() if tau.value is not None}


def tau_of_study(run: Run, tau: float | str | None, *, is_study: bool = True) -> float:
    """Return the tau in use: a number, the tau of a role on this data, or the run's own.

    Raises:
        InputError: it is neither a cosine nor a role that this data has.
    """
    taus = _taus_by_role(run, is_study=is_study)
    if tau is None:
        return run_tau(run.reviews)
    if isinstance(tau, str) and tau in taus:
        return taus[tau]
    return resolve_tau(tau, str(run.settings["encoder"]), str(run.settings["claims"]))


def column_digits(table: str, column: str) -> int:
    """Return the decimals of a table's figures in a column; counts have none."""
    if column.endswith("_above_next"):
        return 3
    return 0 if column in _COUNT_COLUMNS else table_info(table).digits


def table_info(name: str) -> TableInfo:
    """Return the information on a table; its title includes the role, if any."""
    table, at, role = name.partition(" at ")
    return TABLES[table]._replace(title=f"{TABLES[table].title}{at}{role}")


def role_of(tau: float, taus: Mapping[str, float]) -> str | None:
    """Return the role whose tau equals `tau` to three decimals, or None."""
    return next((name for name in ROLES if abs(taus.get(name, 9) - tau) < _TAU_TOLERANCE), None)


def row_title(row: str) -> str:
    """Return a row's title for readers."""
    if row in ROLES:
        return row
    return SYSTEM_TITLES.get(row) or _ROW_TITLES.get(row) or row.replace("_", " ")


def column_title(column: str) -> str:
    """Return a column's title for readers."""
    return _COLUMN_TITLES.get(column) or column.replace("_", " ")


_ROW_TITLES = {"best in sample": "best, in sample", "cross-validated": "best, cross-validated"}
_COLUMN_TITLES = {
    "spearman": "Spearman's rho",
    "kendall": "Kendall's tau-b",
    "spearman_p": "Spearman's p-value",
    "kendall_p": "Kendall's p-value",
    "auc": "area under the ROC curve",
    "people_above_next": "chance to stay above the next, people",
    "relevance_above_next": "chance to stay above the next, relevance",
    "f1": "F1",
    "share_zero": "share of relevance = 0",
    "share_one": "share of relevance = 1",
    "system_spearman": "Spearman's rho of systems",
}


def _table_of_figures(figures: list[tuple[str, str, Figure]], *, has_paper: bool) -> pd.DataFrame:
    """Return figures with the paper's, in the order of `TABLES`."""
    position = {name: number for number, name in enumerate(TABLES)}
    paper_figures, rows = _paper_figures() if has_paper else {}, []
    for table, by, (row, column, estimate) in sorted(
        figures, key=lambda figure: position[_table_name(figure[0])]
    ):
        key = (_table_name(table), row, column)
        paper = paper_figures.get((*key, by), paper_figures.get((*key, "")))  # "": at any tau
        interval = estimate.interval or (None, None)
        rows.append((table, row, column, paper, estimate.value, *interval))
    return pd.DataFrame(rows, columns=COLUMNS).astype(dict.fromkeys(COLUMNS[3:], float))


def agreement_rows(tables: pd.DataFrame, tau: float) -> pd.DataFrame:
    """Return Spearman's correlation of relevance with people: of reviews, then of systems.

    One row for the tau in use, one for each other role of a tau, and one without a threshold.
    `tables` are those of `validity_tables`; the columns `of` and `at` name the rows for people.
    """
    procedure = tables[tables["table"] == "procedure_taus"]
    taus: dict[str, float] = dict(zip(procedure["row"], procedure["recomputed"], strict=True))
    in_use = f"{role_of(tau, taus) or 'tau'} {tau:.3f}"
    titles = {"": in_use, **{role: f"{role} {value:.3f}" for role, value in taus.items()}}
    rows = tables[
        (tables["column"] == "spearman")
        & tables["table"].map(_table_name).isin(["review_level", "system_level", "no_threshold"])
        & tables["row"].isin(["relevance", "systems"])
    ]
    at = rows["table"].map(lambda name: titles[name.partition(" at ")[2]])
    return rows.assign(
        of=rows["row"].replace("relevance", "reviews"),
        at=at.mask(rows["table"] == "no_threshold", "without a threshold"),
    ).sort_values("of", kind="stable")


def _table_name(table: str) -> str:
    """Return the name of a table without its role."""
    return table.partition(" at ")[0]


@cache
def _paper_figures() -> dict[tuple[str, ...], float]:
    """Read the paper's figures by table, row, column, and role or metric."""
    text = files("crscore_eval.validity").joinpath("paper.csv").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    return {tuple(keys): float(figure) for *keys, figure in csv.reader(lines[1:])}


def _named_taus(in_use: float, taus: Mapping[str, float]) -> list[tuple[str, float]]:
    """Return the taus of a grid, of each role, and in use, by increasing tau."""
    name = role_of(in_use, taus) or f"{in_use:.4g}"  # a preset replaces the tau of its role
    by_name = {**{f"{tau:.4g}": tau for tau in _TAUS_SHOWN}, **taus, name: in_use}
    return sorted(by_name.items(), key=lambda name_and_tau: name_and_tau[1])


def _correlation_figures(row: str, figures: Correlation) -> Iterator[Figure]:
    if figures.n:
        yield row, "spearman", figures.spearman
        yield row, "kendall", figures.kendall
        yield row, "spearman_p", Estimate(figures.spearman_p)
        yield row, "kendall_p", Estimate(figures.kendall_p)
        yield row, "n", Estimate(float(figures.n))


def _review_level(scored: ScoredReviews) -> Iterator[Figure]:
    for name in DIMENSIONS:
        people = ratings(scored.reviews, name)
        figures = correlation(scored.reviews, scored.scores[name], people, scored.bootstrap)
        yield from _correlation_figures(name, figures)


def _by_language(scored: ScoredReviews) -> Iterator[Figure]:
    relevance, people = scored.scores["relevance"], ratings(scored.reviews, "relevance")
    for name in scored.reviews["language"].unique():
        in_language = scored.reviews["language"] == name
        figures = correlation(scored.reviews, relevance, people, scored.bootstrap, in_language)
        yield from _correlation_figures(str(name), figures)


def _system_level(scored: ScoredReviews) -> Iterator[Figure]:
    if agreement := system_agreement(scored.reviews, scored.scores["relevance"], scored.bootstrap):
        *_, means, accuracy = agreement
        yield from _correlation_figures("systems", means)
        yield "systems", "soft_pairwise_accuracy", accuracy


def _rankings(scored: ScoredReviews) -> Iterator[Figure]:
    if agreement := system_agreement(scored.reviews, scored.scores["relevance"], scored.bootstrap):
        for by, ranking in zip(("people", "relevance"), agreement[:2], strict=True):
            for ranked in ranking:
                yield ranked.system, by, ranked.rank
                if ranked.above_next is not None:
                    yield ranked.system, f"{by}_above_next", Estimate(ranked.above_next)


def _means(
    reviews: pd.DataFrame, columns: pd.DataFrame, bootstrap: ClusterBootstrap
) -> Iterator[Figure]:
    for name, values in columns.items():
        if values.notna().any():
            means = means_of_systems(reviews, values, bootstrap)
            yield from ((system, str(name), estimate) for system, estimate in means.items())


def _pairwise(scored: ScoredReviews) -> Iterator[Figure]:
    lengths = n_words(scored.reviews)
    columns = scored.scores[list(DIMENSIONS)].assign(words=lengths, constant=lengths * 0)
    for name, values in columns.items():
        people = ratings(scored.reviews, str(name) if name in DIMENSIONS else "relevance")
        accuracy, epsilon, n_pairs = pairwise(scored.reviews, values, people, scored.bootstrap)
        if n_pairs:
            yield str(name), "accuracy", accuracy
            yield str(name), "epsilon", Estimate(epsilon)
            yield str(name), "pairs", Estimate(float(n_pairs))


def _means_by_rating(scored: ScoredReviews) -> Iterator[Figure]:
    """Yield mean scores by people's rating, rounded to a whole number."""
    for name in DIMENSIONS:
        nearest = np.floor(ratings(scored.reviews, name) + 0.5)
        for level in range(1, 6):
            estimate = mean(scored.reviews, scored.scores[name], scored.bootstrap, nearest == level)
            if estimate.value is not None:
                yield name, str(level), estimate


def _failures(scored: ScoredReviews) -> Iterator[Figure]:
    people = ratings(scored.reviews, "relevance").rename("relevance")
    scores = scored.scores["relevance"]
    if people.notna().any():
        failing = failures(scores, people, "paper")
        yield from failure_traits(scored.reviews, scores, people, failing, scored.bootstrap)


def _thresholds(
    reviews: pd.DataFrame, taus: list[tuple[str, float]], bootstrap: ClusterBootstrap
) -> Iterator[Figure]:
    by_tau = sweep(reviews, [tau for _, tau in taus])
    titles = {"spearman_relevance": "spearman", "kendall_relevance": "kendall"}
    rows = by_tau.rename(columns=titles).to_dict("records")
    columns = ("spearman", "kendall", "system_spearman", "share_zero", "share_one")
    for (name, tau), figures in zip(taus, rows, strict=True):
        yield name, "tau", Estimate(tau)
        for column in columns:
            if pd.notna(figures[column]):
                yield name, column, Estimate(float(figures[column]))
    if best := best_tau(reviews, sorted({*GRID, *(tau for _, tau in taus)})):
        yield "best in sample", "tau", Estimate(best[0])
        yield "best in sample", "spearman", Estimate(best[1])
    if held_out := cross_validated_tau(reviews, bootstrap):
        yield "cross-validated", "tau", Estimate(held_out[0])
        yield "cross-validated", "spearman", held_out[1].spearman


AT_TAU: Mapping[str, Callable[[ScoredReviews], Iterator[Figure]]] = {
    "system_level": _system_level,
    "review_level": _review_level,
    "pairwise": _pairwise,
    "metric_means": lambda scored: _means(scored.reviews, scored.scores, scored.bootstrap),
    "review_level_by_language": _by_language,
    "rankings": _rankings,
    "levels": _means_by_rating,
    "failures": _failures,
}
"""The tables that depend on tau."""
