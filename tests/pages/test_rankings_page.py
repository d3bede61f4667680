"""The Rankings page: order of systems, parts of a run, and two runs."""

from pathlib import Path
from unittest.mock import patch

import pandas as pd
import pytest

from crscore_eval.data.shipped import shipped_run
from crscore_eval.data.study import SYSTEM_TITLES
from crscore_eval.ranking.order import order_systems
from crscore_eval.table import RunSettings, scores_at
from tests.pages.app_page import AppPage, opened
from tests.pages.runs import CHANGES, small_run, write_run


def systems(page: AppPage) -> pd.DataFrame:
    return page.text_tables()[0]


def test_study_is_ordered_by_people() -> None:
    page = opened("rankings")
    run = shipped_run()
    order = order_systems(run).systems
    shown = systems(page)
    assert shown["reviewer"].tolist() == [SYSTEM_TITLES[name] for name in order["system"]]
    assert shown["words"].astype(int).tolist() == order["words"].round().tolist()
    for number in range(2):  # people's ratings, and relevance
        labels = page.chart(number)["data"][0]["y"]
        assert labels == shown["reviewer"].tolist()


@pytest.mark.parametrize(("url", "head"), [
    ({}, "people's"), ({"by": "no such measure"}, "people's"),
    ({"by": "relevance"}, "relevance"), ({"by": "no_threshold"}, "relevance without"),
])  # fmt: skip
def test_measure_in_the_url_orders_systems(rated: Path, url: dict[str, str], head: str) -> None:
    shown = systems(opened("rankings", url, run=rated))
    assert shown["reviewer"][0] == "good"
    assert shown.columns[2].startswith(head)


@pytest.mark.parametrize(("part", "reviews"), [
    ("all", CHANGES), ("topic=io", CHANGES // 2), ("a=b=io", CHANGES // 2),
])  # fmt: skip
def test_reviews_of_a_kind_are_compared(rated: Path, part: str, reviews: int) -> None:
    page = opened("rankings", {"part": part}, run=rated)
    assert "topic: net" in page.box("Filter by topic, a=b").options
    shown = systems(page)
    counts = dict(zip(shown["reviewer"], shown["reviews"].astype(int), strict=True))
    assert counts == dict.fromkeys(("good", "middling", "bad"), reviews)
    assert page.query_params.get("part", "all") == part


def test_a_link_shows_its_view_and_keeps_it_in_the_url(runs: Path) -> None:
    write_run(runs / "small", small_run())
    link = {"data": "small", "by": "conciseness", "tau": "0.6", "part": "topic=io"}
    page = opened("rankings", link)
    assert page.query_params == link
    assert systems(page).columns[2].startswith("conciseness")


def test_tau_moves_the_measure_and_not_people(rated: Path) -> None:
    page = opened("rankings", {"tau": "0.3"}, run=rated)
    before = systems(page)
    after = systems(page.put(tau=0.95))
    people, relevance = before.columns[2:4]
    assert before[people].tolist() == after[people].tolist()
    assert before[relevance].tolist() != after[relevance].tolist()
    assert page.query_params["tau"] == "0.95"


def test_a_part_keeps_the_order_of_people_and_its_report_says_which_part(rated: Path) -> None:
    with patch("pages.components.downloads.offer_run") as offered:
        page = opened("rankings", {"part": "topic=io"}, run=rated)  # 27 ratings, too few alone
    assert systems(page).columns[2].startswith("people's")
    run, _, by = offered.call_args.args
    assert run.settings["name"].endswith(", topic: io (27 of 54 reviews)")
    assert by == "people"


@pytest.mark.parametrize("tau", [0.61234, -0.1])
def test_pages_start_at_the_exact_tau_of_the_run(tmp_path: Path, tau: float) -> None:
    run = small_run()
    settings: RunSettings = {"encoder": "mixedbread-ai/mxbai-embed-large-v1", "tau": tau}
    reviews = run.reviews.assign(tau=tau, **scores_at(run.reviews, tau))
    own = run._replace(reviews=reviews, settings={**run.settings, **settings})
    page = opened("rankings", run=write_run(tmp_path / "run", own))
    assert page.slider(key="tau").value == tau
    assert "tau" not in page.query_params
    assert page.press("usual 0.6576").query_params["tau"] == "0.6576"
    assert page.slider(key="tau").value == 0.6576


def test_a_contradiction_of_people_is_in_the_headline(tmp_path: Path) -> None:
    run = small_run()
    opposite = run.reviews.assign(human_relevance=6 - run.reviews["human_relevance"])
    folder = write_run(tmp_path / "run", run._replace(reviews=opposite))
    by_relevance = {"by": "relevance"}, "undecided between good and middling"
    for by, first in (({}, "higher for bad than for middling"), by_relevance):
        page = opened("rankings", by, run=folder)
        headline = next(one.value for one in page.markdown if one.value.startswith("## "))
        assert (first in headline.partition("\n\n")[0]) == (not by)
        # Relevance ties two of the systems.
        assert "relevance orders 2 of these the other way" in headline


def test_two_runs_are_compared_and_the_pair_that_changed_most_is_shown(runs: Path) -> None:
    run, later = small_run(), small_run()
    later.reviews.loc[later.reviews["id"].str.startswith("4/bad/"), "human_relevance"] = 3.0
    reviews, changes = (table[table["change"].isin(["1", "4"])] for table in later[:2])
    reviews = reviews.reset_index(drop=True).assign(row=range(1, 7))
    later = later._replace(reviews=reviews, changes=changes)
    for name, one in (("before", run), ("later", later)):
        changes = one.changes.assign(diff="", title="Title " + one.changes["change"])
        write_run(runs / name, one._replace(changes=changes))
    page = opened("rankings", {"data": "later", "rankings_view": "runs", "by": "people"})
    assert page.info
    page.put(baseline="before")
    assert page.query_params["baseline"] == "before"
    condition = "people's ratings of relevance must not be significantly lower than in the baseline"
    assert condition in [*page.text_tables()[0]["condition"]]
    assert "Not compared" in page.texts()
    differences = page.text_table("earlier run")
    assert differences["reviewer"].tolist()[:4] == ["all reviewers", "bad", "good", "middling"]
    assert {*differences["result"]} == {"too few changes, 6 are needed"}
    assert page.box("Pair").options[0] == "bad on Title 4: 1.00 → 3.00"
    assert r"Changes only in Synthetic\: 0; only in Synthetic \(2\)\: 16" in page.texts()
    page.put(baseline="none")
    assert page.info


def test_two_equal_runs_of_one_shared_system_are_said_to_be_equal(runs: Path) -> None:
    for name, others in (("before", "bad"), ("later", "good"), ("again", "good")):
        run = small_run()
        reviews = run.reviews[run.reviews["system"].isin(["middling", others])]
        write_run(runs / name, run._replace(reviews=reviews.reset_index(drop=True)))
    page = opened("rankings", {"data": "later", "rankings_view": "runs", "baseline": "again"})
    assert "All reviews of both runs are the same, and no mean compared differs\\." in page.texts()
    assert "Pairs of reviews" not in [one.value for one in page.header]
    assert "middling" in [*page.put(baseline="before").text_table("earlier run")["reviewer"][:1]]


def test_ratings_decide_between_two_runs_even_if_a_part_has_too_few(runs: Path) -> None:
    for name in ("before", "later"):
        write_run(runs / name, small_run())
    url = {"data": "later", "rankings_view": "runs", "baseline": "before", "part": "topic=io"}
    conditions = opened("rankings", url).text_tables()[0]["condition"].tolist()
    assert not any(condition.startswith("relevance") for condition in conditions)
    assert conditions[1].startswith("people's ratings of relevance")
