"""The page Threshold without a browser."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from crscore_core.corpus.model import GROUND_TRUTH, UNRATED, Ratings
from pages.components import thresholds_panels
from pages.components.source.model import Source, SourceKind
from pages.components.thresholds_panels import best_of
from tests.crscore_core.datasets.study.made_comparison import Made, scoring
from tests.pages.app_page import app_page
from tests.pages.test_rankings_page import imported, markup, three_systems


def opened(data: str | None = None, source: Source | None = None, **url: str) -> AppTest:
    return app_page("thresholds", data, source, url)


def curves(page: AppTest) -> dict[str, dict[str, Any]]:
    spec = json.loads(page.get("plotly_chart")[0].proto.spec)
    return {trace["name"]: trace for trace in spec["data"]}


def lines(page: AppTest) -> set[float]:
    """Where vertical lines stand."""
    spec = json.loads(page.get("plotly_chart")[0].proto.spec)
    return {shape["x0"] for shape in spec["layout"]["shapes"] if shape["x0"] == shape["x1"]}


def falling() -> list[Made]:
    """One sentence against one pseudo-reference: half of the reviews fall at 0.5, half at 0.75."""
    return [
        Made(change, (rating,) * 3, [[similarity]], system)
        for change in range(8)
        for system, rating, similarity in (("a", 2, 0.5), ("b", 5, 0.75))
    ]


def test_the_sample_is_swept() -> None:
    page = opened()
    assert not page.info
    found = curves(page)
    assert {"Rel", "systems by Rel", "mean Con"} <= set(found)
    assert "Precision" not in found
    assert all(len(trace["x"]) == 101 for trace in found.values())
    assert "Table 4" not in markup(page)


def test_curves_and_figures_are_those_of_each_tau() -> None:
    page = opened(source=imported(*falling()), tau="0.600")
    zero = curves(page)["with Rel 0"]["y"]
    assert (zero[40], zero[60], zero[80]) == (0, 0.5, 1)
    people = curves(page)["Rel"]["y"]
    assert people[40] is None  # all scores are 1, so there is no order
    assert people[60] == pytest.approx(1)
    shown = markup(page)
    assert "At tau 0.600" in shown
    assert "share of reviews with Rel 0" in shown
    assert "0.500" in shown


def test_reference_reviews_are_left_out_where_there_are_others() -> None:
    truth = [Made(change, (5, 5, 5), [[0.6]], GROUND_TRUTH) for change in range(8)]
    words = "ground truth are left out"
    for reviews, is_said in ((falling(), False), (truth, False), ([*falling(), *truth], True)):
        page = opened(source=imported(*reviews))
        assert any(words in one.value for one in page.caption) is is_said


def test_intervals_have_the_room_of_a_line() -> None:
    page = opened(source=imported(*falling()), tau="0.600")
    heads = re.findall(
        r'<th scope="col" class="([^"]*)" style="([^"]*)">(?:<[^>]*>)?95 %', markup(page)
    )
    width = len("0.000 to 1.000")
    assert heads == [("typed-wide", f"min-width:calc({width}ch + 2rem)")] * 2


def test_moving_tau_moves_its_line_and_sweeps_nothing_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    page = opened(source=imported(*falling()), tau="0.600")
    assert 0.6 in lines(page)

    def again(*_: object) -> None:
        raise AssertionError("the sweep depends on no tau")

    monkeypatch.setattr(thresholds_panels, "sweep_thresholds", again)
    page.slider(key="tau").set_value(0.7).run()
    assert not page.exception
    assert 0.7 in lines(page)
    assert 0.6 not in lines(page)
    assert "At tau 0.700" in markup(page)


def test_the_procedure_s_taus_are_marked() -> None:
    page = opened(source=imported(*falling()), tau="0.600")
    # People rate b best, whose sentences are 0.75 similar; there are no reference reviews.
    assert 0.75 in lines(page)
    assert "0.750" in markup(page)
    assert any("there are none" in one.value and "best, b" in one.value for one in page.caption)


def test_unrated_reviews_have_shares_and_means() -> None:
    page = opened(source=imported(*falling(), ratings=lambda _: UNRATED))
    assert "Nobody rated" in page.info[0].value
    assert list(curves(page)) == [
        "with Rel 0", "with Rel 1", "mean Con", "mean Comp", "mean Rel",
    ]  # fmt: skip
    assert "review by review" not in markup(page)


def test_ratings_without_a_correlation_are_not_called_missing() -> None:
    page = opened(source=imported(*falling(), ratings=lambda _: Ratings(3, 3, 3)))
    assert "no correlation with what they say is defined" in page.info[0].value
    assert "Nobody rated" not in page.info[0].value
    page = opened(source=imported(Made(0, (5, 4, 3), [[0.5]], "a")))
    assert "no correlation with what they say is defined" in page.info[0].value


def test_one_rated_dimension_is_correlated() -> None:
    page = opened(
        source=imported(*falling(), ratings=lambda given: Ratings(conciseness=given.conciseness))
    )
    assert not page.info
    assert "Con" in curves(page)
    assert "systems by Rel" not in curves(page)


def test_the_chart_has_its_figures_in_words() -> None:
    alt = opened(source=imported(*three_systems()), tau="0.500").get("plotly_chart")[0].proto.alt
    assert "mean Rel: 0.533 at tau 0.50" in alt  # of 0.9, 0.2 and 0.5


def test_many_reviews_are_swept() -> None:
    reviews = [
        scoring(at % 500, (at % 10) / 10, 1 + at % 5, f"s{at % 2_000}") for at in range(5_000)
    ]
    page = opened(source=imported(*reviews))
    assert any("Over 5,000 reviews" in one.value for one in page.caption)
    cut = "of the 40 systems with the most reviews; there are 1,960 others"
    assert any(cut in one.value for one in page.caption)


def test_where_there_is_nothing_the_page_leads_to_data() -> None:
    page = opened(SourceKind.FILE)
    assert "No file is imported" in page.info[0].value
    assert not page.get("plotly_chart")


def test_the_study_has_matching_and_the_paper_s_tables(
    study_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CRSCORE_STUDY", str(study_dir))
    page = opened(SourceKind.STUDY)
    assert {"Precision", "Recall", "F1"} <= set(curves(page))
    shown = markup(page)
    assert "Table 4 and Table 18" in shown
    assert "0.7314 tau_best" in shown
    assert "precision of matching" in shown
    assert any("cannot be compared" in one.value for one in page.caption)


def test_a_missing_study_is_an_error_on_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CRSCORE_STUDY", str(tmp_path / "nothing"))
    page = opened(SourceKind.STUDY)
    assert page.error or page.info
    assert not page.get("plotly_chart")


def test_the_highest_of_a_curve_is_the_first_of_several() -> None:
    assert best_of([0.1, 0.2, 0.3], [None, 0.5, 0.5]) == (0.2, 0.5)
    assert best_of([0.1], [None]) is None
