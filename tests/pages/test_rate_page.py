"""The page Rate, without a browser: from reviews to ratings that all pages show."""

import re

import pytest
from crscore_core.corpus.run.answers import RatingPlan
from crscore_core.corpus.run.store import RunStore
from pages.components.source.load import run_key

from tests.crscore_core.corpus.made_reviews import made
from tests.pages.app_page import app_page


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pages.components.rate_question._SECONDS_TO_READ", 0.0)


def test_what_is_shown_becomes_a_run_and_is_rated(store: RunStore) -> None:
    page = app_page("rate", made()).press("Save as a run and rate it")
    (run,) = store.list()
    assert "codebook of the study" in page.said()
    anonymous = page.session_state["rater"]
    page.press("rate_4")  # the first question is there without a name
    assert [one.rater for one in store.answers(run.id).list()] == [anonymous]
    assert app_page("rate", run_key(run.id)).session_state["rater"] != anonymous
    page.press("rate_back").put(rater_field=" ann ")
    assert page.query_params["rater"] == "ann"
    assert not page.text_input
    assert page.get("progress")[0].proto.text == "0 of 4 reviews rated"
    page.press("rate_5", "rate_3")
    allowed = [key for key in range(1, 6) if not page.button(f"rate_{key}").disabled]
    assert allowed == [3, 4, 5]
    page.press("rate_back")
    assert not page.button("rate_1").disabled
    page.press("rate_2", "rate_3")
    answers = store.answers(run.id).list()
    assert [(one.value, one.is_blind) for one in answers] == [(5, True), (2, True), (3, True)]
    page.put(rate_sees_all=True)
    assert re.search(r"; relevance [01]\\\.\d+", page.said())  # as markdown is escaped
    page.put(rate_sees_all=False).press("rate_3")
    assert not store.answers(run.id).list()[-1].is_blind


def test_right_and_worth_are_asked_last_and_are_labels_on_other_pages(store: RunStore) -> None:
    run = store.save("A run", made())
    page = app_page("rate", run_key(run.id), {"rater": "ann"}).press(*["rate_3"] * 3)
    answers = [button.label for button in page.button if str(button.key).startswith("rate_")]
    assert answers[:3] == ["right", "wrong", "can't tell"]
    assert "Relevance 3" not in page.said()
    page.press("rate_2", "rate_5")
    assert [one.value for one in store.answers(run.id).list()] == [3, 3, 3, 0, 5]
    (review,) = (one for one in store.load(run.id) if one.labels)
    assert review.labels == {"right": 0, "worth": 5}
    rankings = app_page("rankings", run_key(run.id), {"by": "worth"})
    assert rankings.lacks("label worth") == []


def test_a_key_that_is_held_answers_nothing_that_nobody_read(
    store: RunStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = store.save("A run", made())
    page = app_page("rate", run_key(run.id), {"rater": "Ann"})
    for seconds, keys, answers in (
        (60.0, ["rate_3"] * 6, 5),
        (60.0, ["rate_back"] * 2, 5),
        (0.0, ["rate_back"], 4),
    ):
        monkeypatch.setattr("pages.components.rate_question._SECONDS_TO_READ", seconds)
        page.press(*keys)
        assert [one.rater for one in store.answers(run.id).list()] == ["ann"] * answers


def test_a_rater_who_is_at_work_in_another_tab_is_told(store: RunStore) -> None:
    run = store.save("A run", made())
    one, other = (app_page("rate", run_key(run.id), {"rater": "ann"}) for _ in range(2))
    one.press("rate_5")
    other.press("rate_1")
    assert "Two people need two names" in other.error[0].value
    assert not other.press("rate_3").error  # it shows the next question
    assert [one.value for one in store.answers(run.id).list()] == [5, 3]


def test_who_types_a_name_that_has_answers_is_told(store: RunStore) -> None:
    run = store.save("A run", made())
    ann = app_page("rate", run_key(run.id)).put(rater_field="Ann").press("rate_5")
    assert not ann.info
    other = app_page("rate", run_key(run.id)).put(rater_field="ann ")
    assert other.info[0].value.startswith("ann has 1 answer in this run, the last on ")
    assert not other.press("Change").put(rater_field="bob").info


def test_raters_agree_and_are_removed(store: RunStore) -> None:
    key = run_key(store.save("A run", made()).id)
    results = {"rate_view": "Results"}
    assert "Nobody has rated" in app_page("rate", key, results).said()
    for rater in ("ann", "bob"):
        page = app_page("rate", key, {"rater": rater}).put(rate_sees_all=rater == "bob")
        page.press(*["rate_3", "rate_3", "rate_3", "rate_1", "rate_3"] * 4)
        assert "Nothing is left to rate" in page.said()
    page = app_page("rate", key, results)
    assert page.lacks("right or wrong", "worth saying", "say little", "not blind", "20 of 40") == []
    page.selectbox[-1].set_value("ann").run()
    page.press("Remove")
    assert {one.rater for one in store.answers(store.list()[0].id).list()} == {"bob"}
    assert "No two raters" in page.said()


def test_claims_are_coded_when_the_plan_says_so(store: RunStore) -> None:
    run = store.save("A run", made())
    page = app_page("rate", run_key(run.id), {"rater": "ann"})
    page.checkbox[0].check()
    page.slider[0].set_value(50)
    page.press("Keep for all raters")
    assert store.answers(run.id).plan == RatingPlan(0.5, codes_claims=True)
    assert "Is this claim about the change right?" in page.said()
    page.text_area[0].set_value("It leaks.\n\n It is slow. ").run()
    ((_, claims),) = store.answers(run.id).missing().items()
    assert claims == ("It leaks.", "It is slow.")
    claims_of = re.compile(r"Claim \d of \w\.")
    listed = set(claims_of.findall(page.markup()))
    page.press("rate_2")
    assert store.answers(run.id).list()[0].value == 0
    assert len(listed - set(claims_of.findall(page.markup()))) == 1  # the incorrect one


@pytest.mark.usefixtures("store")
def test_a_run_that_cannot_be_rated_is_a_message() -> None:
    page = app_page("rate", "run-0123456789abcdef", {"rater": "ann"})
    assert "there is no such saved run" in page.error[0].value
