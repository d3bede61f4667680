"""Answers of a planned server and of a real one with a tiny model; rejected parameters."""

from typing import Any

import pytest

from crscore_core.claims import Answer, ClaimOptions, LanguageModel
from crscore_core.claims.llm.endpoint import Endpoint
from crscore_core.claims.llm.server import EndpointLimits
from crscore_core.errors import ModelError
from tests.crscore_core.claims.llm.endpoint.faulty_server import (
    Exchange,
    FaultyServer,
    pieces,
    said,
    status,
    streams,
)
from tests.model_server import MODEL, SAYS

KEY = "sk-4711"
USAGE = {"choices": [], "usage": {"total_tokens": 5}}


def chunk(delta: object, **more: object) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": delta, **more}]}


PARTS = [
    {"type": "thinking", "thinking": []},
    {"type": "text", "text": "a"},
    {"type": "text", "text": "b"},
]
REASONING = "reasoning_content"


@pytest.mark.parametrize(
    ("chunks", "expected"),
    [
        (pieces("a", " b"), Answer("a b")),
        ([chunk({"role": "assistant", "content": None}), *pieces("a"), USAGE], Answer("a")),
        ([USAGE, chunk({"content": "a"}, finish_reason="stop")], Answer("a")),
        ([chunk(None, finish_reason="stop")], Answer("")),
        (pieces("a", finish_reason="length"), Answer("a", is_complete=False)),
        (pieces("a", finish_reason="end_turn"), Answer("a")),
        (pieces("a", finish_reason="max_tokens"), Answer("a", is_complete=False)),
        (pieces("a", finish_reason="content_filter"), Answer("a", False, "content_filter")),
        (pieces("a", finish_reason="tool_calls"), Answer("a", False, "tool_calls")),
        (pieces("a", finish_reason="x\n" * 99), Answer("a", False, "x" * 40)),
        (pieces("a", finish_reason="\n"), Answer("a", False, "?")),
        (pieces("a", finish_reason=KEY), Answer("a", False, "[key]")),
        ([*(chunk({"content": x}, finish_reason="") for x in "abc"), *pieces("d")], Answer("abcd")),
        ([chunk({"content": PARTS}), *pieces("c")], Answer("abc")),
        (pieces(), Answer("")),
        (pieces(finish_reason="length"), Answer("", is_complete=False)),
        (pieces("let me see", name=REASONING), Answer("")),
        (pieces("so", name=REASONING, finish_reason="length"), Answer("", is_complete=False)),
        ([*pieces("let me", name=REASONING, finish_reason=None), *pieces("a")], Answer("a")),
        (pieces("über ", "日本", "語 🙂"), Answer("über 日本語 🙂")),
    ],
)
def test_the_text_of_an_answer(
    server: FaultyServer, chunks: list[object], expected: Answer
) -> None:
    told: list[str] = []
    server.plan = [streams(chunks)]
    endpoint = server.endpoint(MODEL, KEY)
    answers = list(endpoint.answers(["a prompt"], lambda _, text: told.append(text)))
    assert answers == [(0, expected)]
    assert "".join(told) == expected.text
    assert server.asked == 1


@pytest.mark.parametrize(
    ("code", "body", "changed"),
    [
        (400, {"error": {"message": "no seed here", "param": "seed"}}, {"seed": None}),
        (422, {"detail": "Unexpected fields: {'seed', 'temperature'}"},
         {"seed": None, "temperature": None}),
        (400, {"error": {"message": "Unsupported: 'max_tokens'. Use 'max_completion_tokens'."}},
         {"max_tokens": None, "max_completion_tokens": 700}),
        (400, {"error": {"message": "only the default", "param": "temperature"}},
         {"temperature": None}),
    ],
)  # fmt: skip
def test_a_rejected_parameter_is_dropped(
    server: FaultyServer, code: int, body: object, changed: dict[str, int | None]
) -> None:
    server.plan = [status(code, body)]
    endpoint = server.endpoint(limits=EndpointLimits(at_once=1))
    assert list(endpoint.answers(["a", "b"])) == [(0, Answer("good")), (1, Answer("good"))]
    first, *others = (request.body for request in server.received)
    for request in others:
        differing = {
            name: request.get(name)
            for name in first | request
            if name != "messages" and request.get(name) != first.get(name)
        }
        assert differing == changed
    assert server.asked == 3


def test_the_token_limit_is_never_dropped(server: FaultyServer) -> None:
    too_large = {"error": {"message": "max_tokens or max_completion_tokens is too large: 700"}}
    server.plan = [status(400, too_large)] * 2
    ((_, outcome),) = server.endpoint().answers(["a prompt"])
    assert isinstance(outcome, ModelError)
    assert "(400: max_tokens or max_completion_tokens is too large: 700)" in str(outcome)
    assert server.asked == 2


@pytest.mark.parametrize(
    "message", ["unknown field response_format", "no json_schema here", "No structured output"]
)
def test_a_schema_is_sent_until_the_server_rejects_it(server: FaultyServer, message: str) -> None:
    asked = server.endpoint().sampled(1, 3, {"type": "object"})
    assert list(asked.answers(["a"])) == [(0, Answer("good"))]
    sent = server.received[0].body
    assert (sent["temperature"], sent["seed"]) == (1, 3)
    assert sent["response_format"]["json_schema"]["schema"] == {"type": "object"}
    server.plan = [status(400, {"error": {"message": message}})]
    for seed in (4, 5):
        again = asked.sampled(1, seed, {"type": "object"})
        assert list(again.answers(["a"])) == [(0, Answer("good"))]
    assert ["response_format" in one.body for one in server.received] == [True, True, False, False]
    assert asked.name != server.endpoint().sampled(1, 3).name
    assert asked.name != server.endpoint().sampled(1, 3, {"type": "array"}).name
    assert "object" not in asked.name


def test_a_parameter_rejected_in_several_requests_is_dropped_once(server: FaultyServer) -> None:
    refused = status(400, {"error": {"message": "no seed", "param": "seed"}})

    def fault(exchange: Exchange) -> None:
        (refused if b"seed" in exchange.content else said("good"))(exchange)

    server.plan = [fault] * 8
    answers = dict(server.endpoint().answers("abcd"))
    assert answers == dict.fromkeys(range(4), Answer("good"))
    assert "seed" not in server.received[-1].body


def test_every_prompt_is_answered_with_progress(model_server: str) -> None:
    told: dict[int, str] = {}

    def progress(index: int, text: str) -> None:
        told[index] = told.get(index, "") + text

    endpoint: LanguageModel = Endpoint(ClaimOptions(MODEL, base_url=model_server))
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
    ((_, outcome),) = Endpoint(
        ClaimOptions("tiny/other", base_url=model_server), limits=limits
    ).answers(["a prompt"])
    assert isinstance(outcome, ModelError)
    assert "failed (500)" in str(outcome)
