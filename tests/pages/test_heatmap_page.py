"""The Heatmap page without a browser, including the choice and the view of a review."""

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from tests.pages.app_page import AppPage, opened
from tests.pages.runs import SyntheticReview, synthetic_run, write_run

MADE = synthetic_run(
    SyntheticReview(0, "one", [[0.9, 0.1], [0.2, 0.3], [0.5, 0.35]], (5, 4, 3), "First review."),
    SyntheticReview(0, "two", [[0.1], [0.2], [0.95]], (1, 2, 3), "Second `review`."),
    SyntheticReview(0, "silent", [[], [], []], (1, 1, 1)),
    SyntheticReview(1, "one", [[0.7]], (2, 2, 2), "Of another change."),
)

Opener = Callable[..., AppPage]


@pytest.fixture
def heatmap(tmp_path: Path) -> Opener:
    """Open the page with a run, at an address."""
    return lambda run=MADE, **url: opened("heatmap", url, write_run(tmp_path / "run", run))


def shown_review(page: AppPage) -> str:
    (review,) = re.findall(r"review (\S+), by", page.texts().replace("\\", ""))
    return str(review)


def listed(page: AppPage) -> list[str]:
    return list(page.dataframe[-1].value["id"])


def test_shows_a_review_its_matrix_and_its_scores(heatmap: Opener) -> None:
    page = heatmap()
    scores, sentences, references = page.text_tables()
    # At 0.4 the first sentence matches the first and the third pseudo-reference (0.9, 0.5).
    # Without a threshold, means of the best: (0.9 + 0.35) / 2 and (0.9 + 0.3 + 0.5) / 3.
    assert scores.to_dict("list") == {
        "": ["relevance", "conciseness", "comprehensiveness", "without a threshold"],
        "metric (0 to 1)": ["0.57", "0.50", "0.67", "0.59"],
        "people (1 to 5)": ["3", "5", "4", ""],
    }
    assert list(sentences["best match"]) == ["P1 0.900", "P3 0.350"]
    assert list(sentences["match"]) == ["✓ matches", "✗ no match"]
    assert list(sentences["would also match"].str.endswith(" of 183")) == [True, False]
    assert list(references["coverage"]) == ["✓ covered", "✗ missed", "✓ covered"]
    assert list(references["best match"]) == ["S1 0.900", "S2 0.300", "S1 0.500"]
    cells, outline, _, points = page.chart()["data"]
    drawn = np.array(cells["z"], dtype=float)
    expected = [[0.9, 0.1, 0.9], [0.2, 0.3, 0.3], [0.5, 0.35, 0.5], [0.9, 0.35, np.nan]]
    np.testing.assert_allclose(drawn[np.ix_([0, 1, 2, -1], [0, 1, -1])], expected)
    # Two pairs, two pseudo-references and one sentence are above tau.
    assert outline["x"].count(None) == 5
    pairs = [[row, column] for row in range(3) for column in range(2)]
    assert points["customdata"] == [*pairs, [0, 0], [1, 1], [2, 0], [0, 0], [2, 1]]  # then the best
    assert "covered: 2 of 3" in page.alt()
    assert "P1 and S1, at 0.900" in page.alt()
    reviews = page.dataframe[-1].value  # to sort by relevance and ratings
    assert reviews["relevance"].tolist() == [0.571, 0.5, 0.0, 1.0]
    assert reviews["people"].tolist() == [3, 3, 1, 2]
    assert page.put(tau=0.92).text_tables()[0]["metric (0 to 1)"].iloc[0] == "0.00"
    assert page.chart()["data"][1]["x"] == []
    assert page.put(tau=0.0).text_tables()[0]["metric (0 to 1)"].iloc[0] == "1.00"


def test_code_is_shown_without_its_marks(heatmap: Opener) -> None:
    texts = [{**one, "text": "`x` is new."} for one in MADE.changes["references"][0]]
    changes = MADE.changes.assign(references=pd.Series([texts, texts[:1]]))
    page = heatmap(MADE._replace(changes=changes), review="0/two/1", cell="1-1")
    assert "Second <code>review</code>." in page.markup()
    assert "Second review." in page.dataframe[-1].value["review"].tolist()
    assert "x is new." in page.chart()["layout"]["yaxis"]["ticktext"][0]
    assert "`x` is new" in page.texts()  # of the chosen pair, as code


def test_steps_through_reviews_searches_and_remembers(heatmap: Opener) -> None:
    page = heatmap(cell="1-1")
    assert shown_review(page) == "0/one/0"
    assert page.query_params.get("review") is None
    assert "Previous" not in page.labels()
    assert shown_review(page.press("Next")) == "0/two/1"
    assert (page.query_params.get("review"), page.query_params.get("cell")) == ("0/two/1", None)
    assert "**2 of 4**" in page.texts()
    page.put(review_text="of ANOTHER")
    assert listed(page) == ["1/one/3"]
    assert shown_review(page.press("Next")) == "1/one/3"
    assert "Next" not in page.labels()
    assert len(listed(page.press("Clear filters"))) == 4
    assert len(listed(page.put(review_system=["one"]))) == 2
    page.put(review_system=[])
    page.visit("guide")  # the URL keeps the review, so that Back returns to it
    assert page.query_params["review"] == shown_review(page.visit("heatmap")) == "1/one/3"


@pytest.mark.parametrize(("findings", "expected"), [
    ('[{"finding": "x is new", "verdict": "wrong", "line": "+x"}]', "x is new (wrong)"),
    ("of another form", "of another form"),
    ("[]", "worth 4"),
])  # fmt: skip
def test_shows_what_a_judge_found(heatmap: Opener, findings: str, expected: str) -> None:
    judged = MADE.reviews.assign(judge_findings=findings, judge_worth=4.0, judge_model="m")
    texts = heatmap(MADE._replace(reviews=judged)).texts().replace("\\", "")
    assert expected in texts
    assert "worth 4" in texts
    assert "{" not in texts


def test_names_an_id_that_the_run_lacks(heatmap: Opener) -> None:
    page = heatmap(MADE._replace(reviews=MADE.reviews[::-1]), review="<b>gone</b>")
    (said,) = (warning.value for warning in page.warning)
    assert "gone" in said
    assert "<b>" not in said
    assert shown_review(page) == "0/one/0"  # the first


@pytest.mark.parametrize("cell", ["0-1", "1-9", "x", "-", "²-1", "1-1-1", "9" * 5000 + "-1"])
def test_ignores_a_cell_that_does_not_exist(heatmap: Opener, cell: str) -> None:
    assert ": cosine" not in heatmap(cell=cell).texts()


def test_shows_the_texts_of_a_chosen_cell(heatmap: Opener) -> None:
    page = heatmap(cell="3-2")
    assert "[S2](#T_S_level0_row1)**: cosine 0.350, not above tau 0.4" in page.texts()
    page.put(cell="1-1")
    assert "**: cosine 0.900, above tau 0.4" in page.texts()
    assert page.query_params.get("cell") == "1-1"
    assert ": cosine" not in page.put(cell="none").texts()
    assert page.query_params.get("cell") is None


def test_a_review_without_a_sentence_has_no_score(heatmap: Opener) -> None:
    page = heatmap(review="0/silent/2")
    scores = page.text_tables()[0]
    relevance = {"": "relevance", "metric (0 to 1)": "", "people (1 to 5)": "1"}
    assert scores.to_dict("records")[0] == relevance
    assert not page.get("plotly_chart")


def test_a_single_pair_has_no_best_row_or_column_and_its_change_one_name(heatmap: Opener) -> None:
    run = synthetic_run(SyntheticReview(0, "one", [[0.5]]))
    run.changes["change"] = run.reviews["change"] = "Change 10"
    page = heatmap(run)
    assert [header.value for header in page.header] == ["Change 10"]
    assert page.chart()["data"][0]["z"] == [[pytest.approx(0.5)]]
    assert list(page.text_tables()[0]) == ["", "metric (0 to 1)"]  # no column of people's ratings


def test_pseudo_references_and_the_lines_that_they_mark_link_to_each_other(heatmap: Opener) -> None:
    diff = "@@ -1 +1,2 @@\n-old\n+new\n+more\n"
    page = heatmap(synthetic_run(SyntheticReview(0, "one", [[0.5], [0.1], [0.2]]), diff=diff))
    marks = re.findall(r'<a id="(.+?)" href="#T_P_level0_row(.)">(P.)<', page.markup())
    assert marks == [("P1-1", "0", "P1"), ("P2-1", "1", "P2")]
    references = page.table[-1].proto.arrow_data.styler.display_values.decode(errors="replace")
    assert re.findall(r"\]\(#(P.-1)\)", references) == ["P1-1", "P2-1"]  # P3 has no line


@pytest.mark.parametrize(("rows", "columns", "is_drawn"), [
    (60, 60, True), (81, 3, False), (200, 400, False),
])  # fmt: skip
def test_draws_no_huge_matrix(heatmap: Opener, rows: int, columns: int, is_drawn: bool) -> None:
    cells = np.linspace(0, 1, rows * columns).reshape(rows, columns).tolist()
    page = heatmap(synthetic_run(SyntheticReview(0, "one", cells)))
    assert len(page.get("plotly_chart")) == is_drawn
    assert len(page.text_tables()[1]) == min(200, columns)


def test_the_study_has_readable_names_of_systems() -> None:
    page = opened("heatmap", {"review": "7988/gpt3.5"})
    assert "by GPT\\-3\\.5" in page.texts()
