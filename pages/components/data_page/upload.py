"""A file of reviews that a person gives."""

import itertools
import math
from dataclasses import dataclass

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from crscore_core.corpus.reading import LARGEST_FILE, MOST_ROWS, Table, read_table
from crscore_core.errors import InputError
from pages.components.text import escape_markdown

__all__ = ["ReadFile", "read_upload"]

_UPLOAD = "data_upload"
_READ = "data_file"
_TYPES = ("jsonl", "ndjson", "json", "csv", "tsv", "tab", "parquet", "gz")
_numbers = itertools.count(1)


@dataclass(frozen=True, slots=True, eq=False)
class ReadFile:
    """A file that was read: its name, a number that no other has, and its rows."""

    name: str
    number: int
    table: Table


def read_upload() -> ReadFile | None:
    """Let a person give a file; the one that was read stays while other pages are open."""
    upload = st.file_uploader(
        "File of reviews",
        type=list(_TYPES),
        key=_UPLOAD,
        max_upload_size=math.ceil(LARGEST_FILE / 2**20),
        on_change=_forget,
        help="One row a review, with the change that it is about. Columns may have any names; "
        "what they hold is said in the next step.",
    )
    st.caption(
        f"JSON Lines, CSV, TSV or Parquet, also packed with gzip; at most {LARGEST_FILE // 10**6} "
        f"MB, unpacked too, and {MOST_ROWS:,} rows. It stays in this session, on this server."
    )
    if _READ not in st.session_state and isinstance(upload, UploadedFile):
        _read(upload)
    file: ReadFile | None = st.session_state.get(_READ)
    if file is not None and upload is None:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"**{escape_markdown(file.name)}** is still here.")
            st.button("Forget it", icon=":material/close:", on_click=_forget)
    return file


def _read(upload: UploadedFile) -> None:
    try:
        with st.spinner("Reading the file"):
            table = read_table(upload.getvalue(), upload.name)
    except InputError as error:
        st.error(escape_markdown(str(error)))
    else:
        st.session_state[_READ] = ReadFile(upload.name, next(_numbers), table)


def _forget() -> None:
    st.session_state.pop(_READ, None)
