"""Answers of OpenAI-compatible servers: real, of any shape, faulty, hanging."""

import asyncio
import gzip
import json
import logging
import re
import threading
import tracemalloc
from collections.abc import Sequence
from itertools import islice

import pytest

from crscore_core.claims import Answer, LanguageModel, ModelOptions
from crscore_core.claims.llm import endpoint
from crscore_core.claims.llm.endpoint import Endpoint
from crscore_core.claims.llm.language_model import LENGTH_LIMIT, ONLY_REASONING
from crscore_core.errors import InputError, ModelError, UnavailableError
from tests.crscore_core.claims.llm.endpoint.faulty_server import (
    Exchange,
    Fault,
    FaultyServer,
    completion,
    cut,
    faulty,
    hang,
    leave,
    said,
    sends,
    sends_parts,
    status,
    trickle,
)
from tests.smollm import MODEL

KEY = "sk-a-secret-key"
GOOD = Answer("good")
SCHEMA = {"type": "object"}


def answers(
    endpoint: Endpoint, prompts: Sequence[str] = ("a prompt",)
) -> list[Answer | ModelError]:
    return list(endpoint.answer(prompts))


def test_a_real_model_answers_in_order(smollm_server: str) -> None:
    options = ModelOptions(MODEL, base_url=smollm_server, max_tokens=5)
    endpoint: LanguageModel = Endpoint(options)
    first, second = endpoint.answer(["Count to 100.", "Say hello to everybody."])
    assert isinstance(first, Answer)
    assert isinstance(second, Answer)
    assert first.text
    assert first.cut_off_by
    assert f"{MODEL}@{smollm_server}" in endpoint.name


def test_the_content_of_a_request(server: FaultyServer) -> None:
    options = ModelOptions("m", base_url=f"{server.base_url}/", api_key=" a-key ", max_tokens=9)
    found = Endpoint(options).answer(["a \ud800"], SCHEMA)
    assert list(found) == [GOOD]
    (request,) = server.received
    assert (request.path, request.key) == ("/v1/chat/completions", "Bearer a-key")
    form = request.body.pop("response_format")
    assert form["json_schema"]["schema"] == SCHEMA
    assert request.body == {
        "model": "m",
        "messages": [{"role": "user", "content": "a ?"}],
        "temperature": 0,
        "seed": 0,
        "max_tokens": 9,
    }
    assert list(Endpoint(options).answer([])) == []
    assert server.asked == 1


PARTS = [{"type": "thinking"}, {"type": "text", "text": "good"}]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (completion("good"), GOOD),
        (completion("good", reasoning_content="think", refusal=None), GOOD),
        (completion("good") | {"error": None, "usage": {"prompt_tokens": 9}}, GOOD),
        (completion(PARTS), GOOD),
        (completion(None, reasoning="think"), Answer(ONLY_REASONING)),
        (completion("", reasoning_content="think"), Answer(ONLY_REASONING)),
        (completion(None), Answer("")),
        (completion(""), Answer("")),
        *((completion("good", reason), GOOD)
          for reason in ("STOP", "stop", "end_turn", "eos_token", "FINISH_REASON_STOP", None)),
        *((completion("good", reason), Answer("good", LENGTH_LIMIT))
          for reason in ("length", "MAX_TOKENS", "max_output_tokens", "model_length")),
        *((completion("good", reason), Answer("good", reason))
          for reason in ("content_filter", "SAFETY", "RECITATION")),
    ],
)  # fmt: skip
def test_answers_of_any_shape_are_read(
    server: FaultyServer, body: object, expected: Answer
) -> None:
    server.plan = [status(200, body)]
    assert answers(server.endpoint()) == [expected]


XGRAMMAR = "The provided JSON schema contains features not supported by xgrammar."
DEFS = "Unknown name \"$defs\" at 'generation_config.response_schema': Cannot find field."


@pytest.mark.parametrize(
    "refusal",
    [
        status(400, {"error": {"message": XGRAMMAR}}),
        status(422, {"detail": "Grammar compilation error"}),
        status(400, {"error": {"message": DEFS}}),
        status(422, {"detail": [{"loc": ["body", "response_format"], "msg": "extra"}]}),
        sends("text/plain", b"Internal Server Error", 500),
    ],
)
def test_a_refused_schema_is_left_out(server: FaultyServer, refusal: Fault) -> None:
    def refuse(exchange: object) -> None:
        is_sent = "response_format" in server.received[-1].body
        (refusal if is_sent else said("good"))(exchange)  # type: ignore[arg-type]

    server.otherwise = refuse
    assert list(server.endpoint().answer(["a"], SCHEMA)) == [GOOD]


def test_parameters_that_a_server_names_are_left_out_or_renamed(server: FaultyServer) -> None:
    words = "Unsupported: 'max_tokens'; use 'max_completion_tokens'. 'temperature' must be 1."
    server.plan = [status(400, {"error": {"message": words}})]
    assert answers(server.endpoint()) == [GOOD]
    assert server.asked == 2
    body = server.received[-1].body
    assert body["max_completion_tokens"] == 700
    assert not {"max_tokens", "temperature"} & body.keys()


ECHO = status(400, {"error": {"message": f"you sent {KEY}\n{'x' * 10_000}"}})


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        (status(401), UnavailableError),
        (status(403, {"error": f"bad {KEY}"}), UnavailableError),
        (status(404), UnavailableError),
        (status(429, {}, Retry_After="0"), UnavailableError),
        (status(503), UnavailableError),
        (leave, UnavailableError),
        (ECHO, ModelError),
        (status(413), ModelError),
        (status(422, ["any"]), ModelError),
        (status(500), ModelError),
        (cut, ModelError),
        (status(200, {"error": {"message": KEY}}), ModelError),
        (sends("text/html", f"<html>{KEY}".encode()), ModelError),
    ],
)
def test_a_failure_is_one_line_without_the_key(
    server: FaultyServer, fault: Fault, kind: type[InputError], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    server.otherwise = fault
    error: object
    if kind is ModelError:
        (error,) = answers(server.endpoint(key=KEY))
    else:
        with pytest.raises(UnavailableError) as raised:
            answers(server.endpoint(key=KEY))
        error = raised.value
    assert type(error) is kind
    assert server.base_url in str(error)
    assert str(error).isprintable()
    assert len(str(error)) < 700
    assert KEY not in str(error)
    assert KEY not in "".join(
        record.getMessage() for record in caplog.records if record.name.startswith(("openai", "ht"))
    ).replace(f"you sent {KEY}", "")


GOOD_CHOICE = {"message": {"content": "good"}}


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (status(200, {"error": "slot is full"}), "slot is full"),
        (status(200, {"error": {"message": "slot is full"}}), "slot is full"),
        (status(200, {"error": {"code": 17}, "choices": []}), "17"),
        (status(200, {"object": "error", "message": "slot is full"}), "slot is full"),
        (status(200, {"detail": [{"msg": "slot is full"}]}), "slot is full"),
        (status(200, [{"error": {"message": "slot is full"}}]), "slot is full"),
        (status(400, [{"error": {"message": "slot is full"}}]), "slot is full"),
        (status(422, {"error": "slot is full", "error_type": "validation"}), "slot is full"),
        (status(200, {"choices": [GOOD_CHOICE], "error": {"message": "full"}}), "full"),
        (status(200, {"choices": [GOOD_CHOICE | {"error": {"message": "full"}}]}), "full"),
        (status(200, {"choices": [{"error": {"message": "full"}}]}), "full"),
        (status(200, completion(None, refusal="I cannot read this")), "I cannot read this"),
        (sends("text/event-stream", b'data: {"choices": []}\n\n'), "data: {"),
        (status(200, {"state": "up"}), "/v1"),
        (status(200, {"choices": []}), "/v1"),
        (sends("text/html", b"<!doctype html>\n<title>Login</title>"), "web page"),
        (sends("text/html", b"<html>"), "/v1"),
        (sends("text/plain", b"A server of models is up"), "is up"),
        (sends("text/plain", b""), "empty"),
        (status(200, {"choices": ["a"]}), "no chat completion"),
        (status(200, {"choices": [{"message": "a"}]}), "no chat completion"),
        (status(200, completion(3)), "no chat completion"),
        (status(200, completion(["a"])), "no chat completion"),
        (sends("application/json", b"[" * 100_000), "no chat completion"),
        (sends("application/json", b"\xff\xfe{"), "no chat completion"),
    ],
)
def test_what_is_no_answer_is_an_error_in_the_words_of_the_server(
    server: FaultyServer, fault: Fault, words: str
) -> None:
    server.plan = [fault]
    (error,) = answers(server.endpoint())
    assert isinstance(error, ModelError)
    assert words in str(error)
    assert not re.search("attribute|iterable|recursion|column|NoneType", str(error))


BIG = b"x" * 1_000_000
PACKED = gzip.compress(bytes(50_000_000))


@pytest.mark.parametrize(
    "fault",
    [
        sends_parts(BIG, times=1_000),
        sends("application/json", BIG * 30, 400),
        sends("text/html", BIG * 30, 500),
        sends_parts(PACKED, Content_Encoding="gzip"),
        lambda exchange: exchange.send(400, "text/plain", PACKED, Content_Encoding="gzip"),
    ],
)
def test_an_answer_of_any_size_needs_little_memory(server: FaultyServer, fault: Fault) -> None:
    server.otherwise = fault
    tracemalloc.start()
    try:
        (error,) = answers(server.endpoint())
        assert tracemalloc.get_traced_memory()[1] < 300_000_000
    finally:
        tracemalloc.stop()
    assert isinstance(error, ModelError)
    assert str(error).startswith(server.base_url)
    assert len(str(error)) < 700


@pytest.mark.parametrize("code", [301, 302, 303, 307, 308])
def test_a_redirect_is_not_followed(server: FaultyServer, code: int) -> None:
    with faulty() as other:
        server.otherwise = status(code, {}, Location=f"{other.base_url}/chat/completions")
        with pytest.raises(UnavailableError, match=str(code)):
            answers(server.endpoint(key=KEY))
        assert other.asked == 0
    assert server.asked == 1


@pytest.mark.parametrize(
    "fault",
    [hang, trickle(b"x"), trickle(b"Content-Type: application/json\r\n\r\n"), trickle(b"\r\n ")],
)
def test_an_answer_that_takes_too_long_costs_one_prompt(
    server: FaultyServer, fault: Fault, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(endpoint, "_MAX_SECONDS", 1.0)
    server.plan = [fault] * 6
    found = answers(server.endpoint(), "abcdefgh")
    assert sum(isinstance(answer, ModelError) for answer in found) == 6
    assert [answer for answer in found if isinstance(answer, Answer)] == [GOOD] * 2


def test_an_address_without_a_server_is_an_error() -> None:
    with pytest.raises(UnavailableError, match="127"):
        answers(Endpoint(ModelOptions("m", base_url="http://127.0.0.1:9/v1")))


def test_a_busy_server_is_asked_again(server: FaultyServer) -> None:
    server.plan = [status(429, {}, Retry_After="0"), status(503), leave]
    assert answers(server.endpoint()) == [GOOD]


def test_four_requests_run_at_a_time_and_answers_are_in_order(server: FaultyServer) -> None:
    four, running, counts = threading.Barrier(4), set(), []

    def fault(exchange: Exchange) -> None:
        letter = json.loads(exchange.content)["messages"][0]["content"]
        running.add(letter)
        counts.append(len(running))
        four.wait(60)
        running.remove(letter)
        said(letter)(exchange)

    server.otherwise = fault
    assert answers(server.endpoint(), "abcdefgh") == [Answer(letter) for letter in "abcdefgh"]
    assert max(counts) == 4


def test_nothing_is_sent_after_a_stop(server: FaultyServer) -> None:
    found = server.endpoint().answer(["a"] * 300)
    assert list(islice(found, 1)) == [GOOD]
    found.close()  # type: ignore[attr-defined] # it is a generator
    assert server.asked < 100


def test_an_invalid_proxy_in_the_environment_is_an_error(
    server: FaultyServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ALL_PROXY", "foo://bar")
    (error,) = answers(server.endpoint())
    assert "foo" in str(error)


def test_endpoint_works_inside_a_running_event_loop(server: FaultyServer) -> None:
    async def ask() -> list[Answer | ModelError]:
        return answers(server.endpoint())

    assert asyncio.run(ask()) == [GOOD]
