"""A scored example on the Score page: a change, reviews of it, and what people say of them."""

import streamlit as st
from crscore_core.datasets.examples import Example, load_examples
from pages.components.source.load import default_encoder

from crscore_core import CRScorer, ReviewScore
from crscore_core.change import LANGUAGES
from pages.components.address import choose
from pages.components.controls import tau_slider, two_columns
from pages.components.markup import diff_view
from pages.components.score_result import choose_review, show_details, show_overview, show_review
from pages.components.text import escape_markdown

_DIFF_HEIGHT, _MOST_LINES = 250, 12


@st.cache_resource(max_entries=1, show_spinner=False)
def _examples() -> dict[str, Example]:
    return load_examples()


@st.cache_resource(max_entries=64, show_spinner="Scoring the example")
def _scores(key: str) -> tuple[ReviewScore, ...]:
    example = _examples()[key]
    if example.scores:
        return example.scores
    texts = [text for _, text in example.reviews]
    scorer = CRScorer(encoder=default_encoder())
    return tuple(scorer.score_many(example.diff, texts, language=example.language))


def choose_example() -> str:
    """Offer the examples, in the URL as `example`; return the key of the chosen one."""
    examples = _examples()
    first = next(iter(examples))
    titles = {key: _label(example) for key, example in examples.items()}
    return choose("Example", titles, "example", first, label_visibility="collapsed") or first


def _label(example: Example) -> str:
    origin = "Human study" if example.scores else "Written example"
    return f"{origin}, {LANGUAGES[example.language]}: {example.title}"


@st.fragment
def show_example(key: str) -> None:
    """Show an example with its scores at a tau."""
    example, stored = _examples()[key], _scores(key)
    st.caption(escape_markdown(example.note))
    names = [name for name, _ in example.reviews]
    left, right = two_columns()
    with right:
        tau = tau_slider(stored[0].signature.encoder, stored[0].signature.claims)
        scores = [score.at(tau) for score in stored]
        chosen = choose_review(names)
        show_review(scores[chosen])
    is_long = example.diff.count("\n") > _MOST_LINES
    with left, st.container(height=_DIFF_HEIGHT if is_long else "content", border=False):
        diff_view(example.diff, example.language)
    with left:
        show_overview(scores, names, example.people)
    # What is stored opens at once: it asks for no model.
    show_details(scores, names, chosen)
