"""User choices stored in URL parameters that no widget is bound to.

A bound widget would write an option's label instead of its key, and the parameter would disappear
from the URL on pages without the widget.
"""

from collections.abc import Callable, Collection, Mapping
from typing import Any, NoReturn

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

_READ = "read_from_url_"
_LAST = "page_and_parameters"
_LINKED = "parameters_of_link"
KEPT = "kept_parameters"
"""Session-state key of the URL parameters that this change of page kept."""


def is_back_or_forward() -> bool:
    """Return True if the browser's Back or Forward caused this run."""
    context = get_script_run_ctx()
    return context is not None and context.is_history_navigation


def keep_url() -> None:
    """Keep the URL parameters on a change of page; call before `st.navigation`.

    Streamlit drops them. Restoring them later would add another step to Back.
    """
    page, last = st.session_state.get(_LAST, (_page(), {}))
    now, kept = st.query_params.to_dict(), dict[str, str]()
    if page != _page() and not is_back_or_forward():
        st.session_state[_LINKED] = {key for key in now if now[key] != last.get(key)}
        kept = {key: last[key] for key in last if key not in now}
        st.query_params.update(kept)
    st.session_state[KEPT] = kept


def switch_page(page: str, **parameters: str) -> NoReturn:
    """Switch to a page and keep the URL parameters, in fewer steps of Back than Streamlit."""
    kept = {key: st.query_params[key] for key in st.query_params if _READ + key in st.session_state}
    st.switch_page(page, query_params=kept | parameters)


def _page() -> str | None:
    context = get_script_run_ctx()
    return context.page_script_hash if context else None


def restore_from_url(key: str, read: Callable[[str], object] = str) -> bool:
    """Set a session value from the URL after a link, a reload or Back.

    `read` converts the text of the parameter and returns None if it is invalid. Returns True if the
    URL has a valid value.
    """
    linked: set[str] = st.session_state.setdefault(_LINKED, set())
    is_new = key in linked or _READ + key not in st.session_state
    st.session_state[_READ + key] = True
    linked.discard(key)
    if not is_new and not is_back_or_forward():
        return False
    value = read(st.query_params[key]) if key in st.query_params else None
    if value is not None:
        st.session_state[key] = value
    return value is not None


def choose_option(
    label: str,
    titles: Mapping[str, str],
    key: str,
    default: str,
    widget: Callable[..., str | None] = st.selectbox,
    **arguments: Any,  # noqa: ANN401 - passed to the widget
) -> str:
    """Let the user choose a key of `titles`; the URL stores it unless it is the default."""
    if not restore_from_url(key) and is_back_or_forward():
        st.session_state[key] = default
    drop_stale_choices(key, titles)
    st.session_state.setdefault(key, default)
    chosen = widget(
        label,
        list(titles),
        format_func=lambda option: titles.get(option, ""),
        key=key,
        persist_state="session",
        **arguments,
    )
    write_to_url(key, None if chosen == default else chosen)
    return chosen or default


def choose_view(label: str, views: Mapping[str, str], key: str) -> str:
    """Let the user choose one of a few views by title; the first is the default."""
    look: dict[str, Any] = {"required": True, "label_visibility": "collapsed"}
    return choose_option(label, views, key, next(iter(views)), st.segmented_control, **look)


def write_to_url(key: str, value: str | None) -> None:
    """Write a parameter to the URL; None removes it."""
    if value is None:
        st.query_params.pop(key, None)
    elif st.query_params.get(key) != value:
        st.query_params[key] = value
    st.session_state[_LAST] = _page(), st.query_params.to_dict()


def release_parameter(key: str) -> None:
    """Release the parameter of a bound widget, which the browser goes on to write; call after it.

    Streamlit would remove the parameter on pages without the widget, with more steps of Back.
    """
    if (context := get_script_run_ctx()) is not None:
        with context.session_state.query_params() as parameters:
            if binding := parameters.get_binding_for_param(key):
                parameters.unbind_widget(binding.widget_id)


def drop_stale_choices(key: str, options: Collection[object]) -> None:
    """Remove choices under a key that are no longer options, such as systems of other data."""
    chosen = st.session_state.get(key)
    if isinstance(chosen, list):
        st.session_state[key] = [option for option in chosen if option in options]
    elif chosen is not None and chosen not in options:
        del st.session_state[key]
