"""What answers hold: cut ones, empty ones, reasoning, and parameters that a server refuses."""

import pytest

from crscore_core.claims.llm.endpoint import Endpoint, EndpointLimits
from crscore_core.claims.llm.language_model import MAX_TOKENS, Answer
from crscore_core.claims.llm.reasoning import WithoutReasoning, without_reasoning
from crscore_core.errors import EndpointError
from tests.crscore_core.claims.llm.endpoint.conftest import MODEL, SAYS
from tests.crscore_core.claims.llm.endpoint.faulty_server import (
    Exchange,
    FaultyServer,
    cut,
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
        (pieces("a", finish_reason="end_turn"), Answer("a")),
        (pieces("a", finish_reason="max_tokens"), Answer("a", is_complete=False)),
        (pieces("a", finish_reason="content_filter"), Answer("a", False, "content_filter")),
        (pieces("a", finish_reason="tool_calls"), Answer("a", False, "tool_calls")),
        (pieces("a", finish_reason="x\n" * 99), Answer("a", False, "x" * 40)),
        (pieces("a", finish_reason="\n"), Answer("a", False, "?")),
        (pieces("a", "b", finish_reason=None), Answer("ab")),
        (pieces(finish_reason=None), Answer("")),
        (
            [
                *(
                    {"choices": [{"delta": {"content": text}, "finish_reason": ""}]}
                    for text in "abc"
                ),
                *pieces("d"),
            ],
            Answer("abcd"),
        ),
        (
            [
                {
                    "choices": [
                        {
                            "delta": {
                                "content": [
                                    {"type": "thinking", "thinking": []},
                                    {"type": "text", "text": "a"},
                                    {"type": "text", "text": "b"},
                                ]
                            }
                        }
                    ]
                },
                *pieces("c"),
            ],
            Answer("abc"),
        ),
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


def test_a_limit_of_tokens_cuts(server: FaultyServer) -> None:
    ((_, answer),) = Endpoint(server.base_url, MODEL, limits=EndpointLimits(tokens=3)).answers(
        ["a prompt"]
    )
    assert isinstance(answer, Answer)
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
    ((_, outcome),) = Endpoint(server.base_url, MODEL).answers(["a prompt"])
    assert isinstance(outcome, EndpointError)
    assert "(400: max_tokens or max_completion_tokens is too large: 700)" in str(outcome)
    assert server.asked == 2


def test_a_parameter_refused_of_several_requests_is_given_up_once(server: FaultyServer) -> None:
    refused = status(400, {"error": {"message": "no seed", "param": "seed"}})

    def fault(exchange: Exchange) -> None:
        (refused if b"seed" in exchange.content else said(SAYS))(exchange)

    server.plan = [fault] * 8
    prompts = ["a", "b", "c", "d"]
    answers = list(Endpoint(server.base_url, MODEL).answers(prompts))
    assert dict(answers) == dict.fromkeys(range(4), Answer(SAYS))
    assert "seed" not in server.received[-1].body


@pytest.mark.parametrize(
    ("text", "tokens"), [("", 0), ("a", 1), ("ab", 1), ("abc", 2), ("日本", 3), ("\ud800", 1)]
)
def test_tokens_are_estimated_from_bytes(text: str, tokens: int) -> None:
    assert Endpoint("http://localhost/v1", "m").count_tokens(text) == tokens


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I think.\n1. So.\n</think>\n\nan answer", "\n\nan answer"),
        ("<think>so</think>and so\n </think> \nan answer", "\nan answer"),
        ("1. The tag </think> is new.", "1. The tag </think> is new."),
        ("1. It ends with `</think>`\n2. x", "1. It ends with `</think>`\n2. x"),
        ("</think>\na\n</think>\nb", "\na\n</think>\nb"),
        ("</think", "</think"),
    ],
)
def test_reasoning_that_the_template_opened_is_dropped(text: str, expected: str) -> None:
    assert without_reasoning(text) == expected


def test_a_longer_answer_may_be_asked_for(server: FaultyServer) -> None:
    server.plan = [said("good")]
    endpoint = Endpoint(server.base_url, MODEL, limits=EndpointLimits().for_tokens(5000))
    assert list(endpoint.answers(["a prompt"])) == [(0, Answer("good"))]
    assert server.received[0].body["max_tokens"] == 5000
    assert endpoint.name.endswith("max_tokens=5000")
    limits = EndpointLimits(total=7, size=70).for_tokens(7000)
    assert (limits.total, limits.size) == (70, 700)
    assert EndpointLimits().for_tokens(5) == EndpointLimits(tokens=5)


def test_what_was_told_is_not_told_again_where_an_answer_is_begun_again(
    server: FaultyServer,
) -> None:
    told: list[str] = []
    server.plan = [
        cut("1. The function "),
        cut("1. The"),
        said("1. The func", "tion returns ", "2"),
    ]
    endpoint = Endpoint(server.base_url, MODEL, limits=EndpointLimits(pause=0.001))
    answers = list(endpoint.answers(["a prompt"], lambda _, text: told.append(text)))
    assert answers == [(0, Answer("1. The function returns 2"))]
    assert "".join(told) == "1. The function returns 2"
