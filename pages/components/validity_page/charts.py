"""The page's charts, made of what the core computed."""

from collections.abc import Sequence

import plotly.graph_objects as go

from crscore_core.validity.distribution import Histogram, NormalPlot
from crscore_core.validity.monotonicity import RatedLevels
from pages.components.charts import error_bars, show_chart

__all__ = ["show_histogram", "show_levels", "show_normal_plot"]

_HEIGHT = 380
_GREY = "#808495"  # can be seen on both themes
_SYMBOLS = ("circle", "square", "diamond")
_DASHES = ("solid", "dash", "dot")


def show_levels(levels: Sequence[RatedLevels]) -> None:
    """Mean scores at each level of people's ratings, with intervals (Figure 8)."""
    figure = go.Figure()
    for rated, symbol, dash in zip(levels, _SYMBOLS, _DASHES, strict=True):
        known = [one for one in rated.levels if one.mean.value is not None]
        if known:
            figure.add_scatter(
                x=[one.level for one in known],
                y=[one.mean.value for one in known],
                error_y=error_bars([one.mean for one in known]),
                customdata=[one.reviews for one in known],
                hovertemplate="rated %{x}: %{y:.3f} (%{customdata} reviews)",
                mode="lines+markers",
                marker={"symbol": symbol, "size": 9},
                line={"dash": dash},
                name=rated.dimension.capitalize(),
            )
    figure.update_layout(height=_HEIGHT, hovermode="x", legend={"orientation": "h", "y": 1.12})
    figure.update_xaxes(title="People's rating", dtick=1, range=[0.7, 5.3])
    figure.update_yaxes(title="Mean score", rangemode="tozero")
    show_chart(figure, "validity_levels", "; ".join(map(_level_words, levels)))


def show_histogram(histogram: Histogram, tau: float) -> None:
    """How similarities are spread, and where tau is (Figure 5)."""
    figure = go.Figure(
        go.Bar(
            x=[(one.low + one.high) / 2 for one in histogram.bins],
            y=[one.pairs for one in histogram.bins],
            width=[one.high - one.low for one in histogram.bins],
            hovertemplate="about %{x:.2f}: %{y:,} pairs<extra></extra>",
        )
    )
    figure.add_vline(tau, line_dash="dash", line_color=_GREY, annotation_text=f"tau {tau:.3f}")
    figure.update_layout(height=_HEIGHT, showlegend=False, bargap=0)
    figure.update_xaxes(title="Similarity")
    figure.update_yaxes(title="Pairs")
    above = sum(one.pairs for one in histogram.bins if one.low >= tau)
    show_chart(
        figure,
        "validity_histogram",
        f"Histogram of {histogram.pairs:,} similarities from {histogram.bins[0].low:.2f} to "
        f"{histogram.bins[-1].high:.2f}, mean {histogram.mean:.3f}; {above:,} are in bins that "
        f"begin above tau {tau:.3f}",
    )


def show_normal_plot(plot: NormalPlot) -> None:
    """Quantiles of similarities against those of a normal distribution (Figure 6)."""
    ends = [plot.points[0].normal, plot.points[-1].normal]
    figure = go.Figure(
        [
            go.Scatter(
                x=[point.normal for point in plot.points],
                y=[point.similarity for point in plot.points],
                mode="markers",
                marker={"size": 5},
                name="Similarities",
                hovertemplate="%{y:.3f} at %{x:.2f} standard deviations<extra></extra>",
            ),
            go.Scatter(
                x=ends,
                y=[plot.intercept + plot.slope * end for end in ends],
                mode="lines",
                line={"dash": "dash"},
                name="If they were normal",
                hoverinfo="skip",
            ),
        ]
    )
    figure.update_layout(height=_HEIGHT, legend={"orientation": "h", "y": 1.12})
    figure.update_xaxes(title="Quantile of a normal distribution")
    figure.update_yaxes(title="Similarity")
    first, last = plot.points[0], plot.points[-1]
    show_chart(
        figure,
        "validity_normal",
        f"Quantiles from {first.similarity:.3f} to {last.similarity:.3f}, where a normal "
        f"distribution has {plot.intercept + plot.slope * first.normal:.3f} to "
        f"{plot.intercept + plot.slope * last.normal:.3f}; correlation {plot.correlation:.4f}",
    )


def _level_words(rated: RatedLevels) -> str:
    means = ", ".join(
        f"{one.mean.value:.3f} where rated {one.level}"
        for one in rated.levels
        if one.mean.value is not None
    )
    return f"Mean {rated.dimension}: {means or 'nobody rated it'}"
