"""OpenAI-compatible servers: settings, answers of any shape, faults."""

import gzip
import json
import logging
import os
import re
import threading
import tracemalloc
from collections.abc import Iterator, Sequence
from itertools import islice

import pytest

from crscore_core.claims import Answer, ModelOptions
from crscore_core.claims.llm import endpoint
from crscore_core.claims.llm.endpoint import Endpoint, check
from crscore_core.claims.llm.language_model import LENGTH_LIMIT, ONLY_REASONING
from crscore_core.errors import InputError, ModelError, UnavailableError
from tests.crscore_core.claims.llm.endpoint.faulty_server import (
    Exchange,
    Fault,
    FaultyServer,
    completion,
    cut,
    faulty,
    leave,
    said,
    sends,
    status,
    trickle,
)

KEY = "sk-a-secret-key"
GOOD = Answer("good")
SCHEMA = {"type": "object"}
PARTS = [{"type": "thinking"}, {"type": "text", "text": "good"}]
GOOD_CHOICE = {"message": {"content": "good"}}
BIG = b"x" * 1_000_000
PACKED = gzip.compress(bytes(50_000_000))
HOME = "http://localhost/v1"


@pytest.fixture
def server() -> Iterator[FaultyServer]:
    """A server with the faults planned by a test."""
    with faulty() as server:
        yield server


@pytest.fixture(autouse=True)
def _own_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ignore this machine's settings, and do not pause between retries."""
    for name in list(os.environ):
        if name.startswith(("OPENAI_", "CRSCORE_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1,localhost")
    monkeypatch.setattr("openai._base_client.INITIAL_RETRY_DELAY", 0.001)


def answers(endpoint: Endpoint, prompts: Sequence[str] = ("a",)) -> list[Answer | ModelError]:
    return list(endpoint.answer(prompts))


def test_the_content_of_a_request(server: FaultyServer) -> None:
    options = ModelOptions("m", base_url=f"{server.base_url}/", api_key=" a-key ", max_tokens=9)
    assert list(Endpoint(options).answer(["a \ud800"], SCHEMA)) == [GOOD]
    (request,) = server.received
    assert (request.path, request.key) == ("/v1/chat/completions", "Bearer a-key")
    form = request.body.pop("response_format")
    assert form["json_schema"]["schema"] == SCHEMA
    message = {"role": "user", "content": "a ?"}
    settings = {"model": "m", "temperature": 0, "seed": 0, "max_tokens": 9}
    assert request.body == {**settings, "messages": [message]}
    assert list(Endpoint(options).answer([])) == []
    assert len(server.received) == 1


@pytest.mark.parametrize(("body", "expected"), [
    (completion("good"), GOOD),
    (completion("good", reasoning_content="think", refusal=None), GOOD),
    (completion("good") | {"error": None, "usage": {"prompt_tokens": 9}}, GOOD),
    (completion(PARTS), GOOD),
    (completion([{"type": "reasoning", "text": "think"}, {"type": None, "text": "good"}]), GOOD),
    (completion(None, reasoning="think"), Answer(ONLY_REASONING)),
    (completion("", reasoning_content="think"), Answer(ONLY_REASONING)),
    (completion("", thinking="think"), Answer(ONLY_REASONING)),
    (completion(None), Answer("")),
    *((completion("good", reason), GOOD)
      for reason in ("stop", "end_turn", "eos_token", "FINISH_REASON_STOP", "null", None)),
    *((completion("good", reason), Answer("good", LENGTH_LIMIT))
      for reason in ("length", "MAX_TOKENS")),
    *((completion("good", reason), Answer("good", reason))
      for reason in ("content_filter", "over the maximum context length")),
])  # fmt: skip
def test_reads_answers_of_any_shape(server: FaultyServer, body: object, expected: Answer) -> None:
    server.plan = [sends("application/json", json.dumps(body).encode("utf-8-sig"))]
    assert answers(server.endpoint()) == [expected]


def test_reads_latin_1(server: FaultyServer) -> None:
    body = json.dumps(completion("größer"), ensure_ascii=False).encode("latin-1")
    server.plan = [sends("application/json", body)]
    assert answers(server.endpoint()) == [Answer("größer")]


@pytest.mark.parametrize("refusal", [
    status(400, {"error": {"message": "JSON schema has features that are not supported."}}),
    status(422, {"detail": [{"loc": ["body", "response_format"], "msg": "extra"}]}),
    sends("text/plain", b"Internal Server Error", 500),
])  # fmt: skip
def test_a_refused_schema_is_left_out(server: FaultyServer, refusal: Fault) -> None:
    def refuse(exchange: Exchange) -> None:
        (refusal if "response_format" in server.received[-1].body else said("good"))(exchange)

    server.otherwise = refuse
    assert list(server.endpoint().answer(["a"], SCHEMA)) == [GOOD]


def test_parameters_that_a_server_names_are_left_out_or_renamed(server: FaultyServer) -> None:
    words = "Unsupported: 'max_tokens'; use 'max_completion_tokens'. 'temperature' must be 1."
    server.plan = [status(400, {"error": {"message": words}})]
    assert answers(server.endpoint()) == [GOOD]
    _, body = (request.body for request in server.received)
    assert body["max_completion_tokens"] == 700
    assert not {"max_tokens", "temperature"} & body.keys()


@pytest.mark.parametrize(("kind", "fault"), [
    *((UnavailableError, fault) for fault in (
        status(403, {"error": f"bad {KEY}"}), status(429, {}, Retry_After="0"), status(503), leave
    )),
    *((ModelError, fault) for fault in (
        status(400, {"error": {"message": f"you sent {KEY}\n{'x' * 10_000}"}}), status(413),
        status(422, ["any"]), status(500), cut, status(200, {"error": {"message": KEY}})
    )),
])  # fmt: skip
def test_a_failure_is_one_line_without_the_key(
    server: FaultyServer, fault: Fault, kind: type[InputError], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    server.otherwise = fault
    error: object
    try:
        (error,) = answers(server.endpoint(key=KEY))
    except UnavailableError as raised:
        error = raised
    assert type(error) is kind
    assert server.base_url in str(error)
    assert str(error).isprintable()
    assert len(str(error)) < 700
    logged = [one.getMessage() for one in caplog.records if one.name.startswith(("openai", "ht"))]
    assert KEY not in str(error) + "".join(logged).replace(f"you sent {KEY}", "")


@pytest.mark.parametrize(("fault", "words"), [
    (status(200, {"error": {"message": "slot is full"}}), "slot is full"),
    (status(200, [{"error": {"message": "slot is full"}}]), "slot is full"),
    (status(400, [{"error": {"message": "slot is full"}}]), "slot is full"),
    (status(422, {"error": "slot is full", "error_type": "validation"}), "slot is full"),
    (status(200, {"choices": [GOOD_CHOICE], "error": {"message": "full"}}), "full"),
    (status(200, {"choices": [GOOD_CHOICE | {"error": {"message": "full"}}]}), "full"),
    (status(200, completion(None, refusal="I cannot read this")), "I cannot read this"),
    (status(200, completion([{"type": "refusal", "refusal": "I cannot"}])), "I cannot"),
    (status(200, completion(None, "tool_calls", tool_calls=[{"id": "1"}])), "called a tool"),
    (status(200, {"choices": []}), "/v1"),
    (sends("text/html", b"<!doctype html>\n<title>Login</title>"), "web page"),
    (sends("text/plain", b""), "empty"),
    (sends("text/event-stream", b": OPENROUTER PROCESSING\n\ndata: {}\n\n"), "OPENROUTER"),
    (status(200, {"choices": [{"message": "a"}]}), "no chat completion"),
    (sends("application/json", b"[" * 100_000), "no chat completion"),
    (sends("application/json", b"\xff\xfe{"), "no chat completion"),
])  # fmt: skip
def test_errors_use_the_words_of_the_server(server: FaultyServer, fault: Fault, words: str) -> None:
    server.plan = [fault]
    (error,) = answers(server.endpoint())
    assert isinstance(error, ModelError)
    assert words in str(error)
    assert "/v1" not in str(error).removeprefix(server.base_url) or "slot is full" not in words
    assert not re.search("attribute|iterable|recursion|column|NoneType", str(error))


@pytest.mark.parametrize("fault", [
    sends("application/json", BIG, times=1_000),
    sends("application/json", BIG * 30, 400),
    sends("application/json", PACKED, Content_Encoding="gzip"),
    sends("text/plain", PACKED, 400, Content_Encoding="gzip"),
])  # fmt: skip
def test_an_answer_of_any_size_needs_little_memory(server: FaultyServer, fault: Fault) -> None:
    server.otherwise = fault
    tracemalloc.start()
    try:
        (error,) = answers(server.endpoint())
        assert tracemalloc.get_traced_memory()[1] < 40_000_000
    finally:
        tracemalloc.stop()
    assert isinstance(error, ModelError)
    assert str(error).startswith(server.base_url)
    assert len(str(error)) < 700


@pytest.mark.parametrize("code", [301, 307])
def test_a_redirect_is_not_followed(server: FaultyServer, code: int) -> None:
    with faulty() as other:
        server.otherwise = status(code, {}, Location=f"{other.base_url}/chat/completions")
        with pytest.raises(UnavailableError, match=f"{code} - {other.base_url}"):
            answers(server.endpoint(key=KEY))
        assert other.received == []
    assert len(server.received) == 1


@pytest.mark.parametrize("part", [b"", b"x", b"Content-Type: application/json\r\n\r\n", b"\r\n "])
def test_an_answer_that_takes_too_long_costs_one_prompt(
    server: FaultyServer, part: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(endpoint, "_MAX_SECONDS", 1.0)
    server.plan = [trickle(part)] * 6
    found = answers(server.endpoint(), "abcdefgh")
    assert sum(isinstance(answer, ModelError) for answer in found) == 6
    assert [answer for answer in found if isinstance(answer, Answer)] == [GOOD] * 2


def test_a_busy_server_is_asked_again(server: FaultyServer) -> None:
    server.plan = [status(429, {}, Retry_After="0"), status(503), leave]
    assert answers(server.endpoint()) == [GOOD]
    server.plan = [status(529)] * 4
    with pytest.raises(UnavailableError, match="try again later"):
        answers(server.endpoint())
    with pytest.raises(UnavailableError, match="127"):  # no server is there
        answers(Endpoint(ModelOptions("m", base_url="http://127.0.0.1:9/v1")))


def test_four_requests_run_at_a_time_and_answers_are_in_order(server: FaultyServer) -> None:
    four, running, counts = threading.Barrier(4), set[str](), []

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
    assert len(server.received) < 100


@pytest.mark.parametrize(("options", "key", "model"), [
    (ModelOptions(model="mine", api_key="my-key"), "my-key", "mine"),
    (ModelOptions(), "their-key", "theirs"),
    (ModelOptions(api_key=" "), "none", "theirs"),
])  # fmt: skip
def test_the_environment_replaces_missing_options(
    server: FaultyServer, monkeypatch: pytest.MonkeyPatch, options: ModelOptions, key: str,
    model: str,
) -> None:  # fmt: skip
    monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
    monkeypatch.setenv("CRSCORE_MODEL", "theirs")
    monkeypatch.setenv("OPENAI_API_KEY", "their-key\n")
    assert answers(Endpoint(options)) == [GOOD]
    (request,) = server.received
    assert (request.key, request.body["model"]) == (f"Bearer {key}", model)


@pytest.mark.parametrize(("base_url", "key"), [
    *((url, KEY) for url in (
        None, "localhost:8000/v1", "ftp://localhost/v1", "http:///v1", "http://[::1/v1",
        "http://localhost:99999/v1", "http://local host/v1", "http://localhost/v1?key=secret",
        "http://localhost/v1#secret", "http://me:secret@localhost/v1",
        "http://me%3Asecret%40localhost/v1", "file:///secret",
    )),
    *((HOME, f"{KEY}{more}") for more in ("\nX-Header: y", f" {KEY}", "é", "\0")),
])  # fmt: skip
def test_an_invalid_setting_is_rejected_and_not_shown(base_url: str | None, key: str) -> None:
    options = ModelOptions("m", base_url=base_url, api_key=key)
    with pytest.raises(UnavailableError) as raised:
        Endpoint(options)
    for shown in (str(raised.value), repr(options)):
        assert KEY not in shown
    assert "secret" not in str(raised.value)
    with pytest.raises(UnavailableError, match="model"):
        Endpoint(ModelOptions(base_url=HOME))


def test_a_check_sends_no_request(server: FaultyServer) -> None:
    found = check(ModelOptions("m", base_url=server.base_url, api_key=KEY))
    assert server.base_url in found
    assert KEY not in found
    assert server.received == []


def test_tokens_are_estimated_from_bytes() -> None:
    model = Endpoint(ModelOptions("m", base_url=HOME))
    assert [*map(model.count_tokens, ("", "a", "abc", "日本", "\ud800"))] == [0, 1, 2, 3, 1]
