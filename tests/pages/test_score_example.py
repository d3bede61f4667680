"""The examples of the Score page without a browser."""

import re

import pytest

from crscore_eval.data.examples import example_ratings, load_examples
from crscore_eval.data.shipped import shipped_run
from crscore_eval.table import measure_values
from crscore_eval.validity.agreement import system_ratings
from tests.pages.app_page import opened

WRITTEN = "retry-backoff"
SCORES = ["relevance", "conciseness", "comprehensiveness", "without a threshold"]


@pytest.mark.usefixtures("no_encoder")
def test_the_first_screen_is_a_rated_and_scored_change_without_an_encoder() -> None:
    first = next(iter(load_examples().values()))
    page = opened()
    overview, references, sentences = page.text_tables()
    people = "people's rating of relevance (1 to 5)"
    assert list(overview) == ["review", people, *SCORES]
    assert list(overview[people]) == [f"{rating:g}" for rating in example_ratings(first)]
    texts = [f"{name}: {text}".replace("`", "") for name, text in first.reviews.items()]
    assert [one[:200] for one in overview["review"]] == [text[:200] for text in texts]
    orders = [overview[column].astype(float).tolist() for column in (people, "relevance")]
    assert all(sorted(set(values), reverse=True) == values for values in orders)  # as people do
    assert sentences["would also match"].str.fullmatch(r"\d+ of 182").all()
    assert f"Similarity of {len(references)} pseudo-references" in page.alt()
    assert "subprocess" in page.markup()  # the diff
    assert [field.label[:4] for field in page.text_area] == ["Edit"]
    assert not page.error
    assert not page.lacks("People edited these claims", "by people in the human study")
    assert "tau" not in page.query_params
    assert page.put(tau=1.0).query_params["tau"] == "1"
    assert {row["relevance"] for row in page.scores()} == {"0.00"}


@pytest.mark.usefixtures("no_encoder")
def test_shows_each_example_of_the_study_and_each_of_its_reviews() -> None:
    page = opened()
    rated = {key: example for key, example in load_examples().items() if example.rows}
    assert len(rated) > 1
    for key, example in rated.items():
        texts = list(example.reviews.values())
        assert len(page.put(example=key).scores()) == len(texts)
        for number, text in enumerate(texts):
            page.put(shown=f"{number + 1}")
            assert page.query_params.get("shown", "1") == f"{number + 1}"
            assert page.text_table("sentence")["sentence"].iloc[0] in text.replace("`", "")


def test_an_edited_review_has_new_scores_with_their_difference(cookies: dict[str, str]) -> None:
    cookies["crscore_browser"] = "of an editor"
    page = opened("", {"tau": "0.4"})
    overview, original = page.text_table("review"), page.text_area[0].value
    page.text_area[0].set_value("The check of pylint is disabled. Thanks!").run()
    edited = page.text_table("review")
    reloaded = opened("", {"tau": "0.4"})
    assert reloaded.text_table("review").equals(edited)
    assert edited["people's rating of relevance (1 to 5)"].iloc[1] == ""  # of another text
    assert edited.drop(index=1).reset_index(drop=True).equals(overview)
    shown = re.search(r"relevance (0\.\d\d) \([+-]\d\.\d\d\)", page.texts())
    assert shown is not None
    assert edited["relevance"].iloc[1] == shown[1]
    assert page.press("Restore the original").text_area[0].value == original
    assert page.text_table("review").equals(overview)
    assert "Edited" not in page.texts()


def test_relevance_on_the_claims_of_the_study_is_compared_with_its_rated_reviews() -> None:
    reviews = shipped_run().reviews
    relevance = measure_values(reviews, "relevance", 0.4)
    first = relevance[next(iter(load_examples().values())).rows[0]]
    share = (relevance[system_ratings(reviews, "relevance").notna()] < first).mean()
    page = opened("", {"tau": "0.4"})
    assert f"higher than that of {share:.0%} of 1,647 rated reviews in the study" in page.texts()
    assert "that people rated" not in page.put(example=WRITTEN).texts()  # other claims


def test_the_range_of_tau_in_which_no_score_changes_is_shown() -> None:
    page = opened("", {"tau": "0.4"})
    low, high = map(float, re.findall(r"from (0\.\d+) to below (0\.\d+)", page.texts())[0])
    scores = page.scores()
    assert low <= 0.4 < high
    assert page.put(tau=high - 0.001).scores() == page.put(tau=low).scores() == scores
    assert page.put(tau=high + 0.001).scores() != scores
    assert page.put(tau=low - 0.001).scores() != scores
    assert re.search(r"for any tau from 0\.000 to below 0\.\d+\.", page.put(tau=0.0).texts())
    assert re.search(r"for any tau from 0\.\d+ up to 1\.", page.put(tau=1.0).texts())


@pytest.mark.parametrize("is_link", [True, False])
def test_scores_a_written_example_that_is_chosen_or_linked(is_link: bool) -> None:
    page = opened("", {"example": WRITTEN, "tau": "0.5"} if is_link else {})
    if not is_link:
        page.put(tau=0.6).put(example=WRITTEN)
        assert page.slider(key="tau").value == 0.6  # the presets of both are equal
        page.put(tau=0.5)
    assert page.query_params["example"] == page.selectbox(key="example").value == WRITTEN
    assert page.slider(key="tau").value == 0.5
    overview, references, _, analyzers = page.text_tables()
    assert list(overview) == ["review", *SCORES]
    assert not page.lacks("made from the diff by rules")
    assert len(overview) == len(load_examples()[WRITTEN].reviews)
    assert 0 < max(float(row["relevance"]) for row in page.scores()) <= 1
    assert references["origin"].str.startswith("claim, symbolic").any()
    assert "ruff" in set(analyzers["analyzer"])


@pytest.mark.parametrize("unknown", ["<b>![x](http://x)", "../../etc/passwd", "9" * 5_000, ""])
def test_an_unknown_example_shows_the_first(unknown: str) -> None:
    page = opened("", {"example": unknown, "view": unknown})
    assert "LLaMA-3-8B-Instruct: " in page.text_tables()[0]["review"].iloc[0]
    assert not {"example", "view"} & set(page.query_params)
