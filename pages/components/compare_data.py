"""Choices of the page Compare: data, label, metrics, and the metric to test against."""

from pathlib import Path

import streamlit as st

from crscore_core.datasets.labelled import data_of_comparison
from crscore_core.datasets.registry import DATA_SETS, load_data
from crscore_core.errors import InputError
from crscore_core.scoring import usual_tau
from crscore_core.validity.metric_columns import TITLES, Scoring, metric_names
from crscore_core.validity.workbench import Request, Workbench
from pages.components.names import keep_options
from pages.components.source.load import default_encoder
from pages.components.source.model import Source, SourceKind
from pages.components.source.switch import current_source, lead_to_data, shown_key
from pages.components.text import escape_markdown

_DATA, _LABEL, _METRICS, _AGAINST = (
    "compare_data", "compare_label", "compare_metrics", "compare_against",
)  # fmt: skip
_SIDEBAR = "sidebar"
_NAMES = {_SIDEBAR: "Chosen in the sidebar", **{key: of.title for key, of in DATA_SETS.items()}}
_MOST_ODDITIES = 100


def choose_workbench() -> Workbench | None:
    """Choose the data; None, said why and what to do, where they are not there or have no label."""
    # The study in the sidebar is the data set itself, which knows more than its comparison.
    options = [*DATA_SETS] if shown_key() == SourceKind.STUDY else [_SIDEBAR, *DATA_SETS]
    keep_options(_DATA, options)
    name = st.selectbox(
        "Compare on",
        options,
        format_func=_NAMES.__getitem__,
        key=_DATA,
        bind="query-params",
        help="Reviews with labels of people: data sets on this server, or what the sidebar has.",
    )
    try:
        bench = _of_sidebar() if name == _SIDEBAR else _of_data_set(name)
    except InputError as error:
        st.error(escape_markdown(str(error)))
        return None
    if bench is not None and bench.data.oddities:
        with st.expander(f"Left out while reading: {len(bench.data.oddities):,}"):
            for oddity in bench.data.oddities[:_MOST_ODDITIES]:
                st.caption(escape_markdown(oddity))
    return bench


def choose_request(bench: Workbench) -> Request:
    """Choose label, metrics and the metric to test against; all in the URL."""
    labels = [name for name, of in bench.data.reviews.labels.items() if of.is_given.any()]
    keep_options(_LABEL, labels)
    keep_options(_METRICS, TITLES)
    with st.container(horizontal=True):
        label = st.selectbox(
            "Label",
            labels,
            key=_LABEL,
            bind="query-params",
            help="What people said of each review: agreement with it is measured.",
        )
        chosen = st.multiselect(
            "Metrics",
            list(TITLES),
            format_func=TITLES.__getitem__,
            key=_METRICS,
            bind="query-params",
            placeholder="All",
            help="p-values are corrected for the number of metrics, so choose before you look.",
        )
        names = metric_names(chosen)
        keep_options(_AGAINST, names)
        against = st.selectbox(
            "Test against",
            names,
            index=None,
            format_func=TITLES.__getitem__,
            key=_AGAINST,
            bind="query-params",
            placeholder="Rel, or else the first with a value",
            help="The metric that the difference of every other one is tested from.",
        )
    return Request(names, label, against)


def _of_sidebar() -> Workbench | None:
    source = current_source()
    if source is None:
        return None
    bench = source.once(_of_source)
    if not bench.data.labels:
        lead_to_data(
            "Metrics are compared by their agreement with people, and nobody rated these reviews. "
            "Choose a data set above, or import reviews with ratings from 1 to 5 or labels."
        )
        return None
    return bench


def _of_source(source: Source) -> Workbench:
    tau = usual_tau(source.comparison.encoder, source.comparison.claims)
    data = data_of_comparison(source.label, source.comparison)
    return Workbench(data, Scoring(None, default_encoder(), tau), source.bootstrap)


def _of_data_set(name: str) -> Workbench | None:
    known = DATA_SETS[name]
    place = known.path(name)
    if not known.is_there(name):
        lead_to_data(
            f"**{known.title}** ({known.contents}) is not here. It is looked for at "
            f"`{escape_markdown(str(place))}`. Get it from the {known.origin}, or name its place "
            f"in the environment variable `{known.variable}` and start the app anew. Licence: "
            f"{known.licence}."
        )
        return None
    files = [place] if place.is_file() else sorted(place.glob(known.file)) if known.file else []
    states = [file.stat() for file in files]
    return _kept(name, place, tuple((state.st_size, state.st_mtime_ns) for state in states))


@st.cache_resource(max_entries=len(DATA_SETS), show_spinner="Reading the data set")
def _kept(
    name: str,
    place: Path,
    state: tuple[tuple[int, int], ...],  # noqa: ARG001 - a key
) -> Workbench:
    return Workbench(load_data(name, place), Scoring(None, default_encoder()))
