"""The key goes to the server, and nowhere else."""

import json
import logging
import pickle
import traceback

import pytest

from crscore_core.claims.llm.endpoint import Endpoint, EndpointLimits, availability, endpoint_of
from crscore_core.claims.options import ClaimOptions
from crscore_core.errors import EndpointError
from tests.crscore_core.claims.llm.endpoint.conftest import MODEL
from tests.crscore_core.claims.llm.endpoint.faulty_server import (
    Fault,
    FaultyServer,
    compressed,
    cut,
    endless,
    hang,
    said,
    sends,
    status,
    streams,
)

KEY = r"sk-4711-not-'for'-your-\-eyes"
FORMS = (KEY, repr(KEY)[1:-1], repr(repr(KEY))[2:-2])
LIMITS = EndpointLimits(tries=2, pause=0.001, silence=0.5, size=100_000)


def shows_key(text: str) -> bool:
    return any(form in text for form in FORMS)


@pytest.mark.parametrize(
    "fault",
    [
        said("good"),
        hang,
        cut("half"),
        endless,
        compressed,
        status(400, {"error": {"message": f"bad {KEY}"}}),
        status(401, {"error": {"message": f"wrong key {KEY}", "param": KEY}}),
        status(403, f"wrong key {KEY}"),
        status(404, {"detail": [KEY]}),
        status(422, {"detail": ["\u200b".join(KEY)]}),
        status(429, {KEY: KEY}),
        status(500, {"error": KEY}, X_Request_Id=KEY),
        status(307, {}, Location=f"http://{KEY}@other.example/{KEY}"),
        sends("text/plain", KEY.encode(), 500),
        sends("text/html", KEY.encode()),
        streams([{"error": {"message": KEY}}]),
        streams([KEY.encode()]),
        streams([{KEY: KEY}]),
    ],
)
def test_no_error_and_no_log_shows_it(
    server: FaultyServer, fault: Fault, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    for name in ("openai", "httpx2", "httpcore2", "asyncio"):
        caplog.set_level(logging.DEBUG, logger=name)
    server.plan = [fault, fault]
    endpoint = Endpoint(server.base_url, MODEL, KEY, LIMITS)
    shown = [repr(endpoint), endpoint.name, endpoint.address]
    shown += _outcome(endpoint)
    assert server.received[0].key == f"Bearer {KEY}"
    # of the transport's log the next test has its say: it shows headers, as the server sent them
    logged = [record for record in caplog.records if not record.name.startswith("httpcore2")]
    assert logged
    for record in logged:
        shown += [record.getMessage(), repr(record.args), str(record.exc_info)]
    assert not shows_key("\n".join(shown))


def _outcome(endpoint: Endpoint) -> list[str]:
    """Answers, or all that an error says, with the variables of every frame but this one."""
    try:
        return [repr(answer) for answer in endpoint.answers(["a prompt"])]
    except EndpointError as raised:
        error = raised
    frames = error.__traceback__.tb_next if error.__traceback__ else None
    full = traceback.TracebackException(EndpointError, error, frames, capture_locals=True)
    assert len(full.stack) > 2
    assert (error.__context__, error.__cause__) == (None, None)
    return [str(error), repr(error), *full.format(), repr(pickle.dumps(error))]


def test_a_log_of_the_transport_shows_no_request_header(
    server: FaultyServer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, logger="httpcore2")
    server.plan = [said("good")]
    list(Endpoint(server.base_url, MODEL, KEY).answers(["a prompt"]))
    assert any(record.name.startswith("httpcore2") for record in caplog.records)
    assert not shows_key(caplog.text)


def test_a_list_of_models_that_says_it_is_not_repeated(server: FaultyServer) -> None:
    models = {"data": [{"id": KEY}, {"id": f"{KEY} too"}]}
    server.plan = [sends("application/json", json.dumps(models).encode())]
    with pytest.raises(EndpointError, match=r"several models.*\[key\]") as raised:
        _ = Endpoint(server.base_url, None, KEY).name
    assert not shows_key(str(raised.value))
    assert server.received[0].key == f"Bearer {KEY}"


@pytest.mark.parametrize("key", [f"{KEY}\nX-Header: y", f"{KEY} {KEY}", f"{KEY}é", f"{KEY}\0"])
def test_what_can_be_no_key_is_refused_without_showing_it(key: str) -> None:
    with pytest.raises(EndpointError, match="OPENAI_API_KEY") as raised:
        Endpoint("http://localhost/v1", MODEL, key)
    assert not shows_key(str(raised.value))
    assert raised.value.__context__ is None


def test_options_and_availability_do_not_show_it(monkeypatch: pytest.MonkeyPatch) -> None:
    options = ClaimOptions(base_url="http://localhost/v1", api_key=KEY)
    assert not shows_key(repr(options) + repr(availability(options)) + repr(endpoint_of(options)))
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    options = ClaimOptions(base_url=f"http://me:{KEY}@localhost/v1")
    assert not shows_key(repr(availability(options)))


def test_a_key_for_other_purposes_is_not_sent(
    server: FaultyServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_ADMIN_KEY", KEY)
    server.plan = [said("good")]
    list(Endpoint(server.base_url, MODEL).answers(["a prompt"]))
    assert [request.key for request in server.received] == ["Bearer none"]
