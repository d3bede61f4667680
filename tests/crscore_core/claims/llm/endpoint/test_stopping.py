"""Requests end when the caller stops, and nothing is left running."""

import asyncio
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from crscore_core.claims import Answer
from crscore_core.claims.llm.server import EndpointLimits
from crscore_core.errors import ModelError
from tests.crscore_core.claims.llm.endpoint.faulty_server import (
    Fault,
    FaultyServer,
    endless,
    hang,
    hang_after,
    said,
    status,
    together,
)


class Stopped(BaseException):
    """Stops like those of pages, which no `except Exception` catches."""


@pytest.fixture(autouse=True)
def _no_thread_is_left() -> Iterator[None]:
    yield
    _wait_for_threads()


def _wait_for_threads() -> None:
    for thread in threading.enumerate():
        if "crscore" in thread.name:
            thread.join(10)
            assert not thread.is_alive()


@pytest.mark.parametrize("fault", [hang, hang_after("half"), endless])
def test_an_exception_from_progress_stops_all(server: FaultyServer, fault: Fault) -> None:
    server.plan = [fault] * 4
    stopped = Stopped()

    def stop(index: int, text: str) -> None:
        assert 0 <= index < 6
        assert text in {"", "half", "word "}
        raise stopped

    with pytest.raises(Stopped) as raised:
        list(server.endpoint().answers(["a prompt"] * 6, stop))
    assert raised.value is stopped
    if server.asked:
        assert server.left.wait(30)
    assert server.asked <= 4


def test_a_server_that_hangs_when_asked_for_its_models_can_be_stopped(
    server: FaultyServer,
) -> None:
    server.plan = [hang]

    def stop(index: int, text: str) -> None:
        assert (index, text) == (0, "")
        raise Stopped

    with pytest.raises(Stopped):
        _ = server.endpoint(None, waiting=stop).name


def test_a_pause_before_a_retry_does_not_delay_stopping(server: FaultyServer) -> None:
    server.plan = [status(429, {}, Retry_After="2")]

    def stop(_index: int, _text: str) -> None:
        raise Stopped

    start = time.monotonic()
    with pytest.raises(Stopped):
        list(server.endpoint().answers(["a prompt"], stop))
    assert time.monotonic() - start < 1.5
    _wait_for_threads()
    assert server.asked == 1


def test_answers_are_yielded_as_they_complete(server: FaultyServer) -> None:
    server.plan = [said("good"), hang]
    answers = server.endpoint(limits=EndpointLimits(at_once=1)).answers("ab")
    assert next(answers) == (0, Answer("good"))
    answers.close()  # type: ignore[attr-defined] # it is a generator
    assert server.asked <= 2


def test_nothing_is_sent_after_a_stop(
    server: FaultyServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("crscore_core.claims.llm.chat._BEAT", 60)
    answers = server.endpoint(limits=EndpointLimits(at_once=1)).answers(["a"] * 300)
    assert next(answers) == (0, Answer("good"))
    answers.close()  # type: ignore[attr-defined] # it is a generator
    _wait_for_threads()
    assert server.asked < 100


def test_a_few_requests_run_at_a_time(server: FaultyServer) -> None:
    server.plan = [together(3, "good")] * 3
    answers = server.endpoint(limits=EndpointLimits(at_once=3)).answers("abcd")
    assert dict(answers) == dict.fromkeys(range(4), Answer("good"))
    assert server.asked == 4


def test_it_works_inside_a_running_event_loop(server: FaultyServer) -> None:
    async def ask() -> list[tuple[int, Answer | ModelError]]:
        return list(server.endpoint().answers(["a prompt"]))

    assert asyncio.run(ask()) == [(0, Answer("good"))]


def test_threads_share_an_endpoint_and_get_their_own_progress(server: FaultyServer) -> None:
    endpoint = server.endpoint()

    def ask(_: int) -> dict[int, Answer | ModelError]:
        told: set[threading.Thread] = set()
        answers = dict(endpoint.answers("abc", lambda *_: told.add(threading.current_thread())))
        assert told == {threading.current_thread()}
        return answers

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(ask, range(4))) == [dict.fromkeys(range(3), Answer("good"))] * 4
