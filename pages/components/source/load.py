"""Where sources come from: the human study, saved runs, the imported file of a session."""

import threading
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from pathlib import Path
from typing import Any

import streamlit as st
from cachetools import LRUCache, cached

from crscore_core.corpus.progress import CorpusProgress, Note
from crscore_core.corpus.run.finished import FinishedRun
from crscore_core.corpus.run.imports import KEPT_HOURS, Import, Imports
from crscore_core.corpus.run.store import RunInfo, RunStore
from crscore_core.datasets.study.corpus import STUDY_CLAIMS, study_corpus
from crscore_core.datasets.study.load import load_study
from crscore_core.datasets.study.location import release_state
from crscore_core.datasets.study.model import HumanStudy
from crscore_core.datasets.study.shipped import SHIPPED, shipped_study
from crscore_core.errors import InputError
from crscore_core.scoring import DEFAULT_ENCODER, PRESETS, CachedEncoder
from crscore_core.validity.shipped import shipped_validity
from crscore_core.validity.study_validity import StudyValidity
from pages.components.address import restore, write_address
from pages.components.job_view import show_progress
from pages.components.operator import check_allowed
from pages.components.source.model import Source, SourceKind
from pages.components.text import counted, escape_markdown, without_score

IMPORTED = "imported_source"
"""Key under which a session holds the source of its imported file."""

IMPORT = "import"
"""Key under which a session holds the key of the import that it follows, as addresses do."""

TAKEN = "import_taken"
"""Key under which a session holds the key of the import that `IMPORTED` was read from."""

_SOURCES_AT_MOST = 4
_ENCODERS_AT_MOST = 5
_PREFIX = f"{SourceKind.RUN}-"


def kept_source(key: Hashable, make: Callable[[Note], Source]) -> Source:
    """Return the source of `key`, made now if it is not among those used last.

    While it is made a bar shows how far it is, and only those wait who want the same one. A person
    who leaves the page ends it; the next who asks goes on with what was encoded by then.
    """
    kept = _kept()
    place = st.empty()

    def note(progress: CorpusProgress) -> None:
        with place:
            show_progress(progress)

    if key not in kept.cache:
        place.progress(0.0, "Looking for what is there …")
    try:
        source: Source = kept(key, lambda: make(note))
    finally:
        place.empty()
    return source


@st.cache_resource(max_entries=1)
def _kept() -> Any:  # noqa: ANN401 - a function and its cache
    """Return the sources of this server, as a function of a key and of what makes the source."""

    @cached(LRUCache(_SOURCES_AT_MOST), key=lambda key, _: key, condition=threading.Condition())
    def kept(_: Hashable, make: Callable[[], Source]) -> Source:
        return make()

    return kept


def default_encoder() -> CachedEncoder:
    """Return the embedded encoder with its embeddings, for all pages but Score."""
    return _encoder(DEFAULT_ENCODER)


def encoder_of(name: str) -> CachedEncoder:
    """Return the encoder of this name with its embeddings.

    Raises:
        UnavailableError: there is none.
    """
    if name not in PRESETS:
        check_allowed(name)
    return _encoder(name)


@st.cache_resource(max_entries=_ENCODERS_AT_MOST, show_spinner=False)
def _encoder(name: str) -> CachedEncoder:
    return CachedEncoder(name)


def study_source(claims: str = STUDY_CLAIMS) -> Source:
    """Return the shipped part of the human study; with its own claims nothing is embedded.

    Raises:
        InputError: there are no such claims.
        UnavailableError: the encoder cannot be loaded.
    """

    def make(note: Note) -> Source:
        if claims == STUDY_CLAIMS:
            study = shipped_validity()
        else:
            study = _compared(shipped_study(), claims, SHIPPED, note)
        text = (
            f"Development part of the CRScore human study: {_counted(study)}. The study's other "
            "changes are kept apart as a test set."
        )
        return Source(SourceKind.STUDY, "Human study", text, study.comparison, study)

    return kept_source((SourceKind.STUDY, claims), make)


def release_source(place: Path, claims: str = STUDY_CLAIMS) -> Source:
    """Load the human study that a folder holds, with its own claims and smells, or others.

    Raises:
        InputError: there are no such claims.
        InputError: there is none, or it is damaged.
        UnavailableError: the encoder cannot be loaded.
    """

    def make(note: Note) -> Source:
        study = _compared(load_study(place), claims, place, note)
        text = f"The CRScore human study as downloaded: {_counted(study)}."
        return Source(SourceKind.RELEASE, "Downloaded study", text, study.comparison, study)

    return kept_source((SourceKind.RELEASE, release_state(place), claims), make)


def _compared(study: HumanStudy, claims: str, place: Path, note: Note) -> StudyValidity:
    corpus = study_corpus(study, claims, place)
    return StudyValidity.of(study, corpus, default_encoder(), note=note)


def _counted(study: StudyValidity) -> str:
    comparison = study.comparison
    claims = "that they edited" if comparison.claims == STUDY_CLAIMS else comparison.claims
    return (
        f"{len(comparison):,} reviews of {len(comparison.changes)} changes by "
        f"{len(study.shown)} systems, rated by people; claims and smells {claims}"
    )


def run_key(run_id: str) -> str:
    """Return the name of a run in the switch and in the URL."""
    return f"{_PREFIX}{run_id}"


def run_id_of(key: str) -> str | None:
    """Return the id in such a name, be the run there or not; None for other sources."""
    return key.removeprefix(_PREFIX) if key.startswith(_PREFIX) else None


def first_key() -> str:
    """Return the first choice of the switch: the run that the server was started with, if any."""
    opened = RunStore().opened
    return SourceKind.STUDY if opened is None else run_key(opened)


def run_labels() -> Mapping[str, str]:
    """Return labels of the runs that can be shown, no two the same, by name in the switch.

    There are none where saved runs cannot be read, of which the Data page says why.
    """
    try:
        runs = [run for run in RunStore().list() if run.damage is None]
    except InputError:
        return {}
    return {run_key(run_id): f"Run: {name}" for run_id, name in run_names(runs).items()}


def run_names(runs: Sequence[RunInfo]) -> dict[str, str]:
    """Return a name of each run by its id; no two are the same, as people choose by them."""
    names = {run.id: run.name or "Damaged run" for run in runs}
    counts = Counter(names.values())
    return {
        run.id: names[run.id]
        if counts[names[run.id]] == 1
        else f"{names[run.id]} ({run.created:%F %T}, {run.id[:4]})"
        for run in runs
    }


def run_source(run_id: str) -> Source:
    """Load a saved run.

    Raises:
        InputError: there is no such run, or it is damaged.
    """
    store = RunStore()
    info = store.find(run_id)

    def make(_: object) -> Source:
        comparison = store.load(run_id)
        return Source(SourceKind.RUN, info.name, run_note(info), comparison, run=run)

    run = store.run(run_id)
    said = run.answers.state, run.judgements.state
    return kept_source((SourceKind.RUN, str(store.folder), run_id, said), make)


def run_note(info: RunInfo) -> str:
    """Describe a run in a sentence or two."""
    of = f" of {info.corpus}" if info.corpus else ""
    return (
        f"{info.reviews:,} reviews{without_score(info.unscored)} of {info.changes:,} changes{of}, "
        f"saved on {info.created:%Y-%m-%d at %H:%M} UTC; encoder {info.encoder}, claims "
        f"{info.claims}."
    )


@st.cache_resource(max_entries=1)
def imports() -> Imports:
    """Return the imports of this server."""
    return Imports()


def restore_import() -> None:
    """Have this session follow the import of its address, if it has one."""
    if restore(IMPORT) and st.session_state[IMPORT] != st.session_state.get(TAKEN):
        st.session_state.pop(IMPORTED, None)


def follow_import(key: str) -> None:
    """Have this session follow an import, and its address at once: a reload may come any time."""
    st.session_state[IMPORT] = key
    write_address(IMPORT, key)


def forget_import() -> None:
    """Remove the import of this session, for everybody who has its address."""
    imports().remove(st.session_state.pop(IMPORT, None) or "")
    st.session_state.pop(IMPORTED, None)


def followed_import() -> Import | None:
    """Return the import that this session follows and has not taken yet."""
    restore_import()
    key = st.session_state.get(IMPORT)
    if key is None or key == st.session_state.get(TAKEN):
        return None
    try:
        found = imports().find(key)
    except InputError as error:
        st.warning(escape_markdown(str(error)))
        return None
    if found is None:
        forget_import()
    return found


def take_import() -> bool:
    """Make a scored import the imported file of this session, unless it is; return True if so.

    Raises:
        InputError: its run is damaged.
    """
    found = followed_import()
    if found is None or found.job is not None:
        return False
    key = st.session_state[IMPORT]

    def make(_: object) -> Source:
        comparison = run.reviews().loaded()
        note = (
            f"{counted(len(comparison), 'review')}{without_score(comparison.empty)} of "
            f"{counted(len(comparison.changes), 'change')}, imported here: nobody who does not "
            f"have this page's address sees them, and {KEPT_HOURS} hours after the last look "
            "they are gone, unless saved as a run."
        )
        return Source(SourceKind.FILE, found.name, note, comparison, run=run)

    run = found.run()
    said = run.judgements.state
    st.session_state[IMPORTED] = kept_source((SourceKind.FILE, key, said), make)
    st.session_state[TAKEN] = key
    return True


def take_import_again() -> None:
    """Have the imported file be read anew when it is next asked for, as judges added to it."""
    st.session_state.pop(IMPORTED, None)
    st.session_state.pop(TAKEN, None)


def imported_run() -> FinishedRun | None:
    """Return the run of the imported file of this session.

    Raises:
        InputError: it is damaged.
    """
    found = imports().find(st.session_state.get(TAKEN) or "")
    return None if found is None or found.job is not None else found.run()


def imported_source() -> Source | None:
    """Return the imported file of this session, that of its address where it is new.

    Raises:
        InputError: its run is damaged.
    """
    if IMPORTED not in st.session_state:
        take_import()
    source: Source | None = st.session_state.get(IMPORTED)
    return source
