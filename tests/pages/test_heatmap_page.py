"""The heatmap page without a browser."""

import re
from dataclasses import replace

import numpy as np
import plotly.graph_objects as go
import pytest

from crscore_core.corpus.change_matrix import change_matrix
from crscore_core.corpus.model import UNRATED, Ratings
from crscore_core.corpus.reviews import LeftOut, Reviews
from crscore_core.scoring import resolve_tau
from pages.components.heatmap_figure import grid_of
from pages.components.heatmap_view import heatmap_page_of
from tests.crscore_core.corpus.made_reviews import altered
from tests.crscore_core.datasets.study.made_comparison import Made, made_comparison
from tests.pages.app_page import AppPage, app_page, rated_in_turn

LIVING = [[0.9, 0.1], [0.2, 0.3], [0.5, 0.35]]
TAU = 0.4


def opened(data: str | Reviews, **url: str) -> AppPage:
    state = {} if isinstance(data, str) else {"tau": TAU}
    return app_page("heatmap", data, url, **state)


def choose(page: AppPage, label: str, number: int) -> AppPage:
    """Choose in a list; -1 stands for all reviews."""
    page.box(label).select(number)
    return page.run()


MADE = made_comparison(
    Made(0, (5, 4, 3), LIVING, "one", "First review."),
    Made(0, (1, 2, 3), [[0.1], [0.2], [0.95]], "two", "Second review."),
    Made(0, (1, 1, 1), [[], [], []], "silent", ""),
    Made(1, (2, 2, 2), [[0.7]], "one", "Of another change."),
)


def in_url(page: AppPage, name: str) -> str | None:
    values = page.query_params.get(name)
    return values[0] if isinstance(values, list) else values


def chosen(page: AppPage) -> tuple[object, object]:
    """The chosen change and review."""
    return page.box("Change").value, page.box("Review").value


def test_a_review_its_matrix_and_its_scores() -> None:
    page = opened(MADE)
    # At 0.4 the first sentence matches the first and the third pseudo-reference (0.9, 0.5).
    assert page.metrics() == {
        "Conciseness": "0.500",
        "Comprehensiveness": "0.667",
        "Relevance": "0.571",
        # Means of the best: (0.9 + 0.35) / 2 and (0.9 + 0.3 + 0.5) / 3.
        "Without a threshold": "0.594",
        "Human conciseness": "5 of 5",
        "Human comprehensiveness": "4 of 5",
        "Human relevance": "3 of 5",
    }
    figure = page.chart()
    cells, outline, _, points = figure["data"]
    drawn = np.array(cells["z"], dtype=float)
    expected = [[0.9, 0.1, 0.9], [0.2, 0.3, 0.3], [0.5, 0.35, 0.5], [0.9, 0.35, np.nan]]
    np.testing.assert_allclose(drawn[np.ix_([0, 1, 2, -1], [0, 1, -1])], expected)
    assert cells["textfont"]["shadow"] == "auto"  # stands out from every colour
    assert "color" not in cells["textfont"]  # dark or white by the cell, in whichever theme
    # Two pairs, two pseudo-references and one sentence are above tau.
    assert outline["x"].count(None) == 5
    assert points["customdata"] == [[row, column] for row in range(3) for column in range(2)]
    assert figure["layout"]["yaxis"]["ticktext"][0] == "<b>P1</b> Reference 0."
    assert figure["layout"]["xaxis"]["ticktext"][1] == "<b>S2</b><br>Sentence 1."
    assert "2 of 6 pairs are above tau 0.400" in page.alt()
    assert "P1 and S1 with 0.900" in page.alt()
    sentences, references = page.typed_tables()
    assert list(sentences["best match"]) == ["P1 0.900", "P3 0.350"]
    assert list(sentences["topic"]) == ["✓ on", "✗ off"]
    assert list(references["coverage"]) == ["✓ covered", "✗ missed", "✓ covered"]
    assert in_url(page, "review") == "0/one/0"


def test_scores_over_tau_and_at_another_tau() -> None:
    page = opened(MADE)
    figure = page.chart(1)
    assert [trace["name"] for trace in figure["data"]] == [
        "conciseness", "comprehensiveness", "relevance",
    ]  # fmt: skip
    conciseness = dict(zip(figure["data"][0]["x"], figure["data"][0]["y"], strict=True))
    assert (conciseness[0.3], conciseness[0.4], conciseness[0.95]) == (1.0, 0.5, 0.0)
    assert figure["layout"]["shapes"][0]["x0"] == TAU
    assert "at tau 0.40: conciseness 0.500, 0 from tau 0.90 on" in page.alt(1)
    assert page.put(tau=0.92).metrics()["Relevance"] == "0.000"
    assert page.chart()["data"][1]["x"] == []
    assert page.put(tau=0.0).metrics()["Relevance"] == "1.000"


@pytest.mark.parametrize(("n_columns", "width"), [(1, 0.25), (3, 0.47), (9, 1.0)])
def test_beside_few_sentences_the_best_is_narrow_and_near(n_columns: int, width: float) -> None:
    matrix = change_matrix(made_comparison(Made(0, (1, 1, 1), [[0.5] * n_columns])), (0,))
    x = grid_of(matrix, [2]).x
    assert x[n_columns] == n_columns
    assert x[-1] - x[-2] == pytest.approx(width)
    assert x[-2] - x[-3] == pytest.approx(0.35 * width)


def test_reviews_and_changes_are_chosen_by_links_and_lists() -> None:
    page = opened(MADE, review="1/one/3", cell="1-1")
    assert chosen(page) == (1, 3)
    assert page.chart()["data"][0]["z"][0][0] == pytest.approx(0.7)
    assert "No review" not in page.said()
    for label, number, review, change in (
        ("Change", 0, "0/one/0", None),
        ("Review", 1, "0/two/1", None),
        ("Change", 1, "1/one/3", None),
        ("Review", -1, None, "1"),
        ("Change", 0, None, "0"),
        ("Review", 1, "0/two/1", None),
    ):
        choose(page, label, number)
        assert (in_url(page, "review"), in_url(page, "change")) == (review, change)
        assert in_url(page, "cell") is None
    page.visit("guide", "heatmap")  # it is remembered while another page is read
    assert chosen(page) == (0, 1)
    assert in_url(page, "review") == "0/two/1"


def test_options_of_one_name_are_told_apart() -> None:
    same = [Made(0, (1, 1, 1), [[similarity]], "bot", "LGTM") for similarity in (0.1, 0.5, 0.9)]
    page = opened(made_comparison(*same), review="0/bot/0")
    review = page.box("Review")
    assert review.options[1:] == ["bot · LGTM (1)", "bot · LGTM (2)", "bot · LGTM (3)"]
    choose(page, "Review", 1)
    assert in_url(page, "review") == "0/bot/1"
    assert page.chart()["data"][0]["z"][0][0] == pytest.approx(0.5)
    changes = tuple(replace(change, id=f"{'long ' * 40}{change.id}") for change in MADE.changes)
    page = opened(altered(MADE, changes=changes), review="0/one/0")
    first, second = page.box("Change").options
    assert first != second
    assert in_url(choose(page, "Change", 1), "review") == "1/one/3"


def test_all_reviews_of_a_change_are_side_by_side() -> None:
    page = opened(MADE, change="0")
    assert not page.metric
    table = page.dataframe[0].value
    assert list(table["system"]) == ["one", "two", "silent"]
    np.testing.assert_allclose(table["relevance"].iloc[[0, 2]], [4 / 7, np.nan])
    figure = page.chart()
    shown = [cell for cell in figure["data"][0]["z"][0] if cell is not None]
    assert shown == pytest.approx([0.9, 0.1, 0.1, 0.9])
    names = [annotation["text"] for annotation in figure["layout"]["annotations"]]
    assert names == ["<b>one</b>", "<b>two</b>"]
    assert "without a sentence has no score" in page.said()
    assert [trace["name"] for trace in page.chart(1)["data"]] == ["one", "two"]


def test_what_a_link_names_and_the_source_lacks_is_said() -> None:
    page = opened(MADE, review="<b>gone</b>")
    assert "gone" in page.warning[0].value
    assert "<b>" not in page.warning[0].value
    assert page.box("Review").value == 0
    page = opened(altered(MADE, left_out=(LeftOut("bad", "no diff found"),)), change="bad")
    assert "no diff found" in page.warning[0].value
    assert list(page.dataframe[-1].value["why"]) == ["no diff found"]
    for cell in ("0-1", "1-9", "x", "-", "²-1", "9" * 5000 + "-1"):
        assert "Click at a cell" in opened(MADE, cell=cell).said()


def test_a_review_without_a_sentence_cannot_be_scored() -> None:
    page = opened(MADE, review="0/silent/2")
    assert page.metrics()["Relevance"] == "no score"
    assert "nothing to compare" in page.said()
    assert not page.get("plotly_chart")


@pytest.mark.parametrize("ratings", [UNRATED, Ratings(relevance=4)])
def test_ratings_are_shown_as_far_as_there_are_any(ratings: Ratings) -> None:
    page = opened(rated_in_turn(MADE, ratings))
    human = [label for label in page.metrics() if label.startswith("Human")]
    assert human == ([] if ratings is UNRATED else ["Human relevance"])


def test_without_its_encoder_a_pair_is_shown_unmarked() -> None:
    page = opened(MADE, cell="1-1")
    assert page.lacks("No words are marked", "Sentence 0.") == []


def test_presets_and_the_words_of_a_pair(samples: Reviews) -> None:
    page = opened(samples, cell="1-1")
    encoder = samples.encoder
    marks = [shape["x0"] for shape in page.chart(1)["layout"]["shapes"]]
    assert marks[1:] == [resolve_tau(name, encoder, "symbolic") for name in ("tau_gt", "tau_best")]
    cosine = float(re.findall(r"cosine (\d\.\d+)", page.said())[0])
    assert f"add up to the cosine, {cosine:.3f}" in page.said()
    assert sum('class="typed-word' in part.proto.body for part in page.get("html")) == 2


def test_a_match_by_another_wording_says_so(samples: Reviews) -> None:
    number = [change.id for change in samples.changes].index("python/retry-backoff")
    change = samples.changes[number]
    review = next(review for review in samples if review.change == number)
    column = int(review.similarity[0].argmax())
    wording = f"<b>{review.sentences[column]}</b>"
    first, *others = (replace(one, wordings=()) for one in change.references)

    def page_with(*wordings: str) -> AppPage:
        changes = list(samples.changes)
        worded = replace(first, wordings=wordings)
        changes[number] = replace(change, references=(worded, *others))
        url = {"review": review.id, "cell": f"1-{column + 1}"}
        return opened(altered(samples, changes=tuple(changes)), **url)

    page = page_with("Bananas.", wording)
    assert "matched as:" in page.said()
    assert first.text in page.markup()
    assert "Bananas" not in page.markup()
    assert "<b>" not in page.markup()
    (table,) = (table for table in page.typed_tables() if "coverage" in table)
    assert list(table["pseudo-reference"]) == [
        f"{first.text}\nmatched as: {wording}", *(one.text for one in others)
    ]  # fmt: skip
    assert "matched as:" not in page_with().said()


def test_the_study_names_its_systems() -> None:
    page = opened("study")
    systems = [option.split(" · ")[0] for option in page.box("Review").options]
    assert {"GPT-3.5", "Ground Truth", "BM-25 retriever"} <= set(systems)
    assert "Human relevance" in page.metrics()
    choose(page, "Review", -1)
    assert len(page.dataframe[0].value) == len(systems) - 1
    assert len(page.chart()["layout"]["annotations"]) == len(systems) - 1


def test_many_changes_are_searched_and_many_reviews_of_one_are_cut() -> None:
    page = opened(made_comparison(*(Made(change, (1, 1, 1), [[0.5]]) for change in range(700))))
    assert len(page.box("Change").options) == 300
    assert "300 of 700 changes" in page.said()
    options = page.put(heatmap_find="699").box("Change").options
    assert [option.split(" · ")[1] for option in options] == ["0", "699"]
    assert in_url(choose(page, "Change", 699), "review") == "699/gpt3.5/699"
    many = made_comparison(*(Made(0, (1, 1, 1), [[0.5]], f"system {at}") for at in range(400)))
    page = opened(many, change="0")
    assert "The first 30 reviews are side by side; the change has 370 more" in page.said()
    assert len(page.dataframe[0].value) == 30
    assert len(page.chart(1)["data"]) == 12
    choose(page.put(heatmap_find_review="system 399"), "Review", 399)
    assert in_url(page, "review") == "0/system 399/399"


@pytest.mark.parametrize(("rows", "columns", "is_a_table"), [(61, 3, True), (200, 400, False)])
def test_a_huge_matrix_is_no_picture(rows: int, columns: int, is_a_table: bool) -> None:
    cells = np.linspace(0, 1, rows * columns).reshape(rows, columns).tolist()
    page = opened(made_comparison(Made(0, (1, 1, 1), cells)))
    assert "Too many pairs to draw" in page.said()
    assert ("the table holds them" in page.said()) is is_a_table
    assert ("too many for a table as well" in page.said()) is not is_a_table
    assert len(page.get("plotly_chart")) == 1
    assert [len(table.value) for table in page.dataframe] == ([rows] if is_a_table else [])
    assert len(page.typed_tables()[0]) == min(200, columns)


def test_the_page_of_a_figure_needs_nothing_else() -> None:
    page = opened(made_comparison(Made(0, (1, 1, 1), LIVING)))
    whole = heatmap_page_of(go.Figure(page.chart()))
    assert len(whole) > 1_000_000  # the library is in it
    assert not re.search(r"<(script|link|img)[^>]+(src|href)=", whole)
    assert "Reference 0." in whole
