"""Faults between client and server: which are asked again, and what each is called."""

import json
import socket
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from crscore_core.claims.llm.endpoint import Endpoint, EndpointLimits
from crscore_core.claims.llm.language_model import Answer
from crscore_core.errors import EndpointError
from tests.crscore_core.claims.llm.endpoint.conftest import MODEL, SAYS
from tests.crscore_core.claims.llm.endpoint.faulty_server import (
    Exchange,
    Fault,
    FaultyServer,
    compressed,
    cut,
    endless,
    faulty,
    hang,
    hang_after,
    pieces,
    said,
    sends,
    status,
    streams,
    without_line_end,
)

LIMITS = EndpointLimits(tries=3, pause=0.001, size=300_000)
IMPATIENT = EndpointLimits(tries=3, pause=0.001, silence=2)


def ask(server: FaultyServer, limits: EndpointLimits = LIMITS) -> Answer:
    ((index, answer),) = Endpoint(server.base_url, MODEL, limits=limits).answers(["a prompt"])
    assert index == 0
    if isinstance(answer, EndpointError):
        raise answer
    return answer


@pytest.mark.parametrize(
    "fault",
    [
        status(429, {"error": {"message": "slow down"}}),
        status(429, {}, Retry_After="0"),
        status(500),
        status(503, {"detail": "loading"}),
        cut(),
        cut("half an ", "answer"),
        streams(pieces("no end", finish_reason=None), end=b""),
        streams(pieces("[DONE]", "data: [DONE]", finish_reason=None), end=b""),
        streams([], end=b""),
        streams([*pieces("it ", finish_reason=None), {"error": {"message": "out of memory"}}]),
        streams([{"error": "out of memory"}]),
    ],
    ids=[
        "429", "429 with Retry-After", "500", "503", "cut at once", "cut in the middle",
        "ended in the middle", "only as if done", "nothing", "error in the middle", "error",
    ],
)  # fmt: skip
def test_what_may_pass_is_asked_again(server: FaultyServer, fault: Fault) -> None:
    server.plan = [fault, fault]
    assert ask(server) == Answer(SAYS)
    assert server.asked == 3


@pytest.mark.parametrize("fault", [hang, hang_after("half")], ids=["at once", "in the middle"])
def test_a_server_that_hangs_is_asked_again(server: FaultyServer, fault: Fault) -> None:
    server.plan = [fault, said("good")]
    assert ask(server, IMPATIENT) == Answer("good")
    assert server.asked == 2
    assert server.left.wait(30)


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        (
            status(429, {"error": {"message": "slow down"}}),
            r"is too busy, or a quota is used up \(429: slow down\); try again later \(tried 3",
        ),
        (status(500, {"detail": "it\n broke\x1b"}), r"fails \(500: it broke\); look at the ser"),
        (sends("text/html", b"<h1>Bad gateway</h1>", 502), r"fails \(502\); look at the server's"),
        (cut("half"), r"the connection to http://127.* broke before the answer was whole"),
        (
            streams(pieces("half", finish_reason=None), end=b""),
            r"the answer of http://127\S* broke off",
        ),
        (streams([{"error": "no memory"}]), r"failed while it answered: no memory; look at the"),
    ],
    ids=["429", "500", "502", "cut", "ended", "error"],
)
def test_what_does_not_pass_is_one_error(server: FaultyServer, fault: Fault, message: str) -> None:
    server.plan = [fault] * 3
    with pytest.raises(EndpointError, match=message) as raised:
        ask(server)
    assert str(raised.value).endswith("(tried 3 times)")
    assert server.base_url in str(raised.value)
    assert server.asked == 3


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        (status(400, {"error": {"message": "too long"}}), r"refuses the request \(400: too long\)"),
        (status(401, {"error": {"message": "no"}}), r"wants a key \(401: no\); .* OPENAI_API_KEY"),
        (status(403), r"wants a key \(403\)"),
        (status(404, {"error": "model not found"}), r"not this model \(404: model not found\)"),
        (sends("text/html", b"<html>", 404), r"no such path, .*\(404\); .* ends with /v1"),
        (status(408), r"refuses the request \(408\)"),
        (status(409), r"refuses the request \(409\)"),
        (status(422, {"detail": [{"loc": ["body"]}]}), r"refuses the request \(422: \[\{'loc'"),
        (
            status(302, {}, Location="http://u:p@other.example:81/a?b"),
            r"to http://other.example:81 \(",
        ),
        (status(307, {}, Location="//[x"), r"redirects \(307\), which is not followed"),
        (sends("text/html; charset=x", b"<html>data: x</html>"), r"sends 'text/html' where an ans"),
        (
            sends("application/json", b'{"choices": []}'),
            r"sends 'application/json' where an answer",
        ),
        (streams([b'{"choices": [']), "sends what is no JSON"),
        (streams([b"\xff\xfe"]), "sends what is no JSON"),
        (streams([b"[" * 100_000]), "sends what is no JSON"),
        (streams([{"said": "hello"}]), "streams JSON that is no chat completion"),
        (streams([{"choices": ["a"]}]), "streams JSON that is no chat completion"),
        (streams([{"choices": [{"delta": {"content": 5}}]}]), "is no chat completion"),
        (streams([{"choices": [{"delta": "x"}]}]), "is no chat completion"),
        (streams([{"choices": [{"delta": {"content": ["x"]}}]}]), "is no chat completion"),
        (
            streams([{"choices": [{"delta": {"content": [{"type": "text", "text": 5}]}}]}]),
            "is no chat completion",
        ),
        (streams([[]]), "streams JSON that is no chat completion"),
        (streams([{"choices": [{"finish_reason": 1}]}]), "is no chat completion"),
        (compressed, "compresses its response, unasked"),
        (endless, "more than 300,000 bytes for one answer"),
        (without_line_end, "more than 300,000 bytes for one answer"),
    ],
)
def test_what_would_not_pass_is_not_asked_again(
    server: FaultyServer, fault: Fault, message: str
) -> None:
    server.plan = [fault]
    with pytest.raises(EndpointError, match=message) as raised:
        ask(server)
    assert server.base_url in str(raised.value)
    assert "u:p" not in str(raised.value)
    assert server.asked == 1


def test_the_body_of_an_error_is_bounded_too(server: FaultyServer) -> None:
    server.plan = [sends("application/json", b" " * 300_001, 500)]
    with pytest.raises(EndpointError, match="more than 300,000 bytes"):
        ask(server)
    assert server.asked == 1


@pytest.mark.parametrize("fault", [endless, without_line_end, compressed])
def test_the_connection_is_closed_where_an_answer_is_given_up(
    server: FaultyServer, fault: Fault
) -> None:
    server.plan = [fault]
    with pytest.raises(EndpointError):
        ask(server)
    assert server.left.wait(30)


@pytest.mark.parametrize("fault", [hang, hang_after("half")], ids=["at once", "in the middle"])
def test_a_server_that_always_hangs_is_one_error(server: FaultyServer, fault: Fault) -> None:
    server.plan = [fault] * 2
    with pytest.raises(EndpointError, match=r"nothing came from .* for 1 seconds; .*tried 2"):
        ask(server, EndpointLimits(tries=2, pause=0, silence=1))
    assert server.asked == 2


def test_an_answer_may_take_no_longer_than_the_total(server: FaultyServer) -> None:
    server.plan = [hang_after("half")]
    with pytest.raises(EndpointError, match=r"no whole answer within 1 seconds"):
        ask(server, EndpointLimits(total=1))
    assert server.asked == 1
    assert server.left.wait(30)


def test_a_redirect_is_not_followed(server: FaultyServer, model_server: str) -> None:
    with faulty(model_server) as other:
        server.plan = [status(307, {}, Location=f"{other.base_url}/chat/completions")]
        with pytest.raises(EndpointError, match=r"redirects to http://127\.0\.0\.1:\d+ \(307\)"):
            ask(server)
        assert (server.asked, other.asked) == (1, 0)


def in_a_day() -> str:
    return format_datetime(datetime.now(UTC) + timedelta(days=1), usegmt=True)


@pytest.mark.parametrize(
    ("retry_after", "longest", "expected"),
    [
        (lambda: "7", 60, 7),
        (lambda: "1000", 60, 60),
        (in_a_day, 30, 30),
        (lambda: "", 60, None),
        (lambda: "soon", 60, None),
        (lambda: "9" * 400, 60, 60),
        (lambda: "Wed, 21 Oct 99999999999 07:28:00 GMT", 60, None),
        (lambda: "Wed, 21 Oct 2015 07:28:00 -9999999999", 60, None),
        (lambda: "-5", 60, None),
        (lambda: "Wed, 21 Oct 2015 07:28:00 GMT", 60, None),
    ],
)
def test_a_server_is_left_alone_as_long_as_it_asks(
    server: FaultyServer,
    monkeypatch: pytest.MonkeyPatch,
    retry_after: Callable[[], str],
    longest: float,
    expected: float | None,
) -> None:
    pauses: list[float] = []

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)

    monkeypatch.setattr("crscore_core.claims.llm.endpoint.attempts.asyncio.sleep", sleep)
    server.plan = [status(429, {}, Retry_After=retry_after()), status(500), said("good")]
    limits = EndpointLimits(pause=2, longest_pause=longest)
    assert ask(server, limits) == Answer("good")
    first, second = pauses
    assert first == expected if expected else 1.5 < first <= 2
    assert 3 < second <= 4


@pytest.mark.parametrize(
    ("base_url", "message"),
    [
        ("http://127.0.0.1:{closed}/v1", r"nothing answers at .*; start the server.*tried 3 times"),
        ("http://localhost:{closed}/v1", r"nothing answers at .*; start the server.*tried 3 times"),
        ("http://nowhere.invalid/v1", r"the host of http://nowhere\.invalid/v1 is not known"),
        ("https://127.0.0.1:{plain}/v1", r"no secure connection to .*; a server without TLS"),
    ],
)
def test_a_server_that_cannot_be_reached_is_one_error(
    server: FaultyServer, base_url: str, message: str
) -> None:
    plain = server.base_url.removesuffix("/v1").rpartition(":")[2]
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))  # and does not listen
        address = base_url.format(closed=free.getsockname()[1], plain=plain)
        with pytest.raises(EndpointError, match=message):
            list(Endpoint(address, MODEL, limits=LIMITS).answers(["a prompt"]))
    assert server.asked == 0


def test_a_server_that_takes_no_connection_is_one_error() -> None:
    with socket.create_server(("127.0.0.1", 0), backlog=0) as full:
        address = full.getsockname()
        waiting = [socket.socket() for _ in range(4)]
        try:
            for one in waiting:
                one.setblocking(False)
                one.connect_ex(address)
            limits = EndpointLimits(connect=0.3, tries=2, pause=0)
            with pytest.raises(EndpointError, match=r"takes no connection within 0\.3 seconds"):
                list(Endpoint(f"http://127.0.0.1:{address[1]}/v1", "m", limits=limits).answers("a"))
        finally:
            for one in waiting:
                one.close()


def test_a_proxy_of_the_environment_is_asked(
    server: FaultyServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", server.base_url.removesuffix("/v1"))
    server.plan = [said("good")]
    endpoint = Endpoint("http://model.example/v1", MODEL, limits=LIMITS)
    assert list(endpoint.answers(["a prompt"])) == [(0, Answer("good"))]
    assert [request.path for request in server.received] == [
        "http://model.example/v1/chat/completions"
    ]


@pytest.mark.parametrize("proxy", ["ftp://me:secret@proxy.example", "http://me:secret@proxy:x"])
def test_a_proxy_that_is_none_is_one_error(monkeypatch: pytest.MonkeyPatch, proxy: str) -> None:
    monkeypatch.setenv("HTTP_PROXY", proxy)
    with pytest.raises(EndpointError, match="settings of proxies") as raised:
        list(Endpoint("http://model.example/v1", MODEL).answers(["a prompt"]))
    assert "secret" not in str(raised.value)
    assert raised.value.__context__ is None


def mistaken(prompt: str) -> Fault:
    """Refuses `prompt` alone, and answers all others."""

    def fault(exchange: Exchange) -> None:
        good, bad = said("good"), status(400, {"error": {"code": "content_filter"}})
        (bad if prompt.encode() in exchange.content else good)(exchange)

    return fault


def test_a_prompt_that_is_refused_leaves_the_others_alone(server: FaultyServer) -> None:
    server.plan = [mistaken("boom")] * 12
    prompts = [f"prompt {number}" for number in range(5)] + ["boom"] + ["more"] * 6
    outcomes = dict(Endpoint(server.base_url, MODEL, limits=LIMITS).answers(prompts))
    refused = outcomes.pop(5)
    assert isinstance(refused, EndpointError)
    assert "refuses the request (400: {'code': 'content_filter'})" in str(refused)
    assert outcomes == dict.fromkeys({*range(12)} - {5}, Answer("good"))
    assert server.asked == 12


@pytest.mark.parametrize(
    ("fault", "is_of_prompt"),
    [
        (status(413), True),
        (status(422, {"detail": "too long"}), True),
        (status(500), True),
        (streams([{"error": "no memory"}]), True),
        (streams(pieces("half", finish_reason=None), end=b""), True),
        (endless, True),
        (status(401), False),
        (status(403), False),
        (status(404), False),
        (status(429), False),
        (status(503), False),
        (cut("half"), False),
        (streams([{"said": "hello"}]), False),
    ],
)
def test_what_would_fail_for_every_prompt_ends_all(
    server: FaultyServer, fault: Fault, is_of_prompt: bool
) -> None:
    limits = EndpointLimits(tries=1, size=300_000, at_once=1)
    server.plan = [said("good"), fault, said("more")]
    found: dict[int, Answer | EndpointError] = {}
    try:
        found.update(Endpoint(server.base_url, MODEL, limits=limits).answers(["a", "b", "c"]))
    except EndpointError:
        assert not is_of_prompt
        assert server.asked == 2
    else:
        assert is_of_prompt
        assert isinstance(found[1], EndpointError)
        assert (found[0], found[2]) == (Answer("good"), Answer("more"))


def test_an_answer_under_way_is_finished_where_all_ends(server: FaultyServer) -> None:
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
    limits = EndpointLimits(at_once=2)
    answers = Endpoint(server.base_url, MODEL, limits=limits).answers("abcdefgh")
    index, answer = next(answers)
    assert index in {0, 1}  # which of the two came first and was not refused
    assert answer == Answer("good")
    with pytest.raises(EndpointError, match="wants a key"):
        list(answers)
    assert server.asked < 8


def test_nothing_of_the_environment_is_sent(
    server: FaultyServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    custom = "Authorization: Bearer theirs\nX-Api-Key: theirs\nUser-Agent: theirs\nX-Mine: secré"
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", custom)
    monkeypatch.setenv("OPENAI_ORG_ID", "theirs")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "theirs")
    server.plan = [said("good")]
    assert list(Endpoint(server.base_url, MODEL, "mine").answers(["a"])) == [(0, Answer("good"))]
    (request,) = server.received
    assert request.key == "Bearer mine"
    assert "theirs" not in str(request.headers)
    assert request.headers["accept-encoding"] == "identity"
