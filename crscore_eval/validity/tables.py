"""Validity as one table with a row per figure, computed here and printed in the paper."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from math import nan
from typing import NamedTuple

import pandas as pd

from crscore_eval.data.study import Study
from crscore_eval.statistics import ClusterBootstrap, Correlation, Estimate
from crscore_eval.table import (
    DIMENSIONS,
    Run,
    people_ratings,
    run_tau,
    scores_at,
    scores_without_threshold,
)
from crscore_eval.table.clusters import bootstrap_changes
from crscore_eval.validity.agreement import (
    Numbers,
    TableCell,
    correlation,
    relevance_by_system,
    system_correlation,
    system_means,
    system_ratings,
    with_pseudo_references,
)
from crscore_eval.validity.annotations import claim_quality, matching_figures, rater_agreement
from crscore_eval.validity.failures import failing_reviews, failure_traits
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

Rows = list[tuple[object, ...]]
"""Rows with the columns of `validity_tables` except `paper`."""

_NO_TAU = NamedTau("", nan)
_AGREEMENT = ("review_level", "system_level")
_TAUS_SHOWN = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)


class _Inputs(NamedTuple):
    """The data from which all figures are computed.

    run: the run, without reviews of changes that have no pseudo-references.
    bootstrap: resamples of its changes.
    taus: the taus that the paper's procedure gives on its reviews, by name.
    """

    run: Run
    bootstrap: ClusterBootstrap
    taus: Mapping[str, Estimate]


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
    inputs = _inputs(run, n_resamples, is_study=study is not None)
    in_use = named_tau(run_tau(run.reviews) if tau is None else tau, inputs.taus)
    taus = _taus_shown(in_use, inputs.taus)
    rated = inputs.run if study is None else run
    tables = _tables_without_tau(inputs, taus) | {
        "human_means_0_to_1": _human_means(rated, n_resamples)
    }
    if study is not None:
        tables["claim_quality"] = claim_quality(study, n_resamples)
        tables["krippendorff_alpha_ordinal"] = rater_agreement(study, n_resamples)
    if pairs is not None:
        tables["matching"] = matching_figures(pairs, taus, n_resamples)
    rows = [row for name, figures in tables.items() for row in _rows(name, figures)]
    rows += _rows_at(inputs, in_use, AT_TAU)
    if study is not None:
        rows += _rows_at_other_taus(inputs, in_use)
    return _frame(rows, has_paper=study is not None)


def tables_at_tau(
    run: Run, tau: float, *, is_study: bool = False, n_resamples: int = 1000
) -> pd.DataFrame:
    """Return only the tables of `validity_tables` that depend on tau, at one tau.

    `is_study` adds the paper's figures if `tau` is `tau_gt` or `tau_best`.

    Raises:
        InputError: `tau` is not a finite number.
    """
    inputs = _inputs(run, n_resamples, is_study=is_study)
    return _frame(_rows_at(inputs, named_tau(tau, inputs.taus), AT_TAU), has_paper=is_study)


def agreement_rows(tables: pd.DataFrame) -> pd.DataFrame:
    """Return Spearman's correlation of relevance with people: of reviews, then of systems.

    One row for the tau in use, one for each other of `TAU_NAMES`, and one without a threshold.
    `tables` are those of `validity_tables`; the columns `of` and `at` name the rows for people.
    """
    rows = tables[
        (tables["column"] == "spearman")
        & tables["table"].isin([*_AGREEMENT, "no_threshold"])
        & tables["row"].isin(["relevance", "systems"])
    ]
    names = rows["tau_name"].where(rows["tau_name"].isin(TAU_NAMES), "tau")
    at = names + rows["tau"].map(" {:.3f}".format)
    return rows.assign(
        of=rows["row"].replace("relevance", "reviews"),
        at=at.where(rows["tau"].notna(), "without a threshold"),
    ).sort_values("of", kind="stable")


def _inputs(run: Run, n_resamples: int, *, is_study: bool) -> _Inputs:
    reviews = with_pseudo_references(run.reviews)
    bootstrap = bootstrap_changes(reviews, n_resamples)
    taus = procedure_taus(reviews, bootstrap, BEST_SYSTEM if is_study else None)
    return _Inputs(run._replace(reviews=reviews), bootstrap, taus)


def _tables_without_tau(
    inputs: _Inputs, taus: Sequence[NamedTau]
) -> dict[str, Iterable[TableCell]]:
    """Return the tables of scores that do not depend on the tau in use, by name."""
    reviews, bootstrap = inputs.run.reviews, inputs.bootstrap
    scored = ScoredReviews(
        inputs.run, scores_without_threshold(reviews, count_empty=True), bootstrap
    )
    return {
        "procedure_taus": (TableCell(name, "tau", tau) for name, tau in inputs.taus.items()),
        "no_threshold": chain(_review_level(scored), _system_level(scored)),
        "thresholds": _threshold_figures(reviews, taus),
    }


def _human_means(run: Run, n_resamples: int) -> Iterator[TableCell]:
    """Yield systems' mean ratings, on a scale from 0 to 1."""
    ratings = {name: people_ratings(run.reviews, name) for name in DIMENSIONS}
    from_0_to_1 = (pd.DataFrame(ratings) - 1) / 4
    return _mean_scores(
        ScoredReviews(run, from_0_to_1, bootstrap_changes(run.reviews, n_resamples))
    )


def _rows_at(inputs: _Inputs, tau: NamedTau, names: Iterable[str]) -> Rows:
    """Compute tables of `AT_TAU` at one tau."""
    scores = scores_at(inputs.run.reviews, tau.value, count_empty=True)
    scored = ScoredReviews(inputs.run, scores, inputs.bootstrap)
    return [row for name in names for row in _rows(name, AT_TAU[name](scored), tau)]


def _rows_at_other_taus(inputs: _Inputs, in_use: NamedTau) -> Rows:
    """Compute the tables that the paper prints at `tau_gt` or `tau_best` if that is not in use."""
    paper = paper_figures()
    rows: Rows = []
    for name, estimate in inputs.taus.items():
        if estimate.value is not None and name != in_use.name:
            printed = {*_AGREEMENT, *paper.loc[paper["tau_name"] == name, "table"]}
            tables = [table for table in AT_TAU if table in printed]
            rows += _rows_at(inputs, NamedTau(name, round(estimate.value, 3)), tables)
    return rows


def _rows(name: str, figures: Iterable[TableCell], tau: NamedTau = _NO_TAU) -> Rows:
    return [
        (name, *tau, row, column, estimate.value, *(estimate.interval or (nan, nan)))
        for row, column, estimate in figures
    ]


def _frame(rows: Rows, *, has_paper: bool) -> pd.DataFrame:
    """Return rows as a table in the order of `TABLES`, with the paper's figures if `has_paper`."""
    order = [*TABLES]
    frame = pd.DataFrame(rows, columns=[name for name in COLUMNS if name != "paper"]).sort_values(
        "table", key=lambda names: names.map(order.index), kind="stable", ignore_index=True
    )
    paper = _match_paper_figures(frame) if has_paper else nan
    frame.insert(COLUMNS.index("paper"), "paper", paper)
    return frame.astype(dict.fromkeys(("tau", "paper", "recomputed", "low", "high"), float))


def _match_paper_figures(frame: pd.DataFrame) -> "pd.Series[float]":
    """Return the paper's figure for each row: at the same tau, or else one that names no tau."""
    keys, paper = ["table", "row", "column"], paper_figures()
    at_any_tau = paper.loc[paper["tau_name"] == "", [*keys, "paper"]]
    figures: pd.Series[float] = frame.merge(paper, how="left", on=[*keys, "tau_name"])["paper"]
    return figures.fillna(frame.merge(at_any_tau, how="left", on=keys)["paper"])


def _taus_shown(in_use: NamedTau, taus: Mapping[str, Estimate]) -> list[NamedTau]:
    """Return the taus of a grid, those with a name, and the tau in use, by increasing tau."""
    by_name = {f"{tau:.4g}": tau for tau in _TAUS_SHOWN}
    by_name |= {name: round(tau.value, 3) for name, tau in taus.items() if tau.value is not None}
    by_name[in_use.name] = in_use.value  # a preset replaces the tau of the same name
    return sorted(map(NamedTau._make, by_name.items()), key=lambda tau: tau.value)


class ScoredReviews(NamedTuple):
    """Reviews, their scores at one tau or without a threshold, and resamples of the changes."""

    run: Run
    scores: pd.DataFrame
    bootstrap: ClusterBootstrap

    @property
    def reviews(self) -> pd.DataFrame:
        """The table of reviews, with the index of the scores."""
        return self.run.reviews

    def ratings(self, dimension: str) -> Numbers:
        """Return `system_ratings`, with the index of the scores."""
        return system_ratings(self.reviews, dimension)


def _correlation_figures(row: str, agreement: Correlation) -> Iterator[TableCell]:
    if agreement.n:
        yield TableCell(row, "spearman", agreement.spearman)
        yield TableCell(row, "kendall", agreement.kendall)
        yield TableCell(row, "spearman_p", Estimate(agreement.spearman_p))
        yield TableCell(row, "kendall_p", Estimate(agreement.kendall_p))
        yield TableCell(row, "n", Estimate(float(agreement.n)))


def _review_level(scored: ScoredReviews) -> Iterator[TableCell]:
    """Yield the agreement of each dimension with people, over reviews (Tables 3 and 9)."""
    for name in DIMENSIONS:
        scores, ratings = scored.scores[name], scored.ratings(name)
        agreement = correlation(scored.reviews, scores, ratings, scored.bootstrap)
        yield from _correlation_figures(name, agreement)


def _by_language(scored: ScoredReviews) -> Iterator[TableCell]:
    language, ratings = scored.reviews["language"], scored.ratings("relevance")
    for name in language.unique():
        scores = scored.scores["relevance"].where(language == name)
        agreement = correlation(scored.reviews, scores, ratings, scored.bootstrap)
        yield from _correlation_figures(str(name), agreement)


def _system_level(scored: ScoredReviews) -> Iterator[TableCell]:
    """Yield the agreement of relevance with people, over the means of systems (Table 2)."""
    scores, ratings = relevance_by_system(scored.reviews, scored.scores["relevance"])
    if not scores.empty:
        means = system_correlation(scores, ratings, scored.bootstrap)
        yield from _correlation_figures("systems", means)


def _mean_scores(scored: ScoredReviews) -> Iterator[TableCell]:
    """Yield the mean scores of systems (Table 10)."""
    for name, values in scored.scores.items():
        if values.notna().any():
            means = system_means(scored.reviews, values)
            yield from (
                TableCell(system, str(name), estimate) for system, estimate in means.items()
            )


def _failures(scored: ScoredReviews) -> Iterator[TableCell]:
    ratings = scored.ratings("relevance").rename("relevance")
    scores = scored.scores["relevance"]
    if ratings.notna().any():
        failing = failing_reviews(scores, ratings, "paper")
        yield from failure_traits(scored.run, scores, ratings, failing, scored.bootstrap)


def _threshold_figures(reviews: pd.DataFrame, taus: Sequence[NamedTau]) -> Iterator[TableCell]:
    """Yield the agreement of relevance with people at each tau (Table 18)."""
    by_tau = sweep(reviews, [tau.value for tau in taus])
    titles = {"spearman_relevance": "spearman", "kendall_relevance": "kendall"}
    columns = ["tau", "spearman", "kendall", "system_spearman", "share_zero", "share_one"]
    rows = by_tau.rename(columns=titles)[columns].to_dict("records")
    for tau, figures in zip(taus, rows, strict=True):
        for column, value in figures.items():
            if pd.notna(value):
                yield TableCell(tau.name, str(column), Estimate(float(value)))


AT_TAU: Mapping[str, Callable[[ScoredReviews], Iterator[TableCell]]] = {
    "system_level": _system_level,
    "review_level": _review_level,
    "metric_means": _mean_scores,
    "review_level_by_language": _by_language,
    "failures": _failures,
}
"""The tables that depend on tau."""
