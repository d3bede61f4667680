"""Validity as one JSON object, and as rows of a CSV file."""

import csv
import dataclasses
import io
from collections.abc import Iterable, Mapping
from typing import Any

from crscore_core.datasets.study.model import STUDY_LANGUAGES
from crscore_core.statistics import Estimate, Interval
from crscore_core.validity.correlations import Correlation
from crscore_core.validity.figures import FigureTable
from crscore_core.validity.study_validity import StudyValidity, ValidityAtTau
from crscore_core.validity.systems import Means

__all__ = ["table_document", "validity_csv", "validity_document"]


def validity_document(
    validity: StudyValidity, at: ValidityAtTau, tables: Iterable[FigureTable]
) -> dict[str, Any]:
    """Everything, under the keys that other programs rely on, and each table of figures.

    A figure that the study leaves undefined is null.
    """
    contents, observed = validity.contents, at.systems.correlation.observed
    agreement = validity.rater_agreement
    return {
        "study": {
            "changes": {
                language: contents.languages[language].rated_changes for language in STUDY_LANGUAGES
            },
            "ratings": contents.ratings,
            "ratings_without_ground_truth": contents.ratings_without_ground_truth,
            "pairs": {
                "addressed": contents.addressed_pairs,
                "not_addressed": contents.not_addressed_pairs,
            },
        },
        "encoder": validity.comparison.encoder,
        "claims": validity.comparison.claims,
        "tau": at.tau,
        "changes_without_pseudo_references": len(validity.comparison.left_out),
        "resamples": validity.n_resamples,
        "review_level": {name: _correlation(found) for name, found in at.correlations.items()},
        "review_level_by_language": {
            short: _correlation(at.by_language.get(language))
            for short, language in STUDY_LANGUAGES.items()
        },
        "system_level": {
            **dataclasses.asdict(observed),
            "spearman_ci": _ends(at.systems.correlation.spearman_interval),
            "kendall_ci": _ends(at.systems.correlation.kendall_interval),
        },
        "calibrated": _correlation(validity.calibrated),
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
        "human_means_0_to_1": _means(validity.human_means),
        "metric_means": _means(at.metric_means),
        "presets": {
            "tau_best": validity.presets.tau_best.value,
            "tau_gt": validity.presets.tau_gt.value,
        },
        "warnings": list(validity.warnings),
        "tables": [table_document(table) for table in tables],
    }


def validity_csv(tables: Iterable[FigureTable]) -> str:
    """A line a figure: table, source, figure, paper, here, low and high end of the interval."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(["table", "source", "figure", "paper", "here", "low", "high"])
    for table in tables:
        for figure in table.figures:
            low, high = _ends(figure.here.interval) or (None, None)
            writer.writerow(
                [table.key, table.source, figure.name, figure.paper, figure.here.value, low, high]
            )
    return text.getvalue()


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


def table_document(table: FigureTable) -> Mapping[str, Any]:
    """One table: its figures, the paper's beside them, and their intervals."""
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
