"""Faults between client and server: a table of retries and messages."""

import json
import logging
import pickle
import socket
import threading
import traceback

import pytest

from crscore_core.claims import Answer, ClaimOptions
from crscore_core.claims.llm.endpoint import Endpoint
from crscore_core.claims.llm.server import EndpointLimits
from crscore_core.errors import ModelError
from tests.crscore_core.claims.llm.endpoint.faulty_server import (
    Exchange,
    Fault,
    FaultyServer,
    compressed,
    cut,
    endless,
    hang,
    hang_after,
    leave,
    pieces,
    sends,
    status,
    streams,
    without_line_end,
)
from tests.model_server import MODEL

KEY = r"sk-4711-not-'for'-your-\-eyes"
ELSEWHERE = ClaimOptions(MODEL, base_url="http://model.example/v1")
FORMS = (KEY, repr(KEY)[1:-1], repr(repr(KEY))[2:-2])
LIMITS = EndpointLimits(tries=2, at_once=1, silence=0.5, total=20, size=100_000)
NO_ANSWER = "streams JSON that is not a chat completion"
NO_JSON = "did not send JSON"
BROKE = r"http://127\S* broke off its answer; check the server"
SILENT = r"sent nothing for 0\.5 seconds"


def part(content: object) -> Fault:
    return streams([{"choices": [{"delta": {"content": content}}]}])


def ended(*texts: str) -> Fault:
    return streams(pieces(*texts, finish_reason=None), end=b"")


# fmt: off
RETRIED = {
    "429": (status(429, {"error": {"message": "slow"}}), r"exhausted \(429: slow\); try again"),
    "502": (sends("text/html", b"<h1>Bad gateway</h1>", 502), r"failed \(502\); check the server"),
    "503": (status(503, {"detail": "loading"}), r"failed \(503: loading\)"),
    "cut at once": (leave, BROKE),
    "hang": (hang, SILENT),
}
RETRIED_OF_PROMPT = {
    "500": (status(500, {"detail": "it\n broke\x1b"}), r"failed \(500: it broke\); check the ser"),
    "500 with the key": (status(500, {"error": KEY}, X_Request_Id=KEY), r"failed \(500: \[key\]\)"),
    "500 of text": (sends("text/plain", KEY.encode(), 500), r"failed \(500\)"),
}
OF_PROMPT = {
    "400": (status(400, {"error": {"message": KEY}}), r"rejects the request \(400: \[key\]\)"),
    "413": (status(413), r"rejects the request \(413\)"),
    "422": (status(422, {"detail": [{"loc": [KEY]}]}), r"\(422: \[\{'loc': \[.\[key\].\]"),
    "422 with format characters": (
        status(422, {"detail": f"\u200b{KEY[:9]}\u200b{KEY[9:]}"}), r"\(422: \[key\]\)",
    ),
    "endless": (endless, "more than 100,000 bytes for one answer"),
    "without line end": (without_line_end, "more than 100,000 bytes for one answer"),
    "cut in the middle": (cut("half an ", "answer"), BROKE),
    "ended in the middle": (ended("no end"), BROKE),
    "no finish reason": (streams(pieces("no end", finish_reason=None)), BROKE),
    "error": (streams([{"error": "out of memory"}]), "its answer: out of memory; check the server"),
    "error in the middle": (
        streams([*pieces("it ", finish_reason=None), {"error": {"message": f"no {KEY}"}}]),
        r"its answer: no \[key\];",
    ),
}
FINAL = {
    "401": (
        status(401, {"error": {"message": f"wrong {KEY}", "param": KEY}}),
        r"rejects the key \(401: wrong \[key\]\); .* OPENAI_API_KEY",
    ),
    "403": (status(403, f"no {KEY}"), r"rejects the key \(403: no \[key\]\)"),
    "404": (status(404, {"error": "no model"}), r"path or model \(404: no model\)"),
    "404 of a page": (sends("text/html", b"<html>", 404), r"this path or model \(404\); .* in /v1"),
    "redirect": (
        status(302, {}, Location=f"http://u:{KEY}@other.example:81/a?{KEY}"),
        r"redirects \(302\), which is not followed",
    ),
    "a page": (sends("text/html; charset=x", b"data: x"), "sent no answer stream"),
    "no stream": (sends("application/json", b"{}"), "sent no answer stream"),
    "nothing": (ended(), "sent no answer stream"),
    "no JSON": (streams([b'{"choices": [']), NO_JSON),
    "the key": (streams([KEY.encode()]), NO_JSON),
    "no text": (streams([b"\xff\xfe"]), NO_JSON),
    "deep JSON": (streams([b"[" * 50_000]), NO_JSON),
    "an object": (streams([{KEY: KEY}]), NO_ANSWER),
    "a list": (streams([[]]), NO_ANSWER),
    "a text as choice": (streams([{"choices": ["a"]}]), NO_ANSWER),
    "a text as delta": (streams([{"choices": [{"delta": "x"}]}]), NO_ANSWER),
    "a number as content": (part(5), NO_ANSWER),
    "a list as content": (part(["x"]), NO_ANSWER),
    "a number as text": (part([{"type": "text", "text": 5}]), NO_ANSWER),
    "a number as reason": (streams([{"choices": [{"finish_reason": 1}]}]), NO_ANSWER),
    "compressed": (compressed, "compresses its response unasked"),
    "hang in the middle": (hang_after("half"), SILENT),
}
# fmt: on
CASES = RETRIED | RETRIED_OF_PROMPT | OF_PROMPT | FINAL
LEAVING = {"hang", "hang in the middle", "endless", "without line end", "compressed"}
"""Faults at which the client closes the connection."""


def shows_key(text: str) -> bool:
    return any(form in text for form in FORMS)


def told(error: ModelError) -> str:
    """Return an error's text with the variables of every frame except the first."""
    assert (error.__context__, error.__cause__) == (None, None)
    frames = error.__traceback__.tb_next if error.__traceback__ else None
    full = traceback.TracebackException(ModelError, error, frames, capture_locals=True)
    return "\n".join([str(error), repr(error), *full.format(), repr(pickle.dumps(error))])


def outcome(endpoint: Endpoint, prompts: list[str]) -> dict[int, Answer | ModelError]:
    """Return answers and errors of all prompts; an error that ends the run is at -1."""
    found: dict[int, Answer | ModelError] = {}
    try:
        found.update(endpoint.answers(prompts))
    except ModelError as error:
        found[-1] = error
    return found


@pytest.mark.parametrize("name", CASES)
def test_a_fault_is_one_sentence_without_the_key(
    server: FaultyServer, caplog: pytest.LogCaptureFixture, name: str
) -> None:
    fault, message = CASES[name]
    is_retried = name in RETRIED | RETRIED_OF_PROMPT
    is_of_prompt = name in RETRIED_OF_PROMPT | OF_PROMPT
    for logger in ("", "openai", "httpx2"):
        caplog.set_level(logging.DEBUG, logger=logger)
    server.plan = [fault] * (1 + is_retried)
    endpoint = server.endpoint(MODEL, KEY, LIMITS)
    found = outcome(endpoint, ["a prompt", "another"])
    if is_of_prompt:
        assert found.pop(1) == Answer("good")
    ((index, error),) = found.items()
    assert index == (0 if is_of_prompt else -1)
    assert isinstance(error, ModelError)
    with pytest.raises(ModelError, match=message):
        raise error
    assert server.base_url in str(error)
    assert server.asked == 1 + is_retried + is_of_prompt
    assert {request.key for request in server.received} == {f"Bearer {KEY}"}
    assert name not in LEAVING or server.left.wait(30)
    # the transport's log shows headers as the server sent them, and none of the request
    records = [record for record in caplog.records if not record.name.startswith("httpcore2")]
    assert records
    logged = [f"{one.getMessage()} {one.args!r} {one.exc_info}" for one in records]
    shown = [repr(endpoint), endpoint.name, told(error), *logged]
    assert not shows_key("\n".join(shown))
    assert "u:" not in str(error)


@pytest.mark.parametrize("name", RETRIED | RETRIED_OF_PROMPT)
def test_a_temporary_fault_is_retried(server: FaultyServer, name: str) -> None:
    server.plan = [CASES[name][0]]
    assert outcome(server.endpoint(limits=LIMITS), ["a"]) == {0: Answer("good")}
    assert server.asked == 2


@pytest.mark.parametrize(
    ("fault", "message"),
    [(endless, r"finish its answer within 0\.5 seconds"), (hang_after("half"), SILENT)],
)
def test_an_answer_may_take_no_longer_than_the_total(
    server: FaultyServer, fault: Fault, message: str
) -> None:
    server.plan = [fault]
    limits = EndpointLimits(total=0.5, size=10**12)
    with pytest.raises(ModelError, match=message):
        list(server.endpoint(limits=limits).answers(["a"]))
    assert server.asked == 1
    assert server.left.wait(30)


@pytest.mark.parametrize(
    ("base_url", "message"),
    [
        ("http://127.0.0.1:{closed}/v1", r"nothing answers at .*; start it"),
        ("http://localhost:{closed}/v1", r"nothing answers at .*; start it"),
        ("http://nowhere.invalid/v1", r"nothing answers at http://nowhere\.invalid/v1; start"),
        ("https://127.0.0.1:{plain}/v1", r"no secure connection to .* of a server without TLS"),
        ("http://a..b/v1", "nothing answers at"),
        ("http://xn--\u00fc/v1", "check the base URL"),
    ],
)
def test_a_server_that_cannot_be_reached_is_one_error(
    server: FaultyServer, base_url: str, message: str
) -> None:
    plain = server.base_url.removesuffix("/v1").rpartition(":")[2]
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))  # and does not listen
        address = base_url.format(closed=free.getsockname()[1], plain=plain)
        with pytest.raises(ModelError, match=message):
            list(
                Endpoint(ClaimOptions(MODEL, base_url=address), limits=LIMITS).answers(["a prompt"])
            )
    assert server.asked == 0


def test_a_server_that_accepts_no_connection_is_one_error() -> None:
    with socket.create_server(("127.0.0.1", 0), backlog=0) as full:
        address = full.getsockname()
        waiting = [socket.socket() for _ in range(4)]
        try:
            for client in waiting:
                client.setblocking(False)
                client.connect_ex(address)
            where, limits = (
                f"http://127.0.0.1:{address[1]}/v1",
                EndpointLimits(connect=0.3, tries=2),
            )
            with pytest.raises(ModelError, match="nothing answers at"):
                list(Endpoint(ClaimOptions(MODEL, base_url=where), limits=limits).answers("a"))
        finally:
            for client in waiting:
                client.close()


def test_a_proxy_in_the_environment_is_used(
    server: FaultyServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", server.base_url.removesuffix("/v1"))
    endpoint = Endpoint(ELSEWHERE, limits=LIMITS)
    assert outcome(endpoint, ["a"]) == {0: Answer("good")}
    (request,) = server.received
    assert request.path == "http://model.example/v1/chat/completions"


@pytest.mark.parametrize("proxy", ["ftp://me:secret@proxy.example", "http://me:secret@proxy:x"])
def test_an_invalid_proxy_is_one_error(monkeypatch: pytest.MonkeyPatch, proxy: str) -> None:
    monkeypatch.setenv("HTTP_PROXY", proxy)
    with pytest.raises(ModelError, match="proxy and certificate settings") as raised:
        list(Endpoint(ELSEWHERE).answers(["a prompt"]))
    assert "secret" not in str(raised.value)
    assert raised.value.__context__ is None


def test_nothing_of_the_environment_is_sent(
    server: FaultyServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    custom = "Authorization: Bearer theirs\nX-Api-Key: theirs\nUser-Agent: theirs\nX-Mine: secré"
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", custom)
    for name in ("OPENAI_ORG_ID", "OPENAI_PROJECT_ID", "OPENAI_ADMIN_KEY", "OPENAI_API_KEY"):
        monkeypatch.setenv(name, "theirs")
    for key, sent in ((KEY, KEY), (" ", "none")):
        outcome(server.endpoint(MODEL, key), ["a"])
        assert server.received[-1].key == f"Bearer {sent}"
        assert "theirs" not in str(server.received[-1].headers)
        assert server.received[-1].headers["accept-encoding"] == "identity"


def test_a_log_of_the_transport_shows_no_request_header(
    server: FaultyServer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, logger="httpcore2")
    outcome(server.endpoint(MODEL, KEY), ["a"])
    assert any(record.name.startswith("httpcore2") for record in caplog.records)
    assert not shows_key(caplog.text)


def test_answers_in_progress_are_finished_before_the_run_ends(server: FaultyServer) -> None:
    is_refused = threading.Event()

    def refuse(exchange: Exchange) -> None:
        status(401)(exchange)
        is_refused.set()

    def late(exchange: Exchange) -> None:
        exchange.start_stream()
        assert is_refused.wait(30)
        for chunk in pieces("go", "od"):
            exchange.chunk(b"data: " + json.dumps(chunk).encode() + b"\n\n")
        exchange.wfile.write(b"0\r\n\r\n")

    server.plan = [late, refuse]
    answers = server.endpoint(limits=EndpointLimits(at_once=2)).answers("abcdefgh")
    index, answer = next(answers)
    assert index in {0, 1}  # which of the two came first and was not refused
    assert answer == Answer("good")
    with pytest.raises(ModelError, match="requires a key"):
        list(answers)
    assert server.asked < 8
