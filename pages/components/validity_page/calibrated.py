"""The calibrated score beside Rel, with the figures that do not flatter it first."""

import streamlit as st

from crscore_core.statistics import Estimate
from crscore_core.validity.paper import paper_figure
from pages.components.figure_words import between
from pages.components.markup import text_table
from pages.components.text import escape_markdown
from pages.components.validity_page.kept import StudyAtTau

__all__ = ["show_calibrated"]


def show_calibrated(study: StudyAtTau) -> None:
    """Agreement of the calibrated relevance with people, held out and not; Rel's beside it."""
    st.subheader("Calibrated relevance beside Rel", anchor=False)
    model, found = study.validity.calibrated_model, study.validity.calibrated
    if model is None or found is None:
        st.info("There is no calibrated model for this encoder.")
        return
    fitted = model.provenance
    st.write(
        "A model that predicts the relevance that people would give, from 1 to 5, out of the same "
        f"similarities. It was fitted to {fitted.ratings:,} ratings of {fitted.changes} changes: "
        f"{escape_markdown(fitted.data)}, with the claims "
        f"{escape_markdown(', '.join(fitted.claims))}."
    )
    st.info(
        "These reviews are those that it was fitted to, so the last row flatters it. The honest "
        "figures are the held-out ones: each review was predicted by a model that had not seen "
        "its change, or its system. Its features were chosen by the same cross-validation, so "
        "even these are a little too high.",
        icon=":material/info:",
    )
    rel = study.at.correlations["relevance"]
    rows = [_row("Rel", f"at tau {study.at.tau:.3f}", rel.spearman, rel.n)] if rel else []
    rows += [
        _row(
            f"calibrated, held out by {held.left_out}",
            f"claims {held.claims}",
            Estimate(held.agreement.spearman, held.agreement.interval),
            held.agreement.n,
        )
        for held in fitted.held_out
    ]
    rows.append(
        _row(
            "paper: GPT-4o as a judge",
            "reads the reference review",
            Estimate(paper_figure("review_level", "relevance", "LaaJ-GPT", "spearman"), None),
            None,
        )
    )
    rows.append(
        _row("calibrated, not held out", "flatters: fitted to them", found.spearman, found.n)
    )
    text_table(rows, wide=("what",), caption="Spearman correlation with people's relevance")


def _row(score: str, what: str, spearman: Estimate, reviews: int | None) -> dict[str, object]:
    return {
        "score": score,
        "what": what,
        "Spearman": spearman.value,
        "95 % interval": between(spearman.interval, nothing=""),
        "reviews": reviews,
    }
