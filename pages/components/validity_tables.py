"""The paper's tables on the chosen data, in parts, with their charts and files."""

import itertools
import json
from collections.abc import Sequence

import plotly.graph_objects as go
import streamlit as st
from crscore_core.corpus.systems import MOST_SYSTEMS
from crscore_core.validity.corpus_validity import RatedLevels, ValidityAtTau
from crscore_core.validity.document import validity_csv, validity_document
from crscore_core.validity.figures import Figure, FigureTable, validity_tables
from pages.components.source.model import Source

from crscore_eval.statistics import Interval
from pages.components.charts import error_bars, show_chart
from pages.components.controls import two_columns
from pages.components.markup import text_table
from pages.components.offers import offer_file
from pages.components.text import between, escape_markdown, keep_options

_PART = "validity_part"
_PARTS = {
    "Reviews": ("review_level", "no_threshold", "pairwise", "levels", "krippendorff_alpha_ordinal"),
    "Languages": ("review_level_by_language",),
    "Systems": ("system_level", "rankings"),
    "Means": ("human_means_0_to_1", "metric_means"),
    "Taus": ("presets",),
    "Claims": ("claim_quality",),
}
_NOTES = {
    "no_threshold": "Relevance is the harmonic mean of the mean best similarities.",
    "pairwise": "Share of pairs of reviews of one change that a score orders as people do, or "
    "ties where they do. Close scores count as ties, as close as agrees best: no score does worse "
    "than the same score for all reviews.",
    "krippendorff_alpha_ordinal": "How far two people agree who rated the same reviews: no metric "
    "can be expected to agree with them much better.",
    "system_level": "p-values take systems as independent, as the paper's do; the intervals do "
    "not.",
    "rankings": "1 is the best.",
    "human_means_0_to_1": "Ratings from 1 to 5 brought to 0 to 1.",
    "presets": "Mean best similarity of the sentences of the reference reviews (tau_gt) and of "
    "the best system's (tau_best). They belong to the encoder, so the paper's are others.",
    "claim_quality": "What people said of the claims that a language model generated.",
}
_INTERVAL = "95 % interval"
_CONTAINS = "contains the paper's value"
_SMALL = 0.001
_HEIGHT = 380
_MARKS = (("circle", "solid"), ("square", "dash"), ("diamond", "dot"))


def contains(paper: float | None, interval: Interval | None) -> str:
    """Say whether an interval contains the paper's value, by a sign and in words."""
    if paper is None or interval is None:
        return ""
    if paper < interval.low:
        return "✗ paper is lower"
    return "✗ paper is higher" if paper > interval.high else "✓ yes"


def show_tables(source: Source, tau: float) -> None:
    """Show the part of the paper's tables that a person chooses, and offer all of them as files."""
    validity = source.validity
    at = validity.at(tau)
    is_rated = bool(validity.rated_dimensions)
    has = {
        "Reviews": is_rated,
        "Languages": is_rated,
        "Systems": at.systems is not None,
        "Taus": source.study is not None,
        "Claims": source.study is not None,
    }
    parts = [part for part in _PARTS if has.get(part, True)]
    keep_options(_PART, parts)
    st.header("The paper's tables", anchor=False)
    with st.container(horizontal=True):
        part = st.segmented_control(
            "Part", parts, key=_PART, bind="query-params", label_visibility="collapsed"
        )
        offer_file(
            "All tables as CSV",
            lambda: validity_csv(validity_tables(validity, at)),
            "crscore-validity.csv",
        )
        offer_file(
            "All tables as JSON",
            lambda: json.dumps(
                validity_document(validity, at, validity_tables(validity, at)),
                indent=2,
                ensure_ascii=False,
                allow_nan=False,
            ),
            "crscore-validity.json",
        )
    if part is not None:
        _show_part(part, source, at)


def _show_part(part: str, source: Source, at: ValidityAtTau) -> None:
    validity = source.validity
    if part == "Reviews":
        _levels_chart(at.levels)
    elif part in ("Systems", "Means") and validity.n_systems > MOST_SYSTEMS:
        st.caption(
            f"The {MOST_SYSTEMS} systems with most reviews; there are {validity.n_systems:,}."
        )
    tables = {table.key: table for table in validity_tables(validity, at) if table.figures}
    columns = itertools.cycle(two_columns())
    for key, column in zip(filter(tables.__contains__, _PARTS[part]), columns, strict=False):
        table = tables[key]
        with column:
            st.subheader(table.title, anchor=False)
            where = f"In the paper: {table.source}. " if table.source else ""
            if where or key in _NOTES:
                st.caption(where + _NOTES.get(key, ""))
            text_table(figure_rows(table), wide=(_INTERVAL,))
    for warning in source.study.warnings if source.study else ():
        st.caption(escape_markdown(warning))


def figure_rows(table: FigureTable) -> list[dict[str, object]]:
    """Return the rows of a table; without the paper's columns where the paper prints no figure."""
    rows = [_row(figure, table.digits) for figure in table.figures]
    if all(figure.paper is None for figure in table.figures):
        for row in rows:
            del row["paper"], row[_CONTAINS]
    return rows


def _row(figure: Figure, digits: int) -> dict[str, object]:
    whole = figure.is_count or digits <= 1  # the interval of a rank has whole ends
    return {
        "figure": figure.name,
        "paper": _number(figure.paper, is_whole=whole),
        "here": _number(figure.here.value, is_whole=whole),
        _INTERVAL: between(figure.here.interval, 0 if whole else 3, nothing=""),
        _CONTAINS: contains(figure.paper, figure.here.interval),
    }


def _number(value: float | None, *, is_whole: bool) -> float | int | str | None:
    if value is None:
        return None
    if is_whole:
        return round(value) if value == round(value) else f"{value:.1f}"  # equal ranks share one
    return f"{value:.1e}" if 0 < abs(value) < _SMALL else float(value)


def _levels_chart(levels: Sequence[RatedLevels]) -> None:
    """Draw the mean score at each of people's ratings (Figure 8)."""
    figure = go.Figure()
    words = []
    for rated, (symbol, dash) in zip(levels, _MARKS, strict=True):
        known = [level for level in rated.levels if level.mean.value is not None]
        means = ", ".join(f"{level.mean.value:.3f} where rated {level.level}" for level in known)
        words.append(f"Mean {rated.dimension}: {means or 'nobody rated it'}")
        if known:
            figure.add_scatter(
                x=[level.level for level in known],
                y=[level.mean.value for level in known],
                error_y=error_bars([level.mean for level in known]),
                customdata=[level.reviews for level in known],
                hovertemplate="rated %{x}: %{y:.3f} (%{customdata} reviews)",
                mode="lines+markers",
                marker={"symbol": symbol, "size": 9},
                line={"dash": dash},
                name=rated.dimension.capitalize(),
            )
    figure.update_layout(height=_HEIGHT, hovermode="x", legend={"orientation": "h", "y": 1.12})
    figure.update_xaxes(title="People's rating", dtick=1, range=[0.7, 5.3])
    figure.update_yaxes(title="Mean score", rangemode="tozero")
    show_chart(figure, "validity_levels", "; ".join(words))
    st.caption(
        "Mean of the reviews that people gave each rating, in the same dimension, with 95 % "
        "intervals; the paper's Figure 8. A metric that measures what people mean rises at each "
        "level."
    )
