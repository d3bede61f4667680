"""The pages Rankings and Threshold without a browser."""

import re
from dataclasses import replace
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest
from crscore_core.corpus.model import GROUND_TRUTH, UNRATED, Ratings
from crscore_core.corpus.reviews import Reviews

from pages.components import offers, thresholds_view
from pages.components.thresholds_view import best_of
from tests.crscore_core.corpus.made_reviews import altered
from tests.crscore_core.datasets.study.made_comparison import Made, made_comparison, scoring
from tests.pages.app_page import AppPage, app_page, labelled, rated_in_turn, source_of

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
    (text,) = [part.value for part in page.markdown if part.value.startswith("## ")]
    return str(text).removeprefix("## ").replace("\\", "")


def drawn(page: AppPage) -> list[float]:
    """Where means stand on their axis in the table of systems, in percent, row by row."""
    return [float(at) for at in re.findall(r"--typed-at:([\d.]+)%", page.markup())]


def test_people_lead_where_they_rated_enough_and_what_they_contradict_is_said_on_top() -> None:
    page = app_page("rankings", THREE_SYSTEMS)
    assert headline(page).startswith("People rated alpha's reviews as more relevant than <b>eta*'s")
    warning = page.warning[0].value
    assert "It puts 1 of the 3 pairs that people clearly order the other way" in warning
    assert "gamma above \\<b\\>eta\\*" in warning
    systems, scores, pairs, *_ = page.typed_tables()
    heads = ["place", "system", "relevance (0 to 1)", "people (1 to 5)", "reviews"]
    assert [heads, *systems.to_numpy().tolist()] == [
        heads,
        ["1", "alpha", "0.900 (0.900 to 0.900)", "5.00 (5.00 to 5.00)", "20"],
        ["2", "gamma", "0.500 (0.500 to 0.500)", "1.00 (1.00 to 1.00)", "20"],
        ["3", "<b>eta*", "0.200 (0.200 to 0.200)", "3.00 (3.00 to 3.00)", "20"],
    ]
    assert drawn(page) == [90, 100, 50, 0, 20, 50]  # percent of the axis, row by row
    assert list(scores) == ["system", "Con", "Comp", "Rel", "words", "empty reviews"]
    assert list(scores["Rel"]) == ["0.900", "0.500", "0.200"]
    assert list(pairs["order"]) == ["clear"] * 3
    assert pairs["difference by people"].to_list()[2].startswith("-2.00")


def test_without_ratings_the_measure_leads_and_nothing_is_called_better() -> None:
    page = app_page("rankings", rated_in_turn(THREE_SYSTEMS, UNRATED))
    assert headline(page).startswith("alpha's reviews match the change more closely than gamma")
    assert "people (1 to 5)" not in page.typed_tables()[0]
    assert drawn(page) == [90, 50, 20]
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


def test_moving_tau_moves_verdict_and_table() -> None:
    weak = [Made(change, (3, 3, 3), [[0.3]], "weak") for change in range(6)]
    mixed = [Made(at, (3, 3, 3), [[0.9 if at % 3 else 0.1]], "mixed") for at in range(6)]
    page = app_page("rankings", rated_in_turn(made_comparison(*weak, *mixed), UNRATED))
    for tau, words, order, means in (
        (0.2, "Relevance does not tell weak and mixed apart", ["weak", "mixed"], [100, 66.7]),
        (0.6, "mixed's reviews match the change", ["mixed", "weak"], [66.7, 0]),
    ):
        assert headline(page.put(tau=tau)).startswith(words)
        assert list(page.typed_tables()[0]["system"]) == order
        assert drawn(page) == means


def test_a_preset_of_tau_goes_to_that_of_other_claims_and_a_chosen_tau_stays_on_its_data() -> None:
    symbolic = altered(THREE_SYSTEMS, encoder="all-MiniLM-L6-v2", claims="symbolic")
    page = app_page("rankings", "study", imported_source=source_of(symbolic))

    def tau_of(data: str) -> object:
        page.session_state["data"] = data
        return page.run().slider(key="tau").value

    assert page.press("set_tau_best").slider(key="tau").value == 0.469
    assert (tau_of("file"), tau_of("study")) == (0.417, 0.469)
    page.put(tau=0.6).visit("guide", "thresholds")
    assert (tau_of("study"), tau_of("file")) == (0.6, 0.302)


def test_the_measure_is_one_of_all_pages_and_the_report_has_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[object] = []
    monkeypatch.setattr(offers, "offer_downloads", lambda *_, measure, **__: asked.append(measure))
    useful = [float(at) for at in range(len(THREE_SYSTEMS))]
    page = app_page("rankings", labelled(THREE_SYSTEMS, "<b>use", useful), {"by": "no_threshold"})
    assert list(page.typed_tables()[0])[2] == "similarity without a threshold (0 to 1)"
    for name, title in (("people", "rating of relevance (1 to 5)"),
                        ("<b>use", "label <b>use (20.2 to 38.8)"),
                        ("relevance", "relevance (0 to 1)")):  # fmt: skip
        assert list(page.put(by=name).typed_tables()[0])[2] == title
        assert page.query_params.get("by") == (None if name == "relevance" else name)
    assert asked == ["no_threshold", "people", "<b>use", None]


def test_the_map_leads_through_the_reviews_of_its_changes_from_the_highest() -> None:
    page = app_page("rankings", THREE_SYSTEMS)
    cells, points = page.chart()["data"]
    np.testing.assert_allclose(cells["z"], [[0.9, 0.5, 0.2]] * 20)
    assert (cells["zmin"], cells["zmax"]) == (0, 1)
    assert points["customdata"][5] == [1, "<b>eta*"]
    shown = []
    for _ in range(4):
        scores = page.typed_tables()[-3]
        shown.append((scores["relevance"].tolist(), *re.findall(r"Change \d+", page.said())))
        page.press("Next")
    assert shown == [
        (["0.900", "5"], "Change 0"),
        (["0.500", "1"], "Change 0"),
        (["0.200", "3"], "Change 0"),
        (["0.900", "5"], "Change 1"),
    ]


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
    charts = map(page.chart, range(len(page.get("plotly_chart"))))
    return {trace["name"]: trace for chart in charts for trace in chart["data"]}


def marked_taus(page: AppPage) -> set[float]:
    """Places of vertical lines."""
    shapes = page.chart()["layout"]["shapes"]
    return {shape["x0"] for shape in shapes if shape["x0"] == shape["x1"]}


def test_agreement_without_a_threshold_is_a_flat_line_next_to_the_curves(
    samples: Reviews,
) -> None:
    page = thresholds(samples)
    assert not page.info
    table = page.typed_tables()[0].set_index("at tau 0.600")["value (95 %)"]
    (value,) = set(curves(page)["no threshold"]["y"])
    assert value == pytest.approx(float(table["no threshold"].split()[0]), abs=6e-4)
    best = max(value for value in curves(page)["Rel"]["y"] if value is not None)
    assert f"Spearman {max(value, best):.2f}" in page.said()
    assert ("without a threshold agrees better" in page.said()) == (value > best)
    assert list(curves(page)) == [
        "Rel", "Comp", "Con", "systems by Rel", "no threshold", "with Rel 0", "with Rel 1",
    ]  # fmt: skip
    assert "Rel: " in page.alt()
    assert "mean Con" in curves(page.put(threshold_curves="Mean score"))
    assert all(len(trace["y"]) == 101 for trace in curves(page).values())
    assert "paper" not in page.markup()


def test_curves_figures_and_lines_are_those_of_each_tau(monkeypatch: pytest.MonkeyPatch) -> None:
    page = thresholds(made_comparison(*FALLING))
    zero = curves(page)["with Rel 0"]["y"]
    assert (zero[40], zero[60], zero[80]) == (0, 0.5, 1)
    people = curves(page)["Rel"]["y"]
    assert people[40] is None  # all scores are 1, so there is no order
    assert people[60] == pytest.approx(1)
    assert "agrees at least as well with people" in page.said()
    few = thresholds(made_comparison(*FALLING[:10])).info[0].value
    assert few.startswith("People rated reviews of 5 changes: too few to say which tau")
    # People rate b best, whose sentences are 0.75 similar; there are no reference reviews.
    figures = page.typed_tables()[0].set_index("at tau 0.600")
    values = figures["value (95 %)"]
    assert values["share with Rel 0"].startswith("0.500 (")
    assert values["tau_best"].startswith("0.750 (")
    assert "tau_gt" not in figures.index
    assert page.lacks("there are none", "best, b") == []
    assert marked_taus(page) == {0.6, 0.75}

    again = Mock(side_effect=AssertionError("the sweep depends on no tau"))
    monkeypatch.setattr(thresholds_view, "sweep_thresholds", again)
    assert marked_taus(page.put(tau=0.7)) == {0.7, 0.75}
    assert "at tau 0.700" in page.markup()


def test_without_a_correlation_the_other_curves_are_left() -> None:
    falling = made_comparison(*FALLING)
    page = thresholds(rated_in_turn(falling, UNRATED))
    assert list(curves(page)) == "with Rel 0,with Rel 1,mean Rel,mean Comp,mean Con".split(",")
    assert "with people" not in page.markup()
    page = thresholds(rated_in_turn(falling, Ratings(conciseness=2), Ratings(conciseness=5)))
    assert not page.info
    assert "Con" in curves(page)
    assert "systems by Rel" not in curves(page)


def test_the_best_of_a_curve_is_the_lowest_tau_of_its_highest_value() -> None:
    assert best_of([None, 0.5, 0.5]) == (0.01, 0.5)
    assert best_of([None]) is None


@pytest.mark.parametrize(
    ("tau", "role", "precision", "systems"),
    [("0.327", "tau_gt", "0.448", "–"), ("0.469", "tau_best", "0.517", "0.950")],
)
def test_the_study_stands_next_to_the_paper_at_its_tau(
    tau: str, role: str, precision: str, systems: str
) -> None:
    page = thresholds("study", tau)
    paper = page.typed_tables()[0].set_index(f"at tau {tau}")[f"paper at {role}"]
    assert (paper["precision"], paper["systems by Rel"]) == (precision, systems)
    assert list(paper["tau_gt":]) == ["0.658", "0.731"]
    assert {"Precision", "Recall", "F1"} <= set(curves(page))


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
        ("thresholds", [*FALLING, *TRUTH], {}, ["the ground truth left out"], None),
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
    assert "ground truth left out" not in thresholds(made_comparison(*reviews)).said()
