"""The Failure cases page: which reviews fail by each rule, and their views."""

import re
from pathlib import Path

import pandas as pd
import pytest

from tests.pages.app_page import AppPage, opened
from tests.pages.runs import CHANGES, SYSTEMS, small_run, write_run

AT = {"tau": "0.4"}


@pytest.fixture
def page(rated: Path) -> AppPage:
    return opened("failures", AT, run=rated)


def listed(page: AppPage) -> dict[str, str]:
    """Ids and kinds of the listed reviews."""
    table = page.dataframe[-1].value
    return dict(zip(table["id"], table["failure"], strict=True))


def test_reviews_that_people_rate_the_other_way_round_fail_by_each_rule(page: AppPage) -> None:
    expected = {"0/bad/2": "underestimated", "1/good/3": "overestimated"}
    assert listed(page) == expected
    assert "of relevance disagree widely on 2 of the 54 reviews that have both" in page.texts()
    assert set(listed(page.put(kind="overestimated")).values()) == {"overestimated"}
    assert len(listed(page.put(kind="all"))) == len(SYSTEMS) * CHANGES
    assert listed(page.put(kind="failing", rule="paper")).items() >= expected.items()


def test_each_system_has_the_number_and_share_of_its_failures(page: AppPage) -> None:
    table = page.text_table("share").set_index("reviewer")
    numbers = table[["under", "over", "reviews"]].T.to_dict("list")
    assert numbers["bad"] == ["1", "0", f"{CHANGES}"]
    assert numbers["good"] == ["0", "1", f"{CHANGES}"]
    assert table["share"].tolist() == [f"{1 / CHANGES:.3f}", f"{1 / CHANGES:.3f}", "0.000"]
    # Relevance ranks all of its reviews higher than people do, but none by enough for a failure.
    assert table["mean gap"]["middling"] == "+16.7"


def test_opens_on_the_worst_failure_or_a_linked_review(page: AppPage, rated: Path) -> None:
    assert "1 of 2" in page.texts()
    page.press("step_next")
    assert page.query_params["review"] in listed(page)
    page.visit("heatmap", "failures")
    assert "1 of 2" in page.texts()
    linked = opened("failures", {**AT, "review": "5/good/15"}, run=rated)
    assert "not among the 2 listed" in linked.texts()
    assert len(linked.chart()["data"]) == 4  # the review is encircled


def labelled(tmp_path: Path, **labels: "pd.Series[float] | list[float]") -> AppPage:
    """The page of an unrated run with these labels, in order."""
    run = small_run(is_rated=False)
    folder = write_run(tmp_path / "own", run._replace(reviews=run.reviews.assign(**labels)))
    return opened("failures", AT, run=folder)


def test_labels_that_cover_too_few_changes_are_named(tmp_path: Path) -> None:
    reviews = small_run().reviews
    every = pd.Series([1.0, 0.0, 1.0] * CHANGES)
    few = every.where(reviews["change"].isin(["0", "1", "2"]))
    page = labelled(tmp_path, label_few=few, label_every=every)
    assert page.box("Compared with").options == ["the label every"]
    assert len(page.get("plotly_chart")) == 1
    assert r"not compared\: the label few \(3 changes\)" in page.texts()
    page = labelled(tmp_path / "few", label_few=few)
    assert "3 of 18 changes" in page.info[0].value
    assert not page.get("plotly_chart")


def test_reviews_that_state_nothing_are_counted() -> None:
    page = opened("failures")
    assert "Reviews that state nothing count as 0: 78." in page.texts().replace("\\", "")
    assert "state nothing" not in page.put(measure="metric_words").texts()


def test_answers_are_yes_and_no(tmp_path: Path) -> None:
    page = labelled(tmp_path, label_ok=[1.0, 0.0, 1.0] * CHANGES).put(kind="all")
    assert {*page.dataframe[-1].value["people"]} == {"yes", "no"}
    assert page.chart()["layout"]["yaxis"]["ticktext"] == ["no", "yes"]
    hovers = [text for trace in page.chart()["data"] for text in trace.get("hovertext", ())]
    assert {text.rpartition(", rated ")[2] for text in hovers} == {"yes", "no"}
    assert ", ok yes" in page.texts() or ", ok no" in page.texts()
    page.visit("rankings")
    assert "ok: yes" in page.box("Filter by topic, a=b, ok").options


def test_a_gap_is_rounded_alike_everywhere(tmp_path: Path) -> None:
    labels = [float(at % 7) for at in range(3 * CHANGES)]
    page = labelled(tmp_path, label_ok=labels).put(kind="all")
    widest = page.dataframe[-1].value["rank gap"].iloc[0]
    assert widest == round(widest, 1)
    gap = f"ranks it {abs(widest):.1f} percentile points .* similarity of [0-9.]+; tau is 0.4"
    assert re.search(gap, page.texts().replace("\\", ""))
