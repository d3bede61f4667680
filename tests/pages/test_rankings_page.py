"""The Rankings page: order of systems, parts of a run, and two runs."""

from pathlib import Path
from unittest.mock import Mock

import pandas as pd
import pytest

from crscore_eval.data.ratings import Question, Ratings
from crscore_eval.data.shipped import shipped_run
from crscore_eval.data.study import SYSTEM_TITLES
from crscore_eval.ranking.order import order_systems
from crscore_eval.ranking.people import mean_words
from crscore_eval.table import RunSettings
from tests.pages.app_page import AppPage, opened
from tests.pages.small_run import CHANGES, small_run, write_run


def systems(page: AppPage) -> pd.DataFrame:
    return page.text_tables()[0]


def test_study_is_ordered_by_people() -> None:
    page = opened("rankings")
    run = shipped_run()
    order, words = order_systems(run).systems, mean_words(run)
    shown = systems(page)
    assert shown["system"].tolist() == [SYSTEM_TITLES[name] for name in order["system"]]
    assert shown["words"].astype(int).tolist() == [round(words[name]) for name in order["system"]]
    for number in range(2):  # people's ratings, and relevance
        labels = page.chart(number)["data"][0]["y"]
        assert labels == shown["system"].tolist()


@pytest.mark.parametrize(
    ("url", "first", "head"),
    [
        ({}, "good", "people's"),
        ({"by": "relevance"}, "good", "relevance"),
        ({"by": "no_threshold"}, "good", "relevance without"),
        ({"by": "no such measure"}, "good", "people's"),
    ],
)
def test_measure_in_the_url_orders_systems(
    rated: Path, url: dict[str, str], first: str, head: str
) -> None:
    shown = systems(opened("rankings", url, run=rated))
    assert shown["system"][0] == first
    assert shown.columns[2].startswith(head)


@pytest.mark.parametrize(
    ("part", "reviews"),
    [
        ("all", {"good": CHANGES, "middling": CHANGES, "bad": CHANGES}),
        ("topic=io", {"good": CHANGES // 2, "middling": CHANGES // 2, "bad": CHANGES // 2}),
        ("a=b=io", {"good": CHANGES // 2, "middling": CHANGES // 2, "bad": CHANGES // 2}),
    ],
)
def test_reviews_of_a_kind_are_compared(rated: Path, part: str, reviews: dict[str, int]) -> None:
    page = opened("rankings", {"part": part}, run=rated)
    assert "topic: net" in page.box("Filter by topic, a=b").options
    shown = systems(page)
    assert dict(zip(shown["system"], shown["reviews"].astype(int), strict=True)) == reviews
    assert page.query_params.get("part", "all") == part


def test_tau_moves_the_measure_and_not_people(rated: Path) -> None:
    page = opened("rankings", {"tau": "0.3"}, run=rated)
    before = systems(page)
    after = systems(page.put(tau=0.95))
    people, relevance = before.columns[2:4]
    assert before[people].tolist() == after[people].tolist()
    assert before[relevance].tolist() != after[relevance].tolist()
    assert page.query_params["tau"] == "0.95"


def test_the_signature_names_the_scores_that_it_belongs_to(rated: Path) -> None:
    assert "Signature of relevance," in opened("rankings", run=rated).texts()


def test_without_ratings_the_measure_orders(unrated: Path) -> None:
    shown = systems(opened("rankings", run=unrated))
    assert shown["system"].tolist() == ["good", "middling", "bad"]
    assert not any("rating" in name for name in shown.columns)


def test_a_part_keeps_the_order_of_people_and_its_report_says_which_part(
    rated: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    offered = Mock()
    monkeypatch.setattr("pages.components.downloads.offer_run", offered)
    page = opened("rankings", {"part": "topic=io"}, run=rated)  # 27 ratings, too few by themselves
    assert systems(page).columns[2].startswith("people's")
    run, _, by = offered.call_args.args
    assert run.settings["name"].endswith(", topic: io (27 of 54 reviews)")
    assert by == "people"


def test_pages_start_at_the_exact_tau_of_the_run(tmp_path: Path) -> None:
    run = small_run()
    settings: RunSettings = {"encoder": "mixedbread-ai/mxbai-embed-large-v1", "tau": 0.61234}
    own = run._replace(settings={**run.settings, **settings})
    page = opened("rankings", run=write_run(tmp_path / "run", own))
    assert page.slider(key="tau").value == 0.61234
    assert "tau" not in page.query_params
    assert page.press("usual 0.6576").query_params["tau"] == "0.6576"
    assert page.slider(key="tau").value == 0.6576


def test_a_contradiction_of_people_is_the_headline(tmp_path: Path) -> None:
    run = small_run()
    ratings = {"good": 1.0, "middling": 3.0, "bad": 5.0}
    opposite = run.reviews.assign(human_relevance=run.reviews["system"].map(ratings))
    folder = write_run(tmp_path / "run", run._replace(reviews=opposite))
    for by in ({}, {"by": "relevance"}):
        page = opened("rankings", by, run=folder)
        headline = next(one.value for one in page.markdown if one.value.startswith("## "))
        # Relevance ties two of the systems.
        assert headline.startswith("## In 2 of 3 pairs of systems people's preference is sig")


def test_two_runs_are_compared_and_the_pair_that_changed_most_is_shown(
    rated: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    run, later = small_run(), small_run()
    later.reviews.loc[later.reviews["id"].str.startswith("4/bad/"), "human_relevance"] = 3.0
    is_kept = later.reviews["change"].isin(["1", "4"])
    later = later._replace(
        reviews=later.reviews[is_kept].reset_index(drop=True).assign(row=range(1, 7)),
        changes=later.changes[later.changes["change"].isin(["1", "4"])],
    )
    for name, one in (("before", run), ("later", later)):
        changes = one.changes.assign(diff="", title="Title " + one.changes["change"])
        write_run(tmp_path / "crscore" / "runs" / name, one._replace(changes=changes))
    page = opened("rankings", {"data": "later", "rankings_view": "runs", "by": "people"}, run=rated)
    assert page.info
    page.put(baseline="before")
    assert page.query_params["baseline"] == "before"
    conditions = [*page.text_tables()[0]["condition"]]
    assert "people's ratings of relevance not significantly lower than the baseline's" in conditions
    assert "Not compared" in page.texts()
    assert "add a floor" not in page.texts()
    differences = page.text_table("earlier run")
    assert differences["system"].tolist()[:4] == ["all systems", "bad", "good", "middling"]
    assert {*differences["result"]} == {"too few changes, 6 are needed"}
    assert page.box("Pair").options[0] == "bad on Title 4: 1.00 → 3.00"
    assert r"Changes only in Synthetic\: 0; only in Synthetic \(2\)\: 16" in page.texts()
    page.put(baseline="none")
    assert page.info


def _worth_run(folder: Path, n_answers: int) -> Path:
    """A run whose file rates the worth of all 54 reviews, and so many answers in the app."""
    run = small_run(is_rated=False)
    worth = run.reviews["system"].map({"good": 2.0, "middling": 4.0, "bad": 3.0})
    write_run(folder, run._replace(reviews=run.reviews.assign(label_worth=worth)))
    for review in run.reviews["id"][:n_answers]:
        Ratings(folder).give("ann", Question(review, "worth", ()), 1)
    return folder


@pytest.mark.parametrize(
    ("n_answers", "first", "words"),
    [
        (0, "middling", "people's rating of worth"),
        (13, "middling", "decided by ratings of the file (54 reviews)"),
        (50, "bad", "decided by answers given here (50 reviews)"),  # all 1: by name
    ],
)
def test_ratings_of_the_file_decide_until_there_are_enough_answers(
    tmp_path: Path, n_answers: int, first: str, words: str
) -> None:
    page = opened("rankings", run=_worth_run(tmp_path / "run", n_answers))
    assert systems(page)["system"][0] == first
    assert words in page.texts().replace("\\", "")
    assert "This order does not show" not in page.texts()
    given = [name for name in systems(page) if name == "label worth_given_here"]
    assert bool(given) is (n_answers == 13)
    for name in given:
        assert "n = 4" in systems(page)[name].str.cat()  # 13 of three systems: 5, 4 and 4


def test_the_table_of_systems_has_each_measure_once_with_its_number_of_reviews(
    tmp_path: Path,
) -> None:
    run = small_run(is_rated=False)
    folder = write_run(tmp_path / "run", run)
    for review in run.reviews["id"][:13]:
        Ratings(folder).give("ann", Question(review, "worth", ()), 3)
    table = systems(opened("rankings", run=folder))
    assert [name for name in table if "worth" in str(name)] == ["people's rating of worth"]
    counts = table.set_index("system")["people's rating of worth"].str.partition(", n = ")[2]
    assert counts.to_dict() == {"good": "5", "middling": "4", "bad": "4"}


def test_two_runs_show_the_system_that_fell_behind_and_the_labels(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    run = small_run(is_rated=False)
    run = run._replace(changes=run.changes.assign(diff="", title="T " + run.changes["change"]))
    ok = {"before": {"good": 1.0, "middling": 0.5, "bad": 0.0},
          "later": {"good": 0.0, "middling": 1.0, "bad": 0.5}}  # fmt: skip
    for name, means in ok.items():
        reviews = run.reviews.assign(label_ok=run.reviews["system"].map(means))
        write_run(tmp_path / "crscore" / "runs" / name, run._replace(reviews=reviews))
    url = {"data": "later", "rankings_view": "runs", "baseline": "before"}
    page = opened("rankings", url)
    table = page.text_table("earlier run")
    of_label = table[table["measure"] == "label ok"].set_index("system")["result"]
    assert of_label.to_dict() == {
        "all systems": "no significant difference",
        "good": "lower",
        "middling": "higher",
        "bad": "higher",
    }
    assert "Significantly lower: good by label ok" in page.texts().replace("\\", "")
    assert "Passed" in page.texts()
