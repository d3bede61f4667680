"""Requests end when the caller wants no more of them, and nothing is left running."""

import threading

import pytest

from crscore_core.claims.llm.endpoint import Endpoint, EndpointLimits
from crscore_core.claims.llm.language_model import Answer
from crscore_core.errors import EndpointError
from tests.crscore_core.claims.llm.endpoint.conftest import MODEL
from tests.crscore_core.claims.llm.endpoint.faulty_server import (
    Fault,
    FaultyServer,
    endless,
    hang,
    hang_after,
    said,
)


class Stopped(BaseException):
    """As pages are stopped, whatever they catch."""


def threads() -> list[str]:
    return [thread.name for thread in threading.enumerate() if "crscore" in thread.name]


@pytest.mark.parametrize(
    "fault", [hang, hang_after("half"), endless], ids=["hang", "hang_after", "endless"]
)
def test_what_progress_raises_stops_all(server: FaultyServer, fault: Fault) -> None:
    server.plan = [fault] * 4
    stopped = Stopped()

    def stop(index: int, text: str) -> None:
        assert 0 <= index < 6
        assert text in {"", "half", "word "}
        assert server.asked <= 4
        raise stopped

    answers = Endpoint(server.base_url, MODEL).answers(["a prompt"] * 6, stop)
    with pytest.raises(Stopped) as raised:
        list(answers)
    assert raised.value is stopped
    assert threads() == []
    if server.asked:
        assert server.left.wait(30)
    assert server.asked <= 4


def test_a_server_that_hangs_when_asked_for_its_models_can_be_stopped(
    server: FaultyServer,
) -> None:
    server.plan = [hang]
    stopped = Stopped()

    def stop(index: int, text: str) -> None:
        assert (index, text) == (0, "")
        raise stopped

    with pytest.raises(Stopped):
        _ = Endpoint(server.base_url, waiting=stop).name
    assert threads() == []


def test_an_answer_is_there_before_the_others(server: FaultyServer) -> None:
    server.plan = [said("good"), hang]
    answers = Endpoint(server.base_url, MODEL, limits=EndpointLimits(at_once=1)).answers("ab")
    assert next(answers) == (0, Answer("good"))
    answers.close()  # type: ignore[attr-defined] # it is a generator
    assert threads() == []
    assert server.asked <= 2


def test_progress_is_told_in_the_thread_of_the_caller(server: FaultyServer) -> None:
    told: set[threading.Thread] = set()
    endpoint = Endpoint(server.base_url, MODEL)
    list(endpoint.answers("abcdef", lambda *_: told.add(threading.current_thread())))
    assert told == {threading.current_thread()}
    assert threads() == []


def test_it_may_be_asked_where_an_event_loop_runs(server: FaultyServer) -> None:
    import asyncio

    async def ask() -> list[tuple[int, Answer | EndpointError]]:
        return list(Endpoint(server.base_url, MODEL).answers(["a prompt"]))

    server.plan = [said("good")]
    assert asyncio.run(ask()) == [(0, Answer("good"))]


def _index(outcome: tuple[int, Answer | EndpointError]) -> int:
    return outcome[0]


def test_threads_share_one(server: FaultyServer) -> None:
    endpoint = Endpoint(server.base_url, MODEL)
    server.plan = [said("good")] * 12
    results: list[list[tuple[int, Answer | EndpointError]]] = []
    workers = [
        threading.Thread(target=lambda: results.append(sorted(endpoint.answers("abc"), key=_index)))
        for _ in range(4)
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert results == [[(index, Answer("good")) for index in range(3)]] * 4
    assert threads() == []
