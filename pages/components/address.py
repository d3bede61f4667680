"""Parameters of the address that no widget is bound to, such as the data that all pages show.

Not bound, because a bound widget writes the label of an option instead of its key, and its
parameter leaves the address on pages without the widget; each run writes these again.
"""

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages.components.text import keep_options

_READ = "read_from_address_"


def is_back() -> bool:
    """Return True if Back or Forward of the browser brought this run."""
    context = get_script_run_ctx()
    return context is not None and context.is_history_navigation


def restore(key: str, read: Callable[[str], object] = str) -> bool:
    """Take a value of the session from the address, where a link, a reload or Back brought one.

    `read` makes the value of the parameter's text, None if it is none. Returns True if there is
    one.
    """
    is_first = _READ + key not in st.session_state
    st.session_state[_READ + key] = True
    if not is_first and not is_back():
        return False
    value = read(st.query_params[key]) if key in st.query_params else None
    if value is not None:
        st.session_state[key] = value
    return value is not None


def choose(
    label: str,
    titles: Mapping[str, str],
    key: str,
    usual: str | None,
    widget: Callable[..., str | None] = st.selectbox,
    **of_widget: Any,  # noqa: ANN401 - Streamlit's own
) -> str | None:
    """Let a person choose one of the keys of `titles`; the key is in the address unless `usual`."""
    if not restore(key) and is_back():
        st.session_state[key] = usual
    keep_options(key, titles)
    st.session_state.setdefault(key, usual)
    chosen = widget(
        label,
        list(titles),
        format_func=lambda option: titles.get(option, ""),
        key=key,
        persist_state="session",
        **of_widget,
    )
    write_address(key, None if chosen == usual else chosen)
    return chosen


def write_address(key: str, value: str | None) -> None:
    """Write a parameter, None to take it out."""
    if value is None:
        st.query_params.pop(key, None)
    elif st.query_params.get(key) != value:
        st.query_params[key] = value
