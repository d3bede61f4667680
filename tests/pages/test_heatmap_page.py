"""The heatmap page without a browser: what it shows, of whatever source."""

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest
from streamlit.testing.v1 import AppTest

from crscore_core.corpus.change_matrix import change_matrix
from crscore_core.corpus.comparison import CorpusComparison, LeftOut
from crscore_core.corpus.model import UNRATED, Ratings
from crscore_core.scoring import resolve_tau
from pages.components.empty import NOTHING_SCORED
from pages.components.heatmap_figure import grid_of
from pages.components.heatmap_view import heatmap_page_of
from pages.components.source.load import sample_source
from pages.components.source.model import Source, SourceKind
from tests.crscore_core.datasets.study.made_comparison import Made, made_comparison
from tests.pages.payloads import PAYLOADS
from tests.pages.typed_tables import typed_tables

APP = str(Path(__file__).resolve().parents[2] / "app.py")
WITHIN = 240
LIVING = [[0.9, 0.1], [0.2, 0.3], [0.5, 0.35]]
TAU = 0.4


def opened(data: str, comparison: CorpusComparison | None = None, **in_url: str) -> AppTest:
    page = AppTest.from_file(APP, default_timeout=WITHIN)
    page.switch_page("pages/heatmap.py")
    page.session_state["data"] = data
    for name, value in in_url.items():
        page.query_params[name] = value
    if comparison is not None:
        page.session_state["tau"] = TAU
        page.session_state["imported_source"] = Source.of(
            SourceKind.FILE, "mine", "A note.", comparison
        )
    page.run()
    assert not page.exception
    return page


def imported(comparison: CorpusComparison, **in_url: str) -> AppTest:
    return opened("file", comparison, **in_url)


def made(*more: Made) -> CorpusComparison:
    return made_comparison(
        Made(0, (5, 4, 3), LIVING, "one", "First review."),
        Made(0, (1, 2, 3), [[0.1], [0.2], [0.95]], "two", "Second review."),
        Made(0, (1, 1, 1), [[], [], []], "silent", ""),
        Made(1, (2, 2, 2), [[0.7]], "one", "Of another change."),
        *more,
    )


def metrics(page: AppTest) -> dict[str, str]:
    return {metric.label: metric.value for metric in page.metric}


def spec(page: AppTest, number: int = 0) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(page.get("plotly_chart")[number].proto.spec)
    return loaded


def alt(page: AppTest, number: int = 0) -> str:
    text: str = page.get("plotly_chart")[number].proto.alt
    return text


def in_url(page: AppTest, name: str) -> str | None:
    values = page.query_params.get(name)
    return values[0] if isinstance(values, list) else values


def said(page: AppTest) -> str:
    return " ".join(
        element.value for element in [*page.info, *page.warning, *page.error, *page.caption]
    )


def boxes(page: AppTest) -> tuple[Any, Any]:
    change, review = (
        next(one for one in page.selectbox if one.label == label) for label in ("Change", "Review")
    )
    return change, review


def test_a_review_its_matrix_and_its_scores() -> None:
    page = imported(made())
    # At 0.4 the first sentence matches the first and the third pseudo-reference (0.9, 0.5).
    assert metrics(page) == {
        "Conciseness": "0.500",
        "Comprehensiveness": "0.667",
        "Relevance": "0.571",
        "Human conciseness": "5 of 5",
        "Human comprehensiveness": "4 of 5",
        "Human relevance": "3 of 5",
    }
    figure = spec(page)
    cells, outline, _, points = figure["data"]
    best_of_rows, best_of_columns = [0.9, 0.3, 0.5], [0.9, 0.35]
    for row, given in enumerate(LIVING):
        assert cells["z"][row][:2] == pytest.approx(given)
        assert cells["z"][row][-1] == pytest.approx(best_of_rows[row])
    assert cells["z"][-1][:2] == pytest.approx(best_of_columns)
    assert cells["z"][-1][-1] is None
    # Two pairs, two pseudo-references and one sentence are above tau.
    assert outline["x"].count(None) == 5
    assert points["customdata"] == [[row, column] for row in range(3) for column in range(2)]
    assert figure["layout"]["yaxis"]["ticktext"][0] == "<b>P1</b> claim<br>Reference 0."
    assert figure["layout"]["xaxis"]["ticktext"][1] == "<b>S2</b><br>Sentence 1."
    assert "2 of 6 pairs are above tau 0.400" in alt(page)
    assert "P1 and S1 with 0.900" in alt(page)
    sentences, references = typed_tables(page)
    assert list(sentences["best"]) == ["P1 0.900", "P3 0.350"]
    assert list(sentences["on topic"]) == ["yes", "no"]
    assert list(references["covered"]) == ["yes", "no", "yes"]
    assert in_url(page, "review") == "0/one/0"


@pytest.mark.parametrize(("n_columns", "width"), [(1, 0.25), (3, 0.47), (9, 1.0)])
def test_beside_few_sentences_the_best_is_narrow_and_near(n_columns: int, width: float) -> None:
    matrix = change_matrix(made_comparison(Made(0, (1, 1, 1), [[0.5] * n_columns])), (0,))
    x = grid_of(matrix, [2]).x
    assert x[n_columns] == n_columns
    assert x[-1] - x[-2] == pytest.approx(width)
    assert x[-2] - x[-3] == pytest.approx(0.35 * width)


def test_numbers_stand_out_from_every_colour() -> None:
    font = spec(imported(made()))["data"][0]["textfont"]
    assert font["shadow"] == "auto"
    assert "color" not in font  # dark or white by the cell, in whichever theme


def test_tau_changes_scores_and_outlines() -> None:
    page = imported(made())
    page.slider(key="tau").set_value(0.92).run()
    assert metrics(page)["Relevance"] == "0.000"
    assert spec(page)["data"][1]["x"] == []
    page.slider(key="tau").set_value(0.0).run()
    assert metrics(page)["Relevance"] == "1.000"


def test_a_link_to_a_review_chooses_its_change() -> None:
    page = imported(made(), review="1/one/3")
    change, review = boxes(page)
    assert (change.value, review.value) == (1, 3)
    assert spec(page)["data"][0]["z"][0][0] == pytest.approx(0.7)
    assert "No review" not in said(page)


def test_another_review_or_change_goes_into_the_url() -> None:
    page = imported(made(), cell="1-1")
    boxes(page)[1].select(1).run()
    assert in_url(page, "review") == "0/two/1"
    assert in_url(page, "cell") is None
    boxes(page)[0].select(1).run()
    assert in_url(page, "review") == "1/one/3"
    boxes(page)[1].select(-1).run()
    assert (in_url(page, "change"), in_url(page, "review")) == ("1", None)
    boxes(page)[0].select(0).run()
    assert in_url(page, "change") == "0"
    assert not page.exception


def test_reviews_that_begin_the_same_are_told_apart() -> None:
    same = [Made(0, (1, 1, 1), [[similarity]], "bot", "LGTM") for similarity in (0.1, 0.5, 0.9)]
    page = imported(made_comparison(*same), review="0/bot/0")
    review = boxes(page)[1]
    assert review.options[1:] == ["bot · LGTM (1)", "bot · LGTM (2)", "bot · LGTM (3)"]
    review.select(1).run()
    page.run()
    assert in_url(page, "review") == "0/bot/1"
    assert spec(page)["data"][0]["z"][0][0] == pytest.approx(0.5)


def test_changes_of_one_title_are_told_apart() -> None:
    comparison = made()
    changes = tuple(
        replace(change, id=f"{'long ' * 40}{change.id}") for change in comparison.changes
    )
    page = imported(replace(comparison, changes=changes), review="0/one/0")
    first, second = boxes(page)[0].options
    assert first != second
    boxes(page)[0].select(1).run()
    assert in_url(page, "review") == "1/one/3"


def test_all_reviews_of_a_change_are_side_by_side() -> None:
    page = imported(made(), change="0")
    assert not page.metric
    table = page.dataframe[0].value
    assert list(table["system"]) == ["one", "two", "silent"]
    assert table["relevance"].iloc[0] == pytest.approx(4 / 7)
    assert np.isnan(table["relevance"].iloc[2])
    figure = spec(page)
    assert [cells for cells in figure["data"][0]["z"][0] if cells is not None] == pytest.approx(
        [0.9, 0.1, 0.1, 0.9]
    )
    names = [one["text"] for one in figure["layout"]["annotations"]]
    assert names == ["<b>one</b>", "<b>two</b>"]
    assert "without a sentence has no score" in said(page)
    curves = spec(page, 1)
    assert [trace["name"] for trace in curves["data"]] == ["one", "two"]


def test_the_scores_over_tau() -> None:
    page = imported(made())
    figure = spec(page, 1)
    assert [trace["name"] for trace in figure["data"]] == [
        "conciseness", "comprehensiveness", "relevance",
    ]  # fmt: skip
    conciseness = dict(zip(figure["data"][0]["x"], figure["data"][0]["y"], strict=True))
    assert (conciseness[0.3], conciseness[0.4], conciseness[0.95]) == (1.0, 0.5, 0.0)
    assert figure["layout"]["shapes"][0]["x0"] == TAU
    assert "at tau 0.40: conciseness 0.500" in alt(page, 1)


def test_presets_are_on_the_curves() -> None:
    comparison = sample_source().comparison
    page = opened("sample")
    marks = [shape["x0"] for shape in spec(page, 1)["layout"]["shapes"]]
    assert marks[1:] == [resolve_tau(name, comparison.encoder) for name in ("tau_gt", "tau_best")]


def test_an_unknown_review_is_said_and_another_shown() -> None:
    page = imported(made(), review="<b>gone</b>")
    assert "gone" in page.warning[0].value
    assert "<b>" not in page.warning[0].value
    assert boxes(page)[1].value == 0


def test_a_change_that_was_left_out_is_said_with_the_reason() -> None:
    comparison = replace(made(), left_out=(LeftOut("bad", "no diff found"),))
    page = imported(comparison, change="bad")
    assert "no diff found" in page.warning[0].value
    assert list(page.dataframe[-1].value["why"]) == ["no diff found"]


def test_a_review_without_a_sentence_cannot_be_scored() -> None:
    page = imported(made(), review="0/silent/2")
    assert metrics(page)["Relevance"] == "no score"
    assert "nothing to compare" in said(page)
    assert not page.get("plotly_chart")


def test_a_source_without_reviews_leads_to_data() -> None:
    empty = CorpusComparison("by hand", "by hand", (), (LeftOut("1", "it is empty"),), ())
    page = imported(empty)
    assert page.info[0].value == NOTHING_SCORED
    assert list(page.dataframe[0].value["why"]) == ["it is empty"]


def test_no_file_is_imported() -> None:
    assert "No file is imported" in opened("file").info[0].value


@pytest.mark.parametrize("ratings", [UNRATED, Ratings(relevance=4)])
def test_ratings_are_shown_as_far_as_there_are_any(ratings: Ratings) -> None:
    comparison = made()
    reviews = tuple(replace(review, ratings=ratings) for review in comparison.reviews)
    page = imported(replace(comparison, reviews=reviews))
    human = [label for label in metrics(page) if label.startswith("Human")]
    assert human == ([] if ratings is UNRATED else ["Human relevance"])


@pytest.mark.parametrize("cell", ["0-1", "1-9", "x", "-", "²-1", "9" * 5000 + "-1"])
def test_a_cell_that_is_not_there_is_not_shown(cell: str) -> None:
    page = imported(made(), cell=cell)
    assert "Click at a cell" in said(page)


def test_without_its_encoder_a_pair_is_shown_unmarked() -> None:
    page = imported(made(), cell="1-1")
    assert "No words are marked" in said(page)
    assert any("Sentence 0." in element.proto.body for element in page.get("html"))
    page.toggle(key="heatmap_stop_words").set_value(False).run()
    assert "cannot be compared anew" in said(page)
    assert metrics(page)["Relevance"] == "0.571"


def test_the_words_of_a_pair_add_up_to_its_cosine() -> None:
    page = opened("sample", cell="1-1")
    cosine = float(re.search(r"cosine (\d\.\d+)", said_of_pair(page)).group(1))  # type: ignore[union-attr]
    words = [table for table in typed_tables(page) if "share" in table]
    assert len(words) == 2
    for table in words:
        assert sum(map(float, table["share"])) + left_over(page, table) == pytest.approx(
            cosine, abs=0.01
        )
    assert "not shaded are stop words" in said(page)
    marked = [element.proto.body for element in page.get("html")]
    assert sum('class="typed-word' in body for body in marked) == 2


def said_of_pair(page: AppTest) -> str:
    return next(text.value for text in page.markdown if "cosine" in text.value)


def left_over(page: AppTest, table: pd.DataFrame) -> float:
    """What the words add up to that a table has no room for; it has them where it is full."""
    if len(table) < 12:
        return 0.0
    found = re.findall(r"whose shares add up to (-?\d\.\d+)", said(page))
    return float(found[0]) if found else 0.0


def test_with_stop_words_no_word_is_called_one() -> None:
    shown = said(opened("sample", cell="1-1", heatmap_stop_words="false"))
    assert "not shaded speak against the match" in shown
    assert "are stop words" not in shown


def test_with_stop_words_both_scores_are_shown() -> None:
    page = opened("sample", heatmap_stop_words="false")
    filtered = opened("sample")
    assert "With stop words in the mean" in said(page)
    for label in ("Conciseness", "Comprehensiveness", "Relevance"):
        shown = next(metric for metric in page.metric if metric.label == label)
        change = float(shown.delta.split()[0])
        before = float(metrics(filtered)[label])
        assert float(shown.value) == pytest.approx(before + change, abs=0.002)
    # Both matrices are of the same texts, but not the same.
    cells, before = (spec(one)["data"][0]["z"][0][0] for one in (page, filtered))
    assert cells != pytest.approx(before, abs=1e-4)


def test_the_study_names_its_systems(study_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRSCORE_STUDY", str(study_dir))
    page = opened("study")
    systems = [option.split(" · ")[0] for option in boxes(page)[1].options]
    assert {"GPT-3.5", "Ground Truth", "BM-25 retriever"} <= set(systems)
    assert "Human relevance" in metrics(page)
    boxes(page)[1].select(-1).run()
    assert len(page.dataframe[0].value) == len(systems) - 1
    assert len(spec(page)["layout"]["annotations"]) == len(systems) - 1


def test_many_changes_are_searched() -> None:
    many = made_comparison(*(Made(change, (1, 1, 1), [[0.5]]) for change in range(700)))
    page = imported(many)
    assert len(boxes(page)[0].options) == 300
    assert "300 of 700 changes" in said(page)
    page.text_input(key="heatmap_find").set_value("699").run()
    options = boxes(page)[0].options
    assert [option.split(" · ")[1] for option in options] == ["0", "699"]
    boxes(page)[0].select(699).run()
    assert in_url(page, "review") == "699/gpt3.5/699"


def test_many_reviews_of_one_change_are_cut() -> None:
    many = made_comparison(*(Made(0, (1, 1, 1), [[0.5]], f"system {at}") for at in range(400)))
    page = imported(many, change="0")
    assert "The first 30 reviews are side by side; the change has 370 more" in said(page)
    assert len(page.dataframe[0].value) == 30
    assert len(spec(page, 1)["data"]) == 12
    page.text_input(key="heatmap_find_review").set_value("system 399").run()
    boxes(page)[1].select(399).run()
    assert in_url(page, "review") == "0/system 399/399"


@pytest.mark.parametrize(("rows", "columns", "is_a_table"), [(61, 3, True), (200, 400, False)])
def test_a_huge_matrix_is_no_picture(rows: int, columns: int, is_a_table: bool) -> None:
    cells = np.linspace(0, 1, rows * columns).reshape(rows, columns).tolist()
    page = imported(made_comparison(Made(0, (1, 1, 1), cells)))
    assert "Too many pairs to draw" in said(page)
    assert ("the table holds them" in said(page)) is is_a_table
    assert ("too many for a table as well" in said(page)) is not is_a_table
    assert len(page.get("plotly_chart")) == 1
    assert [len(table.value) for table in page.dataframe] == ([rows] if is_a_table else [])
    assert len(typed_tables(page)[0]) == min(200, columns)


@pytest.mark.parametrize("payloads", [PAYLOADS[:25], PAYLOADS[25:]])
def test_people_s_text_is_only_text(payloads: Sequence[str]) -> None:
    comparison = made()
    reviews = [
        replace(
            comparison.reviews[0], system=text, text=text, id=f"{at} {text}", sentences=(text,) * 2
        )
        for at, text in enumerate(payloads)
    ]
    page = imported(replace(comparison, reviews=tuple(reviews)), change="0")
    figures = json.dumps([spec(page), spec(page, 1)])
    assert not re.search(r"<(?!/?b>|br>|extra>|/extra>)", figures)
    assert "$" not in figures
    for at, review in enumerate(reviews[::8]):
        boxes(page)[1].select(8 * at).run()
        assert in_url(page, "review") == review.id
    assert not page.exception


def test_the_page_of_a_figure_needs_nothing_else() -> None:
    page = imported(made_comparison(Made(0, (1, 1, 1), LIVING)))
    assert page.get("plotly_chart")
    whole = heatmap_page_of(go.Figure(spec(page)))
    assert len(whole) > 1_000_000  # the library is in it
    assert not re.search(r"<(script|link|img)[^>]+(src|href)=", whole)
    assert "Reference 0." in whole
