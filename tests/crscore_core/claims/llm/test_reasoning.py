"""Reasoning before an answer is dropped."""

import pytest

from crscore_core.claims import Answer


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
