"""The page Rate, without a browser: from reviews to ratings that all pages show."""

import re
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from crscore_core.corpus.run.answers import RatingPlan
from crscore_core.corpus.run.store import RunStore
from pages.components.source.load import run_key
from tests.crscore_core.corpus.made_reviews import made
from tests.pages.app_page import app_page, markup, said


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> RunStore:
    monkeypatch.setenv("CRSCORE_RUNS", str(tmp_path))
    return RunStore()


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pages.components.rate_question._SECONDS_TO_READ", 0.0)


def press(page: AppTest, key: str) -> None:
    page.button(key).click().run()
    assert not page.exception


def claims_shown(page: AppTest) -> set[str]:
    return {*re.findall(r"Claim \d of \w\.", markup(page))}


def test_what_is_shown_becomes_a_run_and_is_rated(store: RunStore) -> None:
    page = app_page("rate", made())
    (save,) = (button for button in page.button if button.label == "Save as a run and rate it")
    save.click().run()
    (run,) = store.list()
    assert "codebook of the study" in said(page)
    anonymous = page.session_state["rater"]
    press(page, "rate_4")  # the first question is there without a name
    assert [one.rater for one in store.answers(run.id).list()] == [anonymous]
    assert app_page("rate", run_key(run.id)).session_state["rater"] != anonymous
    press(page, "rate_back")
    page.text_input("rater_field").set_value(" ann ").run()
    assert page.query_params["rater"] == "ann"
    assert not page.text_input
    assert page.get("progress")[0].proto.text == "0 of 4 reviews rated"
    for key in ("rate_5", "rate_3"):
        press(page, key)
    allowed = [key for key in range(1, 6) if not page.button(f"rate_{key}").disabled]
    assert allowed == [3, 4, 5]
    press(page, "rate_back")
    assert not page.button("rate_1").disabled
    for key in ("rate_2", "rate_3"):
        press(page, key)
    assert [one.value for one in store.answers(run.id).list()] == [5, 2, 3]
    assert {one.is_blind for one in store.answers(run.id).list()} == {True}
    page.toggle("rate_sees_all").set_value(True).run()
    assert re.search(r"; relevance [01]\\\.\d+", said(page))  # as markdown is escaped
    page.toggle("rate_sees_all").set_value(False).run()
    press(page, "rate_3")
    assert not store.answers(run.id).list()[-1].is_blind


def test_right_and_worth_are_asked_last_and_are_labels_on_other_pages(store: RunStore) -> None:
    run = store.save("A run", made())
    page = app_page("rate", run_key(run.id), {"rater": "ann"})
    for _ in range(3):
        press(page, "rate_3")
    answers = [button.label for button in page.button if str(button.key).startswith("rate_")]
    assert answers[:3] == ["right", "wrong", "can't tell"]
    assert "Relevance 3" not in said(page)
    press(page, "rate_2")
    press(page, "rate_5")
    assert [one.value for one in store.answers(run.id).list()] == [3, 3, 3, 0, 5]
    (review,) = (one for one in store.load(run.id) if one.labels)
    assert review.labels == {"right": 0, "worth": 5}
    rankings = app_page("rankings", run_key(run.id), {"by": "worth"})
    assert "label worth" in said(rankings) + markup(rankings)


def test_a_key_that_is_held_answers_nothing_that_nobody_read(
    store: RunStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = store.save("A run", made())
    page = app_page("rate", run_key(run.id), {"rater": "Ann"})
    monkeypatch.setattr("pages.components.rate_question._SECONDS_TO_READ", 60.0)
    for _ in range(6):
        press(page, "rate_3")
    assert [one.rater for one in store.answers(run.id).list()] == ["ann"] * 5
    for _ in range(2):
        press(page, "rate_back")
    assert len(store.answers(run.id).list()) == 5
    monkeypatch.setattr("pages.components.rate_question._SECONDS_TO_READ", 0.0)
    press(page, "rate_back")
    assert len(store.answers(run.id).list()) == 4


def test_raters_agree_and_are_removed(store: RunStore) -> None:
    run = store.save("A run", made())
    key = run_key(run.id)
    page = app_page("rate", key, {"rater": "ann", "rate_view": "Results"})
    assert "Nobody has rated this run yet" in said(page)
    for rater in ("ann", "bob"):
        page = app_page("rate", key, {"rater": rater})
        page.toggle("rate_sees_all").set_value(rater == "bob").run()
        for _ in range(4):
            for answer in (3, 3, 3, 1, 3):
                press(page, f"rate_{answer}")
        assert "Nothing is left to rate" in said(page)
    page = app_page("rate", key, {"rate_view": "Results"})
    words = said(page)
    assert {"right or wrong", "worth saying"} <= {*re.findall(r"[a-z ]+", markup(page))}
    assert "say little" in words
    assert "Answers that are not blind count like others: 20 of 40" in words
    page.selectbox[-1].set_value("ann").run()
    (remove,) = (button for button in page.button if button.label == "Remove")
    remove.click().run()
    assert {one.rater for one in store.answers(run.id).list()} == {"bob"}
    assert "No two raters" in said(page)


def test_claims_are_coded_when_the_plan_says_so(store: RunStore) -> None:
    run = store.save("A run", made())
    page = app_page("rate", run_key(run.id), {"rater": "ann"})
    page.checkbox[0].check()
    page.slider[0].set_value(50)
    (keep,) = (button for button in page.button if button.label == "Keep for all raters")
    keep.click().run()
    assert store.answers(run.id).plan == RatingPlan(0.5, codes_claims=True)
    assert "Is this claim about the change right?" in said(page)
    page.text_area[0].set_value("It leaks.\n\n It is slow. ").run()
    ((_, claims),) = store.answers(run.id).missing().items()
    assert claims == ("It leaks.", "It is slow.")
    listed = claims_shown(page)
    press(page, "rate_2")
    assert store.answers(run.id).list()[0].value == 0
    assert len(listed - claims_shown(page)) == 1  # the incorrect one


@pytest.mark.usefixtures("store")
def test_a_run_that_cannot_be_rated_is_a_message() -> None:
    page = app_page("rate", "run-0123456789abcdef", {"rater": "ann"})
    assert "there is no such saved run" in page.error[0].value
