"""Validity as one tidy frame: every figure, next to the one that the paper prints."""

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
    scored,
    systems_by_both,
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
"""Row, column, and what was computed here."""

ROLES = ("tau_gt", "tau_best")
"""Roles of thresholds in the paper: the ground truth's and the best system's (section 3.3)."""

COLUMNS = ["table", "row", "column", "paper", "here", "low", "high"]

BEST_SYSTEM = "gpt3.5"
"""The system of the study that people rate best; tau_best is made of its reviews."""

_GRID = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
_COUNTS = frozenset({"claims", "n", "pairs", "reviews"})
_SAME_TAU = 0.0005
"""Presets of encoders are rounded to three decimals."""


class TableInfo(NamedTuple):
    """A table for people: its title, its place in the paper ("" if none), decimals of figures."""

    title: str
    source: str
    digits: int = 3


TABLES: Mapping[str, TableInfo] = {
    "claim_quality": TableInfo(
        "Quality of the study's own claims, in percent", "Table 1 and section 5.1", 2
    ),
    "procedure_taus": TableInfo("Thresholds that the procedure gives here", "section 3.3"),
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
"""The tables in the order of the paper. Those at a role are named `<table> at <role>`."""


class View(NamedTuple):
    """Scores of reviews by one definition, and the resamples for their intervals."""

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
    """Return every figure of the paper's validation that a run gives, one row per figure.

    Columns: table, row, column, paper (the paper's figure), here, low, high (the 95% interval);
    NaN if there is none. Tables that depend on tau are at the tau in use: a number, `tau_gt` or
    `tau_best` as the procedure gives them on this data, or None for the run's own. The paper's
    figure stands there if that is a tau of the same role. Figures that the paper prints at a role
    that is not in use stand in tables of their own, such as `failures at tau_best`.

    `study` adds the annotators' work and the paper's figures, `pairs` Table 4; see
    `data.shipped`. Without them there is what the run's ratings allow.

    Raises:
        InputError: no change has pseudo-references, or the run has no such tau.
    """
    in_use = tau_of_study(run, tau, is_study=study is not None)
    figures = _fixed(run, in_use, study, pairs, n_resamples)
    taus = _roles(run, is_study=study is not None)
    role_in_use = role_of(in_use, taus)
    figures += _at(run, in_use, "", role_in_use or "-", n_resamples)
    for role, role_tau in taus.items() if study is not None else ():
        if role != role_in_use:
            figures += _at(run, role_tau, f" at {role}", role, n_resamples)
    return _frame(figures, has_paper=study is not None)


def tables_at_tau(
    run: Run, tau: float, *, is_study: bool = False, n_resamples: int = 1000
) -> pd.DataFrame:
    """Return only the tables of `validity_tables` that depend on tau, at one tau.

    `is_study` adds the paper's figures, if tau is that of a role.

    Raises:
        InputError: no change has pseudo-references.
    """
    role = role_of(tau, _roles(run, is_study=is_study))
    return _frame(_at(run, tau, "", role or "-", n_resamples), has_paper=is_study)


def _fixed(
    run: Run, tau: float, study: Study | None, pairs: pd.DataFrame | None, n_resamples: int
) -> list[tuple[str, str, Figure]]:
    """Compute the tables that do not depend on tau."""
    reviews = scored(run.reviews)
    bootstrap = bootstrap_of(reviews, n_resamples)
    taus = procedure_taus(reviews, bootstrap, BEST_SYSTEM if study else None)
    named = _named_taus(tau, _roles(run, is_study=study is not None))
    plain = View(reviews, no_threshold(reviews, count_empty=True), bootstrap)
    rated = run.reviews if study else reviews
    people = {name: ratings(rated, name, with_ground_truth=True) for name in DIMENSIONS}
    by_people = (pd.DataFrame(people) - 1) / 4
    tables: dict[str, Iterable[Figure]] = {
        "procedure_taus": ((name, "tau", estimate) for name, estimate in taus.items()),
        "no_threshold": [*_review_level(plain), *_system_level(plain)],
        "human_means_0_to_1": _means(rated, by_people, bootstrap_of(rated, n_resamples)),
        "thresholds": _thresholds(reviews, named, bootstrap),
    }
    if study is not None:
        alpha = rater_agreement(study, n_resamples)
        tables["claim_quality"] = claim_quality(study, n_resamples)
        tables["krippendorff_alpha_ordinal"] = (
            (name, "alpha", estimate) for name, estimate in alpha.items()
        )
    if pairs is not None:
        tables["matching"] = addressed_agreement(pairs, named, n_resamples)
    return [(name, "", figure) for name, figures in tables.items() for figure in figures]


def _at(
    run: Run, tau: float, suffix: str, by: str, n_resamples: int
) -> list[tuple[str, str, Figure]]:
    """Compute the tables that depend on tau; with a suffix those that the paper prints for `by`."""
    reviews = scored(run.reviews)
    scores = scores_at(reviews, tau, count_empty=True)
    view = View(reviews, scores, bootstrap_of(reviews, n_resamples))
    printed = {table for table, _, _, role in _paper() if role == by}
    names = [name for name in AT_TAU if not suffix or name in printed]
    return [(f"{name}{suffix}", by, figure) for name in names for figure in AT_TAU[name](view)]


def _roles(run: Run, *, is_study: bool) -> dict[str, float]:
    """Return the taus that the procedure gives on this data, by role."""
    reviews = scored(run.reviews)
    taus = procedure_taus(reviews, bootstrap_of(reviews, 2), BEST_SYSTEM if is_study else None)
    return {name: tau.value for name, tau in taus.items() if tau.value is not None}


def tau_of_study(run: Run, tau: float | str | None, *, is_study: bool = True) -> float:
    """Return the tau in use: a number, that of a role on this data, or the run's own.

    Raises:
        InputError: it is neither a cosine nor a role that this data has.
    """
    taus = _roles(run, is_study=is_study)
    if tau is None:
        return run_tau(run.reviews)
    if isinstance(tau, str) and tau in taus:
        return taus[tau]
    return resolve_tau(tau, str(run.settings["encoder"]), str(run.settings["claims"]))


def column_digits(table: str, column: str) -> int:
    """Return the decimals of a table's figures in a column; counts have none."""
    if column.endswith("_above_next"):
        return 3
    return 0 if column in _COUNTS else table_info(table).digits


def table_info(name: str) -> TableInfo:
    """Return a table of the frame for people; the title of one at a role says so."""
    info = TABLES[_key(name)]
    return info._replace(title=f"{info.title}{name.removeprefix(_key(name))}")


def role_of(tau: float, taus: Mapping[str, float]) -> str | None:
    """Return the role of which a tau is, to three decimals; None if of neither."""
    return next((name for name in ROLES if abs(taus.get(name, 9) - tau) < _SAME_TAU), None)


def row_title(row: str) -> str:
    """Return a row's name for people."""
    if row in ROLES:
        return row
    return SYSTEM_TITLES.get(row) or _ROW_TITLES.get(row) or row.replace("_", " ")


def column_title(column: str) -> str:
    """Return a column's name for people."""
    return _COLUMN_TITLES.get(column) or column.replace("_", " ")


_ROW_TITLES = {
    "best in sample": "best, in sample",
    "cross-validated": "best, cross-validated",
}
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


def _frame(figures: list[tuple[str, str, Figure]], *, has_paper: bool) -> pd.DataFrame:
    """Put figures next to the paper's, in the order of `TABLES`."""
    place = {name: number for number, name in enumerate(TABLES)}
    printed, rows = _paper() if has_paper else {}, []
    for table, by, (row, column, estimate) in sorted(
        figures, key=lambda figure: place[_key(figure[0])]
    ):
        key = (_key(table), row, column)
        paper = printed.get((*key, by), printed.get((*key, "")))  # of any tau: belongs to nothing
        ends = estimate.interval or (None, None)
        rows.append((table, row, column, paper, estimate.value, *ends))
    return pd.DataFrame(rows, columns=COLUMNS).astype(dict.fromkeys(COLUMNS[3:], float))


def agreement_rows(tables: pd.DataFrame, tau: float) -> pd.DataFrame:
    """Return Spearman's correlation of relevance with people: of reviews, then of systems.

    One row for the tau in use, one for each other role of a tau, and one without a threshold.
    `tables` are those of `validity_tables`; the columns `of` and `at` name the rows for people.
    """
    procedure = tables[tables["table"] == "procedure_taus"]
    taus: dict[str, float] = dict(zip(procedure["row"], procedure["here"], strict=True))
    in_use = f"{role_of(tau, taus) or 'tau'} {tau:.3f}"
    titles = {"": in_use, **{role: f"{role} {value:.3f}" for role, value in taus.items()}}
    rows = tables[
        (tables["column"] == "spearman")
        & tables["table"].map(_key).isin(["review_level", "system_level", "no_threshold"])
        & tables["row"].isin(["relevance", "systems"])
    ]
    at = rows["table"].map(lambda name: titles[name.partition(" at ")[2]])
    return rows.assign(
        of=rows["row"].replace("relevance", "reviews"),
        at=at.mask(rows["table"] == "no_threshold", "without a threshold"),
    ).sort_values("of", kind="stable")


def _key(table: str) -> str:
    """Return the name of a table without the role that it is at."""
    return table.partition(" at ")[0]


@cache
def _paper() -> dict[tuple[str, ...], float]:
    """Read the paper's figures, by table, row, column and what they belong to."""
    text = files("crscore_eval.validity").joinpath("paper.csv").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    return {tuple(keys): float(figure) for *keys, figure in csv.reader(lines[1:])}


def _named_taus(in_use: float, taus: Mapping[str, float]) -> list[tuple[str, float]]:
    """Return a grid of thresholds, those of this data, and the one in use if it is neither."""
    name = role_of(in_use, taus) or f"{in_use:.4g}"  # a preset stands for its role
    named = {**{f"{tau:.4g}": tau for tau in _GRID}, **taus, name: in_use}
    return sorted(named.items(), key=lambda name_and_tau: name_and_tau[1])


def _correlation(row: str, figures: Correlation) -> Iterator[Figure]:
    if figures.n:
        yield row, "spearman", figures.spearman
        yield row, "kendall", figures.kendall
        yield row, "spearman_p", Estimate(figures.spearman_p)
        yield row, "kendall_p", Estimate(figures.kendall_p)
        yield row, "n", Estimate(float(figures.n))


def _review_level(view: View) -> Iterator[Figure]:
    for name in DIMENSIONS:
        people = ratings(view.reviews, name)
        figures = correlation(view.reviews, view.scores[name], people, view.bootstrap)
        yield from _correlation(name, figures)


def _by_language(view: View) -> Iterator[Figure]:
    relevance, people = view.scores["relevance"], ratings(view.reviews, "relevance")
    for name in view.reviews["language"].unique():
        is_in_it = view.reviews["language"] == name
        figures = correlation(view.reviews, relevance, people, view.bootstrap, is_in_it)
        yield from _correlation(str(name), figures)


def _system_level(view: View) -> Iterator[Figure]:
    if systems := systems_by_both(view.reviews, view.scores["relevance"], view.bootstrap):
        yield from _correlation("systems", systems[2])
        yield "systems", "soft_pairwise_accuracy", systems[3]


def _rankings(view: View) -> Iterator[Figure]:
    if systems := systems_by_both(view.reviews, view.scores["relevance"], view.bootstrap):
        for by, ranking in (("people", systems[0]), ("relevance", systems[1])):
            for ranked in ranking:
                yield ranked.system, by, ranked.rank
                if ranked.above_next is not None:
                    yield ranked.system, f"{by}_above_next", Estimate(ranked.above_next)


def _means(
    reviews: pd.DataFrame,
    columns: pd.DataFrame,
    bootstrap: ClusterBootstrap,
) -> Iterator[Figure]:
    for name, values in columns.items():
        if values.notna().any():
            means = means_of_systems(reviews, values, bootstrap)
            yield from ((system, str(name), estimate) for system, estimate in means.items())


def _pairwise(view: View) -> Iterator[Figure]:
    lengths = n_words(view.reviews)
    columns = view.scores[list(DIMENSIONS)].assign(words=lengths, constant=lengths * 0)
    for name, values in columns.items():
        people = ratings(view.reviews, str(name) if name in DIMENSIONS else "relevance")
        accuracy, epsilon, n_pairs = pairwise(view.reviews, values, people, view.bootstrap)
        if n_pairs:
            yield str(name), "accuracy", accuracy
            yield str(name), "epsilon", Estimate(epsilon)
            yield str(name), "pairs", Estimate(float(n_pairs))


def _levels(view: View) -> Iterator[Figure]:
    """Yield mean scores by level of people's rating; one between two counts for the nearer."""
    for name in DIMENSIONS:
        nearest = np.floor(ratings(view.reviews, name) + 0.5)
        for level in range(1, 6):
            at_level = mean(view.reviews, view.scores[name], view.bootstrap, nearest == level)
            if at_level.value is not None:
                yield name, str(level), at_level


def _failures(view: View) -> Iterator[Figure]:
    people = ratings(view.reviews, "relevance").rename("relevance")
    scores = view.scores["relevance"]
    if people.notna().any():
        failing = failures(scores, people, "paper")
        yield from failure_traits(view.reviews, scores, people, failing, view.bootstrap)


def _thresholds(
    reviews: pd.DataFrame, taus: list[tuple[str, float]], bootstrap: ClusterBootstrap
) -> Iterator[Figure]:
    swept = sweep(reviews, [tau for _, tau in taus])
    swept = swept.rename(columns={"spearman_relevance": "spearman", "kendall_relevance": "kendall"})
    columns = ("spearman", "kendall", "system_spearman", "share_zero", "share_one")
    for (name, tau), figures in zip(taus, swept.to_dict("records"), strict=True):
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


AT_TAU: Mapping[str, Callable[[View], Iterator[Figure]]] = {
    "system_level": _system_level,
    "review_level": _review_level,
    "pairwise": _pairwise,
    "metric_means": lambda view: _means(view.reviews, view.scores, view.bootstrap),
    "review_level_by_language": _by_language,
    "rankings": _rankings,
    "levels": _levels,
    "failures": _failures,
}
"""The tables that depend on tau."""
