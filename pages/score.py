"""Score reviews of a pasted diff."""

from dataclasses import dataclass

import streamlit as st

from crscore_core import CRScorer, InputError, ReviewScore
from crscore_core.claims import parse_claims
from crscore_core.errors import ReviewError
from crscore_core.samples import Sample, load_samples
from crscore_core.scorer import Stage
from crscore_core.smells import choose_analyzers
from crscore_core.unicode import text_of_file
from pages.components.examples import example_picker
from pages.components.score_form import ScoreInputs, score_form
from pages.components.score_result import show_scores
from pages.components.tau import tau_slider
from pages.components.text import escape_markdown


@dataclass(frozen=True, slots=True)
class Outcome:
    """What scoring some inputs gave: scores, or the error that says what to change."""

    inputs: ScoreInputs
    scores: tuple[ReviewScore, ...] = ()
    error: str | None = None


def score(inputs: ScoreInputs) -> Outcome:
    """Score the reviews of the form, showing each stage as it begins."""
    with st.status("Scoring", expanded=True) as status:

        def show(stage: Stage) -> None:
            status.update(label=f"{stage.value} …")
            st.write(stage.value)

        try:
            for review in inputs.reviews:
                if not review.text.strip():
                    raise ReviewError(f"{review.name} is empty; write it or remove it")
            given = inputs.given_claims
            scorer = CRScorer(
                claims=inputs.claims if given is None else parse_claims(given),
                encoder=inputs.encoder,
                tau=0.0,  # replaced by the slider
                analyzers=choose_analyzers(inputs.analysis.pmd_rulesets, inputs.analysis.jshint),
            )
            scores = scorer.score_many(
                inputs.diff,
                [review.text for review in inputs.reviews],
                language=inputs.language,
                new_files={
                    name: text_of_file(content, f"file {name!r}")
                    for name, content in inputs.analysis.new_files
                },
                progress=show,
            )
        except InputError as error:
            status.update(label="Not scored", state="error", expanded=False)
            return Outcome(inputs, error=str(error))
        status.update(label="Scored", state="complete", expanded=False)
    return Outcome(inputs, scores=tuple(scores))


@st.cache_resource(max_entries=1)
def samples() -> dict[str, Sample]:
    """The examples, read once."""
    return load_samples()


@st.fragment
def results(encoder: str) -> None:
    """The threshold and all that depends on it."""
    outcome: Outcome | None = st.session_state.get("outcome")
    shown = outcome.inputs.encoder if outcome is not None and outcome.scores else encoder
    tau = tau_slider(shown)
    if outcome is None:
        st.info("Paste a diff and a review, or choose an example, then press Score.")
    elif outcome.error is not None:
        st.error(escape_markdown(outcome.error))
    else:
        if outcome.inputs != st.session_state["inputs"]:
            st.warning("The form has changed since; press Score to see what that does.")
        show_scores(
            [one.at(tau) for one in outcome.scores],
            [review.name for review in outcome.inputs.reviews],
        )


st.title("How good is this code review?")
st.write(
    "CRScore judges a review by the change alone: it derives what a good review could address "
    "and measures how much of that the review covers, and how much of the review is about it."
)
example_picker(samples())
inputs = score_form()
st.session_state["inputs"] = inputs
if st.button("Score", type="primary", icon=":material/play_arrow:"):
    st.session_state["outcome"] = score(inputs)
results(inputs.encoder)
