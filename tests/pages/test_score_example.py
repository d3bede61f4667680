"""The examples of the Score page without a browser."""

import pytest
from crscore_core.datasets.examples import load_examples, load_samples

from tests.crscore_core.changes import PYTHON
from tests.pages.app_page import opened

WRITTEN = "python/page-count"


@pytest.mark.usefixtures("no_encoder")
def test_the_first_screen_is_a_rated_and_scored_change_without_an_encoder() -> None:
    examples = load_examples()
    page = opened()
    first = next(iter(examples.values()))
    assert page.selectbox(key="example").options[0] == f"Human study, Java: {first.title}"
    overview, sentences, references = page.typed_tables()
    assert list(overview) == ["review", "relevance", "people"]
    assert list(overview["people"]) == [f"{rating:g}" for rating in first.people if rating]
    assert list(overview["review"]) == [f"{name}: {text}" for name, text in first.reviews]
    assert [row["relevance"] for row in page.scores()] == [
        f"{score.relevance:.3f}" for score in first.scores
    ]
    shown = first.scores[0]
    assert list(sentences["sentence"]) == list(shown.sentence_texts)
    assert page.chart()["data"][0]["z"][0][0] == pytest.approx(float(shown.similarity[0, 0]))
    assert f"Similarity of {len(references)} pseudo-references" in page.alt()
    assert "destory" in page.markup()  # the diff
    assert not page.text_area
    assert not page.error
    assert not page.warning
    assert page.put(tau=1.0).query_params["tau"] == "1"
    assert {row["relevance"] for row in page.scores()} == {"0.000"}
    words = f"**About the change: 0 of 1 sentence. Covers 0 of {len(references)} points.**"
    assert words in page.said()


@pytest.mark.usefixtures("no_encoder")
def test_each_example_of_the_study_and_each_review_of_it_is_shown() -> None:
    examples = load_examples()
    page = opened()
    rated = {key: example.scores for key, example in examples.items() if example.scores}
    assert len(rated) > 1
    for key, given in rated.items():
        assert len(page.put(example=key).scores()) == len(given)
        for number, shown in enumerate(given):
            page.put(**{f"shown_of_{len(given)}": number})
            assert list(page.typed_tables()[1]["sentence"]) == list(shown.sentence_texts)


@pytest.mark.parametrize("is_link", [True, False])
def test_a_written_example_is_scored_when_it_is_chosen_or_linked(is_link: bool) -> None:
    page = opened("", {"example": WRITTEN, "tau": "0.5"} if is_link else {})
    if not is_link:
        page.put(example=WRITTEN, tau=0.5)
    sample = load_samples()[WRITTEN]
    assert page.query_params["example"] == page.selectbox(key="example").value == WRITTEN
    assert page.slider(key="tau").value == 0.5
    assert sample.description in page.said().replace("\\", "")
    overview, _, references, analyzers = page.typed_tables()
    assert list(overview) == ["review", "relevance", "conciseness", "comprehensiveness"]
    assert len(overview) == len(sample.reviews)
    assert 0 < max(float(row["relevance"]) for row in page.scores()) <= 1
    assert {"claim, symbolic"} <= {
        ", ".join(origin.split(", ")[:2]) for origin in references["origin"]
    }
    assert "ruff" in set(analyzers["analyzer"])
    assert "Options" not in page.said()  # only the form has them
    assert "claims:symbolic" in page.code[-1].value


@pytest.mark.parametrize("unknown", ["<b>![x](http://x)", "../../etc/passwd", "9" * 5_000, ""])
def test_an_unknown_example_is_the_first(unknown: str) -> None:
    page = opened("", {"example": unknown, "view": unknown})
    assert "Ground Truth: " in page.typed_tables()[0]["review"].iloc[0]
    assert not {"example", "view"} & set(page.query_params)


def test_form_scores_and_example_outlive_a_look_at_the_other_and_at_another_page() -> None:
    page = opened("", {"example": WRITTEN}).put(view="own")
    own = page.put(diff=PYTHON, review_1="Why is an empty list returned?").press("Score").scores()
    assert page.put(view="example").visit("guide", "score").scores() != own
    assert "view" not in page.query_params
    assert page.selectbox(key="example").value == WRITTEN
    assert page.put(view="own").visit("guide", "score").scores() == own
    assert page.text_area(key="diff").value == PYTHON
    assert "The form has changed" not in page.said()
