"""Drafts: the user's diff, reviews and options on the server, so that a reload keeps them.

A draft is a JSON file with a random key, which the URL has as `draft`. It is kept for a day. Each
session writes its own draft, so two sessions that opened one link do not overwrite each other's.
"""

import json
import re
import secrets
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

import streamlit as st
from platformdirs import user_cache_path

_KEY, _WRITTEN, _SHOWN, _SAVED = "draft", "draft_written", "draft_shown", "draft_saved"
_MAX_AGE = 24 * 60 * 60  # seconds
_MAX_BYTES, _MAX_DRAFTS = 5_000_000, 1_000


def drafts_folder() -> Path:
    """Return the folder of drafts."""
    return user_cache_path("crscore") / "drafts"


def restore_draft() -> dict[str, Any] | None:
    """Return the draft in the URL of a link or a reload, once per session; None if there is none.

    The URL keeps the key of the draft that the form shows.
    """
    key = st.query_params.get(_KEY, "")
    shown = st.session_state.get(_SHOWN)
    if shown is not None and key in ("", shown):
        st.query_params[_KEY] = shown
        return None
    draft = read_draft(key)
    if draft is None:
        st.query_params.pop(_KEY, None)
        return None
    st.session_state[_SHOWN], st.session_state[_SAVED] = key, draft
    return draft


def save_draft(draft: Mapping[str, Any], initial: Mapping[str, Any]) -> None:
    """Save this session's draft if it differs from the last draft, or from the `initial` form."""
    if draft == st.session_state.get(_SAVED, initial):
        return
    key = st.session_state.setdefault(_WRITTEN, secrets.token_urlsafe(16))
    if write_draft(key, draft):
        st.session_state[_SHOWN], st.session_state[_SAVED] = key, draft
        st.query_params[_KEY] = key


def read_draft(key: str) -> dict[str, Any] | None:
    """Return a draft; None if there is none or it is older than a day."""
    path = _path(key)
    if path is None:
        return None
    try:
        if time.time() - path.stat().st_mtime > _MAX_AGE:
            return None
        draft: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return draft


def write_draft(key: str, draft: Mapping[str, Any]) -> bool:
    """Write a draft and remove old drafts; return False if it is too long or the disk is full."""
    path, text = _path(key), json.dumps(draft)
    if path is None or len(text) > _MAX_BYTES:
        return False
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with NamedTemporaryFile("w", dir=path.parent, encoding="utf-8", delete=False) as temporary:
            temporary.write(text)
        Path(temporary.name).replace(path)
        _remove_old(path.parent)
    except OSError:
        return False
    return True


def _path(key: str) -> Path | None:
    """Return the file of a draft; None if `key` is not the key of a draft."""
    return drafts_folder() / f"{key}.json" if re.fullmatch(r"[A-Za-z0-9_-]{22}", key) else None


def _remove_old(folder: Path) -> None:
    """Remove drafts older than a day, and the oldest if there are too many."""
    modified = {}
    for path in folder.iterdir():
        with suppress(FileNotFoundError):  # another session has just renamed or removed it
            modified[path] = path.stat().st_mtime
    newest = sorted(modified, key=modified.__getitem__, reverse=True)
    for number, path in enumerate(newest):
        if number >= _MAX_DRAFTS or time.time() - modified[path] > _MAX_AGE:
            path.unlink(missing_ok=True)
