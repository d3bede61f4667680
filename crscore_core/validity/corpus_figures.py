"""The validity of any corpus as tables of figures and as documents, as the study has them."""

from collections.abc import Iterable, Iterator
from typing import Any

from crscore_core.corpus.model import DIMENSIONS
from crscore_core.corpus.systems import Means
from crscore_core.statistics import Estimate
from crscore_core.validity.corpus_validity import CorpusValidity, CorpusValidityAtTau
from crscore_core.validity.correlations import Correlation
from crscore_core.validity.document import table_document
from crscore_core.validity.figures import Figure, FigureTable

__all__ = ["corpus_document", "corpus_tables"]


def corpus_tables(validity: CorpusValidity, at: CorpusValidityAtTau) -> tuple[FigureTable, ...]:
    """Every table that the reviews give: where people rated none, the metric's means alone.

    The paper has no figure for them.
    """
    means = _table("metric_means", "Means of systems, metric", _means(at.metric_means))
    if not validity.rated_dimensions:
        return (means,)
    by_language = (
        figure
        for language, found in at.by_language.items()
        for figure in _correlation(language or "language unknown", found)
    )
    tables = (
        _table("review_level", "Agreement review by review", _agreement(at)),
        _table("review_level_by_language", "Agreement of Rel by language", by_language),
        _table("system_level", "Order of systems, Rel with people", _system_level(at)),
        _table("human_means_0_to_1", "Means of systems, people", _means(validity.human_means)),
        means,
        _table("rankings", "Ranks of systems", _rankings(at), 1),
        _table("levels", "Mean score by people's rating", _levels(at)),
    )
    return tuple(table for table in tables if table.figures)


def corpus_document(
    validity: CorpusValidity, at: CorpusValidityAtTau, tables: Iterable[FigureTable]
) -> dict[str, Any]:
    """The tables as one JSON object, and what they were computed from.

    A figure that the reviews leave undefined is null.
    """
    comparison = validity.comparison
    return {
        "encoder": comparison.encoder,
        "claims": comparison.claims,
        "tau": at.tau,
        "changes": len(comparison.changes),
        "changes_without_pseudo_references": len(comparison.left_out),
        "reviews": len(comparison.reviews),
        "reviews_rated": {name: int(comparison.is_judged_in(name).sum()) for name in DIMENSIONS},
        "systems": validity.n_systems,
        "resamples": validity.n_resamples,
        "tables": [table_document(table) for table in tables],
    }


def _table(key: str, title: str, figures: Iterable[Figure], digits: int = 4) -> FigureTable:
    return FigureTable(key, title, "", tuple(figures), digits)


def _agreement(at: CorpusValidityAtTau) -> Iterator[Figure]:
    for name, found in at.correlations.items():
        yield from _correlation(name, found)


def _correlation(of: str, found: Correlation | None) -> Iterator[Figure]:
    if found is not None:
        yield Figure(f"reviews, {of}", None, Estimate(float(found.n), None), is_count=True)
        yield Figure(f"spearman, {of}", None, found.spearman)
        yield Figure(f"kendall, {of}", None, found.kendall)


def _system_level(at: CorpusValidityAtTau) -> Iterator[Figure]:
    if at.systems is not None:
        found = at.systems.correlation
        count = Estimate(float(found.observed.n), None)
        yield Figure("systems", None, count, is_count=True)
        spearman = Estimate(found.observed.spearman, found.spearman_interval)
        yield Figure("spearman", None, spearman)
        yield Figure("kendall", None, Estimate(found.observed.kendall, found.kendall_interval))


def _means(means: Means) -> Iterator[Figure]:
    """A name begins with words of ours, as a spreadsheet takes `=…` for a formula."""
    for system, of_system in means.items():
        for name in DIMENSIONS:
            if of_system[name].value is not None:
                yield Figure(f"{name} of {system}", None, of_system[name])


def _rankings(at: CorpusValidityAtTau) -> Iterator[Figure]:
    if at.systems is not None:
        for by, ranking in (("people", at.systems.people), ("Rel", at.systems.metric)):
            for one in ranking.systems:
                rank = Estimate(one.rank, one.rank_interval)
                yield Figure(f"rank by {by} of {one.system}", None, rank)


def _levels(at: CorpusValidityAtTau) -> Iterator[Figure]:
    for rated in at.levels:
        for level in rated.levels:
            if level.reviews:
                yield Figure(f"{rated.dimension} where rated {level.level}", None, level.mean)
