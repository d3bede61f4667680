"""Settings of an endpoint: sources of server, model and key, rejected values, the request."""

import pytest

from crscore_core.claims import Answer, Availability, ClaimOptions
from crscore_core.claims.llm.endpoint import Endpoint, availability
from crscore_core.claims.llm.server import EndpointLimits, server_at
from crscore_core.errors import ModelError
from tests.crscore_core.claims.llm.endpoint.faulty_server import (
    Fault,
    FaultyServer,
    sends,
    status,
)
from tests.crscore_core.claims.llm.endpoint.test_faults import KEY, shows_key
from tests.model_server import MODEL

LIMITS = EndpointLimits(tries=2)


def test_the_content_of_a_request(server: FaultyServer) -> None:
    options = ClaimOptions(MODEL, base_url=f"{server.base_url}/", api_key=" a-key ")
    list(Endpoint(options).answers(["a prompt \ud800"]))
    (request,) = server.received
    assert (request.path, request.key) == ("/v1/chat/completions", "Bearer a-key")
    assert request.body == {
        "model": MODEL,
        "messages": [{"role": "user", "content": "a prompt ?"}],
        "stream": True,
        "temperature": 0,
        "seed": 0,
        "max_tokens": 700,
    }
    assert list(server.endpoint(None).answers([])) == []
    assert server.asked == 1


@pytest.mark.parametrize(
    ("options", "key", "model"),
    [
        (ClaimOptions(model="mine", api_key="my-key"), "my-key", "mine"),
        (ClaimOptions(), "their-key", "theirs"),
        (ClaimOptions(api_key=" "), "none", "theirs"),
    ],
)
def test_the_environment_replaces_missing_options(
    server: FaultyServer,
    monkeypatch: pytest.MonkeyPatch,
    options: ClaimOptions,
    key: str,
    model: str,
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
    monkeypatch.setenv("CRSCORE_CLAIMS_MODEL", "theirs")
    monkeypatch.setenv("OPENAI_API_KEY", "their-key\n")
    assert list(Endpoint(options).answers(["a prompt"])) == [(0, Answer("good"))]
    (request,) = server.received
    assert (request.key, request.body["model"]) == (f"Bearer {key}", model)
    monkeypatch.setenv("OPENAI_BASE_URL", "http://nowhere.invalid/v1")
    assert Endpoint(ClaimOptions(base_url=server.base_url)).address == server.base_url


INVALID_ADDRESSES = [
    "localhost:8000/v1", "localhost", "ftp://localhost/v1", "http://", "http:///v1",
    "http://localhost:99999/v1", "http://localhost:0/v1", "http://localhost:x/v1",
    "http://local host/v1", "http://localhost/v1?key=secret", "http://localhost/v1#secret",
    "http://[::1/v1", "http://localhost\\v1", "http://localhost/\x7f", "file:///secret",
    f"http://localhost/{'x' * 1000}", "http://localhost/\u202ev1",
    "http://localhost/v1;key=secret", "http://me:secret@localhost/v1",
    "https://secret@localhost", "me:secret@localhost", "http://me%3Asecret%40localhost/v1",
    "http://secret%40localhost", "http://me%3asecret/",
]  # fmt: skip
HOME = "http://localhost/v1"


@pytest.mark.parametrize(
    ("base_url", "model", "key", "message"),
    [
        *((url, "m", "k", r"no endpoint.*OPENAI_BASE_URL") for url in (None, "", " ", "/")),
        *((url, "m", "k", "is not a server address") for url in INVALID_ADDRESSES),
        *((HOME, name, "k", "CRSCORE_CLAIMS_MODEL") for name in ("m\nn", "m\x1b[2J", "x" * 501)),
        *(
            (HOME, "m", f"{KEY}{more}", "OPENAI_API_KEY")
            for more in ("\nX-Header: y", f" {KEY}", "é", "\0")
        ),
    ],
)
def test_an_invalid_setting_is_rejected_and_not_shown(
    base_url: str | None, model: str, key: str, message: str
) -> None:
    options = ClaimOptions(base_url=base_url, model=model, api_key=key)
    with pytest.raises(ModelError, match=message) as raised:
        Endpoint(options)
    found = availability(options)
    assert not found.is_available
    for shown in (str(raised.value), found.reason):
        assert "secret" not in shown
        assert not shows_key(shown)
    assert raised.value.__context__ is None


def test_options_and_availability_do_not_show_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    options = ClaimOptions(base_url="http://localhost/v1", api_key=KEY)
    assert not shows_key(repr(options) + repr(availability(options)) + repr(Endpoint(options)))
    assert not shows_key(repr(server_at("http://localhost/v1", KEY)))
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    options = ClaimOptions(base_url=f"http://me:{KEY}@localhost/v1")
    assert not shows_key(repr(availability(options)))


def listing(*names: object) -> Fault:
    return status(200, {"object": "list", "data": [{"id": name} for name in names]})


def test_the_model_is_requested_once(server: FaultyServer) -> None:
    server.plan = [status(500), listing("only")]
    endpoint = server.endpoint(None, limits=LIMITS)
    assert endpoint.name.startswith(f"endpoint:only@{server.base_url} ")
    assert endpoint.model == "only"
    assert [request.path for request in server.received] == ["/v1/models"] * 2


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        (listing("one", "two", "one"), r"several models.*CRSCORE_CLAIMS_MODEL: 'one', 'two'$"),
        (listing(*range(1000, 9999)), r"several models.*: '1000', .{900,1000}$"),
        (listing(KEY, f"{KEY} too"), r"several models.*: '\[key\]', '\[key\] too'$"),
        (listing(), "lists no model; name one"),
        (listing(None), "lists no model; name one"),
        (status(200, {"data": None}), "lists no model; name one"),
        (status(200, {"data": ["one"]}), "/models is no list of models; check the base"),
        (status(200, []), "/models is no list of models; check the base"),
        (sends("text/html", b"<html>"), "/models is no list of models; check the base"),
        (sends("application/json", b"[" * 100_000), "/models is no list of models"),
        (status(401), r"rejects the key \(401\)"),
        (listing("a\nb"), "is not a valid model name"),
    ],
)
def test_a_server_without_a_single_model_is_one_error(
    server: FaultyServer, fault: Fault, message: str
) -> None:
    server.plan = [fault]
    with pytest.raises(ModelError, match=message) as raised:
        list(server.endpoint(None, KEY, LIMITS).answers(["a prompt"]))
    assert not shows_key(str(raised.value))
    assert [request.key for request in server.received] == [f"Bearer {KEY}"]


def test_availability_says_what_is_configured(server: FaultyServer) -> None:
    assert availability(ClaimOptions(base_url=server.base_url, model="m")) == Availability(
        is_available=True,
        reason=f"The model 'm' at {server.base_url} will be used. "
        "The connection has not been tested.",
    )
    only = availability(ClaimOptions(base_url=server.base_url))
    assert only.reason.startswith(f"The only model at {server.base_url} will")
    assert server.asked == 0


def test_a_longer_answer_can_be_requested(server: FaultyServer) -> None:
    """It may be as many times larger as it is longer, and a short one is not bounded more."""
    server.plan = [sends("text/event-stream", b":" * 5000, 400)] * 3
    for tokens, is_too_large in ((5, True), (700, True), (7000, False)):
        options = ClaimOptions(MODEL, base_url=server.base_url, max_tokens=tokens)
        endpoint = Endpoint(options, limits=EndpointLimits(size=600))
        assert endpoint.name.endswith(f"max_tokens={tokens}")
        ((_, error),) = endpoint.answers(["a prompt"])
        assert ("sent more than 600 bytes" in str(error)) == is_too_large
        assert server.received[-1].body["max_tokens"] == tokens


@pytest.mark.parametrize(
    ("text", "tokens"), [("", 0), ("a", 1), ("ab", 1), ("abc", 2), ("日本", 3), ("\ud800", 1)]
)
def test_tokens_are_estimated_from_bytes(text: str, tokens: int) -> None:
    assert Endpoint(ClaimOptions("m", base_url=HOME)).count_tokens(text) == tokens
