"""The pages Rankings and Threshold without a browser."""

import re
from dataclasses import replace
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest

from crscore_core.corpus.model import GROUND_TRUTH, UNRATED, Ratings
from crscore_core.corpus.reviews import Reviews
from pages.components import downloads, thresholds_panels
from pages.components.thresholds_panels import best_of
from tests.crscore_core.corpus.made_reviews import altered
from tests.crscore_core.datasets.study.made_comparison import Made, made_comparison, scoring
from tests.pages.app_page import AppPage, app_page, labelled, rated_in_turn

# People put beta above gamma, Rel below.
THREE_SYSTEMS = made_comparison(
    *(
        scoring(change, share, rating, system)
        for change in range(20)
        for system, share, rating in (("alpha", 0.9, 5), ("<b>eta*", 0.2, 3), ("gamma", 0.5, 1))
    )
)


ALONE = scoring(0, 0.5, 3, "alone")


def rankings(*reviews: Made) -> AppPage:
    return app_page("rankings", made_comparison(*reviews))


def headline(page: AppPage) -> str:
    (text,) = [part.value for part in page.markdown if part.value.startswith("### ")]
    return str(text).removeprefix("### ").replace("\\", "")


def test_people_lead_where_they_rated_enough_and_what_they_contradict_is_said_on_top() -> None:
    page = app_page("rankings", THREE_SYSTEMS)
    assert headline(page).startswith("People rated alpha's reviews as more relevant than <b>eta*'s")
    warning = page.warning[0].value
    assert "It puts 1 of the 3 pairs that people clearly order the other way" in warning
    assert "gamma above \\<b\\>eta\\*" in warning
    systems, pairs = page.typed_tables()
    assert list(systems) == [
        "place", "system", "relevance", "people (1 to 5)", "Comp", "Con", "words", "reviews",
    ]  # fmt: skip
    assert systems.iloc[:, :4].to_numpy().tolist() == [
        ["1", "alpha", "0.900 (0.900 to 0.900)", "5.00 (5.00 to 5.00)"],
        ["2", "gamma", "0.500 (0.500 to 0.500)", "1.00 (1.00 to 1.00)"],
        ["3", "<b>eta*", "0.200 (0.200 to 0.200)", "3.00 (3.00 to 3.00)"],
    ]
    assert list(pairs["order"]) == ["clear"] * 3
    assert pairs["difference by people"].to_list()[2].startswith("-2.00")
    measure, people = page.chart()["data"]
    assert measure["x"] == pytest.approx([0.9, 0.5, 0.2])
    assert people["x"] == [5, 1, 3]
    assert "Relevance of systems: alpha 0.900" in page.alt()


def test_without_ratings_the_measure_leads_and_nothing_is_called_better() -> None:
    page = app_page("rankings", rated_in_turn(THREE_SYSTEMS, UNRATED))
    assert headline(page).startswith("alpha's reviews talk about more of the change than gamma")
    assert "people (1 to 5)" not in page.typed_tables()[0]
    assert len(page.chart()["data"]) == 1
    assert "better" not in page.said()


@pytest.mark.parametrize("rating", [3, 5])
def test_few_ratings_do_not_lead_but_what_they_contradict_does(rating: int) -> None:
    reviews = [
        scoring(change, share, people, system)
        for change in range(12)
        for system, share, people in (("alpha", 0.9, 3), ("bravo", 0.5, rating))
    ]
    contradicts = headline(rankings(*reviews)).startswith("People's ratings contradict this order")
    assert contradicts == (rating == 5)


def test_moving_tau_moves_verdict_table_and_chart() -> None:
    weak = [Made(change, (3, 3, 3), [[0.3]], "weak") for change in range(6)]
    mixed = [Made(at, (3, 3, 3), [[0.9 if at % 3 else 0.1]], "mixed") for at in range(6)]
    page = app_page("rankings", rated_in_turn(made_comparison(*weak, *mixed), UNRATED))
    for tau, words, order, means in (
        (0.2, "Relevance does not tell weak and mixed apart", ["weak", "mixed"], [1, 2 / 3]),
        (0.6, "mixed's reviews talk about more", ["mixed", "weak"], [2 / 3, 0]),
    ):
        assert headline(page.put(tau=tau)).startswith(words)
        assert list(page.typed_tables()[0]["system"]) == order
        assert page.chart()["data"][0]["x"] == pytest.approx(means)


def test_the_measure_is_one_of_all_pages_and_the_report_has_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[object] = []
    monkeypatch.setattr(
        downloads, "offer_downloads", lambda *_, measure, **__: asked.append(measure)
    )
    useful = [float(at) for at in range(len(THREE_SYSTEMS))]
    page = app_page("rankings", labelled(THREE_SYSTEMS, "<b>use", useful), {"by": "no_threshold"})
    head = page.typed_tables()[0]
    assert list(head)[2] == "similarity without a threshold"
    assert list(head)[4] == "Rel"
    assert "similarity without a threshold of systems: alpha" in page.alt().lower()
    for name, title in (("people", "rating of relevance (1 to 5)"), ("<b>use", "label <b>use"),
                        ("relevance", "relevance")):  # fmt: skip
        assert list(page.put(by=name).typed_tables()[0])[2] == title
        assert page.query_params.get("by") == (None if name == "relevance" else name)
    assert asked == ["no_threshold", "people", "<b>use", None]


def test_a_change_of_the_map_shows_its_reviews_from_the_highest() -> None:
    page = app_page("rankings", THREE_SYSTEMS)
    cells, points = page.chart(1)["data"]
    np.testing.assert_allclose(cells["z"], [[0.9, 0.5, 0.2]] * 20)
    assert (cells["zmin"], cells["zmax"]) == (0, 1)
    assert points["customdata"][5] == ["1", "<b>eta*"]
    captions = page.put(rankings_change="1").caption
    shown = [part.value for part in captions if "people rated it" in part.value]
    assert shown == [
        f"relevance {share}, people rated it {rating} of 5"
        for share, rating in (("0\\.900", 5), ("0\\.500", 1), ("0\\.200", 3))
    ]
    links = [link.proto.query_string for link in page.get("page_link")]
    assert [link[:10] for link in links] == ["review=1%2"] * 3


def test_reference_reviews_have_no_place() -> None:
    page = rankings(ALONE, scoring(0, 0.7, 3, GROUND_TRUTH))
    assert not any("pairs" in box.label for box in page.expander)
    table = page.typed_tables()[0]
    assert table[["place", "system"]].to_numpy().tolist() == [["1", "alone"], ["", "Ground Truth"]]


def test_rankings_of_the_study_open_with_what_people_say() -> None:
    page = app_page("rankings", "study")
    assert headline(page).startswith("People rated GPT-3.5's reviews as more relevant")
    assert list(page.typed_tables()[0]["system"])[9:] == ["Ground Truth"]


# One sentence against one pseudo-reference: half of the reviews fall at 0.5, half at 0.75.
FALLING = [
    Made(change, (rating,) * 3, [[similarity]], system)
    for change in range(8)
    for system, rating, similarity in (("a", 2, 0.5), ("b", 5, 0.75))
]


def thresholds(data: str | Reviews, tau: str = "0.600") -> AppPage:
    return app_page("thresholds", data, {"tau": tau})


def curves(page: AppPage) -> dict[str, dict[str, Any]]:
    return {trace["name"]: trace for trace in page.chart()["data"]}


def marked_taus(page: AppPage) -> set[float]:
    """Places of vertical lines."""
    shapes = page.chart()["layout"]["shapes"]
    return {shape["x0"] for shape in shapes if shape["x0"] == shape["x1"]}


def test_agreement_without_a_threshold_is_a_flat_line_next_to_the_curves(
    samples: Reviews,
) -> None:
    page = thresholds(samples)
    assert not page.info
    table = page.typed_tables()[0].set_index("at this tau")["value"]
    shown = float(table["similarity without a threshold with people's relevance"])
    (value,) = set(curves(page)["no threshold"]["y"])
    assert value == pytest.approx(shown, abs=6e-4)
    best = max(value for value in curves(page)["Rel"]["y"] if value is not None)
    assert f"Spearman {value:.2f} without, {best:.2f} at the best tau" in page.said()
    assert ("without a threshold agrees better" in page.said()) == (value > best)
    assert {"Rel", "systems by Rel", "mean Con"} <= set(curves(page))
    assert "Precision" not in curves(page)
    assert all(len(trace["x"]) == 101 for trace in curves(page).values())
    assert "Table 4" not in page.markup()


def test_curves_figures_and_lines_are_those_of_each_tau(monkeypatch: pytest.MonkeyPatch) -> None:
    page = thresholds(made_comparison(*FALLING))
    zero = curves(page)["with Rel 0"]["y"]
    assert (zero[40], zero[60], zero[80]) == (0, 0.5, 1)
    people = curves(page)["Rel"]["y"]
    assert people[40] is None  # all scores are 1, so there is no order
    assert people[60] == pytest.approx(1)
    assert "relevance agrees at least as well with people" in page.said()
    # People rate b best, whose sentences are 0.75 similar; there are no reference reviews.
    assert page.lacks(
        "At tau 0.600", "share of reviews with Rel 0", "0.500", "0.750", "there are none",
        "best, b",
    ) == []  # fmt: skip
    assert {0.6, 0.75} <= marked_taus(page)
    heads = re.findall(
        r'<th scope="col" class="([^"]*)" style="([^"]*)">(?:<[^>]*>)?95 %', page.markup()
    )
    width = len("0.000 to 1.000")  # intervals have the room of a line
    assert heads == [("typed-wide", f"min-width:calc({width}ch + var(--typed-gap))")] * 2

    again = Mock(side_effect=AssertionError("the sweep depends on no tau"))
    monkeypatch.setattr(thresholds_panels, "sweep_thresholds", again)
    assert 0.7 in marked_taus(page.put(tau=0.7))
    assert 0.6 not in marked_taus(page)
    assert "At tau 0.700" in page.markup()


def test_without_a_correlation_the_other_curves_are_left() -> None:
    falling = made_comparison(*FALLING)
    page = thresholds(rated_in_turn(falling, UNRATED))
    assert list(curves(page)) == "with Rel 0,with Rel 1,mean Con,mean Comp,mean Rel".split(",")
    assert "review by review" not in page.markup()
    page = thresholds(rated_in_turn(falling, Ratings(conciseness=2), Ratings(conciseness=5)))
    assert not page.info
    assert "Con" in curves(page)
    assert "systems by Rel" not in curves(page)


def test_the_chart_of_taus_has_its_figures_in_words() -> None:
    assert "mean Rel: 0.533 at tau 0.50" in thresholds(THREE_SYSTEMS, "0.500").alt()
    assert best_of([0.1, 0.2, 0.3], [None, 0.5, 0.5]) == (0.2, 0.5)
    assert best_of([0.1], [None]) is None


def test_the_study_has_matching_and_the_paper_s_tables_of_tau() -> None:
    page = thresholds("study")
    assert {"Precision", "Recall", "F1"} <= set(curves(page))
    assert page.lacks("Table 4 and Table 18", "0.7314 tau_best", "precision of matching") == []


MANY = [scoring(at % 500, (at % 10) / 10, 1 + at % 5, f"s{at % 2_000}") for at in range(5_000)]
TRUTH = [Made(change, (5, 5, 5), [[0.6]], GROUND_TRUTH) for change in range(8)]
JAVA = {"rankings_language": "java"}


def two_languages(*ratings: Ratings) -> Reviews:
    comparison = made_comparison(
        scoring(0, 0.5, 3, "a"), scoring(0, 0.7, 4, "b"), scoring(1, 0.4, 2, "a")
    )
    first, last = comparison.changes
    comparison = altered(comparison, changes=(first, replace(last, language="java")))
    return rated_in_turn(comparison, *ratings) if ratings else comparison


@pytest.mark.parametrize(
    ("name", "reviews", "url", "words", "rows"),
    [
        ("rankings", MANY, {}, ["40 of 2,000 systems are compared"], 40),
        ("rankings", [ALONE], {}, ["there is no other system to compare with"], 1),
        ("rankings", TRUTH, {}, ["there is no review of a system"], 0),
        ("rankings", two_languages(), {}, ["3 reviews of 2 changes by 2 systems"], 2),
        ("rankings", two_languages(), JAVA, ["1 review of 1 change by 1 system"], 1),
        (
            "rankings", two_languages(Ratings(relevance=2), Ratings(relevance=3), UNRATED),
            {**JAVA, "by": "people"}, ["no review of a system has a value of rating"], 0,
        ),
        ("thresholds", [*FALLING, *TRUTH], {}, ["ground truth are left out"], None),
        ("thresholds", [ALONE], {}, ["no correlation with what they say is defined"], None),
        (
            "thresholds", rated_in_turn(made_comparison(*FALLING), Ratings(3, 3, 3)), {},
            ["no correlation with what they say is defined"], None,
        ),
        (
            "thresholds", MANY, {},
            ["Over 5,000 reviews", "the 40 systems with the most reviews; there are 1,960"], None,
        ),
    ],
)  # fmt: skip
def test_a_page_says_what_its_reviews_are_or_lack(
    name: str,
    reviews: Reviews | list[Made],
    url: dict[str, str],
    words: list[str],
    rows: int | None,
) -> None:
    """`rows` counts the systems of the table of systems; None where there is no such table."""
    data = made_comparison(*reviews) if isinstance(reviews, list) else reviews
    page = app_page(name, data, url)
    assert page.lacks(*words) == []
    of_systems = page.typed_tables()[:1] if name == "rankings" else page.typed_tables()[-1:]
    assert rows in (None, sum(map(len, of_systems)))
    assert bool(page.get("plotly_chart")) is (rows != 0)


@pytest.mark.parametrize("reviews", [FALLING, TRUTH])
def test_reference_reviews_are_left_out_only_where_there_are_others(reviews: list[Made]) -> None:
    assert "ground truth are left out" not in thresholds(made_comparison(*reviews)).said()
