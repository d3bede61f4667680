"""A language model behind the Score page: its fields, its answer as it comes, its end, its stop."""

from collections.abc import Iterator

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from crscore_core.claims import CLAIM_BACKENDS
from crscore_core.errors import EndpointError
from pages.components.score_claims_step import ClaimsRun
from tests.crscore_core.changes import JAVA_HUNK
from tests.pages.app_page import labels, own_form, press, put, run, said, scores, visit
from tests.pages.fake_claims import FakeModel
from tests.pages.test_score_page import (
    edit,
    fill,
    made,
    page,
    shown_claims,
    signature,
    sources,
)

__all__ = ["page"]

WITHIN = 60
KEY = "sk-very-secret"


@pytest.fixture(autouse=True)
def model(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeModel]:
    """The model behind the backend `endpoint`."""
    model = FakeModel()
    for name in ("endpoint", "magicoder"):
        monkeypatch.setitem(CLAIM_BACKENDS, name, model.backend(name))
    st.cache_data.clear()
    yield model
    model.pieces.put(None)


def asking(page: AppTest) -> AppTest:
    """The page with the form filled and the backend chosen."""
    return fill(put(page, claims="endpoint"))


def at_work(page: AppTest, model: FakeModel, button: str = "Score") -> ClaimsRun:
    """Let the model begin for a form; return its run."""
    told(press(asking(page), button), model, "errors ")
    run: ClaimsRun = page.session_state["claims_run"]
    return run


def told(page: AppTest, model: FakeModel, *pieces: str) -> None:
    """Let the model say `pieces` and wait until the page can know."""
    job = page.session_state["claims_run"].job
    start = 0 if job.now().progress is None else job.now().progress.tokens
    for piece in pieces:
        model.pieces.put(piece)
    while job.now().progress is None or job.now().progress.tokens < start + len(pieces):
        assert job.wait(0.01).error is None
    run(page)


def ended(page: AppTest, model: FakeModel, end: Exception | None = None) -> AppTest:
    model.pieces.put(end)
    page.session_state["claims_run"].job.wait(WITHIN)
    return run(page)


def answer(page: AppTest) -> list[str]:
    return [code.value for code in page.code]


def test_a_backend_shows_its_fields_and_what_it_lacks(page: AppTest, model: FakeModel) -> None:
    assert not model.available
    asking(page)
    keys = {field.key for field in page.text_input if str(field.key).startswith("claims_")}
    assert keys == {"claims_endpoint_model", "claims_endpoint_base_url", "claims_endpoint_api_key"}
    (standing,) = [text.value for text in page.caption if "name a server" in text.value]
    assert "Not now" in standing
    assert "![" not in standing
    assert "diff will be sent" not in said(page)
    page.run()
    assert [options.api_key for options in model.available] == [None]  # asked once in a while
    put(page, claims_endpoint_base_url=" http://127.0.0.1:9 ")
    assert "Available: it is at" in said(page)
    assert "diff will be sent" in said(page)
    # The key of the environment goes to no address that somebody types.
    assert [options.api_key for options in model.available] == [None, " "]
    assert "with the diff to the base URL" in page.text_input(key="claims_endpoint_api_key").help
    assert not model.asked
    fields = {field.key for field in put(page, claims="magicoder").text_input}
    assert {"claims_magicoder_model", "claims_magicoder_revision"} <= fields
    assert page.selectbox(key="claims_magicoder_device").options == [
        "the backend's own", "cuda", "cpu",
    ]  # fmt: skip


def test_options_reach_the_backend_and_the_key_nothing_else(
    page: AppTest, model: FakeModel
) -> None:
    asking(page)
    for field, value in (("model", "small"), ("base_url", "http://x"), ("api_key", KEY)):
        page.text_input(key=f"claims_endpoint_{field}").set_value(value)
    told(press(page, "Score"), model, "errors are hidden")
    ended(page, model)
    (options,) = model.asked
    assert (options.model, options.base_url, options.api_key) == ("small", "http://x", KEY)
    assert page.text_input(key="claims_endpoint_api_key").proto.type == 1  # a password
    kept = (page.session_state["outcome"], page.session_state["claim_table"], page.query_params)
    for shown in (said(page), signature(page), *map(repr, kept)):
        assert KEY not in shown


@pytest.mark.parametrize(
    "error",
    [EndpointError("no server ![x](http://x)"), PermissionError("no server ![x](http://x)")],
    ids=["ours", "the system's"],
)
def test_an_error_while_looking_what_is_there_is_the_reason(
    page: AppTest, model: FakeModel, error: Exception
) -> None:
    model.unavailable = error
    put(page, claims="endpoint")
    (standing,) = [text.value for text in page.caption if "no server" in text.value]
    assert "Not now" in standing
    assert "![" not in standing
    press(page, "What each needs")
    assert sum("no server" in text.value for text in page.markdown) == 2


def test_the_answer_is_shown_as_it_comes_and_then_scored(page: AppTest, model: FakeModel) -> None:
    press(asking(page), "Score")
    assert "Waiting for the first token" in said(page)
    assert not {"Score", "Make claims"} & set(labels(page))
    told(page, model, "errors ", "![a](b) ")
    assert answer(page) == ["errors ![a](b) "]
    assert "2 tokens" in said(page)
    # It goes on while another page is read, and another session knows nothing of it.
    visit(page, "guide", "score")
    assert answer(page) == ["errors ![a](b) "]
    other = press(fill(own_form()), "Score")
    assert scores(other)
    assert answer(page)[0] not in answer(other)
    told(page, model, "are hidden")
    assert answer(page) == ["errors ![a](b) are hidden"]
    assert not scores(page)
    ended(visit(page, "guide"), model)
    assert scores(visit(page, "score"))
    assert sources(page)["errors ![a](b) are hidden"] == "endpoint"
    assert "|claims:fake-model|" in signature(page)
    edit(page, edited_rows={0: {"claim": "errors vanish"}})
    press(page, "Score")
    assert "|claims:fake-model+edited-" in signature(page)
    assert len(model.asked) == 1


def test_it_is_found_again_by_its_address(page: AppTest, model: FakeModel) -> None:
    asking(page).text_input(key="claims_endpoint_api_key").set_value(KEY)
    press(page, "Score")
    told(page, model, "errors ")
    other = own_form({"claims_run": str(page.query_params["claims_run"])})
    assert answer(other) == ["errors "]
    assert other.text_area(key="diff").value == page.text_area(key="diff").value
    assert not other.text_input(key="claims_endpoint_api_key").value
    ended(other, model)
    assert scores(other)
    assert "|claims:fake-model|" in signature(other)
    assert "claims_run" not in other.query_params


def test_claims_are_made_without_scoring_and_warnings_stand_above_them(
    page: AppTest, model: FakeModel
) -> None:
    model.warnings = ("the answer was cut", "![x](http://x) is left out")
    press(asking(page), "Make claims")
    told(page, model, "errors are hidden")
    ended(page, model)
    assert shown_claims(page) == ["errors are hidden"]
    assert not scores(page)
    cut, hostile = (warning.value for warning in page.warning)
    assert cut == "the answer was cut"
    assert "is left out" in hostile
    assert "![" not in hostile
    press(page, "Score")
    assert scores(page)
    assert len(model.asked) == 1


def test_it_is_stopped_and_may_begin_again(page: AppTest, model: FakeModel) -> None:
    work = at_work(page, model)
    assert "Stopping" in said(press(page, "Stop"))
    assert not {"Score", "Make claims", "Stop"} & set(labels(page))
    assert "was stopped" not in said(page)
    score = next(button for button in page.button if button.label == "Score")
    score.proto.disabled = False  # as a browser shows it that has not heard yet
    score.click().run()
    assert page.session_state["claims_run"] is work
    model.pieces.put("are hidden")
    assert work.job.wait(WITHIN).error == "the language model was stopped"
    assert "was stopped" in run(page).info[0].value
    assert not scores(page)
    assert len(model.asked) == 1
    press(page, "Score")
    told(page, model, "another answer")
    assert answer(page) == ["another answer"]
    assert scores(ended(page, model))


@pytest.mark.parametrize("end", ["stopped", "done"])
def test_it_may_end_while_the_page_is_being_built(
    page: AppTest, model: FakeModel, monkeypatch: pytest.MonkeyPatch, end: str
) -> None:
    job = at_work(page, model, "Make claims").job
    if end == "stopped":
        press(page, "Stop")
    model.pieces.put("are hidden" if end == "stopped" else None)
    job.wait(WITHIN)
    claims, is_running = ClaimsRun.made.__get__, ClaimsRun.is_running.__get__
    # The first looks find it at work.
    nothing, working = iter([True]), iter([True])
    monkeypatch.setattr(
        ClaimsRun, "made", property(lambda run: None if next(nothing, False) else claims(run))
    )
    monkeypatch.setattr(
        ClaimsRun, "is_running", property(lambda run: next(working, False) or is_running(run))
    )
    assert "Score" in labels(run(page))
    assert bool(page.data_editor) == (end == "done")
    assert ("was stopped" in said(page)) == (end == "stopped")


def test_while_it_is_stopping_it_may_be_done_and_others_may_begin(
    page: AppTest, model: FakeModel
) -> None:
    at_work(page, model)
    press(page, "Stop")
    other = own_form()
    press(asking(other), "Score")
    assert len(model.asked) == 2
    assert "Making claims" in said(other)
    model.pieces.put(None)
    ended(page, model)
    assert "done before it could be stopped" in page.info[0].value
    assert shown_claims(page) == ["errors "]
    assert not scores(page)


@pytest.mark.parametrize("is_stopped", [True, False])
def test_a_failure_says_the_way_out(
    page: AppTest, model: FakeModel, monkeypatch: pytest.MonkeyPatch, is_stopped: bool
) -> None:
    monkeypatch.setattr("threading.excepthook", lambda _: None)
    at_work(page, model)
    if is_stopped:
        press(page, "Stop")
        ended(page, model, RuntimeError("secret detail"))
        assert "see the log" in page.error[0].value
        assert "was stopped" not in said(page)
    else:
        ended(page, model, EndpointError("http://x cannot be reached; start it ![a](http://b)"))
        assert "cannot be reached" in page.error[0].value
        assert "![" not in page.error[0].value
    assert "Score" in labels(page)
    assert not scores(page)


@pytest.mark.parametrize("then", ["drop", "keep"])
def test_claims_of_a_model_wait_for_edits_by_hand(
    page: AppTest, model: FakeModel, then: str
) -> None:
    made(page)
    at_work(page, model)
    edit(put(page, claims="symbolic"), added_rows=[{"claim": "one more", "kind": "claim"}])
    ended(put(page, claims="endpoint"), model)
    assert "1 added" in page.warning[0].value
    assert not page.error
    assert not {"Score", "Make claims"} & set(labels(page))
    assert not scores(page)
    if then == "drop":
        press(page, "Drop the edited claims")
        assert shown_claims(page) == ["errors "]
        assert scores(page)
    else:
        assert shown_claims(put(page, claims="symbolic"))[-1] == "one more"
        assert "are not used" in page.info[0].value


def test_claims_that_come_for_another_diff_are_not_used(page: AppTest, model: FakeModel) -> None:
    at_work(page, model)
    assert answer(put(page, diff=JAVA_HUNK)) == ["errors "]
    assert "a form that has changed since" in ended(page, model).info[0].value
    assert not page.data_editor
    assert not scores(page)
    assert "Score" in labels(page)


def test_an_empty_review_does_not_start_the_model(page: AppTest, model: FakeModel) -> None:
    press(fill(put(page, claims="endpoint"), review=""), "Score")
    assert "Review 1 is empty" in page.error[0].value
    assert not model.asked
