"""Scored forms that the server keeps for a while, each under a name that nobody can guess."""

import secrets
from dataclasses import dataclass, replace
from urllib.parse import urlencode

import streamlit as st
from pydantic import TypeAdapter, ValidationError

from crscore_core.caches import ByteStore
from crscore_core.claims import ClaimSet
from crscore_core.claims.edited import ClaimRow
from crscore_core.corpus.run.store import runs_folder
from pages.components.score_form import ScoreInputs, diff_text

KEPT_HOURS = 24
"""Hours for which a scored form is kept."""

MOST_BYTES = 200_000_000
"""Limit of all scored forms together, on disk; the oldest go first."""


@dataclass(frozen=True, slots=True)
class KeptScore:
    """All that a form was scored from, but for uploaded files and secrets.

    `claims` are those that `backend` made, and `rows` what a person left of them.
    """

    inputs: ScoreInputs
    backend: str
    claims: ClaimSet
    rows: tuple[ClaimRow, ...]


_format = TypeAdapter(KeptScore)


@st.cache_resource(max_entries=1)
def _store() -> ByteStore:
    return ByteStore(runs_folder() / ".scores", MOST_BYTES, KEPT_HOURS * 3600)


def keep_score(kept: KeptScore, name: str | None) -> str | None:
    """Keep a scored form, under `name` if it has one; return its name, None if it is not kept."""
    inputs = kept.inputs
    claims = replace(inputs.claims, options=replace(inputs.claims.options, api_key=None))
    plain = replace(
        inputs,
        diff=diff_text(inputs.diff),
        analysis=replace(inputs.analysis, new_files=()),
        claims=claims,
    )
    name = name or secrets.token_urlsafe(16)
    value = _format.dump_json(replace(kept, inputs=plain))
    return name if _store().keep({name.encode(): value}) else None


def find_score(name: str) -> KeptScore | None:
    """Return the scored form of a name; None if there is none, or none any more."""
    key = name.encode(errors="replace")
    value = _store().known([key]).get(key)
    try:
        return None if value is None else _format.validate_json(value)
    except ValidationError:  # another version kept it
        return None


def offer_link(name: str, tau: float) -> None:
    """Offer the address under which whoever has it sees the form and its scores."""
    with st.popover("Copy link", icon=":material/link:"):
        query = urlencode({"scored": name, "tau": f"{tau:g}"})
        st.code(f"{st.context.url or ''}?{query}", language=None, wrap_lines=True)
        st.caption(
            "Whoever has this link and can reach the app sees the diff, the reviews and their "
            f"scores, for {KEPT_HOURS} hours. Uploaded files and keys are not part of it."
        )
