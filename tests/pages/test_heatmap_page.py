"""The heatmap page without a browser, and with it the choice of a review and the look at it."""

import re

import numpy as np
import pytest
from crscore_core.corpus.model import UNRATED, Ratings
from crscore_core.corpus.reviews import LeftOut, Reviews

from tests.crscore_core.corpus.made_reviews import altered
from tests.crscore_core.datasets.study.made_comparison import Made, made_comparison
from tests.pages.app_page import AppPage, app_page, rated_in_turn

LIVING = [[0.9, 0.1], [0.2, 0.3], [0.5, 0.35]]
TAU = 0.4


def opened(data: str | Reviews, **url: str) -> AppPage:
    state = {} if isinstance(data, str) else {"tau": TAU}
    return app_page("heatmap", data, url, **state)


MADE = made_comparison(
    Made(0, (5, 4, 3), LIVING, "one", "First review."),
    Made(0, (1, 2, 3), [[0.1], [0.2], [0.95]], "two", "Second review."),
    Made(0, (1, 1, 1), [[], [], []], "silent", ""),
    Made(1, (2, 2, 2), [[0.7]], "one", "Of another change."),
)


def in_url(page: AppPage, name: str) -> str | None:
    values = page.query_params.get(name)
    return values[0] if isinstance(values, list) else values


def shown_review(page: AppPage) -> str:
    (review,) = re.findall(r"Review (\S+) by", page.said().replace("\\", ""))
    return str(review)


def listed(page: AppPage) -> list[str]:
    return list(page.dataframe[-1].value["id"])


def test_a_review_its_matrix_and_its_scores() -> None:
    page = opened(MADE)
    scores, sentences, references = page.typed_tables()
    # At 0.4 the first sentence matches the first and the third pseudo-reference (0.9, 0.5).
    # Without a threshold, means of the best: (0.9 + 0.35) / 2 and (0.9 + 0.3 + 0.5) / 3.
    assert scores.to_dict("records") == [
        {"": "metric", "relevance": "0.571", "Comp": "0.667", "Con": "0.500",
         "no threshold": "0.594"},
        {"": "people", "relevance": "3", "Comp": "4", "Con": "5", "no threshold": ""},
    ]  # fmt: skip
    assert list(sentences["best match"]) == ["P1 0.900", "P3 0.350"]
    assert list(sentences["match"]) == ["✓ matches", "✗ no match"]
    assert list(references["coverage"]) == ["✓ covered", "✗ missed", "✓ covered"]
    figure = page.chart()
    cells, outline, _, points = figure["data"]
    drawn = np.array(cells["z"], dtype=float)
    expected = [[0.9, 0.1, 0.9], [0.2, 0.3, 0.3], [0.5, 0.35, 0.5], [0.9, 0.35, np.nan]]
    np.testing.assert_allclose(drawn[np.ix_([0, 1, 2, -1], [0, 1, -1])], expected)
    assert cells["textfont"]["shadow"] == "auto"  # stands out from every colour
    # Two pairs, two pseudo-references and one sentence are above tau.
    assert outline["x"].count(None) == 5
    assert points["customdata"] == [[row, column] for row in range(3) for column in range(2)]
    assert figure["layout"]["yaxis"]["ticktext"][0] == "<b>P1</b> Reference 0."
    assert "2 of 6 pairs are above tau 0.400" in page.alt()
    assert "P1 and S1 with 0.900" in page.alt()
    assert page.put(tau=0.92).typed_tables()[0]["relevance"].iloc[0] == "0.000"
    assert page.chart()["data"][1]["x"] == []
    assert page.put(tau=0.0).typed_tables()[0]["relevance"].iloc[0] == "1.000"


def test_a_single_pair_has_nothing_best_beside_it() -> None:
    page = opened(MADE, review="1/one/3")
    assert page.chart()["data"][0]["z"] == [[pytest.approx(0.7)]]


def test_reviews_are_stepped_through_searched_and_remembered() -> None:
    page = opened(MADE, cell="1-1")
    assert shown_review(page) == "0/one/0"
    assert in_url(page, "review") is None
    assert "Previous" not in page.labels()
    assert shown_review(page.press("Next")) == "0/two/1"
    assert (in_url(page, "review"), in_url(page, "cell")) == ("0/two/1", None)
    assert "**2 of 4**" in page.said()
    page.put(review_text="of ANOTHER")
    assert listed(page) == ["1/one/3"]
    assert "not among the 1 listed" in page.said()
    assert shown_review(page.press("Next")) == "1/one/3"
    assert "Next" not in page.labels()
    assert len(listed(page.press("Clear filters"))) == 4
    assert len(listed(page.put(review_system=["one"]))) == 2
    page.visit("guide", "heatmap")  # it is remembered while another page is read
    assert shown_review(page) == "1/one/3"
    assert in_url(page, "review") == "1/one/3"
    assert shown_review(page.visit("failures")) == "1/one/3"


@pytest.mark.parametrize(
    ("order", "first"),
    [
        ("as in the data", "0/one/0"),
        ("lowest relevance first", "0/silent/2"),
        ("highest relevance first", "1/one/3"),
        ("worst rated first", "0/silent/2"),
        ("best rated first", "0/one/0"),
    ],
)
def test_reviews_have_an_order(order: str, first: str) -> None:
    page = opened(MADE, review_order=order)
    assert (shown_review(page), listed(page)[0]) == (first, first)


def test_all_reviews_of_a_change_are_side_by_side() -> None:
    page = opened(MADE, heatmap_all="true")
    table = page.typed_tables()[0]
    assert list(table[""]) == ["one", "two", "silent"]
    assert list(table["relevance"]) == ["0.571", "0.500", ""]
    assert list(table["people"]) == ["3", "3", "1"]
    figure = page.chart()
    shown = [cell for cell in figure["data"][0]["z"][0] if cell is not None]
    assert shown == pytest.approx([0.9, 0.1, 0.1, 0.9])
    names = [annotation["text"] for annotation in figure["layout"]["annotations"]]
    assert names == ["<b>one</b>", "<b>two</b>"]
    assert "has no score" in page.said()
    many = made_comparison(*(Made(0, (1, 1, 1), [[0.5]], f"system {at}") for at in range(400)))
    page = opened(many, heatmap_all="true", review="0/system 399/399")
    assert "The first 30 of 400 reviews are shown" in page.said()
    assert len(page.typed_tables()[0]) == 30


def test_what_a_link_names_and_the_source_lacks_is_said() -> None:
    page = opened(altered(MADE, left_out=(LeftOut("bad", "no diff found"),)), review="<b>gone</b>")
    (said,) = (warning.value for warning in page.warning if "gone" in warning.value)
    assert "<b>" not in said
    assert shown_review(page) == "0/one/0"
    assert list(page.dataframe[-1].value["why"]) == ["no diff found"]
    for cell in ("0-1", "1-9", "x", "-", "²-1", "9" * 5000 + "-1"):
        assert "Click a cell" in opened(MADE, cell=cell).said()


def test_a_review_without_a_sentence_cannot_be_scored() -> None:
    page = opened(MADE, review="0/silent/2")
    assert list(page.typed_tables()[0]["relevance"]) == ["", "1"]
    assert "nothing to compare" in page.said()
    assert not page.get("plotly_chart")


@pytest.mark.parametrize(
    ("ratings", "told"), [(UNRATED, []), (Ratings(relevance=4), ["4", "–", "–", ""])]
)
def test_ratings_are_shown_as_far_as_there_are_any(ratings: Ratings, told: list[str]) -> None:
    page = opened(rated_in_turn(MADE, ratings))
    _, *people = page.typed_tables()[0].to_numpy().tolist()
    assert people == ([["people", *told]] if told else [])


def test_lines_of_the_diff_name_the_points_that_are_about_them(samples: Reviews) -> None:
    page = opened(samples)
    change = samples.changes[0]
    numbers = re.findall(r'class="typed-point"[^>]*>([^<]+)<', page.markup())
    named = {number for group in numbers for number in group.split(", ")}
    assert named
    assert named <= {f"P{at}" for at, one in enumerate(change.references, 1) if one.line}


def test_the_study_names_its_systems() -> None:
    page = opened("study", heatmap_all="true")
    systems = list(page.typed_tables()[0][""])
    assert {"GPT-3.5", "Ground Truth", "BM-25 retriever"} <= set(systems)
    assert len(page.chart()["layout"]["annotations"]) == len(systems)


@pytest.mark.parametrize(
    ("rows", "columns", "is_drawn", "is_a_table"),
    [(60, 60, True, True), (81, 3, False, True), (200, 400, False, False)],
)
def test_a_huge_matrix_is_no_picture(
    rows: int, columns: int, is_drawn: bool, is_a_table: bool
) -> None:
    cells = np.linspace(0, 1, rows * columns).reshape(rows, columns).tolist()
    page = opened(made_comparison(Made(0, (1, 1, 1), cells)))
    assert len(page.get("plotly_chart")) == is_drawn
    assert ("too many pairs to draw" in page.said()) is not is_drawn
    assert ("too many for a table" in page.said()) is not is_a_table
    assert len(page.typed_tables()[1]) == min(200, columns)
