"""Answers of a real server of a real, tiny model."""

import re

import pytest

from crscore_core.claims.llm.endpoint import Endpoint, EndpointLimits, endpoint_of
from crscore_core.claims.llm.language_model import MAX_TOKENS, Answer, LanguageModel
from crscore_core.claims.options import ClaimOptions
from crscore_core.errors import EndpointError
from tests.crscore_core.claims.llm.endpoint.conftest import MODEL, SAYS
from tests.crscore_core.claims.llm.endpoint.faulty_server import FaultyServer, together


def test_every_prompt_is_answered(model_server: str) -> None:
    told: dict[int, str] = {}

    def progress(index: int, text: str) -> None:
        told[index] = told.get(index, "") + text

    endpoint: LanguageModel = Endpoint(model_server, MODEL)
    answers = list(endpoint.answers([f"prompt {number}" for number in range(7)], progress))
    assert sorted(answers) == [(index, Answer(SAYS)) for index in range(7)]
    assert {index: text for index, text in told.items() if text} == dict.fromkeys(range(7), SAYS)


def test_the_only_model_of_the_server_is_found(model_server: str) -> None:
    endpoint = endpoint_of(ClaimOptions(base_url=model_server))
    assert endpoint.chosen_model is None
    assert endpoint.model == MODEL
    assert endpoint.name == f"endpoint:{MODEL}@{model_server} temperature=0 seed=0 max_tokens=700"
    assert list(endpoint.answers(["a prompt"])) == [(0, Answer(SAYS))]


def test_the_path_may_be_forgotten(model_server: str) -> None:
    with pytest.raises(EndpointError, match=r"no such path.*404: Not Found.*ends with /v1"):
        list(Endpoint(model_server.removesuffix("/v1"), MODEL).answers(["a prompt"]))


def test_a_model_that_the_server_does_not_have_is_one_error(server: FaultyServer) -> None:
    limits = EndpointLimits(tries=2, pause=0)
    endpoint = Endpoint(server.base_url, "tiny/other", limits=limits)
    ((_, outcome),) = endpoint.answers(["a prompt"])
    assert isinstance(outcome, EndpointError)
    assert re.search(r"fails \(500\).*tried 2 times", str(outcome))
    assert server.asked == 2


def test_what_is_asked(server: FaultyServer) -> None:
    list(Endpoint(f"{server.base_url}/", MODEL, " a-key ").answers(["a prompt \ud800"]))
    (request,) = server.received
    assert request.path == "/v1/chat/completions"
    assert request.key == "Bearer a-key"
    assert request.body == {
        "model": MODEL,
        "messages": [{"role": "user", "content": "a prompt ?"}],
        "stream": True,
        "temperature": 0,
        "seed": 0,
        "max_tokens": MAX_TOKENS,
    }


def test_a_server_that_wants_no_key_gets_a_word_in_its_place(server: FaultyServer) -> None:
    list(Endpoint(server.base_url, MODEL).answers(["a prompt"]))
    assert [request.key for request in server.received] == ["Bearer none"]


def test_nothing_is_asked_for_no_prompts(server: FaultyServer) -> None:
    assert list(Endpoint(server.base_url).answers([])) == []
    assert server.asked == 0


def test_a_few_requests_are_under_way_at_a_time(server: FaultyServer) -> None:
    server.plan = [together(3, "good")] * 3
    limits = EndpointLimits(at_once=3, pause=0)
    answers = list(Endpoint(server.base_url, MODEL, limits=limits).answers(["a", "b", "c", "d"]))
    assert sorted(answers) == [
        *((index, Answer("good")) for index in range(3)),
        (3, Answer(SAYS)),
    ]
    assert server.asked == 4
