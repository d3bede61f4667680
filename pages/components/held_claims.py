"""The claims that a session holds: kept, edited, or in the way of others."""

import streamlit as st

from pages.components.claims_table import ClaimTable, counts_in_words, edit_claims
from pages.components.made_claims import ClaimQuestion, MadeClaims
from pages.components.text import escape_markdown

__all__ = ["claims_held_for", "edit_held", "edits_of_another", "keep_claims", "offer_to_drop"]

_TABLE = "claim_table"


def claims_held_for(question: ClaimQuestion) -> ClaimTable | None:
    """The claims that belong to `question`, None while there are none."""
    table = _held()
    return table if table is not None and table.made.question == question else None


def edits_of_another(question: ClaimQuestion) -> ClaimTable | None:
    """Claims edited by hand that belong to another question, None where there are none."""
    table = _held()
    if table is None or table.made.question == question:
        return None
    return table if table.edited.counts.is_edited else None


def keep_claims(made: MadeClaims) -> ClaimTable:
    """Show `made` from now on, as nobody has touched them."""
    table = ClaimTable.of(made)
    st.session_state[_TABLE] = table
    return table


def edit_held(table: ClaimTable) -> ClaimTable:
    """Show what was to be said about the claims, then themselves, and return them as left."""
    for warning in table.made.claims.warnings:
        st.warning(escape_markdown(warning))
    table = edit_claims(table)
    st.session_state[_TABLE] = table
    counts = table.edited.counts
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(counts_in_words(counts))
        if st.button("Reset", icon=":material/undo:", disabled=not counts.is_edited):
            keep_claims(table.made)
            st.rerun()
    return table


def offer_to_drop(table: ClaimTable) -> None:
    """Say that edits by hand are in the way of claims that belong to what the form holds."""
    st.warning(
        "The claims edited by hand belong to another diff, language or backend than the form "
        f"now holds: {counts_in_words(table.edited.counts)} They are not used for this one. "
        "Drop them to go on, or put the form back to have them again."
    )
    if st.button("Drop the edited claims", icon=":material/delete:"):
        del st.session_state[_TABLE]
        st.rerun()


def _held() -> ClaimTable | None:
    table: ClaimTable | None = st.session_state.get(_TABLE)
    return table
