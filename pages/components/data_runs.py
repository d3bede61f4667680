"""Saved runs: kept, listed, shown, downloaded, deleted, and two of them side by side."""

from collections.abc import Mapping, Sequence

import streamlit as st

from crscore_core.corpus.measures import MEASURES
from crscore_core.corpus.run.store import LONGEST_NAME, RunInfo, RunStore
from crscore_core.errors import InputError
from crscore_core.ranking.runs import COMPARED, RunComparison, compare_runs
from crscore_core.scoring import usual_tau
from pages.components.address import choose
from pages.components.controls import choose_measure
from pages.components.judging import judge_section
from pages.components.markup import text_table
from pages.components.offers import offer_downloads
from pages.components.source.load import TAKEN, run_key, run_names, run_note, run_source
from pages.components.source.model import Source, SourceKind
from pages.components.source.switch import (
    chosen_source,
    save_shown,
    show_button,
    show_on_all_pages,
    shown_key,
)
from pages.components.text import counted, escape_markdown, figure, safe_table

SECTION, SECTION_OF_RUNS = "data_section", "Saved runs"
"""Key of the choice of a section of the Data page, and the choice that opens saved runs."""

_CHOSEN = "data_run"
_OTHER = "data_other"
_SAVED = "data_saved"
_MOST = 500
_DIFFERENCE = "B less A (95 %)"
_NAMES = {
    f"{measure} {side}": f"{MEASURES[measure].title}, {shown}"
    for measure in COMPARED
    for side, shown in (("one", "A"), ("other", "B"), ("difference", "B less A"))
}


def offer_save(source: Source) -> None:
    """Offer to save the chosen source as a run, which is then shown among the runs."""
    is_file = source.kind is SourceKind.FILE
    key = f"data_run_name_{st.session_state.get(TAKEN) if is_file else shown_key()}"
    if st.session_state.pop(_SAVED, None) == key:
        st.session_state[key] = ""  # a second click saves no twin
    st.session_state.setdefault(key, source.label[:LONGEST_NAME])
    with (
        st.form(key.replace("name", "form"), enter_to_submit=False, border=False),
        st.container(horizontal=True, vertical_alignment="bottom"),
    ):
        name = st.text_input("Name of the run", key=key, max_chars=LONGEST_NAME, width=400)
        is_pressed = st.form_submit_button("Save as a run", icon=":material/save:")
    st.caption("Everybody who can open this app sees saved runs and can delete them.")
    if not is_pressed:
        return
    try:
        with st.spinner("Saving"):
            info = save_shown(name, source)
    except InputError as error:
        st.error(escape_markdown(str(error)))
    else:
        st.session_state.update({_CHOSEN: info.id, _SAVED: key})
        if st.session_state.get(SECTION) != SECTION_OF_RUNS:
            st.session_state[SECTION] = SECTION_OF_RUNS
        st.rerun()  # the switch has it too


def runs_section() -> None:
    """Save what is shown as a run, list the runs, and look at one or two of them."""
    store = RunStore()
    st.caption(
        "A run keeps reviews, pseudo-references and similarities. Everybody who can open this app "
        "sees saved runs and can delete them. They lie on this server, in the folder "
        f"{escape_markdown(str(store.folder))}."
    )
    try:
        source = chosen_source()
        if source is not None and source.kind is not SourceKind.FILE:
            st.markdown(f"Chosen in the sidebar: **{escape_markdown(source.label)}**")
            offer_save(source)
    except InputError as error:
        st.error(escape_markdown(f"What is chosen in the sidebar cannot be shown: {error}"))
    try:
        runs = store.list()
    except InputError as error:
        st.error(escape_markdown(str(error)))
        return
    if runs:
        _list(runs)
    else:
        st.info("There are no saved runs yet.")
    _look_at(store, runs)


def _look_at(store: RunStore, runs: Sequence[RunInfo]) -> None:
    """Let a person choose one run, and another one to compare it with."""
    left, right = st.columns(2)
    names = run_names(runs)
    with left:
        chosen = _choose_run(store, "Run", _CHOSEN, names)
    if chosen is None:
        return
    other = None
    if chosen.damage is None:
        healthy = {run.id for run in runs if run.damage is None and run.id != chosen.id}
        others = {run_id: name for run_id, name in names.items() if run_id in healthy}
        with right:
            other = _choose_run(store, "Compare with", _OTHER, others)
    _show_run(store, chosen)
    if other is not None:
        compare_with(chosen, other)


def _list(runs: Sequence[RunInfo]) -> None:
    any_damage = any(run.damage is not None for run in runs)
    st.dataframe(
        safe_table(
            {
                "name": run.name or "Damaged run",
                "saved (UTC)": run.created,
                "of": run.corpus,
                "reviews": run.reviews,
                "changes": run.changes,
                "encoder": run.encoder,
                "tau": run.tau,
                "claims": run.claims,
                **({"damage": run.damage or ""} if any_damage else {}),
            }
            for run in runs
        ),
        hide_index=True,
        key="data_runs",
        column_config={
            "saved (UTC)": st.column_config.DatetimeColumn(format="YYYY-MM-DD HH:mm:ss")
        },
    )


def _choose_run(store: RunStore, label: str, key: str, names: Mapping[str, str]) -> RunInfo | None:
    """Let a person choose a run, in the URL as its id; say so where the URL names a missing one."""
    named = st.query_params.get(key)
    chosen = choose(label, names, key, None, index=None, placeholder="Choose a run")
    wanted = chosen or named
    try:
        found = None if wanted is None else store.find(wanted)
    except InputError as error:
        st.error(escape_markdown(str(error)))
        return None
    return found if chosen else None


def _show_run(store: RunStore, run: RunInfo) -> None:
    """Show a run, damaged or not."""
    st.header(escape_markdown(run.name or "Damaged run"), anchor=False)
    if run.damage is not None:
        st.error(escape_markdown(f"This run cannot be shown: {run.damage}."))
        _offer_deletion(store, run)
        return
    st.caption(escape_markdown(run_note(run)))
    with st.container(horizontal=True, vertical_alignment="center"):
        show_button(run_key(run.id))
        _offer_deletion(store, run)
    judge_section(store.run(run.id), run.id)
    with st.expander("Report and downloads", icon=":material/download:"):
        offer_downloads(
            lambda: store.load(run.id), own_tau(run), run.name, note=run.origin, made=run.created,
            version=run.version, run=store.run(run.id),
        )  # fmt: skip


def _offer_deletion(store: RunStore, run: RunInfo) -> None:
    with st.popover("Delete", icon=":material/delete:"):
        st.write("The run and what people rated here are deleted for everybody and for good.")
        st.button(
            "Delete for good",
            type="primary",
            key=f"data_delete_{run.id}",
            on_click=_delete,
            args=(store, run.id),
        )


def _delete(store: RunStore, run_id: str) -> None:
    try:
        store.delete(run_id)
    except InputError as error:
        st.error(escape_markdown(str(error)))
        return
    st.session_state[_CHOSEN] = None
    if shown_key() == run_key(run_id):
        show_on_all_pages(SourceKind.STUDY)


def own_tau(run: RunInfo) -> float:
    """Return the threshold of a run, the usual one of its encoder and claims where it has none."""
    return round(usual_tau(run.encoder, run.claims) if run.tau is None else run.tau, 3)


@st.fragment
def compare_with(one: RunInfo, other: RunInfo) -> None:
    """Show what differs between a run, the baseline A, and another one, B, by a chosen measure."""
    st.header("A and B", anchor=False)
    st.markdown(
        f"**A** is {_named(one)}, **B** is {_named(other)}; "
        "differences are B less A, so what is above 0 is higher in B."
    )
    measure = choose_measure(run_source(one.id), with_people=True)
    try:
        found = _compared(one.id, other.id, own_tau(one), own_tau(other), measure)
    except InputError as error:
        st.error(escape_markdown(str(error)))
        return
    if found.verdict:
        st.markdown(f"### {escape_markdown(found.verdict)}")
    if found.settings:
        settings = found.settings.items()
        text_table(
            [{"setting": name, "A": a, "B": b} for name, (a, b) in settings],
            caption="Settings that differ",
        )
    else:
        st.caption("Encoder, precision, claims, analyzers and tau are the same in both.")
    if found.matched.one.size:
        _show_means(found)
        _show_agreement(found)
        _show_changed(found)
    else:
        st.warning("The runs have no review in common: none of the same change, by id or by text.")
    only = {"A": found.matched.only_one.size, "B": found.matched.only_other.size}
    if any(only.values()):
        st.caption("; ".join(f"only in {name}: {counted(n, 'review')}" for name, n in only.items()))


def _named(run: RunInfo) -> str:
    return escape_markdown(f"{run.name} ({run.created:%F %T})")


@st.cache_resource(max_entries=2, show_spinner="Comparing the runs")
def _compared(
    one: str, other: str, tau_one: float, tau_other: float, measure: str
) -> RunComparison:
    before, after = (run_source(run_id).comparison for run_id in (one, other))
    return compare_runs(before, after, tau_one, tau_other, measure)


def _show_means(found: RunComparison) -> None:
    text_table(
        [
            {
                "score": MEASURES[name].title,
                "mean of A": of.other,
                "mean of B": of.one,
                _DIFFERENCE: figure(of.estimate, sign="+"),
            }
            for name, of in found.means.items()
        ],
        caption=f"Means of what both runs have: {counted(found.matched.one.size, 'review')}",
    )
    st.caption("The interval is over changes, as reviews of one change have much in common.")
    if empty := max(run.empty for run in (found.one, found.other)):
        st.caption(f"Up to {counted(empty, 'review')} of a run without a score: means count it 0.")


def _show_agreement(found: RunComparison) -> None:
    """Show how far each run agrees with people, where they rated."""
    if not found.agreement:
        st.caption(
            "Nobody rated reviews that both runs have, so which run is nearer to people is not "
            "known."
        )
        return
    text_table(
        [
            {
                "score": MEASURES[name].title,
                "reviews": of.n,
                "Spearman, A": of.one.value,
                "Spearman, B": of.other.value,
                _DIFFERENCE: figure(of.difference, sign="+"),
            }
            for name, of in found.agreement.items()
        ],
        caption="Rank correlation with people's ratings of the same reviews",
    )


def _show_changed(found: RunComparison) -> None:
    """Show the reviews whose scores differ."""
    n_changed = len(found.changed)
    if n_changed:
        of = f"the first {_MOST:,} of them" if n_changed > _MOST else "the largest changes first"
        st.markdown(f"**{counted(n_changed, 'review')}** with other scores, {of}:")
        st.dataframe(
            safe_table(found.changed.head(_MOST).rename(columns=_NAMES)),
            hide_index=True,
            key="data_changed",
            column_config={
                name: st.column_config.NumberColumn(format="%.3f") for name in _NAMES.values()
            },
        )
    else:
        st.caption("All of these reviews have the same scores in A and B.")
    if found.n_other_texts:
        st.caption(
            f"{counted(found.n_other_texts, 'matched review')} with another text in B: matched by "
            "id, as the change is the same."
        )
