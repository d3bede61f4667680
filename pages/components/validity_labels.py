"""Agreement of scores with labels and ratings, beside the baselines that any score should beat."""

import functools
from collections.abc import Callable
from dataclasses import replace

import streamlit as st

from crscore_core.datasets.labelled import LabelledData, data_of_comparison
from crscore_core.validity.compare import LabelComparison, compare_metrics
from crscore_core.validity.metric_columns import (
    BASELINES,
    CRSCORE,
    MetricColumn,
    Scoring,
    metric_columns,
)
from pages.components.compare_table import show_comparison, show_distribution
from pages.components.names import keep_options
from pages.components.source.load import default_encoder
from pages.components.source.model import Source

_LABEL = "validity_label"
_TABLES_AT_MOST = 8

_Made = tuple[tuple[MetricColumn, ...], LabelComparison]


def show_labels(source: Source, tau: float) -> None:
    """Show one label or rating: agreement with it, and the values of a score by it, at tau.

    Nothing is shown for a source without labels and ratings.
    """
    data, made_at = source.once(_labelled)
    if not data.labels:
        return
    label, *others = data.labels
    if others:
        keep_options(_LABEL, data.labels)
        label = st.selectbox(
            "Label or rating",
            data.labels,
            key=_LABEL,
            bind="query-params",
            help="What people or outcomes say of the reviews: agreement with it is measured.",
            width=320,
        )
    with st.spinner("Resampling changes"):
        columns, table = made_at(label, tau)
    show_comparison(data, table)
    show_distribution(data, columns, table)


def _labelled(source: Source) -> tuple[LabelledData, Callable[[str, float], _Made]]:
    """Return the labelled reviews of a source, and what makes the table of a label at tau."""
    data = data_of_comparison(source.label, source.comparison)
    if source.study is not None:
        data = replace(data, study=source.study.study)

    @functools.lru_cache(_TABLES_AT_MOST)
    def made_at(label: str, tau: float) -> _Made:
        scoring = Scoring(None, default_encoder(), tau)
        columns = tuple(metric_columns(data, (*CRSCORE, *BASELINES), scoring))
        return columns, compare_metrics(data.reviews, columns, label, "rel", source.bootstrap)

    return data, made_at
