"""Tables, charts and downloads of the page Validity."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import plotly.graph_objects as go
import streamlit as st

from crscore_core.validity.corpus_validity import RatedLevels
from crscore_core.validity.distribution import Histogram
from crscore_core.validity.document import validity_csv
from crscore_core.validity.figures import Figure, FigureTable
from pages.components.charts import error_bars, show_chart
from pages.components.markup import text_table
from pages.components.names import between, number
from pages.components.offers import offer_file

PAIRWISE_NOTE = (
    "Share of pairs of reviews of one change that a score orders as people do, or ties where they "
    "do. Close scores count as ties, as close as agrees best: no score does worse than the same "
    "score for all reviews."
)

_SMALL = 0.001
_HEIGHT = 380
_GREY = "#808495"  # can be seen on both themes
_MARKS = (("circle", "solid"), ("square", "dash"), ("diamond", "dot"))
_RISES = {
    True: "✓ rises at each level",
    False: "✗ does not rise at each level",
    None: "cannot be said to rise or fall, as all ratings are of one level",
}


def show_figures(table: FigureTable, note: str = "") -> None:
    """Show a table under its title; show nothing for a table without figures."""
    if not table.figures:
        return
    st.header(table.title, anchor=False)
    where = f"In the paper: {table.source}. " if table.source else ""
    if where or note:
        st.caption(f"{where}{note}")
    text_table(figure_rows(table), wide=())


def with_no_threshold(tables: Mapping[str, FigureTable], key: str) -> FigureTable:
    """Return a table of agreement at tau, with the figures of relevance without a threshold."""
    table = tables[key]
    start = "systems: " if key == "system_level" else "relevance: "
    added = (
        replace(figure, name=f"{figure.name.removeprefix('systems: ')}, without a threshold")
        for figure in tables["no_threshold"].figures
        if figure.name.startswith(start)
    )
    return replace(table, figures=(*table.figures, *added))


def figure_rows(table: FigureTable) -> list[dict[str, object]]:
    """Return the rows of a table; without the paper's columns where the paper prints no figure."""
    rows = [_row(figure, table.digits) for figure in table.figures]
    if all(figure.paper is None for figure in table.figures):
        for row in rows:
            del row["paper"], row["holds the paper's"]
    return rows


def _row(figure: Figure, digits: int) -> dict[str, object]:
    whole = figure.is_count or digits <= 1  # the interval of a rank has whole ends
    return {
        "figure": figure.name,
        "paper": _number(figure.paper, is_whole=whole),
        "here": _number(figure.here.value, is_whole=whole),
        "95 % interval": between(figure.here.interval, 0 if whole else 3, nothing=""),
        "holds the paper's": _holds(figure),
    }


def _holds(figure: Figure) -> str:
    """Say whether our interval holds the paper's figure, in words and by a sign."""
    paper, interval = figure.paper, figure.here.interval
    if paper is None or interval is None:
        return ""
    if paper < interval.low:
        return "✗ paper is lower"
    return "✗ paper is higher" if paper > interval.high else "✓ yes"


def _number(value: float | None, *, is_whole: bool) -> float | int | str | None:
    if value is None:
        return None
    if is_whole:
        return round(value) if value == round(value) else f"{value:.1f}"  # equal ranks share one
    return f"{value:.1e}" if 0 < abs(value) < _SMALL else float(value)


def show_levels(levels: Sequence[RatedLevels]) -> None:
    """Show the mean score at each of people's ratings (Figure 8), and whether it rises."""
    rated = [dimension for dimension in levels if any(level.reviews for level in dimension.levels)]
    st.header("Score by people's rating", anchor=False)
    st.caption(
        "Mean of the reviews that people gave each rating, in the same dimension, with 95 % "
        "intervals; the paper's Figure 8. A metric that measures what people mean rises at each "
        "level."
    )
    _levels_chart(levels)
    for dimension in rated:
        st.markdown(f"**{dimension.dimension.capitalize()}:** {_RISES[dimension.is_monotone]}.")
    with st.expander("The same as a table"):
        text_table(
            [
                {
                    "dimension": dimension.dimension,
                    "rated": level.level,
                    "reviews": level.reviews,
                    "mean score": level.mean.value,
                    "95 % interval": between(level.mean.interval, nothing=""),
                }
                for dimension in rated
                for level in dimension.levels
            ],
            wide=(),
        )


def _levels_chart(levels: Sequence[RatedLevels]) -> None:
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


def show_spread(histogram: Histogram | None, tau: float) -> None:
    """Show all similarities as a histogram (Figure 5), folded; None shows nothing."""
    if histogram is None:
        return
    with st.expander("Spread of similarities"):
        _histogram(histogram, tau)


def _histogram(histogram: Histogram, tau: float) -> None:
    st.caption(
        f"{histogram.pairs:,} pairs of a review sentence and a pseudo-reference of its change "
        "(at most 100,000, drawn at random); the paper's Figure 5. Pairs above tau match."
    )
    edges = histogram.edges
    figure = go.Figure(
        go.Bar(
            x=((edges[:-1] + edges[1:]) / 2).tolist(),
            y=histogram.counts.tolist(),
            width=(edges[1:] - edges[:-1]).tolist(),
            hovertemplate="about %{x:.2f}: %{y:,} pairs<extra></extra>",
        )
    )
    figure.add_vline(tau, line_dash="dash", line_color=_GREY, annotation_text=f"tau {tau:.3f}")
    figure.update_layout(height=_HEIGHT, showlegend=False, bargap=0)
    figure.update_xaxes(title="Similarity")
    figure.update_yaxes(title="Pairs")
    above = int(histogram.counts[edges[:-1] >= tau].sum())
    show_chart(
        figure,
        "validity_histogram",
        f"Histogram of {histogram.pairs:,} similarities from {edges[0]:.2f} to "
        f"{edges[-1]:.2f}, mean {histogram.mean:.3f}; {above:,} are in bins that begin above "
        f"tau {tau:.3f}",
    )
    st.caption(
        f"Mean {histogram.mean:.3f}, standard deviation {number(histogram.standard_deviation)}, "
        f"skewness {number(histogram.skewness)} (above 0: high values reach further from the "
        "mean than low ones)."
    )


def show_downloads(
    tables: Iterable[FigureTable], document: Callable[[], Mapping[str, Any]]
) -> None:
    """Offer all tables, at this tau; a file is made when somebody asks for it."""
    st.header("Download", anchor=False)
    with st.container(horizontal=True):
        offer_file("All tables as CSV", lambda: validity_csv(tables), "crscore-validity.csv")
        offer_file(
            "All tables as JSON",
            lambda: json.dumps(document(), indent=2, ensure_ascii=False, allow_nan=False),
            "crscore-validity.json",
        )
