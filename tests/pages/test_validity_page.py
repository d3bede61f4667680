"""The page Validity without a browser."""

import gc
import threading
import weakref
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from unittest.mock import Mock

import numpy as np
import pytest
from crscore_core.corpus.model import GROUND_TRUTH, UNRATED, Ratings
from crscore_core.corpus.reviews import Reviews
from crscore_core.datasets.labelled import LabelledData
from crscore_core.validity import metric_columns as metric_columns_module
from crscore_core.validity import workbench as workbench_module
from crscore_core.validity.figures import Figure, FigureTable
from crscore_core.validity.metric_columns import MetricColumn, metric_columns

from crscore_core.errors import UnavailableError
from crscore_eval.statistics import Estimate, Interval
from pages.components.validity_metrics import workbench
from pages.components.validity_tables import figure_rows
from tests.crscore_core.corpus.made_reviews import altered
from tests.crscore_core.datasets.study.made_comparison import Made, made_comparison, scoring
from tests.pages.app_page import AppPage, app_page, labelled, rated_in_turn, source_of

RATED = made_comparison(
    *(
        scoring(change, share, rating, system)
        for change in range(8)
        for system, share, rating in (
            ("<b>good</b>", 0.9 - change / 20, 5),
            ("bad", change / 10, 1 + change % 2),
        )
    )
)
REPEATS, OTHERWISE = "Please check the width.", "Why is that?"
WITH_REFERENCES = made_comparison(
    *(
        Made(change, (rating,) * 3, [[rating / 6]], system, text)
        for change in range(8)
        for system, rating, text in (
            (GROUND_TRUTH, 5, REPEATS), ("a", 5 - change % 2, REPEATS), ("b", 1, OTHERWISE),
        )
    )
)  # fmt: skip


def validity(data: str | Reviews, url: dict[str, str] | None = None, /, **state: object) -> AppPage:
    return app_page("validity", data, url, **({"tau": 0.5} | state))


def ended(page: AppPage) -> AppPage:
    """The page once no job runs."""
    for thread in threading.enumerate():
        if thread.name == "crscore-job":
            thread.join(240)
    return page.run()


def tiles(page: AppPage) -> dict[str, tuple[str, str, str]]:
    """Value, interval and paper's value of each figure on top."""
    return {
        tile.label: (tile.value, tile.delta, tile.proto.delta_description) for tile in page.metric
    }


def column(page: AppPage, name: str, table: int = 0) -> dict[str, str]:
    shown = page.typed_tables()[table]
    return dict(zip(shown.iloc[:, 0], shown[name], strict=True))


@pytest.mark.usefixtures("no_encoder")
def test_the_study_answers_next_to_the_paper_and_moves_with_tau() -> None:
    page = validity("study", tau=0.327)
    assert page.lacks("1,647 reviews of 183 changes", "rated by people", "the paper's is") == []
    assert not page.warning
    assert tiles(page) == {
        "Rel with people's relevance, Spearman's rho": (
            "0.553", "95 %: 0.508 to 0.595", "paper at tau_gt 0.540 ✓",
        ),
        "The same without a threshold": ("0.581", "95 %: 0.540 to 0.620", ""),
        "Order of systems, Spearman's rho": (
            "0.933", "95 %: 0.883 to 0.983", "paper at tau_best 0.950 ✓",
        ),
    }  # fmt: skip
    here, less = column(page, "Spearman's rho"), column(page, "minus Rel")
    assert here["Rel"] == "0.553 (0.508 to 0.595)"
    assert list(here)[-1] == "identifiers shared with the code (baseline)"
    assert (less["Rel"], less["similarity without a threshold"]) == ("", "+0.028")
    assert page.alt().startswith("Spearman's rho of each metric, the best first: similarity")
    moved = column(page.put(tau=0.6), "Spearman's rho")
    assert moved["Rel"] != here["Rel"]
    assert moved["similarity without a threshold"] == here["similarity without a threshold"]
    page.put(validity_label="conciseness")
    paper = column(page, "paper")
    assert (paper["Con"], paper["Rel"]) == ("0.475", "")


def test_the_study_is_compared_with_other_claims() -> None:
    page = validity("study", tau=0.6)
    before = tiles(page)
    page.put(validity_claims="symbolic")
    assert tiles(page) != before
    assert page.slider(key="tau").value == 0.6  # chosen, so it stays
    assert page.query_params["validity_claims"] == "symbolic"
    page.button(key="set_tau_gt").click().run()
    of_symbolic = page.slider(key="tau").value
    page.put(validity_claims="study")
    assert "validity_claims" not in page.query_params
    assert page.slider(key="tau").value not in {0.6, of_symbolic}
    page.put(validity_claims="gpt-4o")


@pytest.mark.parametrize(
    ("part", "titles", "charts"),
    [
        ("Reviews", ["Agreement review by review (the paper's at its tau_gt)"], 2),
        ("Languages", ["Agreement of Rel by language (the paper's at its tau_gt)"], 1),
        ("Systems", ["Order of systems, Rel with people", "Ranks of systems"], 1),
        ("Means", ["Means of systems, people"], 1),
        ("Taus", ["Thresholds by the paper's procedure"], 1),
        ("Claims", ["Quality of claims, in percent"], 1),
    ],
)
def test_each_part_of_the_study(part: str, titles: list[str], charts: int) -> None:
    page = validity("study", validity_part=part)
    assert set(titles) <= {heading.value for heading in page.subheader}
    assert len(page.get("plotly_chart")) == charts
    assert "contains the paper's value" in page.typed_tables()[2]
    if part == "Reviews":
        assert "where rated 5" in page.alt(1)


def parts(page: AppPage) -> list[str]:
    return list(page.segmented_control[0].options)


def test_rated_reviews_have_the_same_answers_and_parts_without_the_paper() -> None:
    page = validity(RATED, validity_part="Reviews")
    assert parts(page) == ["Reviews", "Languages", "Systems", "Means"]
    assert [paper for _, _, paper in tiles(page).values()] == ["", "", ""]
    assert not any("paper" in str(name) for table in page.typed_tables() for name in table)
    assert column(page, "here", 2)["relevance: reviews"] == "16"
    page.put(validity_part="Means")
    assert column(page, "here", 3)["<b>good</b> relevance"] == "0.725"
    assert "The 40 systems" not in page.said()


def test_missing_ratings_are_said_and_what_rests_on_them_is_missing() -> None:
    page = validity(rated_in_turn(RATED, UNRATED))
    assert "not rated from 1 to 5" in page.said()
    assert parts(page) == ["Means"]
    assert len(page.get("page_link")) == 1
    assert not tiles(page)
    some = rated_in_turn(RATED, Ratings(comprehensiveness=5), Ratings(comprehensiveness=2))
    page = validity(some)
    assert "16 reviews of 8 changes, rated by people" not in page.said()
    assert "16 rated for comprehensiveness," in page.said()
    assert list(tiles(page)) == ["Spearman's rho of Comp with comprehensiveness"]
    assert "Systems" not in parts(page)
    same = validity(rated_in_turn(RATED, Ratings(3, 3, 3)))
    assert "relevance is the same for every review" in same.info[0].value


def test_a_label_stands_beside_baselines_and_scores_by_its_values() -> None:
    """Long reviews are the useful ones; Rel is the same for all but the last."""
    comparison = made_comparison(
        *(Made(at, (1, 1, 1), [[0.9]], text="Why? " * (9 if at % 2 else 1)) for at in range(8)),
        Made(0, (1, 1, 1), [[0.1]], "other", "Why?"),
    )
    useful = [float(at % 2) for at in range(8)]
    bare = labelled(rated_in_turn(comparison, UNRATED), "<b>use", [*useful, 1])
    page = validity(bare)
    assert not page.get("page_link")
    # Of 4 x 5 pairs words tell 16 right and 4 are even; Rel loses 4 and 16 are even.
    assert [tile[0] for tile in tiles(page).values()] == ["0.400"]
    figures = column(page, "AUC")
    assert figures["number of words (baseline)"].startswith("0.900")
    warning = page.warning[-1].value
    assert "agree better than Rel" in warning
    assert "the number of words, by 0.500 (" in warning
    assert "need a reference review, and there is none" in page.said()
    assert not page.multiselect
    page.assert_only_text()
    # Without a threshold, tau changes nothing.
    assert {text[:5] for text in column(page.put(tau=0.95), "AUC").values()} == {
        "0.900", "0.500", "0.400",
    }  # fmt: skip
    page = validity(labelled(bare, "graded", list(range(9))), {"validity_label": "graded"})
    assert "Spearman's rho" in page.typed_tables()[0]
    assert [label.split()[-1] for label in tiles(page)] == [r"\<b\>use", "graded"]


def test_metrics_that_need_a_reference_are_computed_on_demand_and_kept() -> None:
    page = validity(WITH_REFERENCES, {"validity_metrics": "exact match"})
    # At tau 0.5 Rel is the same as an exact match: 1 for the repeats, 0 for the others.
    ended(page)
    assert column(page, "Spearman's rho")["exact match"].startswith("0.9")
    assert column(page, "minus Rel")["exact match"] == "+0.000"
    ended(page.put(validity_metrics=["exact_match", "bleu"]))
    assert {"BLEU", "exact match"} <= column(page, "Spearman's rho").keys()
    assert "BLEU" in page.alt()
    page.put(validity_metrics=["bleu"])
    assert "exact match" not in column(page, "Spearman's rho")
    assert not page.error


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[list[str], threading.Event]]:
    """Metrics by reference that were begun, and what each waits for after the second."""
    begun: list[str] = []
    free = threading.Event()

    def columns(
        data: LabelledData,
        names: Sequence[str],
        scoring: object,
        progress: Callable[[str], None] = lambda _: None,
        *rest: object,
    ) -> Iterator[MetricColumn]:
        if not {*names} & {"bleu", "chrf", "rouge_l"}:
            yield from metric_columns(data, names, scoring, progress, *rest)  # type: ignore[arg-type]
            return
        for name in names:
            progress(name)
            begun.append(name)
            if len(begun) == 2:
                free.wait(60)
            yield MetricColumn(name, np.arange(float(len(data.reviews.reviews))), 0.1)

    monkeypatch.setattr(workbench_module, "metric_columns", columns)
    yield begun, free
    free.set()


def test_a_job_is_stopped_between_metrics_and_goes_on(
    held: tuple[list[str], threading.Event],
) -> None:
    begun, free = held
    page = validity(WITH_REFERENCES, validity_metrics=["bleu", "rouge_l", "chrf"])
    assert "chrF" not in page.alt()  # the rest of the page is there meanwhile
    page.put(tau=0.6).press("Stop")
    assert "Stopping" in page.said()
    free.set()
    assert "the computation was stopped" in ended(page).said()
    assert len(begun) == 2
    assert "ROUGE-L" in page.alt()  # was done by then
    ended(page.press("Start again"))
    assert {"BLEU", "ROUGE-L", "chrF"} <= column(page, "Spearman's rho").keys()
    assert len(begun) == len(set(begun)) == 3
    assert "Stop" not in page.labels()


def test_what_cannot_be_computed_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    gone = Mock(side_effect=UnavailableError("the encoder is <b>gone</b>"))
    monkeypatch.setattr(metric_columns_module, "_beside_reference", gone)
    page = ended(validity(WITH_REFERENCES, validity_metrics=["bertscore_f1"]))
    assert "the encoder is" in page.error[0].value
    assert page.get("plotly_chart")
    assert "Start again" in page.labels()


def test_hostile_texts_are_only_text_in_every_part(hostile: Reviews) -> None:
    first, *others = hostile
    label = first.text
    reviews = (replace(first, system=GROUND_TRUTH, ratings=UNRATED), *others)
    with_label = labelled(altered(hostile, reviews=reviews), label, [None, *range(len(others))])
    for part in parts(validity(with_label)):
        page = validity(with_label, {"validity_label": label}, validity_part=part)
        page.assert_only_text()
        assert page.selectbox(key="validity_label").value == label
    ended(page.put(validity_metrics=["exact_match"])).assert_only_text()


def test_many_systems_and_few_resamples_are_said() -> None:
    many = [scoring(at % 500, (at % 10) / 10, 1 + at % 5, f"s{at % 2_000}") for at in range(5_000)]
    page = validity(made_comparison(*many), validity_part="Means")
    words = "The 40 systems with most reviews; there are 2,000", "400 resamples", "ends are rough"
    assert page.lacks(*words) == []
    assert len(page.typed_tables()[-1]) == 3 * 40


def test_reviews_that_rel_and_people_rank_most_differently_are_walked_through() -> None:
    def scores() -> list[str]:
        (table,) = (one for one in page.typed_tables() if "no threshold" in one)
        return list(table["relevance"])

    page = validity(RATED, validity_apart=True)
    assert "**1 of 16**" in page.said()
    first = scores()
    assert "**2 of 16**" in page.press("Next").said()
    assert scores() != first


def test_what_is_kept_of_a_file_goes_with_it() -> None:
    source = source_of(altered(RATED))
    comparison = weakref.ref(source.comparison)
    assert source.validity.at(0.5) is source.validity.at(0.5)
    bench = source.once(workbench)
    assert bench.table("relevance", 0.5) is bench.table("relevance", 0.5)
    del source, bench
    gc.collect()
    assert comparison() is None


def test_the_sign_of_an_interval_follows_from_its_ends() -> None:
    interval = Interval(0.4, 0.6, 0.95)
    figures = [
        Figure(str(paper), paper, Estimate(0.5, interval)) for paper in (0.4, 0.6, 0.39, 0.61, None)
    ]
    figures.append(Figure("without", 0.5, Estimate(0.5, None)))
    rows = figure_rows(FigureTable("key", "title", "", tuple(figures)))
    assert [row["contains the paper's value"] for row in rows] == [
        "✓ yes", "✓ yes", "✗ paper is lower", "✗ paper is higher", "", "",
    ]  # fmt: skip
    assert rows[0]["95 % interval"] == "0.400 to 0.600"
