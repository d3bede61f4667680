"""The signature at the foot of a page: one line with everything that its scores depend on."""

import streamlit as st

from crscore_core.scoring.signature import Signature
from crscore_eval.table import Run, run_signature


def show_signature(scored: Run | Signature, tau: float | None = None) -> None:
    """Show the signature of scores, or of a run at a tau, as text to copy."""
    signature = run_signature(scored.settings, tau) if isinstance(scored, Run) else scored
    st.caption("Signature of the scores, to report with them:")
    st.code(str(signature), language=None, wrap_lines=True)
