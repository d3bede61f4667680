"""Validity as one JSON object, and as rows of a CSV file."""

import dataclasses
from collections.abc import Iterable, Mapping
from typing import Any

from crscore_core.corpus.model import DIMENSIONS
from crscore_core.corpus.systems import Means
from crscore_core.datasets.study.model import STUDY_LANGUAGES
from crscore_core.text import csv_text
from crscore_core.validity.corpus_validity import CorpusValidity, ScoreAgreement, ValidityAtTau
from crscore_core.validity.figures import FigureTable
from crscore_core.validity.study_validity import StudyValidity
from crscore_eval.statistics import Correlation, Estimate, Interval


def validity_document(
    validity: CorpusValidity, at: ValidityAtTau, tables: Iterable[FigureTable]
) -> dict[str, Any]:
    """All figures, under the keys that other programs rely on, and each table of figures.

    The human study has more keys than other reviews. A figure that the reviews leave undefined
    is null.
    """
    comparison = validity.comparison
    if isinstance(validity, StudyValidity):
        own = _of_study(validity, at)
    else:
        own = {
            "changes": len(comparison.changes),
            "reviews": len(comparison),
            "reviews_rated": {
                name: int(comparison.is_judged_in(name).sum()) for name in DIMENSIONS
            },
            "systems": validity.n_systems,
            "review_level_by_language": {
                language: _correlation(found) for language, found in at.by_language.items()
            },
        }
    return {
        **own,
        "encoder": comparison.encoder,
        "claims": comparison.claims,
        "tau": at.tau,
        "changes_without_pseudo_references": len(comparison.left_out),
        "resamples": validity.n_resamples,
        "review_level": _review_level(at),
        "system_level": _system_level(at),
        "no_threshold": {
            **_review_level(validity.no_threshold),
            "system_level": _system_level(validity.no_threshold),
        },
        "pairwise": {
            name: {
                "accuracy": found.accuracy.value,
                "ci": found.accuracy.ends,
                "epsilon": found.epsilon,
                "pairs": found.pairs,
            }
            for name, found in at.pairwise.items()
        },
        "soft_pairwise_accuracy": {"value": at.soft_pairwise.value, "ci": at.soft_pairwise.ends},
        "human_means_0_to_1": _means(validity.human_means),
        "metric_means": _means(at.metric_means),
        "presets": {
            "tau_best": validity.presets.tau_best.value,
            "tau_gt": validity.presets.tau_gt.value,
        },
        "tables": [_table(table) for table in tables],
    }


def validity_csv(tables: Iterable[FigureTable]) -> str:
    """A line a figure: table, source, figure, paper, here, low and high end of the interval."""
    rows = [
        (table.key, table.source, figure.name, figure.paper, figure.here.value)
        + (_ends(figure.here.interval) or (None, None))
        for table in tables
        for figure in table.figures
    ]
    return csv_text([("table", "source", "figure", "paper", "here", "low", "high"), *rows])


def _of_study(validity: StudyValidity, at: ValidityAtTau) -> dict[str, Any]:
    contents, agreement = validity.contents, validity.rater_agreement
    return {
        "study": {
            "changes": {
                language: contents.languages[language].rated_changes for language in STUDY_LANGUAGES
            },
            "ratings": contents.ratings,
            "ratings_without_ground_truth": contents.ratings_without_ground_truth,
            "pairs": dict(contents.pairs),
        },
        "review_level_by_language": {
            short: _correlation(at.by_language.get(language))
            for short, language in STUDY_LANGUAGES.items()
        },
        "claim_quality": {
            language: {
                field.name: _value(getattr(quality, field.name))
                for field in dataclasses.fields(quality)
            }
            for language, quality in validity.claim_quality.items()
        },
        "krippendorff_alpha_ordinal": {
            name: alpha.value for name, alpha in (agreement.alpha if agreement else {}).items()
        },
        "warnings": list(validity.warnings),
    }


def _review_level(agreement: ScoreAgreement) -> dict[str, dict[str, Any] | None]:
    return {name: _correlation(found) for name, found in agreement.correlations.items()}


def _system_level(agreement: ScoreAgreement) -> dict[str, Any] | None:
    return _correlation(agreement.systems.correlation if agreement.systems else None)


def _correlation(found: Correlation | None) -> dict[str, Any] | None:
    if found is None:
        return None
    return {
        "spearman": found.spearman.value,
        "kendall": found.kendall.value,
        "spearman_ci": _ends(found.spearman.interval),
        "kendall_ci": _ends(found.kendall.interval),
        "spearman_p": found.spearman_p,
        "kendall_p": found.kendall_p,
        "n": found.n,
    }


def _means(means: Means) -> dict[str, dict[str, float | None]]:
    return {
        system: {name: estimate.value for name, estimate in of_system.items()}
        for system, of_system in means.items()
    }


def _table(table: FigureTable) -> Mapping[str, Any]:
    return {
        "table": table.key,
        "title": table.title,
        "source": table.source,
        "figures": [
            {
                "figure": figure.name,
                "paper": figure.paper,
                "here": figure.here.value,
                "ci": _ends(figure.here.interval),
            }
            for figure in table.figures
        ],
    }


def _ends(interval: Interval | None) -> tuple[float, float] | None:
    return None if interval is None else (interval.low, interval.high)


def _value(figure: Estimate | int) -> float | None:
    return figure.value if isinstance(figure, Estimate) else figure
