"""A language model behind the Score page: its fields, its answer as it comes, its end, its stop."""

from collections.abc import Iterator

import pytest
import streamlit as st

from crscore_core.claims import CLAIM_BACKENDS
from crscore_core.errors import ModelError
from pages.components.score_claims import ClaimsRun
from tests.pages.app_page import AppPage, own_form
from tests.pages.fake_claims import FakeModel
from tests.pages.test_score_page import (
    MORE,
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


def asking(page: AppPage) -> AppPage:
    """The page with the form filled and the backend chosen."""
    return fill(page.put(claims="endpoint"))


def at_work(page: AppPage, model: FakeModel, button: str = "Score") -> ClaimsRun:
    """Let the model begin for a form; return its run."""
    told(asking(page).press(button), model, "errors ")
    run: ClaimsRun = page.session_state["claims_run"]
    return run


def told(page: AppPage, model: FakeModel, *pieces: str) -> None:
    """Let the model say `pieces` and wait until the page can know."""
    job = page.session_state["claims_run"].job
    start = 0 if job.now().progress is None else job.now().progress.tokens
    for piece in pieces:
        model.pieces.put(piece)
    while job.now().progress is None or job.now().progress.tokens < start + len(pieces):
        assert job.wait(0.01).error is None
    page.run()


def ended(page: AppPage, model: FakeModel, end: Exception | None = None) -> AppPage:
    model.pieces.put(end)
    page.session_state["claims_run"].job.wait(WITHIN)
    return page.run()


def answer(page: AppPage) -> list[str]:
    return [code.value for code in page.code]


def test_a_backend_shows_its_fields_and_what_it_lacks(page: AppPage, model: FakeModel) -> None:
    assert not model.available
    asking(page)
    keys = {field.key for field in page.text_input if str(field.key).startswith("claims_")}
    assert keys == {"claims_endpoint_model", "claims_endpoint_base_url", "claims_endpoint_api_key"}
    assert page.lacks("Not now", "name a server") == []
    assert "![" not in page.said()
    assert "diff will be sent" not in page.said()
    page.run()
    assert [options.api_key for options in model.available] == [None]  # asked once in a while
    page.put(claims_endpoint_base_url=" http://127.0.0.1:9 ")
    assert page.lacks("Available: it is at", "diff will be sent") == []
    # The key of the environment goes to no address that somebody types.
    assert [options.api_key for options in model.available] == [None, " "]
    assert not model.asked
    fields = {field.key for field in page.put(claims="magicoder").text_input}
    assert "claims_magicoder_model" in fields
    assert {"cuda", "cpu"} < set(page.selectbox(key="claims_magicoder_device").options)


def test_options_reach_the_backend_and_the_key_nothing_else(
    page: AppPage, model: FakeModel
) -> None:
    given = {"model": "small", "base_url": "http://x", "api_key": KEY}
    asking(page).put(**{f"claims_endpoint_{name}": value for name, value in given.items()})
    told(page.press("Score"), model, "errors are hidden")
    ended(page, model)
    (options,) = model.asked
    assert {name: getattr(options, name) for name in given} == given
    assert page.text_input(key="claims_endpoint_api_key").proto.type == 1  # a password
    kept = (page.session_state["outcome"], page.session_state["claim_tables"], page.query_params)
    for shown in (page.said(), signature(page), *map(repr, kept)):
        assert KEY not in shown


@pytest.mark.parametrize("error", [ModelError, PermissionError])
def test_an_error_while_looking_what_is_there_is_the_reason(
    page: AppPage, model: FakeModel, error: type[Exception]
) -> None:
    model.unavailable = error("no server ![x](http://x)")
    page.put(claims="endpoint")
    assert page.said().count("no server") == 1
    assert "![" not in page.said()


def test_the_answer_is_shown_as_it_comes_and_then_scored(page: AppPage, model: FakeModel) -> None:
    asking(page).press("Score")
    assert "Waiting for the first token" in page.said()
    assert not {"Score", "Make claims"} & set(page.labels())
    told(page, model, "errors ", "![a](b) ")
    assert answer(page) == ["errors ![a](b) "]
    assert "2 tokens" in page.said()
    # It goes on while another page is read, and another session knows nothing of it.
    page.visit("guide", "score")
    assert answer(page) == ["errors ![a](b) "]
    other = fill(own_form()).press("Score")
    assert other.scores()
    assert answer(page)[0] not in answer(other)
    told(page, model, "are hidden")
    assert answer(page) == ["errors ![a](b) are hidden"]
    assert not page.scores()
    ended(page.visit("guide"), model)
    assert page.visit("score").scores()
    assert sources(page)["errors ![a](b) are hidden"] == "endpoint"
    assert "|claims:fake-model|" in signature(page)
    edit(page, edited_rows={0: {"claim": "errors vanish"}})
    page.press("Score")
    assert "|claims:fake-model+edited-" in signature(page)
    assert len(model.asked) == 1


def test_claims_are_made_without_scoring_and_warnings_stand_above_them(
    page: AppPage, model: FakeModel
) -> None:
    model.warnings = ("the answer was cut", "![x](http://x) is left out")
    at_work(page, model, "Make claims")
    ended(page, model)
    assert shown_claims(page) == ["errors "]
    assert not page.scores()
    cut, hostile = (warning.value for warning in page.warning)
    assert cut == "the answer was cut"
    assert "is left out" in hostile
    assert "![" not in hostile
    assert page.press("Score").scores()
    assert len(model.asked) == 1


def test_it_is_stopped_and_may_begin_again(page: AppPage, model: FakeModel) -> None:
    fill(page.put(claims="endpoint"), review="").press("Score")
    assert "Review 1 is empty" in page.error[0].value
    assert not model.asked
    work = at_work(page, model)
    assert "Stopping" in page.press("Stop").said()
    assert not {"Score", "Make claims", "Stop"} & set(page.labels())
    assert "was stopped" not in page.said()
    # A browser that has not heard yet lets a person press.
    next(button for button in page.button if button.label == "Score").proto.disabled = False
    assert page.press("Score").session_state["claims_run"] is work
    model.pieces.put("are hidden")
    assert work.job.wait(WITHIN).error == "the language model was stopped"
    assert "was stopped" in page.run().info[0].value
    assert not page.scores()
    assert len(model.asked) == 1
    told(page.press("Score"), model, "another answer")
    assert answer(page) == ["another answer"]
    assert ended(page, model).scores()


@pytest.mark.parametrize("looks", [1, 2, 3])
def test_it_may_end_while_the_page_is_being_built(
    page: AppPage, model: FakeModel, monkeypatch: pytest.MonkeyPatch, looks: int
) -> None:
    job = at_work(page, model).job
    stale, now = [job.now()] * looks, job.now
    model.pieces.put(None)
    job.wait(WITHIN)
    monkeypatch.setattr(job, "now", lambda: stale.pop() if stale else now())
    assert page.run().scores()
    assert not stale


def test_while_it_is_stopping_it_may_be_done_and_others_may_begin(
    page: AppPage, model: FakeModel
) -> None:
    at_work(page, model)
    page.press("Stop")
    other = asking(own_form()).press("Score")
    assert len(model.asked) == 2
    assert "Making claims" in other.said()
    model.pieces.put(None)
    assert shown_claims(ended(page, model)) == ["errors "]
    assert not page.scores()


@pytest.mark.parametrize(
    ("is_stopped", "error", "words"),
    [
        (True, RuntimeError("secret detail"), "see the log"),
        (False, ModelError("it cannot be reached ![a](http://b)"), "cannot be reached"),
    ],
)
def test_a_failure_says_the_way_out(
    page: AppPage,
    model: FakeModel,
    monkeypatch: pytest.MonkeyPatch,
    *,
    is_stopped: bool,
    error: Exception,
    words: str,
) -> None:
    monkeypatch.setattr("threading.excepthook", lambda _: None)
    at_work(page, model)
    if is_stopped:
        page.press("Stop")
    assert words in ended(page, model, error).error[0].value
    assert "![" not in page.error[0].value
    assert "was stopped" not in page.said()
    assert "Score" in page.labels()
    assert not page.put(claims="symbolic").error


def test_claims_that_come_for_another_form_wait_for_it(page: AppPage, model: FakeModel) -> None:
    edit(made(page), added_rows=MORE)
    at_work(page, model)
    assert answer(page.put(claims="symbolic")) == ["errors "]
    assert shown_claims(ended(page, model))[-1] == "one more"
    assert not page.scores()
    assert "Score" in page.labels()
    assert shown_claims(page.put(claims="endpoint")) == ["errors "]
    assert page.press("Score").scores()
    assert len(model.asked) == 1
