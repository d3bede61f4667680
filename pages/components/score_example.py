"""A scored example on the Score page: a change, reviews of it, and people's ratings."""

import streamlit as st

from crscore_core import CRScorer, ReviewScore
from crscore_core.change import LANGUAGES
from crscore_core.scoring import DEFAULT_ENCODER
from crscore_eval.data.examples import Example, example_ratings, load_examples
from crscore_eval.data.shipped import shipped_run
from crscore_eval.table.one_review import review_score
from pages.components.address import choose
from pages.components.controls import tau_slider, two_columns
from pages.components.review_view import diff_of, show_matches
from pages.components.score_own import encoder_of
from pages.components.score_result import choose_detail, show_detail, show_files, show_overview
from pages.components.text import escape_markdown

_DIFF_HEIGHT, _MAX_LINES = 250, 12


@st.cache_resource(show_spinner=False)
def _examples() -> dict[str, Example]:
    return load_examples()


@st.cache_resource(max_entries=64, show_spinner="Scoring the example")
def _scores(key: str) -> list[ReviewScore]:
    example = _examples()[key]
    if example.rows:
        return [review_score(shipped_run(), row) for row in example.rows]
    scorer = CRScorer(encoder=encoder_of(DEFAULT_ENCODER))
    return scorer.score_many(
        example.diff, list(example.reviews.values()), language=example.language
    )


def choose_example() -> str:
    """Offer the examples, in the URL as `example`; return the key of the chosen one."""
    examples = _examples()
    first = next(iter(examples))
    titles = {
        key: f"{'Human study' if example.rows else 'Written example'}, "
        f"{LANGUAGES[example.language]}: {example.title}"
        for key, example in examples.items()
    }
    return (
        choose("Example", titles, "example", first, label_visibility="collapsed", width=560)
        or first
    )


@st.fragment
def show_example(key: str) -> None:
    """Show an example with its scores at a tau."""
    example, stored = _examples()[key], _scores(key)
    st.caption(escape_markdown(example.note))
    if st.button("See where the metric fails", type="tertiary", icon=":material/arrow_forward:"):
        st.switch_page("pages/failures.py")
    names = list(example.reviews)
    left, right = two_columns()
    with right:
        tau = tau_slider(stored[0].signature.encoder, stored[0].signature.claims)
        scores = [score.at(tau) for score in stored]
        chosen = choose_detail(names)
        show_detail(scores[chosen])
    is_long = example.diff.count("\n") > _MAX_LINES
    with left, st.container(height=_DIFF_HEIGHT if is_long else "content", border=False):
        diff_of(example.diff, example.language, scores[0].pseudo_references)
    with left:
        people = example_ratings(example).tolist() if example.rows else ()
        show_overview(scores, names, people)
    show_matches([scores[chosen]])
    show_files(scores)
