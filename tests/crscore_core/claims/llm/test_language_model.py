"""Answers of language models: their reasoning is dropped, their text streamed to a listener."""

import threading
from concurrent.futures import CancelledError

import pytest

from crscore_core.claims import Answer, StreamedAnswers, StreamProgress


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("an answer", "an answer"),
        ("<think>so</think>an answer", "an answer"),
        (" \n<think>so</think>\n <think>\nand so</think> \n an answer ", "an answer "),
        ("an <think>so</think> answer", "an <think>so</think> answer"),
        ("<think>so</think>an <think> answer", "an <think> answer"),
        ("<think>never ends </thin", ""),
        ("<think>a < b </ </think </think>yes", "yes"),
        ("<thing>", "<thing>"),
        ("so</think>an answer", "so</think>an answer"),
        ("", ""),
        ("I think.\n1. So.\n</think>\n\nan answer", "\n\nan answer"),
        ("<think>so</think>and so\n </think> \nan answer", "\nan answer"),
        ("1. The tag </think> is new.", "1. The tag </think> is new."),
        ("1. It ends with `</think>`\n2. x", "1. It ends with `</think>`\n2. x"),
        ("</think>\na\n</think>\nb", "\na\n</think>\nb"),
        ("<think>" * 20_000, ""),
    ],
)
def test_reasoning_before_an_answer_is_dropped(text: str, expected: str) -> None:
    assert Answer(text).without_reasoning == expected


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
