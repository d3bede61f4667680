"""Systems on the page Rankings: filter, table, pairs, and changes on which they differ."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from crscore_core.text import capital, counted, format_figure, shorten
from crscore_eval.export import p_cells
from crscore_eval.metrics import metric_title
from crscore_eval.ranking import axis_of, changes_by_systems, pair_status
from crscore_eval.ranking.order import Order
from crscore_eval.statistics import SIGNIFICANCE_LEVEL
from crscore_eval.table import Measure, Run, described_by, has_ratings, label_title, people
from crscore_eval.table.one_review import change_of, change_title
from pages.components.address import choose
from pages.components.charts import cell_points, chosen_points, show_chart
from pages.components.controls import two_columns
from pages.components.data import system_title
from pages.components.markup import Plotted, text_table
from pages.components.review_choice import show_review
from pages.components.review_view import walk_through
from pages.components.tables import show_figures
from pages.components.text import distinct, escape_hover, number, wrap_hover

_MAX_VALUES = 30
_MAX_CHANGES, _MAX_SYSTEMS = 20, 12
_ROW, _MARGIN = 24, 160
_CHART, _LAST = "rankings_changes", "rankings_last_cell"
_ALL = "all"
_AGREEMENT = ["metric", "reviews", "Spearman's rho", "from", "to", "measure minus this", "p (Holm)",
              "lowest", "lowest without", "highest", "highest without"]  # fmt: skip
_RATED = {"rated=5": ("rated 4 or 5", 4, 5), "rated=1": ("rated 1 or 2", 1, 2)}


def choose_part(run: Run) -> tuple[str, Run]:
    """Let the user choose the reviews that count: by language, rating or a column of the file.

    Returns the key of the choice, which is in the URL, and the run with only these reviews, which
    its name says.
    """
    columns = [name for name in ("language", *described_by(run.reviews)) if _is_kind(run, name)]
    kinds = {
        f"{name}={value}": (name, str(value))
        for name in columns
        for value in sorted(run.reviews[name].dropna().unique(), key=str)
    }
    titles = {_ALL: "all reviews"} | {key: ": ".join(kind) for key, kind in kinds.items()}
    if has_ratings(run.reviews):
        titles |= {key: title for key, (title, *_) in _RATED.items()}
    if len(titles) == 1:
        return _ALL, run
    label = f"Reviews by {shorten(', '.join([*columns, 'rating']), 26)}"
    part = choose(label, titles, "part", _ALL, width=250) or _ALL
    if part == _ALL:
        return part, run
    if part in _RATED:
        _, low, high = _RATED[part]
        fits = people(run.reviews).between(low, high)
    else:
        name, value = kinds[part]
        fits = run.reviews[name].astype(str) == value
    n_fitting, n_all = f"{int(fits.sum()):,}", counted(len(fits), "review")
    name = f"{run.settings['name']}, {titles[part]} ({n_fitting} of {n_all})"
    settings = {**run.settings, "name": name}
    return part, run._replace(reviews=run.reviews[fits].reset_index(drop=True), settings=settings)


def _is_kind(run: Run, name: str) -> bool:
    """Return True if a column divides the reviews into a few kinds."""
    values = run.reviews[name].dropna()
    texts = values[values.map(np.isscalar)].astype(str)
    return len(texts) == len(values) and 1 < texts.nunique() <= _MAX_VALUES


def show_systems(order: Order, words: "pd.Series[float]") -> None:
    """Show one row per system, the highest first, with its means of the measure and of ratings.

    `words` is from `mean_words`.
    """
    columns = [_plotted(order.systems, order.by, "")]
    if order.compared_with is not None:
        columns.append(_plotted(order.systems, order.compared_with, "other_"))
    text_table(
        [
            {
                "place": " to ".join(
                    map(str, dict.fromkeys((row["first_place"], row["last_place"])))
                ),
                "system": system_title(row["system"]),
                **{head: cells[at] for head, cells in columns},
                **{
                    label_title(name): format_figure(row[name], digits=2, missing="–")
                    for name in order.facts["labels"]
                },
                "reviews": row["n"],
                "words": round(words[row["system"]]),
                "empty": row["empty"],
            }
            for at, row in enumerate(order.systems.to_dict("records"))
        ],
        wide=(),
        caption=f"Systems by {order.by.title}: means with 95% intervals over changes. The "
        "order of systems that share places is open.",
    )


def _plotted(
    systems: pd.DataFrame, measure: Measure, prefix: str
) -> tuple[str, list[Plotted | str]]:
    """Return the head and the cells of a column of means; the head names the axis."""
    means = systems[[f"{prefix}{name}" for name in ("low", "mean", "high")]]
    low, high = axis_of(measure, means)
    digits = 2 if high > 1 else 3

    def cell(first: float, mean: float, last: float) -> Plotted | str:
        if np.isnan(mean):
            return number(None)
        ends = (mean if np.isnan(end) else end for end in (first, mean, last))
        places = ((end - low) / ((high - low) or 1) for end in ends)
        words = f"{mean:.{digits}f}"
        if not np.isnan(first):
            words += f" ({first:.{digits}f} to {last:.{digits}f})"
        return Plotted(words, *places)

    axis = f" ({low:.3g} to {high:.3g})"
    cells = [cell(*row) for row in means.itertuples(index=False)]
    return f"{measure.title.removesuffix(axis)}{axis}", cells


def show_agreement(order: Order) -> None:
    """Show how well the measure and simple metrics agree with people, if enough are rated."""
    found = order.agreement
    if found is None:
        return
    with st.expander("Agreement with people"):
        titles = [order.measure.title, *map(metric_title, found["name"][1:])]
        p_values = p_cells(found["p"], order.facts["resamples"])
        show_figures(found.assign(name=titles, p=p_values).set_axis(_AGREEMENT, axis=1))
        st.caption(
            "Spearman's correlation with people's ratings, next to simple metrics. Lowest and "
            "highest: the correlation with one system left out."
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
        "The 95% interval of a difference is over the changes that both systems reviewed. The last "
        "share is that of bootstrap samples of the changes in which the order is the same."
    )


def show_changes(run: Run, order: Order, tau: float) -> None:
    """Show the changes on which systems differ most, and the review of the chosen cell."""
    by = order.by.name
    systems = order.systems["system"].tolist()[:_MAX_SYSTEMS]
    means = changes_by_systems(run, by, tau).reindex(columns=systems)
    shown = means.iloc[:_MAX_CHANGES]
    titles = distinct([shorten(change_title(change_of(run, key)), 80) for key in shown.index])
    _take_from_chart(run)
    left, right = two_columns()
    with left:
        show_chart(
            _map(shown, titles, order.by),
            _CHART,
            f"{capital(order.by.title)} of {len(systems)} systems' reviews of {len(titles)} "
            f"changes. Systems differ most on {titles[0]}.",
            on_select="rerun",
            selection_mode="points",
        )
        st.caption(
            f"{len(shown)} of {len(means):,} changes, those with the widest differences first. "
            "Click a cell to read its review; a blank cell has no score."
        )
    with right:
        walk_through(run, _rows_in_order(run, shown), tau)


def _rows_in_order(run: Run, shown: pd.DataFrame) -> np.ndarray:
    """Return the rows of the map's reviews, change by change, systems in order."""
    order = {"change": shown.index, "system": shown.columns}
    places = pd.DataFrame(
        {name: index.get_indexer(pd.Index(run.reviews[name])) for name, index in order.items()}
    )
    return places[(places >= 0).all(axis=1)].sort_values([*order]).index.to_numpy()


def _take_from_chart(run: Run) -> None:
    """Show the review of the cell that was chosen since the last run."""
    chosen = next(iter(chosen_points(_CHART)), None)
    if isinstance(chosen, list) and chosen != st.session_state.get(_LAST):
        change, system = chosen
        reviews = run.reviews
        found = reviews[(reviews["change"] == change) & (reviews["system"] == system)]
        if not found.empty:
            show_review(found["id"].iloc[0])
    st.session_state[_LAST] = chosen


def _map(shown: pd.DataFrame, titles: list[str], measure: Measure) -> go.Figure:
    values = shown.to_numpy(float)
    low, high = axis_of(measure, values)
    rows, columns = values.shape
    names = [escape_hover(system_title(system), 24) for system in shown.columns]
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
            colorbar={
                "orientation": "h",
                "thickness": 10,
                "y": 0,
                "yanchor": "top",
                "title": {"text": wrap_hover(measure.title, 40), "side": "bottom"},
            },
        )
    )
    chart.add_trace(
        cell_points(
            [(column, row) for row, column in cells],
            [[shown.index[row], shown.columns[column]] for row, column in cells],
            [
                f"{escape_hover(titles[row], 60)}<br>{names[column]}: "
                + ("no score" if np.isnan(values[row, column]) else f"{values[row, column]:.3f}")
                for row, column in cells
            ],
            _ROW,
        )
    )
    axis = {"showgrid": False, "zeroline": False, "automargin": True}
    chart.update_layout(
        height=_MARGIN + _ROW * rows,
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
