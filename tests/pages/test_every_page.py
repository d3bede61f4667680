"""Every page on every kind of source, without a browser: what all pages have in common."""

from dataclasses import replace
from pathlib import Path

import pytest
from crscore_core.corpus.model import UNRATED, Ratings
from crscore_core.corpus.reviews import LeftOut, Reviews
from crscore_core.corpus.run.store import RunStore

from tests.crscore_core.corpus.made_reviews import altered, made, reviews_of, unrated
from tests.crscore_core.datasets.study.made_comparison import made_comparison, scoring
from tests.pages.app_page import app_page, opened, rated_in_turn
from tests.pages.payloads import PAYLOAD_GROUPS

TITLES = {
    "heatmap": "Heatmap",
    "failures": "Failure cases",
    "rankings": "Rankings",
    "thresholds": "Threshold",
    "validity": "Validity",
}
every_page = pytest.mark.parametrize("name", TITLES)

RATED = made_comparison(
    *(
        scoring(change, share, rating, system)
        for change in range(4)
        for system, share, rating in (("good", 0.9, 5), ("bad", change / 10, 1 + change % 2))
    )
)
EMPTY = reviews_of([], [], left_out=[LeftOut("1", "it is empty")])


@pytest.mark.parametrize("name", [*TITLES, "rate"])
def test_the_study_is_shown_without_an_encoder(name: str, no_encoder: None) -> None:  # noqa: ARG001
    page = app_page(name)
    assert bool(page.get("plotly_chart")) is (name in TITLES)
    assert "other changes are kept apart as a test set" in page.said()
    assert not page.error


@every_page
@pytest.mark.parametrize(
    ("comparison", "is_rated"),
    [
        (RATED, True),
        (rated_in_turn(RATED, Ratings(3, 3, 3)), True),
        (rated_in_turn(RATED, Ratings(conciseness=2)), True),
        (rated_in_turn(RATED, UNRATED), False),
        (made(), True),
        (unrated(made()), False),
        (made_comparison(scoring(0, 0.5, 3, "alone")), True),
    ],
    ids=["rated", "all the same", "one dimension", "unrated", "by hand", "by hand, unrated", "one"],
)
def test_an_imported_file_is_shown_and_missing_ratings_are_said(
    name: str, comparison: Reviews, is_rated: bool
) -> None:
    page = app_page(name, comparison)
    assert "Reviews made by hand" in page.said()
    assert not page.error
    if name != "heatmap":
        assert ("obody rated these" in page.said()) is not is_rated
    if comparison is RATED:
        page.slider(key="tau").set_value(0.9).run()
        assert not page.exception


@every_page
def test_a_saved_run_is_shown_with_warnings_of_its_reviews(name: str, store: RunStore) -> None:
    reviews = tuple(replace(one, warnings=("1 passage is **hidden**",)) for one in RATED)
    run = store.save("Mine", altered(RATED, reviews=reviews))
    page = app_page(name, f"run-{run.id}")
    assert "saved on" in page.said()
    assert not page.error
    if name in {"heatmap", "failures", "rankings"}:  # show single reviews
        assert any(text.value.endswith(r"1 passage is \*\*hidden\*\*") for text in page.warning)


@every_page
@pytest.mark.parametrize("data", ["release", "run-0123456789abcdef0123456789abcdef"])
def test_a_source_that_is_not_there_is_an_error(
    name: str, data: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable in ("CRSCORE_STUDY", "CRSCORE_RUNS"):
        monkeypatch.setenv(variable, str(tmp_path))
    page = app_page(name, data)
    assert len(page.error) == len(page.get("page_link")) == 1
    assert not page.get("plotly_chart")
    assert not page.dataframe


@every_page
@pytest.mark.parametrize(
    ("data", "words", "left_out"),
    [
        (EMPTY, "has no review that could be scored", [["it is empty"]]),
        ("file", "No file is imported", []),
    ],
    ids=["nothing scored", "nothing imported"],
)
def test_a_page_with_nothing_to_show_says_why_and_leads_to_data(
    name: str, data: Reviews | str, words: str, left_out: list[list[str]]
) -> None:
    page = app_page(name, data)
    assert words in page.info[0].value
    assert len(page.get("page_link")) == 1
    assert [table.value["why"].tolist() for table in page.dataframe] == left_out
    assert not page.get("plotly_chart")
    assert not page.slider


PARAMETERS = (
    "tau", "by", "review", "cell", "heatmap_all", "heatmap_picture", "review_system",
    "review_order", "failures_people", "failures_rule", "failures_number", "failures_view",
    "failures_which", "rankings_language", "threshold_curves", "validity_part", "validity_label",
    "validity_claims", "validity_metrics",
)  # fmt: skip


@every_page
@pytest.mark.parametrize("value", ["<b>![x](http://x)", "²-1", "9" * 5_000, ""])
def test_nonsense_in_the_address_is_left_aside(name: str, value: str) -> None:
    page = app_page(name, RATED, dict.fromkeys(PARAMETERS, value))
    assert page.get("plotly_chart")
    assert "![" not in page.said()


@every_page
@pytest.mark.parametrize("number", range(len(PAYLOAD_GROUPS)))
def test_people_s_text_is_only_text(name: str, number: int, hostile: Reviews) -> None:
    text = PAYLOAD_GROUPS[number][1]
    comparison = altered(hostile, left_out=(LeftOut(text, text),))
    position = comparison.change.tolist().index(number)
    app_page(name, comparison, {"review": comparison.ids[position]}).assert_only_text()


def test_the_guide_explains_the_numbers_and_opens_at_the_page_that_one_came_from() -> None:
    page = opened("guide", {}, guide_page="Rankings")
    text = page.said()
    assert all(word in text for word in ("conciseness", "comprehensiveness", "relevance", "tau"))
    assert "Not measured: whether a review is right, or worth saying." in text
    assert [one.label for one in page.expander if one.proto.expanded] == ["Rankings"]
    assert {one.label for one in page.expander} == {*TITLES.values(), "Score", "Rate", "Data"}
