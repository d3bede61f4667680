"""Text of a language model streamed to a listener."""

import threading
from concurrent.futures import CancelledError

import pytest

from crscore_core.claims import StreamedAnswers, StreamProgress


def test_pieces_become_answers_in_the_order_of_their_prompts() -> None:
    noted: list[StreamProgress] = []
    listen = StreamedAnswers(noted.append, threading.Event())
    for index, piece in [(1, "b"), (0, "a"), (0, ""), (1, "b")]:
        listen(index, piece)
    assert [(one.text, one.tokens) for one in noted] == [("b", 1), ("a\n\nb", 2), ("a\n\nbb", 3)]
    assert noted[0].seconds <= noted[1].seconds <= noted[2].seconds


@pytest.mark.parametrize("piece", ["b", ""])
def test_stopping_ends_the_run_at_the_next_piece(piece: str) -> None:
    stopping = threading.Event()
    noted: list[StreamProgress] = []
    listen = StreamedAnswers(noted.append, stopping)
    listen(0, "a")
    stopping.set()
    with pytest.raises(CancelledError):
        listen(0, piece)
    assert [one.text for one in noted] == ["a"]
