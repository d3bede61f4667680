"""A scored example on the Score page: a change, reviews of it, and people's ratings."""

import streamlit as st

from crscore_core import CRScorer, ReviewScore
from crscore_core.change import LANGUAGE_TITLES
from crscore_core.scoring import DEFAULT_ENCODER
from crscore_eval.data.examples import Example, example_ratings, load_examples
from crscore_eval.data.shipped import shipped_run
from crscore_eval.table.one_review import review_score
from pages.components.score_result import cached_encoder, show_scores
from pages.components.url import choose_option


@st.cache_resource(show_spinner=False)
def _examples() -> dict[str, Example]:
    return load_examples()


@st.cache_resource(max_entries=64, show_spinner="Scoring the example")
def _scores(key: str) -> list[ReviewScore]:
    example = _examples()[key]
    if example.rows:
        return [review_score(shipped_run(), row) for row in example.rows]
    scorer = CRScorer(encoder=cached_encoder(DEFAULT_ENCODER))
    return scorer.score_many(
        example.diff, list(example.reviews.values()), language=example.language
    )


def choose_example() -> str:
    """Let the user choose an example, in the URL as `example`; return its key."""
    examples = _examples()
    titles = {
        key: f"{'Human study' if example.rows else 'Written example'}, "
        f"{LANGUAGE_TITLES[example.language]}: {example.title}"
        for key, example in examples.items()
    }
    first = next(iter(examples))
    return choose_option(
        "Example", titles, "example", first, label_visibility="collapsed", width=560
    )


@st.fragment
def show_example(key: str) -> None:
    """Show an example with its scores at a tau."""
    example = _examples()[key]
    show_scores(
        _scores(key),
        list(example.reviews),
        (example.diff, example.language),
        example_ratings(example).tolist() if example.rows else (),
        example.note,
    )
