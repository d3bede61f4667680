"""Two saved runs side by side."""

import numpy as np
import streamlit as st

from crscore_core.corpus.measures import MEASURES
from crscore_core.corpus.reviews import Reviews
from crscore_core.corpus.run.store import RunInfo
from crscore_core.errors import InputError
from crscore_core.ranking.runs import COMPARED, RunComparison, compare_runs
from crscore_core.scoring import usual_tau
from crscore_core.statistics import Estimate
from pages.components.markup import text_table
from pages.components.measure import choose_measure
from pages.components.source.load import run_source
from pages.components.source.model import Source
from pages.components.text import counted, escape_markdown, safe_table

_MOST = 500
_NAMES = {
    f"{measure} {side}": f"{MEASURES[measure].title}, {shown}"
    for measure in COMPARED
    for side, shown in (("one", "A"), ("other", "B"), ("difference", "B less A"))
}


@st.fragment
def compare_with(one: RunInfo, other: RunInfo) -> None:
    """Show what differs between a run, the baseline A, and another one, B, by a chosen measure."""
    st.header("A and B", anchor=False)
    st.markdown(
        f"**A** is {_named(one)}, **B** is {_named(other)}; "
        "differences are B less A, so what is above 0 is higher in B."
    )
    sources = run_source(one.id), run_source(other.id)
    measure = choose_measure(sources[0], with_people=True)
    left, right = st.columns(2)
    with left:
        tau_one = own_tau("tau of A", "data_tau_a", one)
    with right:
        tau_other = own_tau("tau of B", "data_tau_b", other)
    try:
        found = _compared((one.id, other.id), tau_one, tau_other, measure, sources)
    except InputError as error:
        st.error(escape_markdown(str(error)))
        return
    if found.verdict:
        st.markdown(f"### {escape_markdown(found.verdict)}")
    show_settings(found)
    if not found.matched.one.size:
        st.warning("The runs have no review in common: none of the same change, by id or by text.")
    else:
        show_means(found)
        show_agreement(found)
        show_changed(found)
    show_unmatched(found)


def _named(run: RunInfo) -> str:
    return escape_markdown(f"{run.name} ({run.created:%F %T})")


@st.cache_resource(max_entries=2, show_spinner="Comparing the runs")
def _compared(
    ids: tuple[str, str],  # noqa: ARG001 - a key
    tau_one: float,
    tau_other: float,
    measure: str,
    _sources: tuple[Source, Source],
) -> RunComparison:
    one, other = _sources
    return compare_runs(one.comparison, other.comparison, tau_one, tau_other, measure)


def show_settings(found: RunComparison) -> None:
    """Show which settings differ."""
    if not found.settings:
        st.caption("Encoder, precision, claims, analyzers and tau are the same in both.")
        return
    text_table(
        [{"setting": name, "A": one, "B": other} for name, (one, other) in found.settings.items()],
        caption="Settings that differ",
    )


def show_means(found: RunComparison) -> None:
    """Show mean scores and how they differ."""
    text_table(
        [
            {
                "score": MEASURES[name].title,
                "mean of A": of.other,
                "mean of B": of.one,
                **_difference(of.estimate),
            }
            for name, of in found.means.items()
        ],
        caption=f"Means of what both runs have: {counted(found.matched.one.size, 'review')}",
    )
    st.caption("The interval is over changes, as reviews of one change have much in common.")
    if empty := max(run.empty for run in (found.one, found.other)):
        st.caption(f"Up to {counted(empty, 'review')} of a run without a score: means count it 0.")


def show_agreement(found: RunComparison) -> None:
    """Show how far each run agrees with people, where they rated."""
    if not found.agreement:
        runs = {"A": found.one, "B": found.other}
        rated = [name for name, run in runs.items() if not np.isnan(run.ratings).all()]
        who = f"People rated reviews of {' and '.join(rated)}, none of which the other run has"
        st.caption(
            f"{who if rated else 'Nobody rated these reviews'}, so which run is nearer to people "
            "is not known."
        )
        return
    text_table(
        [
            {
                "score": MEASURES[name].title,
                "reviews": of.n,
                "Spearman, A": of.one.value,
                "Spearman, B": of.other.value,
                **_difference(of.difference),
            }
            for name, of in found.agreement.items()
        ],
        caption="Rank correlation with people's ratings of the same reviews",
    )


def show_changed(found: RunComparison) -> None:
    """Show the reviews whose scores differ."""
    n_changed = len(found.changed)
    if n_changed:
        st.markdown(
            f"**{counted(n_changed, 'review')}** with other scores, the largest changes first:"
        )
        rows = found.changed.head(_MOST).rename(columns=_NAMES)
        st.dataframe(
            safe_table(rows),
            hide_index=True,
            key="data_changed",
            column_config={
                name: st.column_config.NumberColumn(format="%.3f") for name in _NAMES.values()
            },
        )
    else:
        st.caption("All of these reviews have the same scores in A and B.")
    if n_changed > _MOST:
        st.caption(f"The first {_MOST:,} of them are shown.")
    if found.n_other_texts:
        st.caption(
            f"{counted(found.n_other_texts, 'matched review')} with another text in B: matched by "
            "id, as the change is the same."
        )


def show_unmatched(found: RunComparison) -> None:
    """Show which reviews one of the runs alone has."""
    for name, run, positions in (
        ("A", found.one, found.matched.only_one),
        ("B", found.other, found.matched.only_other),
    ):
        if positions.size:
            with st.expander(f"Reviews only in {name}: {positions.size:,}"):
                st.dataframe(
                    safe_table(_review(run, int(at)) for at in positions[:_MOST]),
                    hide_index=True,
                    key=f"data_only_{name}",
                )
                if positions.size > _MOST:
                    st.caption(f"The first {_MOST:,} of them are shown.")


def _difference(estimate: Estimate) -> dict[str, object]:
    interval = estimate.interval
    return {
        "B less A": "" if estimate.value is None else f"{estimate.value:+.3f}",
        "95 % interval": "" if interval is None else f"{interval.low:+.3f} to {interval.high:+.3f}",
    }


def _review(run: Reviews, at: int) -> dict[str, object]:
    review = run[at]
    return {
        "review": review.id,
        "change": run.changes[review.change].id,
        "system": review.system,
        "text": review.text,
    }


def own_tau(label: str, key: str, run: RunInfo) -> float:
    """Return the threshold that a person gives, kept in the URL, or else the one of the run."""
    preset = round(usual_tau(run.encoder, run.claims) if run.tau is None else run.tau, 3)
    given = st.number_input(
        label,
        0.0,
        1.0,
        None,
        0.001,
        format="%.3f",
        key=key,
        bind="query-params",
        placeholder=f"{preset:.3f}, the run's own",
        help="Thresholds differ between encoders, so each run has its own.",
    )
    return preset if given is None else float(given)
