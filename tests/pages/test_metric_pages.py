"""The pages Rankings, Threshold and Validity without a browser."""

import gc
import math
import re
import weakref
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from crscore_core.corpus.comparison import CorpusComparison
from crscore_core.corpus.model import GROUND_TRUTH, UNRATED, Ratings
from crscore_core.statistics import Estimate, Interval
from crscore_core.validity.figures import Figure, FigureTable
from crscore_core.validity.paper import paper_figure
from pages.components import thresholds_panels
from pages.components.source.model import SourceKind
from pages.components.thresholds_panels import best_of, curves_of
from pages.components.validity_corpus import corpus_validity
from pages.components.validity_parts import figure_rows
from tests.crscore_core.datasets.study.made_comparison import Made, made_comparison, scoring
from tests.pages.app_page import (
    alt,
    app_page,
    chart,
    labelled,
    markup,
    rated_in_turn,
    said,
    source_of,
    typed_tables,
)

# People put beta above gamma, Rel below.
THREE_SYSTEMS = made_comparison(
    *(
        scoring(change, share, rating, system)
        for change in range(6)
        for system, share, rating in (("alpha", 0.9, 5), ("beta", 0.2, 3), ("gamma", 0.5, 1))
    )
)


def rankings(*reviews: Made) -> AppTest:
    return app_page("rankings", made_comparison(*reviews))


def test_lines_texts_and_tables_say_the_same_ranks() -> None:
    page = app_page("rankings", THREE_SYSTEMS)
    lines = {trace["name"]: trace for trace in chart(page)["data"] if "customdata" in trace}
    # Without a model for the encoder nothing else ranks.
    assert list(lines) == ["alpha", "beta", "gamma"]
    assert lines["beta"]["y"] == [2, 3]
    assert lines["gamma"]["y"] == [3, 2]
    assert lines["beta"]["customdata"] == ["beta", "beta"]
    assert "By Rel: alpha, gamma, beta; 2 of 2 pairs of neighbours are in a sure order." in alt(
        page
    )
    assert "3 systems are too few to say how far an order agrees" in said(page)
    assert "No verdict: no review of a system has predicted relevance" in said(page)


def test_predicted_relevance_leads_and_where_rel_disagrees_is_said() -> None:
    """Rel puts alpha first in all six changes, predicted relevance last, and above all <b>eta."""
    places = {"alpha": 0.2, "beta": 0.7, "gamma": 0.5}
    swings: dict[str, Callable[[int], float]] = {
        "alpha": lambda change: change / 1000,
        "beta": lambda _: 0,
        "gamma": lambda change: change % 2 / 500,
    }
    named = {"beta": "<b>*eta*"}
    reviews = tuple(
        replace(
            review,
            system=named.get(review.system, review.system),
            predicted=(places[review.system] + swings[review.system](review.change), 0.5, 0.5, 0.5),
        )
        for review in THREE_SYSTEMS.reviews
    )
    page = app_page("rankings", replace(THREE_SYSTEMS, reviews=reviews))
    options = page.multiselect(key="rankings_metrics")
    assert options.options[:2] == ["predicted relevance", "people: relevance"]
    assert options.value == ["predicted_relevance", "human_relevance", "relevance"]
    systems, pairs = typed_tables(page)[:2]
    assert list(systems["system"]) == ["<b>*eta*", "gamma", "alpha"]
    assert list(systems["place"]) == ["1", "2", "3"]
    assert list(pairs["order"]) == ["sure"] * 3
    words = said(page)
    assert "## \\<b\\>\\*eta\\*'s reviews are better than gamma's, the next best" in words
    assert "alpha's reviews talk about more of the change, Rel 0\\.90 against 0\\.20" in words
    assert "6 changes by 3 systems; people rated all of them" in words
    cells, points = chart(page)["data"]
    np.testing.assert_allclose(cells["z"], [[0.7, 0.5, 0.2]] * 6, atol=0.01)
    assert points["customdata"][3] == ["1", "<b>*eta*"]
    page.selectbox(key="rankings_change").set_value("1").run()
    assert [
        text for text in said(page).split("\n") if text.startswith("predicted relevance 0")
    ] == [
        f"predicted relevance {place:.3f}, Rel {rel} at tau 0.500, people's relevance {people}"
        for place, rel, people in ((0.7, "0.200", 3), (0.502, "0.500", 1), (0.201, "0.900", 5))
    ]
    page.selectbox(key="rankings_system").set_value("gamma").run()
    listed = markup(page)[markup(page).index("reviews of gamma") :]
    assert listed.index("predicted relevance") < listed.index("Rel")


def test_moving_tau_ranks_anew() -> None:
    weak = [Made(change, (3, 3, 3), [[0.3]], "weak") for change in range(4)]
    mixed = [Made(at, (3, 3, 3), [[0.9 if at % 2 else 0.1]], "mixed") for at in range(4)]
    page = rankings(*weak, *mixed)
    for tau, order in ((0.2, "weak, mixed"), (0.6, "mixed, weak")):
        page.slider(key="tau").set_value(tau).run()
        assert f"By Rel: {order};" in alt(page)


def test_the_reviews_of_a_system_are_listed_with_ratings_and_links() -> None:
    page = app_page("rankings", THREE_SYSTEMS)
    assert "reviews of gamma" not in markup(page)
    page.selectbox(key="rankings_system").set_value("gamma").run()
    assert "6 of 6 reviews of gamma" in markup(page)
    assert "people&#39;s relevance" in markup(page)
    ids = page.selectbox(key="rankings_review").options
    page.selectbox(key="rankings_review").set_value(ids[0]).run()
    links = [link.proto.query_string for link in page.get("page_link")]
    assert any(link.startswith("review=0%2Fgamma") for link in links)
    assert any(link.startswith("case=0%2Fgamma") for link in links)
    # Another source has no such system.
    page.session_state["data"] = SourceKind.STUDY
    page.run()
    assert not page.exception
    assert page.selectbox(key="rankings_system").value is None


def test_reviews_whose_ids_begin_the_same_are_told_apart() -> None:
    long = "a-system-whose-name-takes-all-the-room-that-an-id-has-in-a-list-of-reviews-to-choose"
    page = rankings(*(scoring(change, 0.5, 3, long) for change in (0, 0, 0)))
    page.selectbox(key="rankings_system").set_value(long).run()
    assert len(set(page.selectbox(key="rankings_review").options)) == 3
    for number in range(3):
        page.selectbox(key="rankings_review").set_value(f"0/{long}/{number}").run()
        page.run()
        links = [link.proto.query_string for link in page.get("page_link")]
        assert [link for link in links if link.endswith(f"%2F{number}")], number


def test_the_url_restores_what_was_chosen() -> None:
    url = {
        "rankings_metrics": "Con",
        "rankings_system": "beta",
        "rankings_language": "python",
        "tau": "0.25",
    }
    page = app_page("rankings", THREE_SYSTEMS, url)
    assert page.multiselect(key="rankings_metrics").value == ["conciseness"]
    assert page.selectbox(key="rankings_language").value == "python"
    assert page.slider(key="tau").value == 0.25
    assert "reviews of beta" in markup(page)


def test_metrics_are_compared_with_what_people_rated() -> None:
    page = app_page("rankings", rated_in_turn(THREE_SYSTEMS, UNRATED))
    assert "By Rel: alpha" in alt(page)
    assert "Agreement with the order" not in markup(page)
    page.selectbox(key="rankings_system").set_value("gamma").run()
    assert "people&#39;s" not in markup(page)
    concise = [Ratings(conciseness=rating) for rating in (5, 3, 1)]
    page = app_page("rankings", rated_in_turn(THREE_SYSTEMS, *concise))
    assert "3 systems are too few" in said(page)


def test_comments_of_pull_requests_are_shown_by_month() -> None:
    made = made_comparison(*(scoring(change, 0.5, 3, "<b>ann</b>") for change in range(12)))
    days = [f"o/r#1/2026-{10 + (number > 5)}-{number + 10}/{number}" for number in range(11)]
    reviews = tuple(
        replace(review, id=day, predicted=(number / 10, *[math.nan] * 3))
        for number, (review, day) in enumerate(zip(made.reviews, [*days, "other"], strict=True))
    )
    page = app_page("rankings", replace(made, reviews=reviews))
    assert "By month" in [part.value for part in page.header]
    table = next(table for table in typed_tables(page) if "month" in table)
    assert table.to_numpy().tolist() == [
        ["2026-10", "<b>ann</b>", "6", "6", "0.250", "0.054 to 0.446"],
        ["2026-11", "<b>ann</b>", "5", "5", "0.800", "–"],
    ]
    one_month = tuple(replace(review, id=days[0]) for review in reviews)
    page = app_page("rankings", replace(made, reviews=one_month))
    assert "By month" not in [part.value for part in page.header]


def test_a_wrong_column_of_systems_is_said_and_cut() -> None:
    page = rankings(*(scoring(at % 20, 0.5, 3, f"review {at}") for at in range(3_000)))
    assert "There are 3,000 systems; the 40 with the most reviews" in page.warning[-1].value


def test_an_only_system_has_no_neighbour_and_reference_reviews_have_no_rank() -> None:
    assert "0 of 0 pairs" in alt(rankings(scoring(0, 0.5, 3, "alone")))
    page = rankings(scoring(0, 0.5, 3, GROUND_TRUTH))
    assert "All reviews are reference reviews" in page.info[0].value
    assert not page.get("plotly_chart")


@pytest.mark.parametrize("rated_in_java", [GROUND_TRUTH, "a"])
def test_a_language_without_a_system_or_a_rating_is_said(rated_in_java: str) -> None:
    comparison = made_comparison(
        scoring(0, 0.5, 3, "a"), scoring(0, 0.7, 4, "b"), scoring(1, 0.4, 2, rated_in_java)
    )
    first, last = comparison.changes
    comparison = rated_in_turn(
        replace(comparison, changes=(first, replace(last, language="java"))),
        *(review.ratings for review in comparison.reviews[:2]),
        UNRATED,
    )
    page = app_page("rankings", comparison, {"rankings_language": "java"})
    if rated_in_java == GROUND_TRUTH:
        assert "In this language all reviews are empty, or came with" in page.info[0].value
        return
    assert "Not ranked by people: relevance" in said(page)
    page.multiselect(key="rankings_metrics").set_value(["human_relevance"]).run()
    assert "No review has a value of people: relevance in this language" in page.info[0].value
    assert not page.get("plotly_chart")


def test_rankings_of_the_study_stand_beside_the_paper_s() -> None:
    page = app_page("rankings", "study")
    assert "Table 15" in markup(page)
    assert "0.950 and 0.889" in markup(page)
    assert "The ground truth" in said(page)
    lines = [trace["name"] for trace in chart(page, 1)["data"] if "customdata" in trace]
    assert "GPT-3.5" in lines
    assert "Ground Truth" not in lines


# One sentence against one pseudo-reference: half of the reviews fall at 0.5, half at 0.75.
FALLING = [
    Made(change, (rating,) * 3, [[similarity]], system)
    for change in range(8)
    for system, rating, similarity in (("a", 2, 0.5), ("b", 5, 0.75))
]


def thresholds(data: str | CorpusComparison, tau: str = "0.600") -> AppTest:
    return app_page("thresholds", data, {"tau": tau})


def curves(page: AppTest) -> dict[str, dict[str, Any]]:
    return {trace["name"]: trace for trace in chart(page)["data"]}


def marked_taus(page: AppTest) -> set[float]:
    """Places of vertical lines."""
    shapes = chart(page)["layout"]["shapes"]
    return {shape["x0"] for shape in shapes if shape["x0"] == shape["x1"]}


def test_agreement_without_a_threshold_is_a_flat_line_next_to_the_curves(
    samples: CorpusComparison,
) -> None:
    page = thresholds(samples)
    assert not page.info
    table = typed_tables(page)[0].set_index("at this tau")["value"]
    shown = float(table["similarity without a threshold with people's relevance"])
    (value,) = set(curves(page)["no threshold"]["y"])
    assert value == pytest.approx(shown, abs=6e-4)
    best = max(value for value in curves(page)["Rel"]["y"] if value is not None)
    assert f"Spearman {value:.2f} without, {best:.2f} at the best tau" in said(page)
    assert ("without a threshold agrees better" in said(page)) == (value > best)
    assert {"Rel", "systems by Rel", "mean Con"} <= set(curves(page))
    assert "Precision" not in curves(page)
    assert all(len(trace["x"]) == 101 for trace in curves(page).values())
    assert "Table 4" not in markup(page)


def test_curves_figures_and_lines_are_those_of_each_tau(monkeypatch: pytest.MonkeyPatch) -> None:
    page = thresholds(made_comparison(*FALLING))
    zero = curves(page)["with Rel 0"]["y"]
    assert (zero[40], zero[60], zero[80]) == (0, 0.5, 1)
    people = curves(page)["Rel"]["y"]
    assert people[40] is None  # all scores are 1, so there is no order
    assert people[60] == pytest.approx(1)
    assert "relevance agrees at least as well with people" in said(page)
    shown = markup(page)
    assert all(words in shown for words in ("At tau 0.600", "share of reviews with Rel 0", "0.500"))
    # People rate b best, whose sentences are 0.75 similar; there are no reference reviews.
    assert {0.6, 0.75} <= marked_taus(page)
    assert "0.750" in shown
    assert "there are none" in said(page)
    assert "best, b" in said(page)
    heads = re.findall(
        r'<th scope="col" class="([^"]*)" style="([^"]*)">(?:<[^>]*>)?95 %', markup(page)
    )
    width = len("0.000 to 1.000")  # intervals have the room of a line
    assert heads == [("typed-wide", f"min-width:calc({width}ch + var(--typed-gap))")] * 2

    def again(*_: object) -> None:
        raise AssertionError("the sweep depends on no tau")

    monkeypatch.setattr(thresholds_panels, "sweep_thresholds", again)
    page.slider(key="tau").set_value(0.7).run()
    assert not page.exception
    assert 0.7 in marked_taus(page)
    assert 0.6 not in marked_taus(page)
    assert "At tau 0.700" in markup(page)


def test_reference_reviews_are_left_out_where_there_are_others() -> None:
    truth = [Made(change, (5, 5, 5), [[0.6]], GROUND_TRUTH) for change in range(8)]
    for reviews, is_said in ((FALLING, False), (truth, False), ([*FALLING, *truth], True)):
        page = thresholds(made_comparison(*reviews))
        assert ("ground truth are left out" in said(page)) is is_said


def test_missing_ratings_and_missing_correlations_are_told_apart() -> None:
    falling = made_comparison(*FALLING)
    page = thresholds(rated_in_turn(falling, UNRATED))
    assert list(curves(page)) == [
        "with Rel 0", "with Rel 1", "mean Con", "mean Comp", "mean Rel",
    ]  # fmt: skip
    assert "review by review" not in markup(page)
    alone = made_comparison(Made(0, (5, 4, 3), [[0.5]], "a"))
    for comparison in (rated_in_turn(falling, Ratings(3, 3, 3)), alone):
        page = thresholds(comparison)
        assert "no correlation with what they say is defined" in page.info[0].value
    page = thresholds(rated_in_turn(falling, Ratings(conciseness=2), Ratings(conciseness=5)))
    assert not page.info
    assert "Con" in curves(page)
    assert "systems by Rel" not in curves(page)


def test_the_chart_of_taus_has_its_figures_in_words() -> None:
    assert "mean Rel: 0.533 at tau 0.50" in alt(thresholds(THREE_SYSTEMS, "0.500"))
    assert best_of([0.1, 0.2, 0.3], [None, 0.5, 0.5]) == (0.2, 0.5)
    assert best_of([0.1], [None]) is None


def test_many_reviews_are_swept() -> None:
    reviews = [
        scoring(at % 500, (at % 10) / 10, 1 + at % 5, f"s{at % 2_000}") for at in range(5_000)
    ]
    page = thresholds(made_comparison(*reviews))
    assert "Over 5,000 reviews" in said(page)
    assert "of the 40 systems with the most reviews; there are 1,960 others" in said(page)


def test_the_study_has_matching_and_the_paper_s_tables_of_tau() -> None:
    page = thresholds("study")
    assert {"Precision", "Recall", "F1"} <= set(curves(page))
    shown = markup(page)
    assert "Table 4 and Table 18" in shown
    assert "0.7314 tau_best" in shown
    assert "precision of matching" in shown
    assert "cannot be compared" in said(page)


RATED = made_comparison(
    *(
        scoring(change, share, rating, system)
        for change in range(5)
        for system, share, rating in (
            ("<b>good</b>", 0.9 - change / 20, 5),
            ("bad", change / 10, 1 + change % 2),
        )
    )
)


def validity(data: str | CorpusComparison, **state: object) -> AppTest:
    return app_page("validity", data, **({"tau": 0.5} | state))


def headings(page: AppTest) -> list[str]:
    return [heading.value for heading in page.header]


def column(table: pd.DataFrame, row: str, name: str) -> str:
    (value,) = table.loc[table["figure"] == row, name]
    return str(value)


def test_validity_stands_beside_the_paper_s_and_moves_with_tau() -> None:
    page = validity("study", tau=0.327)
    assert "rated by people" in said(page)
    assert "another one than the paper's" in said(page)
    before = typed_tables(page)[0]
    assert list(before) == ["figure", "paper", "here", "95 % interval", "holds the paper's"]
    printed = paper_figure("review_level", "relevance", "tau_gt", "spearman")
    assert printed is not None
    assert float(column(before, "relevance: Spearman's rho", "paper")) == pytest.approx(
        printed, abs=6e-4
    )
    here = float(column(before, "relevance: Spearman's rho", "here"))
    low, high = map(
        float, column(before, "relevance: Spearman's rho", "95 % interval").split(" to ")
    )
    assert low < here < high
    holds = column(before, "relevance: Spearman's rho", "holds the paper's")
    assert holds.startswith("✓" if low <= printed <= high else "✗")
    assert "where rated 5" in alt(page)
    without = column(before, "relevance spearman, without a threshold", "here")
    page.slider(key="tau").set_value(0.6).run()
    after = typed_tables(page)[0]
    assert list(before["paper"]) == list(after["paper"])
    assert list(before["here"]) != list(after["here"])
    assert column(after, "relevance spearman, without a threshold", "here") == without
    page.selectbox(key="validity_claims").select("symbolic").run()
    assert list(typed_tables(page)[0]["here"]) != list(after["here"])
    assert page.slider(key="tau").value == 0.6  # chosen, so it stays
    assert page.query_params["validity_claims"] == "symbolic"
    page.button(key="set_tau_gt").click().run()
    of_symbolic = page.slider(key="tau").value
    page.selectbox(key="validity_claims").select("study").run()
    assert "validity_claims" not in page.query_params
    assert page.slider(key="tau").value not in {0.6, of_symbolic}
    page.selectbox(key="validity_claims").select("gpt-4o").run()
    assert not page.exception


@pytest.mark.parametrize(
    ("part", "expected", "charts"),
    [
        ("Systems", "Ranks of systems", 0),
        ("Similarities", "Against a normal distribution", 2),
        ("Claims", "Quality of claims, in percent", 0),
        ("Beside baselines", "Agreement with relevance", 2),
    ],
)
def test_each_part_of_the_study(part: str, expected: str, charts: int) -> None:
    page = validity("study", validity_part=part)
    assert expected in headings(page)
    assert len(page.get("plotly_chart")) == charts
    assert headings(page)[-1] == "Download"
    if part == "Systems":
        at_tau, without = (
            column(typed_tables(page)[0], f"spearman{which}", "here")
            for which in (" (the paper's at tau_best)", ", without a threshold")
        )
        assert at_tau != without


def test_validity_of_other_reviews_has_no_figure_of_the_paper(samples: CorpusComparison) -> None:
    page = validity(samples)
    assert all("paper" not in table for table in typed_tables(page))
    assert len(page.get("plotly_chart")) == 5


WITHOUT_RATINGS = ["Means of systems", "Similarities", "Against a normal distribution", "Download"]


def test_rated_reviews_show_agreement_levels_and_systems() -> None:
    page = validity(RATED)
    assert headings(page) == [
        "Agreement review by review", "Pairwise accuracy within changes, with ties",
        "Score by people's rating", "Agreement of Rel by language",
        "Order of systems, Rel with people", "Agreement with relevance", "Values by relevance",
        *WITHOUT_RATINGS,
    ]  # fmt: skip
    tables = typed_tables(page)
    assert column(tables[0], "relevance reviews", "here") == "10"
    assert list(tables[-1]["system"]) == ["<b>good</b>", "bad"]
    assert tables[-1]["conciseness, metric"][0].startswith("0.800 (")
    assert tables[-1]["relevance, people"][0] == "1.000 (1.000 to 1.000)"


def test_missing_ratings_are_said_and_what_rests_on_them_is_missing() -> None:
    page = validity(rated_in_turn(RATED, UNRATED))
    assert headings(page) == WITHOUT_RATINGS
    assert len(page.get("page_link")) == 1
    page = validity(rated_in_turn(RATED, Ratings(comprehensiveness=4)))
    assert "Nobody rated conciseness and relevance" in said(page)
    assert "Order of systems, Rel with people" not in headings(page)
    means = typed_tables(page)[-1]
    assert "comprehensiveness, people" in means
    assert "relevance, people" not in means


def test_a_label_stands_beside_baselines_and_scores_by_its_values() -> None:
    """Long reviews are the useful ones; Rel is the same for all but the last."""
    comparison = made_comparison(
        *(Made(at, (1, 1, 1), [[0.9]], text="Why? " * (9 if at % 2 else 1)) for at in range(8)),
        Made(0, (1, 1, 1), [[0.1]], "other", "Why?"),
    )
    useful = [float(at % 2) for at in range(8)]
    bare = labelled(rated_in_turn(comparison, UNRATED), "<b>use", [*useful, 1])
    page = validity(bare)
    assert "agreement with labels stands below" in said(page)
    assert not page.get("page_link")
    agreement = typed_tables(page)[0]
    rows = dict(zip(agreement["metric"], agreement["AUC"], strict=True))
    # Of 4 x 5 pairs words tell 16 right and 4 are even; Rel loses 4 and 16 are even.
    assert (rows["number of words (baseline)"], rows["Rel"]) == ("0.900", "0.400")
    assert "agrees better with" in page.warning[-1].value
    assert "Comp (0.400)" in page.warning[-1].value
    assert "0: median 1.000; 1: median 1.000" in alt(page, 1)
    page.slider(key="tau").set_value(0.95).run()
    # Without a threshold, tau changes nothing.
    assert set(typed_tables(page)[0]["AUC"]) == {"0.900", "0.500", "0.400"}
    page = validity(labelled(bare, "graded", list(range(9))), validity_label="graded")
    assert "Spearman's rho" in typed_tables(page)[0]


def test_many_systems_are_cut_and_many_reviews_have_rough_intervals() -> None:
    systems = (scoring(number % 3, 0.5, 1 + number % 5, f"s{number}") for number in range(60))
    page = validity(made_comparison(*systems))
    assert "The 40 systems with most reviews, of 60" in said(page)
    assert len(typed_tables(page)[-1]) == 40
    many = made_comparison(*(scoring(change, 0.5, 1 + change % 5) for change in range(5)))
    page = validity(replace(many, reviews=many.reviews * 1_000))
    assert "400 resamples" in said(page)
    assert "their ends are rough" in said(page)


def test_what_is_kept_of_a_file_goes_with_it() -> None:
    source = source_of(replace(RATED))
    comparison = weakref.ref(source.comparison)
    of_corpus = source.once(corpus_validity)
    assert of_corpus.at(0.5) is source.once(corpus_validity).at(0.5)
    assert source.once(curves_of) is source.once(curves_of)
    del source, of_corpus
    gc.collect()
    assert comparison() is None


def test_the_sign_of_an_interval_follows_from_its_ends() -> None:
    interval = Interval(0.4, 0.6, 0.95)
    figures = [
        Figure(str(paper), paper, Estimate(0.5, interval)) for paper in (0.4, 0.6, 0.39, 0.61, None)
    ]
    figures.append(Figure("without", 0.5, Estimate(0.5, None)))
    rows = figure_rows(FigureTable("key", "title", "", tuple(figures)))
    assert [row["holds the paper's"] for row in rows] == [
        "✓ yes", "✓ yes", "✗ paper is lower", "✗ paper is higher", "", "",
    ]  # fmt: skip
    assert rows[0]["95 % interval"] == "0.400 to 0.600"
