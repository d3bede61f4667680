"""Examples that fill the form of the Score page."""

from collections.abc import Mapping

import streamlit as st

from crscore_core.datasets.samples import Sample
from pages.components.reviews_form import NamedReview
from pages.components.score_form import fill_form

__all__ = ["example_picker"]


def example_picker(samples: Mapping[str, Sample]) -> None:
    """Offer the examples, in the URL as `example`; choosing one fills the form."""
    chosen = st.selectbox(
        "Fill the form with an example",
        list(samples),
        index=None,
        placeholder=f"{len(samples)} illustrative changes",
        key="example",
        bind="query-params",
    )
    is_new = chosen != st.session_state.get("filled_example")
    st.session_state["filled_example"] = chosen
    if chosen is None:
        return
    sample = samples[chosen]
    if is_new:
        reviews = [NamedReview(review.system, review.review) for review in sample.reviews]
        fill_form(sample.diff, sample.language, reviews)
    built = f" Built so that the metric may {sample.designed_for}: {sample.note}"
    st.caption(f"{sample.title}. {sample.description}{built if sample.note else ''}")
