"""The Rate page: answers stored and undone, blindness, results, a copy of the study."""

import itertools
import re
from pathlib import Path
from types import SimpleNamespace

import pandas as pd
import pytest

from crscore_eval.data.ratings import METRIC_QUESTIONS, QUALITY_QUESTIONS, Question, Ratings
from crscore_eval.data.shipped import SHIPPED_RUN
from crscore_eval.run.folder import open_run, write_part
from crscore_eval.table import ColumnRole, Run, RunSettings
from pages.components.rate_question import answers_content
from tests.pages.app_page import AppPage, opened
from tests.pages.runs import SyntheticReview, small_run, synthetic_run, write_run

ANSWERS = len(QUALITY_QUESTIONS)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = write_run(tmp_path / "run", small_run(is_rated=False))
    monkeypatch.setenv("CRSCORE_RUN", str(folder))
    set_clock(monkeypatch, seconds=60)
    return folder


def set_clock(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    """Let this many seconds pass between answers."""
    clock = SimpleNamespace(monotonic=itertools.count(seconds, seconds).__next__)
    monkeypatch.setattr("pages.components.rate_question.time", clock)


def rating(**url: str) -> AppPage:
    """The page at an address, after a name is entered."""
    return opened("rate", url).put(rater="  Ann ")


def possible_answers(page: AppPage) -> list[str]:
    shown = [one for one in page.button if not (one.disabled or one.label.startswith("answer"))]
    return [key for one in shown if re.fullmatch("rate_[1-5YNU]", key := one.key or "")]


def answer(page: AppPage, times: int) -> AppPage:
    """Give the first possible answer, such as "nothing", to each question."""
    for _ in range(times):
        page.press(possible_answers(page)[0])
    return page


@pytest.mark.parametrize("mode", ["quality", "metric"])
def test_each_answer_is_stored_under_the_raters_name(folder: Path, mode: str) -> None:
    questions = METRIC_QUESTIONS if mode == "metric" else QUALITY_QUESTIONS
    page = rating(questions=mode).press("rate_Y" if mode == "metric" else "rate_2")
    assert page.query_params["rater"] == "ann"
    assert "is not an answer to this question" in page.texts()
    answer(page, len(questions) + 1)
    assert "Stored last" in page.texts()
    answers = Ratings(folder).answers()
    assert answers["question"].tolist() == [*questions, questions[0]]
    assert set(answers["rater"]) == {"ann"}
    assert answers["id"][: len(questions)].nunique() == 1
    assert answers["id"].nunique() == 2


@pytest.mark.usefixtures("folder")
def test_pseudo_references_are_shown_only_in_studies_of_the_metric() -> None:
    page = opened("rate")
    assert not page.lacks("Is it right?")  # explained until a name is entered
    assert not page.button
    page.put(rater="Ann")
    assert "questions" not in page.query_params
    assert not any("pseudo-reference" in table.columns for table in page.text_tables())
    page.put(questions="metric")
    assert page.query_params["questions"] == "metric"
    assert any("pseudo-reference" in table.columns for table in page.text_tables())
    page.put(questions="quality").visit("thresholds")
    page.query_params.update(questions="metric")  # as the link on that page does
    page.switch_page("pages/rate.py")
    assert page.run().query_params["questions"] == "metric"


def test_undo_leaves_the_answers_to_other_questions(folder: Path) -> None:
    page = answer(rating(), 1).put(questions="metric")
    assert next(button for button in page.button if button.label == "Undo").disabled
    answer(page, 2).put(questions="quality").press("Undo")
    assert Ratings(folder).answers()["question"].tolist() == [*METRIC_QUESTIONS[:2]]
    page.put(questions="metric").press("Undo")
    assert Ratings(folder).answers()["question"].tolist() == [METRIC_QUESTIONS[0]]


def test_a_held_key_rates_one_review(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    set_clock(monkeypatch, seconds=0.1)
    page = answer(rating(), ANSWERS + 3)
    assert Ratings(folder).answers()["id"].nunique() == 1
    set_clock(monkeypatch, seconds=60)
    answer(page, 1)
    assert Ratings(folder).answers()["id"].nunique() == 2


def test_a_review_is_shown_as_markdown_without_anything_from_elsewhere(folder: Path) -> None:
    text = "## Summary\n<b>Bad</b> `List<String>` ![pixel](http://x/p.png) [here](http://y)"
    run = open_run(folder)
    write_part(folder, 0, run.reviews.assign(review=text), run.changes)
    page = rating()
    html = page.markup().partition('<div class="rendered">')[2]
    assert "<h2>Summary</h2>" in html
    assert "<code>List&lt;String&gt;</code>" in html
    assert not {"<b", "<img", "<a"} & {*re.findall(r"<\w+", html)}
    assert text in [one.value for one in page.text]  # as typed


def test_relevance_lies_between_the_other_two(folder: Path) -> None:
    page = answer(rating(), ANSWERS).put(questions="metric")
    page.press("rate_2", "rate_4")
    assert not page.lacks("conciseness 2, comprehensiveness 4")
    assert possible_answers(page) == ["rate_2", "rate_3", "rate_4"]
    assert Ratings(folder).answers()["value"].tolist()[ANSWERS:] == [2, 4]


def test_a_skipped_review_comes_back_after_the_others(folder: Path) -> None:
    page = rating().press("Skip")
    answer(page, ANSWERS * (len(open_run(folder).reviews) - 1))
    left_out = {*open_run(folder).reviews["id"]} - {*Ratings(folder).answers()["id"]}
    answer(page.press("Skip"), ANSWERS)
    assert len(left_out) == 1
    assert Ratings(folder).answers()["id"].tolist()[-ANSWERS:] == [*left_out] * ANSWERS
    assert page.success


def test_a_rater_who_leaves_in_the_middle_of_a_review_resumes_there(folder: Path) -> None:
    answer(rating(), ANSWERS + 1)
    page = answer(opened("rate", {"rater": "ann"}), 1)
    assert Ratings(folder).answers()["id"].value_counts().tolist() == [ANSWERS, ANSWERS]
    assert "2 of" in page.texts()


@pytest.mark.usefixtures("folder")
def test_ratings_count_on_other_pages_at_once() -> None:
    page = opened("rankings")
    systems = page.text_tables()[0]
    assert systems["reviewer"].tolist() == ["good", "middling", "bad"]  # by relevance
    assert not any("rating" in str(name) for name in systems)
    answer(page.visit("rate").put(rater="Ann"), ANSWERS)
    assert "The file has ratings" not in page.put(rate_view="results").texts()
    assert any("rating" in str(name) for name in page.visit("rankings").text_tables()[0])


def test_answers_next_to_ratings_of_the_file_are_a_label(folder: Path) -> None:
    run = small_run(is_rated=False)
    reviews = run.reviews.assign(label_worth=4.0)
    role = ColumnRole("note", "label_worth", "rating", 54, scale="1-10")
    settings: RunSettings = {**run.settings, "columns": [role._asdict()]}
    opened(run=write_run(folder.with_name("rated"), Run(reviews, run.changes, settings)))
    page = answer(rating(), 1)
    assert not page.lacks("`worth_given_here`", "in the file are from 1 to 10; answer from 1 to 5")
    assert r"Stored last: right \(right or wrong\), for “" in answer(page, 0).texts()
    answer(page, 1)
    results = page.put(rate_view="results")
    assert not results.lacks("*right* count as people's", "worth. Pages use those, and only those")
    assert not opened("data").lacks(r"raters of worth\_given\_here\: ann")


def test_a_rater_who_cannot_tell_gives_no_number() -> None:
    given = {"rater": "ann", "id": "7", "question": ["right", "right", "worth"], "time": 0.2}
    reviews = pd.DataFrame([{"id": "7", "system": "bot", "change": "c", "review": "Why?"}])
    text = answers_content(pd.DataFrame({**given, "value": [-1, 0, 5]}), reviews)
    answers = ["right,{},,can't tell", "right,{},0,wrong", "worth,{},5,very much"]
    expected = [one.format("1970-01-01 00:00:00+00:00") for one in answers]
    assert text.splitlines()[1:] == [f"ann,7,{one},bot,c,Why?" for one in expected]


def test_results_show_raters_and_their_agreement(folder: Path) -> None:
    ids = open_run(folder).reviews["id"][:3]
    for rater, (at, review) in itertools.product(("ann", "bob"), enumerate(ids, start=1)):
        Ratings(folder).give(rater, Question(review, "conciseness", (1, 2, 3, 4, 5)), at)
    assert opened("rate", {"rate_view": "results"}).info
    page = opened("rate", {"rate_view": "results", "questions": "metric"})
    assert len(page.dataframe) == 2  # without reviewers' names
    raters, means, agreement = (x.value for x in page.toggle[0].set_value(True).run().dataframe)
    assert raters[["rater", "answers"]].to_numpy().tolist() == [["ann", 3], ["bob", 3]]
    assert means.to_numpy().tolist() == [["bad", 3, 1], ["good", 1, 1], ["middling", 2, 1]]
    assert agreement[["alpha", "shared reviews"]].to_numpy().tolist() == [["1.000", 3]]


def test_the_study_is_rated_in_a_copy(runs: Path) -> None:
    page = opened("rate", {"data": "study"})
    assert [button.label for button in page.button] == ["Rate a copy"]
    assert not page.lacks("1 nothing, 2 a little")
    page.press("Rate a copy")
    copy = runs / page.query_params["data"]
    assert len(open_run(copy).reviews) == len(open_run(SHIPPED_RUN).reviews)
    answer(page.put(rater="Ann"), 1)
    assert len(Ratings(copy).answers()) == 1


def test_reviews_that_cannot_be_scored_are_not_rated(tmp_path: Path) -> None:
    empty = synthetic_run(SyntheticReview(0, "one", [[], []]))
    page = opened("rate", {"rater": "ann"}, run=write_run(tmp_path / "run", empty))
    assert not page.success
    assert "No review can be rated" in page.info[0].value
    assert "Not asked about, without text: 1." in page.texts()
