"""Reasoning before an answer is dropped."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crscore_core.claims import parse_response
from crscore_core.reasoning import without_reasoning

DRAFT = "Hm.\nSummary of changes:\n1. A loop, or not.\nImplications:\n1. It is slow."
ANSWER = "Summary of changes:\n1. A check is added.\nImplications:\n1. Fewer crashes."


@pytest.mark.parametrize("form", [
    "{1}", "{0}\n\n{1}", "{0}</think>{1}", "{0} Done.</think>{1}", "{0}\n</think>\n\n{1}",
    "{0}[/THINK]\n{1}", "<think>{0}</think>{1}", "\n<think>\n{0}\n</think>\n\n{1}",
    "<thinking>{0}</thinking>\n{1}", "<reasoning>{0}</reasoning>{1}",
    "<mm:think>{0}</mm:think>{1}", "<think n='5'>{0}</think>{1}", "[THINK]{0}[/THINK]{1}",
    "<think>{0}</think><think>{0}</think>{1}", "◁think▷{0}◁/think▷{1}",
    "<ant_thinking>{0}</ant_thinking>{1}", "<|channel>thought\n{0}<channel|>{1}",
    "<|channel|>analysis<|message|>{0}<|end|><|start|>assistant<|channel|>final<|message|>{1}",
    "<|start|>assistant<|channel|>analysis {0}\n<|channel|>final {1}<|return|>",
    "analysis{0}assistantfinal{1}",
    "Sure.\n<think>\n{0}\n</think>\n{1}",
])  # fmt: skip
def test_only_the_answer_becomes_claims(form: str) -> None:
    answer = form.format(DRAFT, ANSWER)
    found = parse_response(without_reasoning(answer), "model")
    expected = parse_response(ANSWER, "model")
    assert found.claims == expected.claims


@pytest.mark.parametrize(
    "form", ["<think>{}", "[THINK]{}", "\n<reasoning>\n{}", "<|channel|>analysis {}"]
)
def test_unfinished_reasoning_is_not_an_answer(form: str) -> None:
    assert without_reasoning(form.format(DRAFT)) == ""


@pytest.mark.parametrize("text", [
    "", "an answer", '{"worth": 3}', '["a"]', "1. The tag </think> is new.",
    "1. It ends with `</think>`\n2. x", "an <think>so</think> answer", "**Summary**\n- x",
    "a\n```\n<think>b</think>\n```\nc", "a\n<think>\nwithout an end",
    "`<|channel|>final` is new",
    "<details><summary>Thinking about locks is needed</summary>a</details>",
    "1. Returns List<String>.", "[x] done", "`<div>` is gone.", "1. A <b>bold</b> word</b>",
])  # fmt: skip
def test_an_answer_without_reasoning_is_unchanged(text: str) -> None:
    assert without_reasoning(text) == text


@given(st.text(alphabet="<>/|[]◁▷think A\n", max_size=80))
def test_removing_reasoning_adds_nothing(text: str) -> None:
    letters = iter(text)
    assert all(letter in letters for letter in without_reasoning(text))


@pytest.mark.parametrize("text", ["<think>" * 20_000, "<a>" + "</b>" * 20_000, "<" * 100_000])
def test_long_runs_of_markers_are_read(text: str) -> None:
    assert without_reasoning(text) in {"", text}
