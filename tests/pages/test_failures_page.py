"""The page of failure cases without a browser."""

import re
from base64 import b64decode
from unittest.mock import patch

import numpy as np
import pytest
from crscore_core.corpus.reviews import Reviews
from crscore_core.validity.failures import Failures, JudgedScore

from pages.components.failures_scatter import MOST_POINTS, drawn, jitter
from tests.crscore_core.corpus.made_reviews import made, unrated
from tests.crscore_core.datasets.study.made_comparison import made_comparison, scoring
from tests.pages.app_page import AppPage, app_page, labelled


def opened(data: str | Reviews = "study", **state: object) -> AppPage:
    return app_page("failures", data, **state)


def ids(page: AppPage) -> list[str]:
    return list(page.dataframe[0].value["id"])


def counted(page: AppPage) -> int:
    """The number of reviews to step through."""
    (number,) = re.findall(r"\*\*[\d,]+ of ([\d,]+)\*\*|the ([\d,]+) listed", page.said())
    return int("".join(number).replace(",", ""))


def shown_case(page: AppPage) -> str:
    (review,) = re.findall(r"Review (\S+) by", page.said().replace("\\", ""))
    return str(review)


def points(page: AppPage) -> dict[int, tuple[float, float]]:
    """The place of each point, by the position of its review."""
    traces = page.chart()["data"]
    return {
        at: (x, y)
        for one in traces
        for at, x, y in zip(*(values(one[name]) for name in ("customdata", "x", "y")), strict=True)
    }


def values(column: dict[str, str] | list[float]) -> list[float]:
    """Numbers of a chart's column, which may be packed."""
    if isinstance(column, list):
        return column
    packed = np.frombuffer(b64decode(column["bdata"]), column["dtype"])
    return [float(number) for number in packed]


@pytest.fixture
def of_study() -> AppPage:
    return opened()


def test_the_study_s_failures_are_listed_and_walked_through(of_study: AppPage) -> None:
    rows = of_study.dataframe[0].value
    assert counted(of_study) == 40
    assert rows["failure"].value_counts().to_dict() == {"underestimated": 20, "overestimated": 20}
    assert rows["gap"].abs().is_monotonic_decreasing
    assert "ground" not in " ".join(rows["system"]).casefold()
    first, second = rows["id"].iloc[:2]
    assert shown_case(of_study) == first
    assert shown_case(of_study.press("Next")) == second
    assert f"**2 of {len(rows)}**" in of_study.said()
    assert shown_case(of_study.press("Previous")) == first


def test_tau_the_measure_and_the_rule_decide_what_fails(of_study: AppPage) -> None:
    before = ids(of_study)
    assert ids(of_study.put(tau=0.469)) != before
    assert counted(of_study.put(failures_number=5)) == 10
    of_study.put(by="conciseness")
    assert {"conciseness", "people's conciseness"} < set(of_study.dataframe[0].value)
    assert of_study.query_params["by"] == "conciseness"
    before = ids(of_study.put(by="no_threshold"))
    assert ids(of_study.put(tau=0.9)) == before  # it does not depend on tau
    of_study.put(by="relevance", tau=0.469)
    of_study.put(failures_rule="The paper's rule")
    assert "failures_number" not in [box.key for box in of_study.selectbox]
    rows = of_study.dataframe[0].value
    ratings = {"underestimated": 5, "overestimated": 1}
    assert rows["people's relevance"].tolist() == [ratings[kind] for kind in rows["failure"]]
    assert "The lowest fifth ends at" in of_study.said()


def test_points_move_along_scores_alone_when_tau_moves(of_study: AppPage) -> None:
    before = points(of_study)
    after = points(of_study.put(tau=0.6))
    assert {at: y for at, (_, y) in before.items()} == {at: y for at, (_, y) in after.items()}
    assert before != after


def test_what_failures_have_in_common_stands_beside_the_paper_s(of_study: AppPage) -> None:
    of_study.put(failures_view="What they have in common")
    assert of_study.lacks("Without these cases", "95 % interval", "rest: share") == []
    assert "paper" not in of_study.typed_tables()[-1]  # its figures are by its own rule
    table = of_study.put(failures_rule="The paper's rule").typed_tables()[-1]
    assert table.set_index("figure")["paper"]["overestimated: share"] == "0.037"
    assert "paper" not in of_study.put(by="comprehensiveness").typed_tables()[-1]


def test_filters_narrow_the_list_and_are_cleared() -> None:
    page = opened(failures_which="all")
    everything = counted(page)
    assert counted(page.put(review_language=["java"])) < everything
    assert set(page.dataframe[0].value["language"]) == {"java"}
    assert not page.put(review_text="no review says (this", failures_which="failing").dataframe
    assert "No review is like this" in page.said()
    assert counted(page.press("Show all reviews")) == everything
    assert page.text_input(key="review_text").value == ""
    page = app_page("failures", "study", {"review_text": "the", "failures_which": "All reviews"})
    assert counted(page) < everything


def test_a_case_is_shown_whether_or_not_the_list_has_it() -> None:
    page = app_page("failures", made(), {"review": "c/one"})
    assert "not among the" in page.said()
    assert shown_case(page) == "c/one"


def test_without_ratings_the_page_leads_to_data_and_rate() -> None:
    page = opened(unrated(made()))
    assert not page.get("plotly_chart")
    assert not page.dataframe
    assert len(page.get("page_link")) == 2


def test_where_nothing_differs_all_reviews_are_listed() -> None:
    page = opened(made_comparison(*(scoring(0, share, 3) for share in (0.1, 0.9))))
    assert "No review fails by this rule" in page.info[0].value
    assert counted(page) == 2


def test_a_label_takes_the_place_of_ratings() -> None:
    useful = (1.0, 0.0, 1.0, None, 0.5)
    page = opened(labelled(made(), "use*ful", useful), failures_number=1)
    assert "people's relevance" in page.dataframe[0].value
    rows = page.put(failures_people="label use*ful").dataframe[0].value
    # Rel is 0, 1, 1, and less than 1 for the last.
    assert sorted(zip(rows["failure"], rows["label use*ful"], strict=True)) == [
        ("overestimated", 0), ("underestimated", 1),
    ]  # fmt: skip
    assert page.chart()["layout"]["yaxis"]["title"]["text"] == "label use*ful"
    assert "label use\\*ful" in page.said()
    page.put(failures_view="What they have in common")


def test_a_label_is_a_measure_too() -> None:
    grade = (-4.0, 9.0, 2.0, None, 0.5)
    page = opened(labelled(made(), "grade", grade), by="grade")
    assert page.selectbox(key="failures_people").options == ["people's ratings"]
    assert {"label grade", "people's relevance"} < set(page.dataframe[0].value)
    low, high = page.chart()["layout"]["xaxis"]["range"]
    assert low < -4 < 9 < high
    page = opened(labelled(unrated(made()), "grade", grade), by="grade")
    assert "choose another measure" in page.info[0].value


def test_chosen_points_of_a_source_stay_until_they_are_cleared() -> None:
    points = frozenset({"c/one", "no such review"})
    page = opened(made(), failures_which="all", failures_points=(("file", "mine.csv"), points))
    for tau in (0.6, 0.7):
        assert "**1 point chosen**" in page.put(tau=tau).said()
        assert ids(page) == ["c/one"]
    assert not re.search(r"points? chosen", page.press("Clear points").said())
    assert len(ids(page)) > 1
    page = opened(made(), failures_points=(("run", "mine.csv"), points))
    assert not re.search(r"points? chosen", page.said())


def test_the_reviews_are_scored_once_a_run() -> None:
    page = opened(made())
    with patch.object(Reviews, "frame", autospec=True, side_effect=Reviews.frame) as frame:
        page.put(tau=0.6)
    assert [call.args[1] for call in frame.call_args_list] == [0.6]


def test_choices_of_another_source_are_forgotten() -> None:
    others = {"review_system": ["no such system", "one"], "failures_people": "label of another"}
    page = opened(made(), failures_which="all", **others)
    assert page.multiselect(key="review_system").value == ["one"]
    assert page.selectbox(key="failures_people").value == "people's ratings"
    assert set(ids(page)) == {"a/one", "b/one", "c/one"}


def test_thousands_of_reviews_are_drawn_and_listed_in_part() -> None:
    reviews = (
        scoring(number // 10, 0.1 * (number % 11), 1 + number % 5, f"system {number % 2_000}")
        for number in range(6_000)
    )
    page = opened(made_comparison(*reviews), failures_which="all")
    assert len(points(page)) == 5_000
    assert len(ids(page)) == 1_000
    assert (
        page.lacks("5,000 of 6,000 reviews are drawn", "The first 1,000 of 6,000 are listed") == []
    )


def failures(n_reviews: int, failing: list[int]) -> Failures:
    judged = np.arange(n_reviews)
    compared = JudgedScore("people's relevance", np.zeros(n_reviews), np.ones(n_reviews))
    gap = np.zeros(n_reviews)
    return Failures(compared, judged, gap, judged[failing[::2]], judged[failing[1::2]])


def test_all_points_are_drawn_or_failures_first() -> None:
    assert drawn(failures(MOST_POINTS, [0])).size == MOST_POINTS
    failing = list(range(1, 40_000, 97))
    positions = drawn(failures(40_000, failing))
    assert positions.size == MOST_POINTS
    assert np.isin(failing, positions).all()
    assert (np.diff(positions) > 0).all()
    assert drawn(failures(20_000, list(range(12_000)))).size == MOST_POINTS


def test_jitter_hangs_on_the_review_alone_and_is_even() -> None:
    some, more = np.array([3, 700]), np.arange(1_000)
    for axis in (0, 1):
        moved = jitter(more, 0.3, axis)
        assert np.array_equal(jitter(some, 0.3, axis), moved[some])
        assert np.abs(moved).max() <= 0.3
        assert abs(moved.mean()) < 0.01
        assert np.histogram(moved, 10, (-0.3, 0.3))[0].min() > 90
