"""The human study with other claims or another encoder than in the shipped run."""

import streamlit as st

from crscore_core.errors import InputError
from crscore_core.scoring import DEFAULT_ENCODER, canonical_name
from crscore_eval.data.shipped import shipped_study
from crscore_eval.data.study_run import score_rated_reviews
from crscore_eval.table import Run
from pages.components.server import is_shared
from pages.components.tau_slider import ask_tau
from pages.components.text import describe_error
from pages.components.url import choose_option

_CLAIMS = {
    "study": "the study's own claims and smells",
    "symbolic": "symbolic claims and our analyzers",
}


@st.cache_resource(max_entries=3, show_spinner="Scoring the study")
def _score_study(claims: str, encoder: str, tau: float | None) -> Run:
    return score_rated_reviews(shipped_study(), claims, encoder, tau)


def choose_claims_and_encoder(cache_key: str, run: Run) -> tuple[str, Run]:
    """Let the user choose claims and encoder; return a key for caches, and the run."""
    claims = choose_option(
        "Pseudo-references",
        _CLAIMS,
        "validity_claims",
        "study",
        help="For claims of a language model or from a file, use `crscore validity --claims`.",
        width=300,
    )
    encoder = DEFAULT_ENCODER
    if not is_shared():
        typed = st.text_input(
            "Encoder",
            DEFAULT_ENCODER,
            key="validity_encoder",
            help="A sentence-transformers name or folder.",
            width=220,
        )
        encoder = typed.strip() or DEFAULT_ENCODER
    if (claims, encoder) == ("study", DEFAULT_ENCODER):
        return cache_key, run
    tau = ask_tau(canonical_name(encoder), claims, "validity_tau")
    try:
        return f"{claims} {encoder} {tau}", _score_study(claims, encoder, tau)
    except InputError as error:
        st.error(describe_error(error))
        return cache_key, run
