"""Two runs side by side on the Rankings page: the conditions of `gate`, and pairs of reviews."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st
from numpy.typing import NDArray

from crscore_core.errors import InputError
from crscore_core.text import counted, in_words, shorten
from crscore_eval.formatting import figure_cells, format_figure
from crscore_eval.metrics.values import named_measure
from crscore_eval.ranking.gate import check_run, gate_conclusion, outcome_of
from crscore_eval.ranking.order import answered_measures, deciding_measure
from crscore_eval.ranking.two_runs import RunPairs, compare_runs, pair_reviews
from crscore_eval.ranking.verdict import LIMIT, equal_differences_note, shared_changes
from crscore_eval.table import DEFAULT_MEASURE, Run, is_by_system, label_columns
from crscore_eval.table.one_review import change_title, find_change
from pages.components.current_run import current_key, load_run, run_titles, system_title
from pages.components.review_view import show_change
from pages.components.tables import show_texts
from pages.components.text import describe_error, escape_markdown, show_rendered
from pages.components.url import choose_option

_EARLIER, _PAIR, _MAX_PAIRS = "baseline", "pair", 200
_NOT_CHOSEN = "none"


def choose_earlier_run() -> str | None:
    """Let the user choose another run, stored in the URL as `baseline`; return None until then."""
    titles = {key: title for key, title in run_titles(_EARLIER).items() if key != current_key()}
    chosen = choose_option(
        "Compare with", {_NOT_CHOSEN: "choose a run"} | titles, _EARLIER, _NOT_CHOSEN, width=250
    )
    return None if chosen == _NOT_CHOSEN else chosen


def show_two_runs(run: Run, whole: Run, earlier_key: str, by: str | None, tau: float) -> None:
    """Compare the run that pages show with another run, and show their reviews in pairs.

    The conditions are those of `crscore gate --by`. Without `by`, the measure is the one that
    decides for the other run and the `whole` run, of which `run` may be only a part.
    """
    try:
        earlier = load_run(earlier_key)
        decides = deciding_measure(whole, earlier)
        by = by or (decides if decides in answered_measures(run) else DEFAULT_MEASURE)
        checks = check_run(run, baseline=earlier, by=by, tau=tau)
        found = pair_reviews(run, earlier, by, tau)
        systems = _differences_by_system(run, earlier, [*checks["measure"]], tau)
    except InputError as error:
        st.info(describe_error(error))
        return
    titles = run_titles(_EARLIER)
    names = [titles[current_key()], titles[earlier_key]]  # unique, even for two runs of one file
    st.markdown(f"## {escape_markdown(' compared with '.join(names))}")
    conclusion = gate_conclusion(checks)
    is_same = bool(_has_same_text(run, earlier, found.pairs).all()) and not any(found[1:])
    if is_same:
        is_equal = not systems["difference"].fillna(0).round(9).any()
        equal = ", and no mean compared differs" * is_equal
        same = f"All reviews of both runs are the same{equal}."
        conclusion = f"{same} {conclusion}"
    st.markdown(escape_markdown(f"{conclusion} {LIMIT}"))
    show_texts(checks[["condition", "result", "detail"]])
    _show_systems(run, earlier, systems, names)
    if not is_same or found.pairs["difference"].fillna(0).any():
        _show_pairs(run, earlier, found, names, named_measure(run, by).title)


def _has_same_text(run: Run, earlier: Run, pairs: pd.DataFrame) -> NDArray[np.bool_]:
    texts = run.reviews["review"].to_numpy()[pairs["row"]]
    return np.asarray(texts == earlier.reviews["review"].to_numpy()[pairs["earlier_row"]])


def _differences_by_system(
    run: Run, earlier: Run, measures: Sequence[str], tau: float
) -> pd.DataFrame:
    """Return the table of `compare_runs` for these measures, and for the other labels of both."""
    labels = [name for name in label_columns(run.reviews) if name in earlier.reviews]
    others = [name for name in labels if name not in measures]
    compared = [compare_runs(run, earlier, names, tau) for names in (measures, others)]
    return pd.concat(compared, ignore_index=True)


def _show_systems(run: Run, earlier: Run, rows: pd.DataFrame, names: Sequence[str]) -> None:
    titles = {name: named_measure(run, name).title for name in rows["measure"].unique()}
    here, there = map(_systems, (run, earlier))
    of_all = f"all reviewers{' of both runs' * bool(here & there and here != there)}"
    if len(here & there) == 1:
        of_all = system_title(*here & there)
    st.header("Differences by reviewer", anchor=False)
    records = rows.to_dict("records")
    show_texts(
        pd.DataFrame(
            {
                "measure": rows["measure"].map(titles),
                "reviewer": rows["system"].map(system_title).replace("", of_all),
                "this run": figure_cells(rows, "value"),
                "earlier run": figure_cells(rows, "compared_with"),
                "difference": figure_cells(rows, "difference", "low", "high"),
                "result": [outcome_of(row) for row in records],
                "changes": [shared_changes(row) for row in records],
            }
        )
    )
    caption = (
        "Means over changes, and the difference with its 95% interval. p-values are corrected by "
        "Holm's method: those of all reviewers for the conditions above, or for the other labels; "
        f"those of single reviewers for the reviewers of a measure.{equal_differences_note(rows)}"
    )
    st.caption(escape_markdown(" ".join([caption, *_only_in(here, there, names)])))


def _systems(run: Run) -> set[str]:
    return {*run.reviews["system"][is_by_system(run.reviews)]}


def _only_in(here: set[str], there: set[str], names: Sequence[str]) -> list[str]:
    return [
        f"Only in {name}: {in_words(sorted(map(system_title, systems)))}."
        for name, systems in zip(names, (here - there, there - here), strict=True)
        if systems
    ]


def _show_pairs(run: Run, earlier: Run, found: RunPairs, names: list[str], title: str) -> None:
    st.header("Pairs of reviews", anchor=False)
    n_pairs = len(found.pairs)
    by_system = " by the same reviewer" * bool(_systems(run) & _systems(earlier))
    n_same = int(_has_same_text(run, earlier, found.pairs).sum())
    st.caption(
        escape_markdown(
            f"{counted(n_pairs, 'pair')} of reviews of the same change{by_system}, the "
            f"widest difference in {title} first. Changes only in {names[0]}: "
            f"{found.n_only_here:,}; only in {names[1]}: {found.n_only_earlier:,}. Reviews of "
            f"shared changes without a counterpart: {found.n_unpaired:,} and "
            f"{found.n_earlier_unpaired:,}. Pairs with the same text: {n_same:,}."
            + (f" The first {_MAX_PAIRS} pairs are listed." if n_pairs > _MAX_PAIRS else "")
        )
    )
    if not n_pairs:
        return
    pairs = found.pairs[:_MAX_PAIRS].to_dict("records")
    by_id = {str(run.reviews["id"].iat[pair["row"]]): pair for pair in pairs}
    labels = {review: _pair_title(run, pair) for review, pair in by_id.items()}
    chosen = choose_option("Pair", labels, _PAIR, next(iter(labels)), label_visibility="collapsed")
    pair = by_id[chosen]
    columns = st.columns(2)
    for column, side, name, row, value in (
        (columns[0], earlier, names[1], pair["earlier_row"], pair["earlier_value"]),
        (columns[1], run, names[0], pair["row"], pair["value"]),
    ):
        with column, st.container(border=True):
            st.markdown(f"**{escape_markdown(f'{name}: {title} {_figure(value)}')}**")
            show_rendered(str(side.reviews["review"].iat[row]))
    show_change(run, pair["row"], has_marks=False)


def _pair_title(run: Run, pair: Mapping[Any, Any]) -> str:
    title = change_title(find_change(run, str(run.reviews["change"].iat[pair["row"]])))
    values = f"{_figure(pair['earlier_value'])} → {_figure(pair['value'])}"
    return f"{system_title(pair['system'])} on {shorten(title, 60)}: {values}"


_figure = partial(format_figure, digits=2, missing="–")
