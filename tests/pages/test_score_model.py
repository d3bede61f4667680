"""A language model behind the Score page: its fields, its answer, its failure."""

import pytest
import streamlit as st

from crscore_core.claims import CLAIM_BACKENDS, Answer
from crscore_core.errors import ModelError
from tests.pages.app_page import AppPage
from tests.pages.fake_claims import FakeModel
from tests.pages.score_form import fill, shown_claims, signature, sources

KEY = "sk-very-secret"


@pytest.fixture(autouse=True)
def model(monkeypatch: pytest.MonkeyPatch) -> FakeModel:
    """The model behind the language model backends."""
    model = FakeModel()
    for name in ("endpoint", "magicoder"):
        monkeypatch.setitem(CLAIM_BACKENDS, name, model.backend(name))
    st.cache_data.clear()
    return model


def test_a_backend_shows_its_fields_and_whether_it_is_available(
    form: AppPage, model: FakeModel
) -> None:
    form.put(claims="endpoint")
    keys = {field.key for field in form.text_input if str(field.key).startswith("claims_")}
    assert keys == {"claims_endpoint_model", "claims_endpoint_base_url", "claims_endpoint_api_key"}
    assert form.lacks("Unavailable", "name a server") == []
    assert "![" not in form.texts()
    form.put(claims_endpoint_base_url=" http://127.0.0.1:9 ")
    assert form.lacks("Available", "will be sent to the server") == []
    # The key of the environment is not sent to an address that a user typed.
    assert [options.api_key for options in model.available] == [None, ""]
    assert not model.asked


def test_options_reach_the_backend_and_the_key_nothing_else(
    form: AppPage, model: FakeModel
) -> None:
    given = {"model": "small", "base_url": "http://x", "api_key": KEY}
    fill(form.put(claims="endpoint"))
    form.put(**{f"claims_endpoint_{name}": value for name, value in given.items()})
    model.answers.put(Answer("1. errors are hidden"))
    assert form.press("Score").scores()
    (options,) = model.asked
    assert {name: getattr(options, name) for name in given} == given
    assert form.text_input(key="claims_endpoint_api_key").proto.type == 1  # a password
    kept = form.session_state["outcome"], form.session_state["claims_table"], form.query_params
    for shown in (form.texts(), signature(form), *map(repr, kept)):
        assert KEY not in shown


@pytest.mark.parametrize("error", [ModelError, PermissionError])
def test_an_error_of_the_check_is_the_reason(
    form: AppPage, model: FakeModel, error: type[Exception]
) -> None:
    model.unavailable = error("no server ![x](http://x)")
    form.put(claims="endpoint")
    assert form.texts().count("no server") == 1
    assert "![" not in form.texts()


def test_the_answer_becomes_claims_that_are_scored(form: AppPage, model: FakeModel) -> None:
    fill(form.put(claims="endpoint"))
    model.answers.put(Answer("1. errors are hidden.", "![x](http://x)"))
    form.press("Generate claims")
    assert shown_claims(form) == ["errors are hidden."]
    assert not form.scores()
    assert not [warning for warning in form.warning if "![" in warning.value]
    assert form.press("Score").scores()
    assert sources(form)["errors are hidden."] == "endpoint"
    assert f"|claims:{model.name} prompt-1#" in signature(form)
    assert len(model.asked) == 1


def test_a_failure_is_one_message_and_the_form_still_works(form: AppPage, model: FakeModel) -> None:
    fill(form.put(claims="endpoint"))
    model.answers.put(ModelError("it cannot be reached ![a](http://b)"))
    (error,) = form.press("Score").error
    assert "cannot be reached" in error.value
    assert "![" not in error.value
    assert form.put(claims="symbolic").press("Score").scores()
