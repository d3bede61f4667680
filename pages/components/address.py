"""Parameters of the URL that no widget is bound to, such as the data that all pages show.

A bound widget would write the label of an option instead of its key, and its parameter would
leave the URL on pages without the widget.
"""

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages.components.text import keep_options

_READ = "read_from_address_"


def is_back() -> bool:
    """Return True if the browser's Back or Forward caused this run."""
    context = get_script_run_ctx()
    return context is not None and context.is_history_navigation


def restore(key: str, read: Callable[[str], object] = str) -> bool:
    """Set a value of the session from the URL after a link, a reload or Back.

    `read` converts the text of the parameter, to None if it is invalid. Returns True if the URL
    has a valid value.
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
    """Let the user choose one of the keys of `titles`; the URL has the key unless it is `usual`."""
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
    """Write a parameter to the URL; None removes it."""
    if value is None:
        st.query_params.pop(key, None)
    elif st.query_params.get(key) != value:
        st.query_params[key] = value
