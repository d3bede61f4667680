"""The examples of the Score page without a browser."""

import pytest

from crscore_core.datasets.examples import Example, load_examples
from crscore_core.datasets.samples import load_samples
from tests.crscore_core.changes import PYTHON
from tests.pages.app_page import (
    alt,
    chart,
    markup,
    opened,
    press,
    put,
    run,
    said,
    scores,
    typed_tables,
    visit,
)

WRITTEN = "python/page-count"


@pytest.fixture
def examples() -> dict[str, Example]:
    return load_examples()


@pytest.mark.usefixtures("no_encoder")
def test_the_first_screen_is_a_rated_and_scored_change_without_an_encoder(
    examples: dict[str, Example],
) -> None:
    page = opened()
    first = next(iter(examples.values()))
    assert page.selectbox(key="example").options[0] == f"Human study, Java: {first.title}"
    overview, sentences, references = typed_tables(page)
    assert list(overview) == ["review", "relevance", "people"]
    assert list(overview["people"]) == [f"{rating:g}" for rating in first.people if rating]
    assert list(overview["review"]) == [f"{name}: {text}" for name, text in first.reviews]
    assert [row["relevance"] for row in scores(page)] == [
        f"{score.relevance:.3f}" for score in first.scores
    ]
    shown = first.scores[0]
    assert list(sentences["sentence"]) == list(shown.sentence_texts)
    assert chart(page)["data"][0]["z"][0][0] == pytest.approx(float(shown.similarity[0, 0]))
    assert f"Similarity of {len(references)} pseudo-references" in alt(page)
    assert "destory" in markup(page)  # the diff
    assert not page.metric  # no predicted rating
    assert not page.text_area
    assert not page.error
    assert not page.warning


@pytest.mark.usefixtures("no_encoder")
def test_moving_tau_changes_the_words_the_scores_and_the_address() -> None:
    page = opened()
    sentences, points = (len(table) for table in typed_tables(page)[1:])
    for tau, share, mark in (("0", 1, "✓ on topic"), ("1", 0, "✗ off topic")):
        put(page, tau=float(tau))
        assert (
            f"**About the change: {share * sentences} of {sentences} sentence. "
            f"Covers {share * points} of {points} points.**"
        ) in said(page)
        assert {row["relevance"] for row in scores(page)} == {f"{share:.3f}"}
        assert set(typed_tables(page)[1]["topic"]) == {mark}
        assert page.query_params["tau"] == tau


@pytest.mark.usefixtures("no_encoder")
def test_each_example_of_the_study_and_each_review_of_it_is_shown(
    examples: dict[str, Example],
) -> None:
    page = opened()
    rated = [key for key, example in examples.items() if example.scores]
    assert len(rated) > 1
    for key in rated:
        put(page, example=key)
        n_reviews = len(examples[key].reviews)
        assert len(scores(page)) == n_reviews
        for number in range(n_reviews):
            put(page, **{f"shown_of_{n_reviews}": number})
            shown = examples[key].scores[number].sentence_texts
            assert list(typed_tables(page)[1]["sentence"]) == list(shown)


def test_a_written_example_is_scored_when_it_is_chosen() -> None:
    page = put(opened(), example=WRITTEN)
    sample = load_samples()[WRITTEN]
    assert page.query_params["example"] == WRITTEN
    assert sample.description in said(page).replace("\\", "")
    overview, _, references, analyzers = typed_tables(page)
    assert list(overview) == ["review", "relevance", "conciseness", "comprehensiveness"]
    assert len(overview) == len(sample.reviews)
    assert 0 < max(float(row["relevance"]) for row in scores(page)) <= 1
    assert {"claim, symbolic"} <= {origin.split("\n")[0] for origin in references["origin"]}
    assert "ruff" in set(analyzers["analyzer"])
    assert "Options" not in said(page)  # only the form has them
    assert "claims:symbolic" in page.code[-1].value


def test_the_address_restores_an_example_and_an_unknown_one_is_the_first() -> None:
    page = opened("", {"example": WRITTEN, "tau": "0.5"})
    assert page.selectbox(key="example").value == WRITTEN
    assert page.slider(key="tau").value == 0.5
    assert len(scores(page)) == len(load_samples()[WRITTEN].reviews)
    for unknown in ("<b>![x](http://x)", "../../etc/passwd", "9" * 5_000, ""):
        page = opened("", {"example": unknown, "view": unknown})
        assert "Ground Truth: " in typed_tables(page)[0]["review"].iloc[0]
        assert "example" not in page.query_params
        assert "view" not in page.query_params


def test_back_leads_from_the_form_and_from_another_example_to_the_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    page = opened()
    address = {key: str(value) for key, value in page.query_params.items()}
    first = page.selectbox(key="example").value
    put(put(page, example="study/2455"), view="own")
    assert page.query_params["view"] == "own"
    page.query_params.clear()
    page.query_params.update(address)
    monkeypatch.setattr("pages.components.address.is_back", lambda: True)
    assert run(page).segmented_control(key="view").value == "example"
    assert page.selectbox(key="example").value == first


def test_a_form_and_its_scores_outlive_a_look_at_the_examples() -> None:
    page = put(put(opened(), view="own"), diff=PYTHON, review_1="Why is an empty list returned?")
    own = scores(press(page, "Score"))
    assert "people" in typed_tables(put(page, view="example"))[0]
    assert "view" not in page.query_params
    assert scores(put(page, view="own")) == own
    assert page.text_area(key="diff").value == PYTHON
    assert "The form has changed" not in said(page)


@pytest.mark.parametrize("view", ["example", "own"])
def test_the_view_is_kept_while_another_page_is_read(view: str) -> None:
    page = visit(put(opened("", {"example": WRITTEN}), view=view), "guide", "score")
    assert bool(page.text_area) is (view == "own")
    assert put(page, view="example").selectbox(key="example").value == WRITTEN
