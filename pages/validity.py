"""Agreement of the scores with people, next to the paper's figures, other metrics and baselines."""

import streamlit as st
from pages.components.judging import show_judges
from pages.components.source.load import release_source, study_source
from pages.components.source.model import Source, SourceKind
from pages.components.source.switch import current_source, lead_to_data, study_folder

from crscore_core.corpus.model import DIMENSIONS, GROUND_TRUTH
from crscore_core.datasets.study.corpus import GPT_4O, STUDY_CLAIMS
from crscore_core.errors import InputError
from crscore_core.validity.paper import PAPER_ENCODER
from pages.components.address import choose
from pages.components.controls import tau_slider
from pages.components.text import counted, escape_markdown
from pages.components.validity_metrics import show_answer, show_metrics, workbench
from pages.components.validity_tables import show_tables

_WIDE = 780  # pixels
_TITLES = {
    STUDY_CLAIMS: "the study's own claims and smells",
    GPT_4O: "claims of GPT-4o, our smells",
    "symbolic": "symbolic claims, our smells",
}


def _choose_claims(source: Source) -> Source:
    """Choose what the human study is compared with; any other data has one comparison.

    Raises:
        InputError: the study cannot be compared with these claims.
    """
    if source.study is None:
        return source
    claims = choose(
        "Pseudo-references",
        _TITLES,
        "validity_claims",
        STUDY_CLAIMS,
        help="Those of a language model of yours, or of a file: `crscore validity --claims`.",
        width=300,
    )
    if claims is None or claims == STUDY_CLAIMS:
        return source
    if source.kind is SourceKind.STUDY:
        return study_source(claims)
    return release_source(study_folder(), claims)


def _choose_tau(source: Source) -> float:
    try:
        own = source.study.presets.preset if source.study else None
    except InputError:  # no reviews of the systems that they are measured on
        own = None
    return tau_slider(source.comparison.encoder, source.comparison.claims, own)


def _say_basis(source: Source) -> None:
    """Say in a line what all figures rest on."""
    comparison = source.comparison
    reviews = int((comparison.system != GROUND_TRUTH).sum())
    counts = {name: int(comparison.is_judged_in(name).sum()) for name in DIMENSIONS[::-1]}
    rated = "rated by people"
    if set(counts.values()) != {reviews}:
        rated = ", ".join(f"{count:,} rated for {name}" for name, count in counts.items() if count)
    text = (
        f"**{counted(reviews, 'review')} of {counted(len(comparison.changes), 'change')}**, "
        f"{rated or 'not rated from 1 to 5'}, reference reviews left out. "
        f"Encoder: {escape_markdown(comparison.encoder)}"
    )
    if source.study is not None:
        text += f"; the paper's is {escape_markdown(PAPER_ENCODER)}"
    if comparison.left_out:
        changes = counted(len(comparison.left_out), "change")
        text += f". {changes} without pseudo-references left out"
    st.markdown(f"{text}.")


@st.fragment
def _show(source: Source) -> None:
    """Show the choices, the answer at this tau, the metrics, and the tables below them."""
    top = st.container()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        try:
            source = _choose_claims(source)
        except InputError as error:
            st.error(escape_markdown(str(error)))
            return
        with st.container(width=_WIDE):
            tau = _choose_tau(source)
    with top:
        _say_basis(source)
    if source.once(workbench).data.labels:
        show_answer(source, tau)
        show_metrics(source, tau)
    else:
        lead_to_data(
            "Nobody rated these reviews, so whether the scores agree with people cannot be said. "
            "Import reviews with ratings from 1 to 5 or with labels, or look at the human study."
        )
    show_judges(source)
    show_tables(source, tau)


source = current_source()
if source is not None:
    _show(source)
