"""What answers hold: cut ones, empty ones, reasoning, and parameters that a server refuses."""

import pytest

from crscore_core.claims.llm.endpoint import Endpoint, EndpointLimits
from crscore_core.claims.llm.endpoint.parameters import MAX_TOKENS
from crscore_core.claims.llm.endpoint.reasoning import WithoutReasoning
from crscore_core.claims.llm.language_model import Answer
from crscore_core.errors import EndpointError
from tests.crscore_core.claims.llm.endpoint.conftest import MODEL, SAYS
from tests.crscore_core.claims.llm.endpoint.faulty_server import (
    FaultyServer,
    pieces,
    said,
    status,
    streams,
)

USAGE = {"choices": [], "usage": {"total_tokens": 5}}
ROLE = {"choices": [{"index": 0, "delta": {"role": "assistant", "content": None}}]}


@pytest.mark.parametrize(
    ("chunks", "expected"),
    [
        (pieces("a", " b"), Answer("a b")),
        ([ROLE, *pieces("a", " b"), USAGE], Answer("a b")),
        ([USAGE, {"choices": [{"delta": {"content": "a"}, "finish_reason": "stop"}]}], Answer("a")),
        ([{"choices": [{"delta": None, "finish_reason": "stop"}]}], Answer("")),
        (pieces("a", finish_reason="length"), Answer("a", is_complete=False)),
        (pieces("a", finish_reason="content_filter"), Answer("a")),
        (pieces(), Answer("")),
        (pieces(finish_reason="length"), Answer("", is_complete=False)),
        (pieces("let me see", name="reasoning_content"), Answer("")),
        (
            pieces("let me see", name="reasoning_content", finish_reason="length"),
            Answer("", is_complete=False),
        ),
        (
            [*pieces("let me", name="reasoning_content", finish_reason=None), *pieces("a")],
            Answer("a"),
        ),
        (pieces("<thi", "nk>let me", " see</th", "ink>\n\n", "a ", "b"), Answer("a b")),
        (pieces("<think>let me", finish_reason="length"), Answer("", is_complete=False)),
        (pieces("über ", "日本", "語 🙂"), Answer("über 日本語 🙂")),
    ],
)
def test_an_answer_is_what_was_said(
    server: FaultyServer, chunks: list[object], expected: Answer
) -> None:
    told: list[str] = []
    server.plan = [streams(chunks)]
    endpoint = Endpoint(server.base_url, MODEL)
    answers = list(endpoint.answers(["a prompt"], lambda _, text: told.append(text)))
    assert answers == [(0, expected)]
    assert "".join(told) == expected.text
    assert server.asked == 1


def test_a_limit_of_tokens_cuts(server: FaultyServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("crscore_core.claims.llm.endpoint.parameters.PARAMETERS", {"max_tokens": 3})
    ((_, answer),) = Endpoint(server.base_url, MODEL).answers(["a prompt"])
    assert not answer.is_complete
    assert SAYS.startswith(answer.text)
    assert 0 < len(answer.text) < len(SAYS)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("an answer", "an answer"),
        ("<think>so</think>an answer", "an answer"),
        (" \n<think>so</think>\n <think>\nand so</think> \n an answer ", "an answer "),
        ("an <think>so</think> answer", "an <think>so</think> answer"),
        ("<think>so</think>an <think> answer", "an <think> answer"),
        ("<think>never ends </thin", ""),
        ("<think>a < b </ </think </think>yes", "yes"),
        ("<thin", "<thin"),
        ("<thing>", "<thing>"),
        ("so</think>an answer", "so</think>an answer"),
        ("", ""),
    ],
)
def test_reasoning_before_an_answer_is_dropped(text: str, expected: str) -> None:
    for length in (1, 2, 3, 7, 8, 100):
        visible = WithoutReasoning()
        parts = [visible.add(text[at : at + length]) for at in range(0, len(text), length)]
        assert "".join(parts) + visible.end() == expected


@pytest.mark.parametrize(
    ("code", "body", "changed"),
    [
        (400, {"error": {"message": "no seed here", "param": "seed"}}, {"seed": None}),
        (422, {"detail": "Unexpected fields: {'seed', 'temperature'}"},
         {"seed": None, "temperature": None}),
        (400, {"error": {"message": "Unsupported: 'max_tokens'. Use 'max_completion_tokens'."}},
         {"max_tokens": None, "max_completion_tokens": MAX_TOKENS}),
        (400, {"error": {"message": "only the default", "param": "temperature"}},
         {"temperature": None}),
    ],
)  # fmt: skip
def test_a_parameter_that_a_server_refuses_is_given_up(
    server: FaultyServer, code: int, body: object, changed: dict[str, int | None]
) -> None:
    server.plan = [status(code, body), said("good"), said("good")]
    limits = EndpointLimits(at_once=1)
    answers = list(Endpoint(server.base_url, MODEL, limits=limits).answers(["a", "b"]))
    assert answers == [(0, Answer("good")), (1, Answer("good"))]
    first, *others = (request.body for request in server.received)
    for request in others:
        differing = {
            name: request.get(name)
            for name in first | request
            if name != "messages" and request.get(name) != first.get(name)
        }
        assert differing == changed
    assert server.asked == 3


def test_the_limit_of_tokens_is_never_given_up(server: FaultyServer) -> None:
    too_large = {"error": {"message": "max_tokens or max_completion_tokens is too large: 700"}}
    server.plan = [status(400, too_large)] * 2
    with pytest.raises(EndpointError, match=r"\(400: max_tokens or .* is too large: 700\)"):
        list(Endpoint(server.base_url, MODEL).answers(["a prompt"]))
    assert server.asked == 2


def test_a_parameter_refused_of_several_requests_is_given_up_once(server: FaultyServer) -> None:
    server.plan = [status(400, {"error": {"message": "no seed", "param": "seed"}})] * 4
    prompts = ["a", "b", "c", "d"]
    answers = list(Endpoint(server.base_url, MODEL).answers(prompts))
    assert sorted(answers) == [(index, Answer(SAYS)) for index in range(4)]
    assert "seed" not in server.received[-1].body


@pytest.mark.parametrize(
    ("text", "tokens"), [("", 0), ("a", 1), ("ab", 1), ("abc", 2), ("日本", 3), ("\ud800", 1)]
)
def test_tokens_are_estimated_from_bytes(text: str, tokens: int) -> None:
    assert Endpoint("http://localhost/v1", "m").count_tokens(text) == tokens
