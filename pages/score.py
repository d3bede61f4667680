"""Scores of the reviews of one change: an example, or the user's own diff and reviews."""

import streamlit as st

from crscore_core import CRScorer, ReviewScore
from crscore_core.change import LANGUAGE_TITLES
from crscore_eval.data.examples import Example, example_ratings, load_examples
from crscore_eval.data.shipped import shipped_run
from crscore_eval.table.one_review import review_score
from pages.components.guide import PICTURE
from pages.components.score_form import offer_change_of_run, show_form
from pages.components.score_result import show_scores
from pages.components.server import browser_state
from pages.components.url import choose_option, choose_view

_EXAMPLE = "example"
_TITLES = {_EXAMPLE: "Example", "own": "Score your own"}
_INTRODUCTION = (
    "**CRScore** compares a code review with facts about the change: claims made from the diff and "
    "code smells that tools find (*pseudo-references*). The scores say how many of these facts the "
    "review mentions, and how much of it is about them, not whether it is right or worth saying."
)


@st.cache_resource(show_spinner=False)
def _examples() -> dict[str, Example]:
    return load_examples()


@st.cache_resource(max_entries=64, show_spinner="Scoring the example")
def _scores(key: str) -> list[ReviewScore]:
    example = _examples()[key]
    if example.rows:
        return [review_score(shipped_run(), row) for row in example.rows]
    reviews = list(example.reviews.values())
    return CRScorer().score_many(example.diff, reviews, language=example.language)


def _choose_example() -> str:
    """Let the user choose an example; return its key, which is stored in the URL as `example`."""
    titles = {
        key: f"{'Human study' if example.rows else 'Written example'}, "
        f"{LANGUAGE_TITLES[example.language]}: {example.title}"
        for key, example in _examples().items()
    }
    first = next(iter(titles))
    return choose_option(
        "Example", titles, "example", first, label_visibility="collapsed", width=560
    )


@st.fragment
def _show_example(key: str) -> None:
    example, edits = _examples()[key], browser_state().setdefault("edits", {})
    keys = {f"example_{key}_{name}": name for name in example.reviews}
    for edit, name in keys.items():
        edits[edit] = st.session_state.setdefault(edit, edits.get(edit, example.reviews[name]))
    show_scores(
        _scores(key),
        keys,
        (example.diff, example.language),
        example_ratings(example).tolist() if example.rows else (),
        example.note,
    )


introduction = st.container()
with st.container(horizontal=True, vertical_alignment="center"):
    view = choose_view("View", _TITLES, "view")
    example = _choose_example() if view == _EXAMPLE else None
    with st.popover("How it is scored", icon=":material/schema:", width="content"):
        st.code(PICTURE, language=None)
offer_change_of_run()
if example is None:
    show_form()
else:
    introduction.write(_INTRODUCTION)
    _show_example(example)
