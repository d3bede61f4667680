"""Reviews that a measure gets wrong by a chosen rule: a chart, a list, and shares by system."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from crscore_core.text import counted, listed
from crscore_eval.formatting import capitalize_first
from crscore_eval.metrics.values import named_measure
from crscore_eval.ranking.order import deciding_measure
from crscore_eval.statistics.bootstrap import MIN_CHANGES
from crscore_eval.statistics.correlation import correlate
from crscore_eval.table import SCORES, Measure, Run, measure_values, run_signature
from crscore_eval.table.columns import RATING_SCALE
from crscore_eval.validity.agreement import Numbers
from crscore_eval.validity.failures import (
    OVER,
    UNDER,
    describe_failures,
    failing_reviews,
    judgements,
    rank_gaps,
)
from pages.components.charts import LEGEND_BELOW, chosen_points, show_chart
from pages.components.current_run import system_title
from pages.components.downloads import show_signature
from pages.components.measure_choice import choose_measure, require_labels
from pages.components.review_choice import REVIEW, filter_reviews, list_reviews, show_review
from pages.components.review_view import step_through_reviews
from pages.components.tables import show_texts
from pages.components.tau_slider import run_tau_slider
from pages.components.text import escape_hover, escape_markdown, is_yes_or_no, value_text
from pages.components.url import KEPT, choose_option

_RATINGS = "people's ratings"
_RULES = {"gaps": "Ranks far apart", "paper": "The paper's rule"}
_RULE_HELP = (
    "By default, a review fails if its ranks by the measure and by people are at least half as far "
    "apart as ties allow in that direction. By the paper's rule, it fails if people rate it 5 and "
    "the measure puts it in the lowest fifth, or 1 and the highest fifth."
)


@dataclass(frozen=True, eq=False)
class _Cases:
    """Reviews of a run that a measure gets wrong at one tau.

    rule: key of `_RULES` that decides when a review fails.
    scores, people: values of the measure, and ratings or labels, indexed like `run.reviews`.
    gaps, failures: the results of `rank_gaps` and `failing_reviews`.
    """

    run: Run
    tau: float
    rule: str
    measure: Measure
    people_title: str
    scores: Numbers
    people: Numbers
    gaps: Numbers
    failures: pd.DataFrame

    @property
    def points(self) -> Numbers:
        """The gaps in percentile points, rounded once so that the page is consistent."""
        return (100 * self.gaps).round(1)


def _choose_cases(run: Run) -> _Cases | None:
    reviews = run.reviews
    tau = run_tau_slider(run)
    choices = st.container(horizontal=True, vertical_alignment="bottom")
    with choices:
        measure = choose_measure(run) or ""
    scores = measure_values(reviews, measure, tau)
    judged = judgements(reviews, measure, scores, deciding_measure(run))
    covered = {title: reviews["change"][of.notna()].nunique() for title, of in judged.items()}
    enough = {title: title for title, n in covered.items() if n >= MIN_CHANGES}
    if not enough:
        require_labels(run, judged.values())
        return None
    with choices:
        first = next(iter(enough))
        chosen = choose_option("Compared with", enough, "failures_people", first, width=250)
        rule = choose_option("Failures", _RULES, "rule", "gaps", help=_RULE_HELP, width=200)
    few = [
        f"{title} ({counted(n, 'change')})" for title, n in covered.items() if title not in enough
    ]
    if few:
        needed = f"{MIN_CHANGES} changes are needed; not compared: {listed(few)}."
        st.caption(escape_markdown(needed))
    people = judged[chosen]
    return _Cases(
        run,
        tau,
        rule=rule,
        measure=named_measure(run, measure),
        people_title=chosen,
        scores=scores,
        people=people,
        gaps=rank_gaps(scores, people),
        failures=failing_reviews(
            scores, people, rule, RATING_SCALE if chosen.startswith(_RATINGS) else None
        ),
    )


def _describe_cases(cases: _Cases) -> tuple[str, str]:
    has_gap = cases.gaps.notna()
    n_under, n_over = ((cases.failures["failure"] == kind).sum() for kind in (UNDER, OVER))
    rho = correlate(cases.scores[has_gap], cases.people[has_gap])["spearman"].value
    measure = capitalize_first(cases.measure.title)
    names = f"{measure} and {cases.people_title}"
    heading = describe_failures(names, cases.scores, cases.people, cases.failures)
    counts = f"underestimates {n_under:,} and overestimates {n_over:,}"
    figures = f"{measure} {counts} by the rule chosen below. "
    rho_in_words = "undefined" if np.isnan(rho) else f"{rho:z.3f}"
    correlation = f"Spearman's rho over these reviews: {rho_in_words}."
    n_empty = int((cases.run.reviews["n_sentences"][has_gap] == 0).sum())
    if n_empty and cases.measure.name in SCORES:
        correlation += f" Reviews that state nothing count as 0: {n_empty:,}."
    return heading, figures * (not cases.failures.empty) + correlation


def _in_comparison(cases: _Cases) -> str:
    return "people do" if cases.people_title.startswith("people") else f"{cases.people_title} does"


def _describe_gap(cases: _Cases, row: int) -> str:
    gap = cases.gaps[row]
    if pd.isna(gap) or cases.people[cases.gaps.notna()].nunique() == 1:
        return ""
    kind = capitalize_first(cases.failures["failure"].get(row, "no failure by this rule"))
    points = (
        f"{abs(cases.points[row]):.1f} percentile points {'lower' if gap < 0 else 'higher'} than"
    )
    points = points if cases.points[row] else "as high as"
    best = max(cases.run.reviews["sentence_maxima"][row], default=0.0)
    return (
        f"{kind}: {cases.measure.title} ranks it {points} {_in_comparison(cases)}. Its best "
        f"match has a similarity of {best:.3f}; tau is {cases.tau:.4g}."
    )


MAX_POINTS = 5_000
"""Maximum number of points in the chart; more are slow to draw and hide each other."""

_KEY = "failures_chart"
_HEIGHT, _MAX_LEVELS = 400, 10
_JITTER_X, _JITTER_Y = 0.008, 0.3  # shares of the score range and of a step between ratings

_NEITHER = "no failure"
_MARKERS = {
    _NEITHER: {"color": "#7d8896", "symbol": "circle", "size": 5},
    UNDER: {"color": "#3b82c4", "symbol": "triangle-up", "size": 11},
    OVER: {"color": "#c8691a", "symbol": "x", "size": 9},
}


def _show_cases(cases: _Cases, row: int | None) -> None:
    rows = cases.gaps.dropna().index.to_numpy()
    sample = ""
    if rows.size > MAX_POINTS:  # all failures, and an even sample of the others
        others = np.setdiff1d(rows, cases.failures.index)
        step = -(-others.size // MAX_POINTS)
        drawn = np.union1d(cases.failures.index[:MAX_POINTS], others[::step])
        sample, rows = f" It shows {drawn.size:,} of {rows.size:,} reviews.", drawn
    show_chart(
        _draw(cases, rows, row),
        _KEY,
        " ".join(_describe_cases(cases)),
        on_select=lambda: _show_clicked(cases),
        selection_mode="points",
    )
    st.caption(
        "Click a point to read the review. The chart moves points slightly apart and leaves out "
        f"reference reviews.{sample}"
    )


def _show_clicked(cases: _Cases) -> None:
    for row in chosen_points(_KEY)[:1]:
        show_review(str(cases.run.reviews["id"].iat[int(np.ravel(row)[0])]))


def _draw(cases: _Cases, rows: np.ndarray, current: int | None) -> go.Figure:
    scores, people, reviews = cases.scores, cases.people, cases.run.reviews
    low, high = min(0.0, scores.min()), max(1.0, scores.max())
    levels, is_answer = np.unique(people[cases.gaps.notna()]), is_yes_or_no(people)
    half_step = float(np.diff(levels).min()) / 2 if levels.size > 1 else 0.5
    kinds = cases.failures["failure"].reindex(reviews.index).fillna(_NEITHER)
    # The jitter is the same at every tau.
    jitter = np.random.default_rng(0).uniform(-1, 1, (len(reviews), 2))
    jitter *= _JITTER_X * (high - low), 2 * _JITTER_Y * half_step
    chart = go.Figure()
    for name, marker in _MARKERS.items():
        kind_rows = rows[kinds[rows] == name]
        chart.add_scatter(
            x=np.round(scores[kind_rows] + jitter[kind_rows, 0], 4),
            y=np.round(people[kind_rows] + jitter[kind_rows, 1], 3),
            mode="markers",
            marker={**marker, "opacity": 0.75},
            customdata=kind_rows,
            hovertext=[
                f"{escape_hover(system_title(reviews['system'][row]), 60)}<br>"
                f"review {escape_hover(reviews['id'][row], 60)}<br>"
                f"score {scores[row]:.3f}, rated {value_text(people[row], is_answer=is_answer)}"
                for row in kind_rows
            ],
            hovertemplate="%{hovertext}<extra></extra>",
            name=name,
        )
    if current is not None and not np.isnan(cases.gaps[current]):
        chart.add_scatter(
            x=[scores[current] + jitter[current, 0]],
            y=[people[current] + jitter[current, 1]],
            mode="markers",
            marker={"color": "#d1352b", "symbol": "circle-open", "size": 18, "line_width": 3},
            hoverinfo="skip",
            name="shown",
        )
    margin, title = 0.03 * (high - low), escape_hover(cases.measure.title, 60)
    chart.update_layout(height=_HEIGHT, **LEGEND_BELOW)
    chart.update_xaxes(title=title, range=[low - margin, high + margin])
    chart.update_yaxes(
        title=escape_hover(cases.people_title, 60),
        range=[levels.min() - half_step, levels.max() + half_step],
        tickvals=levels.tolist() if levels.size <= _MAX_LEVELS else None,
        ticktext=[value_text(level, is_answer=is_answer) for level in levels],
    )
    return chart


_KINDS = {
    "failing": "Under- and overestimated",
    UNDER: "Underestimated",
    OVER: "Overestimated",
    "all": "All reviews",
}
_NUMBER = st.column_config.NumberColumn(format="%.3f")
_GAP = st.column_config.NumberColumn(
    format="%+.1f points",
    help="Percentile rank by the measure minus percentile rank by people, in percentile points",
)


@st.fragment
def show_failures(run: Run) -> None:
    """Show the reviews on which a measure and people disagree."""
    top = st.container()
    cases = _choose_cases(run)
    if cases is None:
        return
    heading, figures = map(escape_markdown, _describe_cases(cases))
    top.markdown(f"## {heading}\n\n{figures}")
    if REVIEW in st.session_state.pop(KEPT, ()):
        st.query_params.pop(REVIEW, None)
    if REVIEW not in st.query_params:
        st.session_state.pop(REVIEW, None)  # the page opens on the worst failure
    left, right = st.columns(2)
    with right:
        rows = _choose_rows(cases)
        gap_place = st.empty()
        row = step_through_reviews(run, rows, cases.tau)
        if row is not None:
            gap_place.markdown(escape_markdown(_describe_gap(cases, row)))
    with left:
        _show_cases(cases, row)
        _show_systems(cases)
    if rows.size:
        people = cases.people.round(2)
        if is_yes_or_no(people):
            people = people.map({1: "yes", 0: "no"})
        columns = {
            "failure": cases.failures["failure"].reindex(run.reviews.index).fillna(""),
            cases.measure.title: cases.scores,
            "people": people,
            "rank gap": cases.points,
        }
        config = {cases.measure.title: _NUMBER, "rank gap": _GAP}
        list_reviews(run, rows, row, pd.DataFrame(columns), config)
    else:
        st.info("No review matches. Clear the filters, or list all reviews.")
    show_signature(run_signature(run.settings, cases.tau))


def _choose_rows(cases: _Cases) -> np.ndarray:
    run, failing = cases.run, cases.failures["failure"]
    if failing.empty:
        st.info("This rule finds no failures. All reviews are listed, the widest gap first.")
    with st.container(horizontal=True, vertical_alignment="center"):
        kind = choose_option(
            "Reviews", _KINDS, "kind", "failing", label_visibility="collapsed", width=250
        )
        widest = cases.gaps.dropna().sort_values(key=abs, ascending=False, kind="stable")
        rows = filter_reviews(run, widest.index.to_numpy())
    if kind in {UNDER, OVER}:
        failing = failing[failing == kind]
    elif kind == "all" or failing.empty:
        return rows
    return rows[np.isin(rows, failing.index)]


def _show_systems(cases: _Cases) -> None:
    system = cases.run.reviews["system"][cases.gaps.notna()].map(system_title)
    failure = cases.failures["failure"].reindex(system.index).fillna(_NEITHER)
    table = pd.crosstab(system, failure).reindex(columns=[UNDER, OVER, _NEITHER], fill_value=0)
    n_reviews, n_failing = table.sum(axis=1), table[[UNDER, OVER]].sum(axis=1)
    table = table[[UNDER, OVER]].assign(share=n_failing / n_reviews, reviews=n_reviews)
    table["mean gap"] = 100 * cases.gaps.groupby(system).mean()
    table = table.sort_values(["share", "mean gap"], ascending=False, key=abs, kind="stable")
    table = table.rename(columns={UNDER: "under", OVER: "over"})  # a narrow page shows them all
    show_texts(table.reset_index(names="reviewer"), formats={"mean gap": "{:+z.1f}"})
    st.caption(
        "Under, over: reviews that the measure under- and overestimates. Share: of the reviews "
        "with both values. Mean gap: percentile rank by the measure minus that by people, in "
        "points."
    )
