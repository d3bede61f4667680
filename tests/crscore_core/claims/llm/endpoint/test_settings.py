"""Where the server, its model and its key come from, and what can be none of them."""

import subprocess
import sys
from pathlib import Path

import pytest

from crscore_core.claims.availability import Availability
from crscore_core.claims.llm.endpoint import Endpoint, EndpointLimits, availability, endpoint_of
from crscore_core.claims.llm.language_model import Answer
from crscore_core.claims.options import ClaimOptions
from crscore_core.errors import EndpointError
from tests.crscore_core.claims.llm.endpoint.faulty_server import (
    Fault,
    FaultyServer,
    said,
    sends,
    status,
)

ROOT = Path(__file__).resolve().parents[5]
LIMITS = EndpointLimits(tries=2, pause=0.001)


def test_options_come_before_the_environment(
    server: FaultyServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://nowhere.invalid/v1")
    monkeypatch.setenv("CRSCORE_CLAIMS_MODEL", "other")
    monkeypatch.setenv("OPENAI_API_KEY", "other-key")
    server.plan = [said("good")]
    endpoint = endpoint_of(ClaimOptions(base_url=server.base_url, model="mine", api_key="my-key"))
    assert list(endpoint.answers(["a prompt"])) == [(0, Answer("good"))]
    (request,) = server.received
    assert (request.key, request.body["model"]) == ("Bearer my-key", "mine")


def test_the_environment_stands_for_what_no_option_gives(
    server: FaultyServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
    monkeypatch.setenv("CRSCORE_CLAIMS_MODEL", "theirs")
    monkeypatch.setenv("OPENAI_API_KEY", "their-key\n")
    server.plan = [said("good")]
    assert list(endpoint_of(ClaimOptions()).answers(["a prompt"])) == [(0, Answer("good"))]
    (request,) = server.received
    assert (request.key, request.body["model"]) == ("Bearer their-key", "theirs")


@pytest.mark.parametrize("base_url", [None, "", " ", "/"])
def test_no_server_is_asked_where_none_is_named(base_url: str | None) -> None:
    with pytest.raises(EndpointError, match=r"no server is named.*OPENAI_BASE_URL"):
        endpoint_of(ClaimOptions(base_url=base_url, model="m", api_key="k"))


@pytest.mark.parametrize(
    "base_url",
    [
        "localhost:8000/v1", "localhost", "ftp://localhost/v1", "http://", "http:///v1",
        "http://localhost:99999/v1", "http://localhost:0/v1", "http://localhost:x/v1",
        "http://local host/v1", "http://localhost/v1?key=secret", "http://localhost/v1#secret",
        "http://[::1/v1", "http://localhost\\v1", "http://localhost/\x7f", "file:///secret",
        f"http://localhost/{'x' * 1000}", "http://localhost/\u202ev1",
        "http://localhost/v1;key=secret",
    ],
)  # fmt: skip
def test_what_is_no_address_is_refused(base_url: str) -> None:
    with pytest.raises(EndpointError, match="is no address of a server") as raised:
        Endpoint(base_url, "m")
    assert "secret" not in str(raised.value)


@pytest.mark.parametrize(
    "base_url",
    [
        "http://me:secret@localhost/v1",
        "https://secret@localhost",
        "me:secret@localhost",
        "http://me%3Asecret%40localhost/v1",
        "http://secret%40localhost",
        "http://me%3asecret/",
    ],
)
def test_credentials_in_an_address_are_refused_and_not_shown(base_url: str) -> None:
    with pytest.raises(EndpointError, match="holds credentials") as raised:
        Endpoint(base_url, "m")
    assert "secret" not in str(raised.value)


@pytest.mark.parametrize("base_url", ["http://a..b/v1", "http://xn--\u00fc/v1"])
def test_what_the_client_takes_for_no_address_is_one_error(base_url: str) -> None:
    with pytest.raises(EndpointError, match="look at"):
        list(Endpoint(base_url, "m", limits=LIMITS).answers(["a prompt"]))


@pytest.mark.parametrize("model", ["m\nn", "m\x1b[2J", "x" * 501])
def test_what_can_be_no_model_is_refused(model: str) -> None:
    with pytest.raises(EndpointError, match="CRSCORE_CLAIMS_MODEL"):
        Endpoint("http://localhost/v1", model)


def listing(*names: object) -> Fault:
    return status(200, {"object": "list", "data": [{"id": name} for name in names]})


def test_a_model_is_asked_for_once(server: FaultyServer) -> None:
    server.plan = [status(500), listing("only")]
    endpoint = Endpoint(server.base_url, limits=LIMITS)
    assert endpoint.name.startswith(f"endpoint:only@{server.base_url} ")
    assert endpoint.model == "only"
    assert [request.path for request in server.received] == ["/v1/models"] * 2


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        (listing("one", "two", "one"), r"several models.*CRSCORE_CLAIMS_MODEL: 'one', 'two'$"),
        (listing(*range(100, 130)), r"'100', .*'119' and 10 more$"),
        (listing(), "lists no model; name the one to ask"),
        (listing(None), "lists no model; name the one to ask"),
        (status(200, {"data": None}), "lists no model; name the one to ask"),
        (status(200, {"data": ["one"]}), "/models lists no models as an OpenAI-compatible"),
        (status(200, []), "/models lists no models as an OpenAI-compatible"),
        (sends("text/html", b"<html>"), "/models lists no models as an OpenAI-compatible"),
        (sends("application/json", b"[" * 100_000), "/models lists no models as an OpenAI"),
        (status(401), r"wants a key \(401\)"),
        (listing("a\nb"), "cannot be the name of the endpoint's model"),
    ],
)
def test_a_server_without_one_model_to_ask_is_one_error(
    server: FaultyServer, fault: Fault, message: str
) -> None:
    server.plan = [fault]
    with pytest.raises(EndpointError, match=message):
        list(Endpoint(server.base_url, limits=LIMITS).answers(["a prompt"]))
    assert server.asked == 1


def test_availability_says_what_is_configured(server: FaultyServer) -> None:
    assert availability(ClaimOptions(base_url=server.base_url, model="m")) == Availability(
        is_available=True,
        reason=f"The model 'm' is asked at {server.base_url}; whether that answers shows when it "
        "is asked.",
    )
    only = availability(ClaimOptions(base_url=server.base_url))
    assert only.reason.startswith(f"The one model of the server is asked at {server.base_url};")
    assert server.asked == 0


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (ClaimOptions(), "no server is named"),
        (ClaimOptions(base_url="localhost"), "is no address of a server"),
        (ClaimOptions(base_url="http://localhost", model="\0"), "cannot be the name of"),
    ],
)
def test_availability_says_what_is_missing(options: ClaimOptions, reason: str) -> None:
    found = availability(options)
    assert not found.is_available
    assert reason in found.reason


def test_availability_and_name_need_no_client() -> None:
    program = (
        "import sys; from crscore_core.claims.llm.endpoint import availability, endpoint_of\n"
        "from crscore_core.claims.options import ClaimOptions\n"
        "options = ClaimOptions(base_url='http://localhost/v1', model='m')\n"
        "assert availability(options).is_available and endpoint_of(options).name\n"
        "print(*{'openai', 'httpx2', 'torch', 'transformers'} & set(sys.modules), 'none else')"
    )
    output = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    assert output.split() == ["none", "else"]
