"""The systems on the Rankings page: choice of reviews, table, pairs, changes where they differ."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from crscore_core.text import counted, shorten
from crscore_eval.export import p_cells
from crscore_eval.figures import capital, format_figure
from crscore_eval.metrics import metric_title
from crscore_eval.ranking import Order, changes_by_systems, pair_status
from crscore_eval.statistics import SIGNIFICANCE_LEVEL
from crscore_eval.table import (
    Measure,
    Run,
    descriptive_columns,
    has_ratings,
    label_title,
    people_ratings,
)
from crscore_eval.table.one_review import change_of, change_title
from pages.components.charts import (
    COLOUR_BAR,
    chosen_points,
    draw_intervals,
    selectable_cells,
    show_chart,
)
from pages.components.controls import two_columns
from pages.components.current_run import system_title
from pages.components.review_choice import show_review
from pages.components.review_view import step_through_reviews
from pages.components.tables import show_figures, show_texts
from pages.components.text import escape_hover, unique_labels, wrap_hover
from pages.components.url import choose_option

_MAX_VALUES = 30
_MAX_CHANGES, _MAX_SYSTEMS = 20, 12
_ROW_HEIGHT, _MARGIN = 24, 160  # pixels
_CHART, _LAST_CELL = "rankings_changes", "rankings_last_cell"
_ALL = "all"
_INTERVAL = ["low", "value", "high"]
_AGREEMENT_COLUMNS = [
    "metric", "reviews", "Spearman's rho", "from", "to", "measure minus this", "p (Holm)",
    "lowest", "lowest without", "highest", "highest without",
]  # fmt: skip
_RATED = {"rated=5": ("rated 4 or 5", 4, 5), "rated=1": ("rated 1 or 2", 1, 2)}


def choose_part(run: Run) -> tuple[str, Run]:
    """Let the user choose the reviews that count: by language, rating or a column of the file.

    Returns the key of the choice, in the URL as `part`, and a run with only these reviews, whose
    name says which they are.
    """
    names = ("language", *descriptive_columns(run.reviews))
    columns = [name for name in names if _has_few_values(run, name)]
    values = {
        f"{name}={value}": (name, str(value))
        for name in columns
        for value in sorted(run.reviews[name].dropna().unique(), key=str)
    }
    titles = {_ALL: "all reviews"} | {key: ": ".join(pair) for key, pair in values.items()}
    if has_ratings(run.reviews):
        titles |= {key: title for key, (title, *_) in _RATED.items()}
    if len(titles) == 1:
        return _ALL, run
    label = f"Reviews by {shorten(', '.join([*columns, 'rating']), 26)}"
    part = choose_option(label, titles, "part", _ALL, width=250)
    if part == _ALL:
        return part, run
    if part in _RATED:
        _, low, high = _RATED[part]
        is_in_part = people_ratings(run.reviews).between(low, high)
    else:
        name, value = values[part]
        is_in_part = run.reviews[name].astype(str) == value
    n_in_part, n_all = f"{int(is_in_part.sum()):,}", counted(len(run.reviews), "review")
    name = f"{run.settings['name']}, {titles[part]} ({n_in_part} of {n_all})"
    reviews = run.reviews[is_in_part].reset_index(drop=True)
    return part, run._replace(reviews=reviews, settings={**run.settings, "name": name})


def _has_few_values(run: Run, name: str) -> bool:
    """Return True if a column divides the reviews into a few groups."""
    values = run.reviews[name].dropna()
    texts = values[values.map(np.isscalar)].astype(str)
    return len(texts) == len(values) and 1 < texts.nunique() <= _MAX_VALUES


def show_systems(order: Order, words: "pd.Series[float]") -> None:
    """Show one row per system, the highest first, and charts of the means.

    `words` has the mean number of words of each system.
    """
    systems = order.systems
    names = systems["system"].map(system_title)
    means = [(order.by, systems[["low", "mean", "high"]].set_axis(_INTERVAL, axis=1))]
    if order.compared_with is not None:
        others = systems[["other_low", "other_mean", "other_high"]].set_axis(_INTERVAL, axis=1)
        means.append((order.compared_with, others))
    table = pd.DataFrame(
        {
            "place": systems["place"],
            "system": names,
            **{measure.title: _mean_cells(measure, figures) for measure, figures in means},
            **{
                label_title(name): systems[name].map(
                    lambda value: format_figure(value, digits=2, missing="–")
                )
                for name in order.facts["labels"]
            },
            "reviews": systems["n"],
            "words": systems["system"].map(words).round().astype(int),
            "empty": systems["empty"],
        }
    )
    show_texts(
        table,
        f"Systems by {order.by.title}: means with 95% intervals over changes. The order of systems "
        "that share places is open.",
    )
    for column, (measure, figures) in zip(two_columns(), means, strict=False):
        with column:
            chart = draw_intervals(names.tolist(), figures, measure.title)
            chart.update_xaxes(range=measure.axis(figures))
            alt = f"Mean {measure.title} of each system, as in the table."
            show_chart(chart, f"rankings_{measure.name}", alt)


def _mean_cells(measure: Measure, figures: pd.DataFrame) -> list[str]:
    """Return means with their intervals as texts."""
    digits = 2 if measure.axis(figures)[1] > 1 else 3
    rows = figures[["value", "low", "high"]].itertuples(index=False)
    return [format_figure(*row, digits, missing="–") for row in rows]


def show_agreement(order: Order) -> None:
    """Show how well the measure and simple metrics agree with people, if they rated enough."""
    agreement = order.agreement
    if agreement is None:
        return
    with st.expander("Agreement with people"):
        titles = [order.measure.title, *map(metric_title, agreement["name"][1:])]
        p_values = p_cells(agreement["p"], order.facts["resamples"])
        show_figures(agreement.assign(name=titles, p=p_values).set_axis(_AGREEMENT_COLUMNS, axis=1))
        st.caption(
            "Spearman's correlation of the measure and of simple metrics with people's ratings. "
            "Lowest and highest: the correlation with one system left out."
        )


def show_pairs(order: Order) -> None:
    """Show the difference of each pair of systems and whether their order is clear."""
    pairs = order.pairs
    table = pd.DataFrame(
        {
            "higher": pairs["higher"].map(system_title),
            "lower": pairs["lower"].map(system_title),
            "difference": pairs["difference"],
            "from": pairs["low"],
            "to": pairs["high"],
            "share in this order": pairs["probability"],
            "order": [pair_status(row) for row in pairs.to_dict("records")],
            "changes": pairs["changes"],
        }
    )
    if order.compared_with is not None:
        table[f"difference by {order.compared_with.title}"] = pairs["other_difference"]
    show_figures(table)
    st.caption(
        f"An order is clear if its p-value is below {SIGNIFICANCE_LEVEL} after Holm's correction. "
        "The 95% interval of a difference is over the changes that both systems reviewed. Share "
        "in this order: the share of bootstrap samples of these changes that give the same order."
    )


def show_changes(run: Run, order: Order, tau: float) -> None:
    """Show the changes on which systems differ most, and the review of the chosen cell."""
    by = order.by.name
    systems = order.systems["system"].tolist()[:_MAX_SYSTEMS]
    means = changes_by_systems(run, by, tau).reindex(columns=systems)
    drawn = means.iloc[:_MAX_CHANGES]
    titles = unique_labels(change_title(change_of(run, key)) for key in drawn.index)
    _show_clicked_review(run)
    left, right = two_columns()
    with left:
        show_chart(
            _draw(drawn, titles, order.by),
            _CHART,
            f"{capital(order.by.title)} of {len(systems)} systems' reviews of {len(titles)} "
            f"changes. Systems differ most on {titles[0]}.",
            on_select="rerun",
            selection_mode="points",
        )
        st.caption(
            f"{len(drawn)} of {len(means):,} changes, the widest differences first. Click a cell "
            "to read its review; a blank cell has no score."
        )
    with right:
        step_through_reviews(run, _rows_in_order(run, drawn), tau)


def _rows_in_order(run: Run, drawn: pd.DataFrame) -> np.ndarray:
    """Return the rows of the drawn reviews, change by change, with systems in order."""
    order = {"change": drawn.index, "system": drawn.columns}
    positions = pd.DataFrame(
        {name: index.get_indexer(pd.Index(run.reviews[name])) for name, index in order.items()}
    )
    return positions[(positions >= 0).all(axis=1)].sort_values([*order]).index.to_numpy()


def _show_clicked_review(run: Run) -> None:
    """Show the review of the cell that was chosen since the last run of the page."""
    cell = next(iter(chosen_points(_CHART)), None)
    if isinstance(cell, list) and cell != st.session_state.get(_LAST_CELL):
        change, system = cell
        reviews = run.reviews
        matches = reviews[(reviews["change"] == change) & (reviews["system"] == system)]
        if not matches.empty:
            show_review(matches["id"].iloc[0])
    st.session_state[_LAST_CELL] = cell


def _draw(means: pd.DataFrame, titles: list[str], measure: Measure) -> go.Figure:
    values = means.to_numpy(float)
    low, high = measure.axis(values)
    rows, columns = values.shape
    names = [escape_hover(system_title(system), 24) for system in means.columns]
    cells = list(np.ndindex(rows, columns))
    chart = go.Figure(
        go.Heatmap(
            z=values.tolist(),
            zmin=low,
            zmax=high,
            xgap=2,
            ygap=2,
            texttemplate="%{z:.2f}",
            textfont={"weight": 700, "shadow": "auto"},
            hoverinfo="skip",
            colorbar=COLOUR_BAR
            | {"title": {"text": wrap_hover(measure.title, 40), "side": "bottom"}},
        )
    )
    chart.add_trace(
        selectable_cells(
            [(column, row) for row, column in cells],
            [[means.index[row], means.columns[column]] for row, column in cells],
            [
                f"{escape_hover(titles[row], 60)}<br>{names[column]}: "
                + ("no score" if np.isnan(values[row, column]) else f"{values[row, column]:.3f}")
                for row, column in cells
            ],
            _ROW_HEIGHT,
        )
    )
    axis = {"showgrid": False, "zeroline": False, "automargin": True}
    chart.update_layout(
        height=_MARGIN + _ROW_HEIGHT * rows,
        margin={"l": 10, "r": 10, "t": 10, "b": 10},
        clickmode="event+select",
        dragmode=False,
        xaxis=axis | {"tickvals": list(range(columns)), "ticktext": names, "side": "top"},
        yaxis=axis
        | {
            "tickvals": list(range(rows)),
            "ticktext": [escape_hover(title, 24) for title in titles],
            "range": [rows - 0.5, -0.5],
        },
    )
    return chart
