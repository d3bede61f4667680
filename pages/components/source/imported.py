"""The imported file of a session: its address, its source."""

import streamlit as st

from crscore_core.corpus.run.finished import FinishedRun
from crscore_core.corpus.run.imports import KEPT_HOURS, Import, Imports
from crscore_core.errors import BatchError
from pages.components.address import restore, write_address
from pages.components.source.load import kept_sources
from pages.components.source.model import Source, SourceKind
from pages.components.text import counted, escape_markdown, without_score

IMPORTED = "imported_source"
"""Key under which a session holds the source of its imported file."""

IMPORT = "import"
"""Key under which a session holds the key of the import that it follows, as addresses do."""

TAKEN = "import_taken"
"""Key under which a session holds the key of the import that `IMPORTED` was read from."""


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
    except BatchError as error:
        st.warning(escape_markdown(str(error)))
        return None
    if found is None:
        forget_import()
    return found


def again() -> None:
    """Go on with an import that was stopped."""
    imports().find(st.session_state[IMPORT], again=True)


def take_import() -> bool:
    """Make a scored import the imported file of this session.

    Returns True if no session has taken it before: all pages are to show it.

    Raises:
        BatchError: its run is damaged.
    """
    found = followed_import()
    if found is None or found.job is not None:
        return False
    key = st.session_state[IMPORT]

    def make(_: object) -> Source:
        comparison = found.run().reviews().loaded()
        note = (
            f"{counted(len(comparison), 'review')}"
            f"{without_score(comparison.empty)} of "
            f"{counted(len(comparison.changes), 'change')}, imported here: nobody who does not "
            f"have this page's address sees them, and {KEPT_HOURS} hours after the last look "
            "they are gone, unless saved as a run."
        )
        return Source.of(SourceKind.FILE, found.name, note, comparison)

    st.session_state[IMPORTED] = kept_sources().get((SourceKind.FILE, key), make)
    st.session_state[TAKEN] = key
    return imports().is_first_look(key)


def imported_run() -> FinishedRun | None:
    """Return the run of the imported file of this session.

    Raises:
        BatchError: it is damaged.
    """
    found = imports().find(st.session_state.get(TAKEN) or "")
    return None if found is None or found.job is not None else found.run()


def imported_source() -> Source | None:
    """Return the imported file of this session, that of its address where it is new.

    Raises:
        BatchError: its run is damaged.
    """
    if IMPORTED not in st.session_state:
        take_import()
    source: Source | None = st.session_state.get(IMPORTED)
    return source
