"""A language model behind the Score page: its fields, its answer, its failure."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from unittest.mock import Mock, patch

import pytest
import streamlit as st

from crscore_core.claims import CLAIM_BACKENDS
from crscore_core.errors import ModelError
from tests.crscore_core.claims.llm.endpoint.faulty_server import FaultyServer as Server
from tests.crscore_core.claims.llm.endpoint.faulty_server import faulty, said, status
from tests.pages.app_page import AppPage, fill, shown_claims, sources

KEY = "sk-very-secret"


@pytest.fixture
def server() -> Iterator[Server]:
    st.cache_data.clear()
    with faulty() as server:
        yield server


@pytest.fixture
def form(form: AppPage, server: Server, tmp_path: Path) -> AppPage:
    """The form, filled, with a model on the server."""
    fill(form.put(claims="endpoint"))
    # No answer to a model of this name is kept from an earlier run.
    fields = {"model": tmp_path.as_posix(), "base_url": f" {server.base_url} ", "api_key": KEY}
    return form.put(**{f"claims_endpoint_{name}": value for name, value in fields.items()})


def test_the_answer_becomes_claims_and_the_key_is_only_sent(form: AppPage, server: Server) -> None:
    assert form.lacks("Available", "will be sent to the server") == []
    server.otherwise = said("1. errors are hidden.\n2. ![x](http://x)")
    form.press("Generate claims")
    assert shown_claims(form)[0] == "errors are hidden."
    assert not form.scores()
    form.assert_only_text()
    assert form.press("Score").scores()
    assert sources(form)["errors are hidden."] == "endpoint"
    assert "|claims:endpoint" in form.code[-1].value
    assert [request.key for request in server.received] == [f"Bearer {KEY}"]
    assert form.text_input(key="claims_endpoint_api_key").proto.type == 1  # a password
    kept = form.session_state["outcome"], form.session_state["claims_table"], form.query_params
    for shown in (form.texts(), form.code[-1].value, *map(repr, kept)):
        assert KEY not in shown


def test_the_key_of_the_environment_is_not_sent_to_a_typed_address(
    form: AppPage, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    form.put(claims_endpoint_api_key="").press("Score")
    assert server.received
    assert not any(KEY in (request.key or "") for request in server.received)


def test_a_failure_is_one_message_and_the_form_still_works(form: AppPage, server: Server) -> None:
    server.otherwise = status(404, {"error": {"message": "no such model ![a](http://b)"}})
    (error,) = form.press("Score").error
    assert "no such model" in error.value
    assert "![" not in error.value
    assert form.put(claims="symbolic").press("Score").scores()


@pytest.mark.parametrize("error", [ModelError, PermissionError])
def test_an_error_in_the_check_is_the_reason(form: AppPage, error: type[Exception]) -> None:
    check = Mock(side_effect=error("no server ![x](http://x)"))
    st.cache_data.clear()
    with patch.dict(CLAIM_BACKENDS, endpoint=replace(CLAIM_BACKENDS["endpoint"], check=check)):
        texts = form.run().texts()
    assert texts.count("no server") == 1
    assert "Unavailable" in texts
    assert "![" not in texts
