"""Answers from a real server with a real, tiny model."""

from crscore_core.claims import Answer, ClaimOptions, LanguageModel
from crscore_core.claims.llm.endpoint import Endpoint
from crscore_core.claims.llm.server import EndpointLimits
from crscore_core.errors import EndpointError
from tests.crscore_core.claims.llm.endpoint.faulty_server import endpoint_at
from tests.model_server import MODEL, SAYS


def test_every_prompt_is_answered_with_progress(model_server: str) -> None:
    told: dict[int, str] = {}

    def progress(index: int, text: str) -> None:
        told[index] = told.get(index, "") + text

    endpoint: LanguageModel = endpoint_at(model_server, MODEL)
    answers = list(endpoint.answers([f"prompt {number}" for number in range(7)], progress))
    assert sorted(answers) == [(index, Answer(SAYS)) for index in range(7)]
    assert {index: text for index, text in told.items() if text} == dict.fromkeys(range(7), SAYS)


def test_the_only_model_of_the_server_is_found(model_server: str) -> None:
    endpoint = Endpoint(ClaimOptions(base_url=model_server))
    assert endpoint.chosen_model is None
    assert endpoint.name == f"endpoint:{MODEL}@{model_server} temperature=0 seed=0 max_tokens=700"
    assert list(endpoint.answers(["a prompt"])) == [(0, Answer(SAYS))]


def test_the_token_limit_cuts_an_answer(model_server: str) -> None:
    endpoint = Endpoint(ClaimOptions(MODEL, base_url=model_server, max_tokens=3))
    ((_, answer),) = endpoint.answers(["a prompt"])
    assert isinstance(answer, Answer)
    assert not answer.is_complete
    assert SAYS.startswith(answer.text)
    assert 0 < len(answer.text) < len(SAYS)


def test_a_model_that_the_server_does_not_have_is_one_error(model_server: str) -> None:
    limits = EndpointLimits(tries=2)
    ((_, outcome),) = endpoint_at(model_server, "tiny/other", limits=limits).answers(["a prompt"])
    assert isinstance(outcome, EndpointError)
    assert "failed (500)" in str(outcome)
