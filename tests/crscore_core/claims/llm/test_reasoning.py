"""Reasoning before an answer, dropped from whole texts and from pieces."""

import pytest

from crscore_core.claims.llm.reasoning import WithoutReasoning, without_reasoning


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
        ("<thin", "<thin"),
        ("<thing>", "<thing>"),
        ("so</think>an answer", "so</think>an answer"),
        ("", ""),
    ],
)
def test_reasoning_before_an_answer_is_dropped(text: str, expected: str) -> None:
    for length in (1, 2, 3, 7, 8, 100):
        visible = WithoutReasoning()
        parts = [visible.add(text[at : at + length]) for at in range(0, len(text), length)]
        assert "".join(parts) + visible.end() == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I think.\n1. So.\n</think>\n\nan answer", "\n\nan answer"),
        ("<think>so</think>and so\n </think> \nan answer", "\nan answer"),
        ("1. The tag </think> is new.", "1. The tag </think> is new."),
        ("1. It ends with `</think>`\n2. x", "1. It ends with `</think>`\n2. x"),
        ("</think>\na\n</think>\nb", "\na\n</think>\nb"),
        ("</think", "</think"),
    ],
)
def test_reasoning_that_the_template_opened_is_dropped(text: str, expected: str) -> None:
    assert without_reasoning(text) == expected
