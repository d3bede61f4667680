"""The page Compare without a browser, on tiny data sets."""

import re
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from unittest.mock import Mock

import numpy as np
import pytest

from crscore_core.corpus.model import GROUND_TRUTH, UNRATED
from crscore_core.corpus.reviews import Reviews
from crscore_core.datasets.labelled import LabelledData
from crscore_core.errors import EncoderError
from crscore_core.validity import workbench
from crscore_core.validity.metric_columns import TITLES, MetricColumn
from tests.crscore_core.corpus.made_reviews import altered
from tests.crscore_core.datasets.labelled_files import GradedRow, write_clearcrc, write_graded
from tests.pages.app_page import AppPage, app_page, rated_in_turn

LONG = "The new number of retries is not tested, please add a test of the retries."
OFF_TOPIC = "Thanks a lot, we have talked about all of that in the meeting on Monday already."


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for the data sets, with none in it."""
    for name in ("clearcrc", "graded"):
        monkeypatch.setenv(f"CRSCORE_{name.upper()}", str(tmp_path / name))
    return tmp_path


@pytest.fixture
def clearcrc(data: Path) -> None:
    """Long reviews, on and off topic, labelled 1, and short ones 0."""
    texts = ((LONG, "1"), (OFF_TOPIC, "1"), ("Why are retries 3?", "0")) * 6
    write_clearcrc(data / "clearcrc", [(text, "py", *(label,) * 3) for text, label in texts])


@pytest.fixture
def graded(data: Path) -> None:
    """Five changes; the first system repeats the reference, the last says something else."""
    references = [f"Please check the width {row} before it is used." for row in range(5)]
    rows: list[GradedRow] = [
        (row, text, "int area() { return 1; }",
         (text, 5), (f"Check width {row}.", 4), ("Rename <b>this</b>.", 2), ("Why?", 1))
        for row, text in enumerate(references)
    ]  # fmt: skip
    write_graded(data / "graded", rows)


def ended(page: AppPage) -> AppPage:
    """The page once no comparison runs."""
    for thread in threading.enumerate():
        if thread.name == "crscore-job":
            thread.join(240)
    return page.run()


def compared(of: str | Reviews = "study", **url: str) -> AppPage:
    return ended(app_page("compare", of, url))


@pytest.mark.usefixtures("graded")
def test_metrics_beside_a_reference_are_compared_and_a_pair_is_shown_token_by_token() -> None:
    page = compared(compare_data="GradedReviews")
    assert not page.error
    assert "20 reviews of 5 changes" in page.said()
    (without,) = re.findall(r"\*\*Without a figure\*\*, .* and no diffs: (.*)\.", page.said())
    assert {"Con", "Comp", "Rel", "similarity without a threshold"} <= {*without.split(", ")}
    table = page.typed_tables()[0].set_index("metric")
    values = table["Spearman's rho"].astype(float).tolist()
    assert values == sorted(values, reverse=True)
    assert len(table) == 14  # not shared identifiers: there are none
    assert {"number of words (baseline)", "CodeBERTScore F1"} <= set(table.index)
    assert table.loc["BLEU", "less BLEU"] == ""
    assert page.alt().startswith("Spearman's rho of each metric, the best first:")
    boxes, heatmap = page.chart(1), page.chart(2)
    grades = [f"{grade} (5 reviews)" for grade in (1, 2, 4, 5)]
    assert boxes["layout"]["xaxis"]["categoryarray"] == grades
    assert heatmap["data"][0]["type"] == "heatmap"
    assert "Precision" in page.alt(2)
    offered = {button.proto.label for button in page.get("download_button")}
    assert {"Table as CSV", "Table as JSON"} <= offered
    # Another review of the list, by its id, as a row gives it.
    page.put(compare_review="2/Tufano's")
    figures = "Precision 1.000, recall 1.000, F1 1.000"
    assert page.lacks(figures, "Please check the width 2 before it is used.") == []
    page.put(compare_review="<b>nobody</b>")
    assert "No review of these data has the id" in page.warning[-1].value
    ended(page.put(compare_metrics=["con"]))
    assert "No metric has a value here" in page.info[0].value
    assert not page.get("plotly_chart")


@pytest.mark.usefixtures("clearcrc")
def test_a_baseline_that_beats_scores_is_said() -> None:
    page = compared(compare_data="ClearCRC", compare_label="informativeness")
    assert "AUC" in page.alt()
    (warning,) = [one.value for one in page.warning]
    assert "The number of words (1.000) agrees better with informativeness than" in warning
    assert re.search(r"than .*\bRel \([\d.]+\)", warning)
    assert "beside a reference" not in warning  # there is none
    assert "**Without a figure**, as no review has a reference: BLEU" in page.said()
    assert "There is none." in page.said()
    assert not page.error


@pytest.mark.parametrize("title", ["ClearCRC", "GradedReviews"])
def test_data_that_are_not_there_are_said_with_the_way_to_get_them(title: str, data: Path) -> None:
    name = title.lower().removesuffix("reviews")
    page = app_page("compare", "study", {"compare_data": title})
    words = page.info[0].value.replace("\\", "")
    for word in (str(data / name), "Get it from the", f"CRSCORE_{name.upper()}"):
        assert word in words
    assert not page.error


@pytest.mark.usefixtures("graded")
def test_damaged_data_are_an_error(data: Path) -> None:
    (data / "graded" / "dataset.xlsx").write_bytes(b"no workbook")
    page = app_page("compare", "study", {"compare_data": "GradedReviews"})
    assert "cannot be read" in page.error[0].value
    assert not page.get("plotly_chart")


def test_the_sidebar_s_reviews_are_compared_as_text_and_unrated_ones_are_said(
    hostile: Reviews,
) -> None:
    first, *others = hostile
    first = replace(first, system=GROUND_TRUTH, ratings=UNRATED)
    page = compared(altered(hostile, reviews=(first, *others)))
    assert not page.error
    assert len(page.get("plotly_chart")) == 3
    page.assert_only_text()
    page = app_page("compare", rated_in_turn(hostile, UNRATED))
    assert "nobody rated these reviews" in page.said()
    assert "nothing to compare" not in page.said()
    assert not page.get("plotly_chart")


@pytest.mark.usefixtures("no_encoder")
def test_scores_on_the_study_need_no_encoder_and_choices_are_in_the_address() -> None:
    page = compared(compare_metrics="Rel", compare_label="conciseness", compare_against="Rel")
    assert page.selectbox(key="compare_data").value == "study"
    assert page.selectbox(key="compare_label").value == "conciseness"
    assert list(page.typed_tables()[0]["metric"]) == ["Rel"]
    page.put(compare_metrics=["con", "words"]).put(compare_against="con")
    table = ended(page).typed_tables()[0]
    assert sorted(table["metric"]) == ["Con", "number of words (baseline)"]
    assert "less Con" in table
    assert not page.error


@pytest.mark.parametrize("value", ["<b>![x](http://x)", "9" * 5_000, ""])
def test_nonsense_in_the_address_is_left_aside(value: str, samples: Reviews) -> None:
    names = ("data", "label", "metrics", "against", "distribution", "one", "other", "review")
    page = compared(samples, **{f"compare_{name}": value for name in names})
    assert page.get("plotly_chart")
    assert "![" not in page.said()


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[list[str], threading.Event]]:
    """The metrics that were begun, and what each waits for after the second."""
    begun: list[str] = []
    free = threading.Event()

    def columns(
        data: LabelledData,
        names: Sequence[str],
        _: object,
        progress: Callable[[str], None],
        *__: object,
    ) -> Iterator[MetricColumn]:
        for name in names:
            progress(name)
            begun.append(name)
            if len(begun) == 2:
                free.wait(60)
            yield MetricColumn(name, np.arange(float(len(data.reviews.reviews))), 0.1)

    monkeypatch.setattr(workbench, "metric_columns", columns)
    yield begun, free
    free.set()


@pytest.mark.usefixtures("clearcrc")
def test_a_comparison_is_stopped_between_metrics_and_goes_on(
    held: tuple[list[str], threading.Event],
) -> None:
    begun, free = held
    page = app_page("compare", "study", {"compare_data": "ClearCRC"}).press("Stop")
    assert "Stopping" in page.said()
    free.set()
    assert "the comparison was stopped" in ended(page).said().lower()
    assert len(begun) == 2
    ended(page.press("Start again"))
    assert page.get("plotly_chart")
    assert len(begun) == len(set(begun)) == len(TITLES)
    assert "Stop" not in page.labels()


@pytest.mark.usefixtures("clearcrc")
def test_what_cannot_be_computed_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    gone = Mock(side_effect=EncoderError("the encoder is <b>gone</b>"))
    monkeypatch.setattr(workbench, "metric_columns", gone)
    page = compared(compare_data="ClearCRC")
    assert "the encoder is" in page.error[0].value
    assert page.labels() == ["Start again"]
