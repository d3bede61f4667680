"""What language models answer, in the forms that they give it."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crscore_core.claims import Claim, ClaimKind, claims_of_response
from crscore_core.claims.response import MAX_CLAIMS_OF_RESPONSE

CLAIM, IMPLICATION = ClaimKind.CLAIM, ClaimKind.IMPLICATION


def read(response: str) -> list[tuple[str, str]]:
    return [(claim.kind.value, claim.text) for claim in claims_of_response(response, "model")]


BOTH = [("claim", "A check is added."), ("implication", "Fewer crashes.")]


@pytest.mark.parametrize(
    "response",
    [
        "Summary of changes:\n1. A check is added.\n\nImplications:\n1. Fewer crashes.",
        "### Summary of Changes:\n\n1. A check is added.\n\n### Implications\n\n1. Fewer crashes.",
        "**Summary of changes:**\n- A check is added.\n**Implications:**\n- Fewer crashes.",
        "**Summary**:\n* A check is added.\n__Possible implications__:\n* Fewer crashes.",
        "1) A check is added.\nIMPLICATIONS\n1) Fewer crashes.",
        "Changes\r\n• A check is added.\r\nPotential Implications\r\n• Fewer crashes.\r\n",
        "# Summary\n+ A check\nis added.\n# Implications of the changes\n– Fewer\n  crashes.",
        "1. Summary of changes:\n   - A check is added.\n2. Implications:\n   - Fewer crashes.",
        "Summary: here it is.\n1. A check is added.\nImplications: these.\n2. Fewer crashes.",
        "Sure!\n\n1. A check is added.\n\nImplications:\n1. Fewer crashes.\n\nBye.",
    ],
)
def test_two_lists_whatever_their_marks(response: str) -> None:
    assert read(response) == BOTH


def test_the_source_is_named_and_there_is_no_place() -> None:
    assert claims_of_response("1. It grows.", "gpt-4o") == (Claim("It grows.", CLAIM, "gpt-4o"),)


@pytest.mark.parametrize(
    "response",
    ["", "\n\n", "nothing here", "Implications:", "1.", "1.\n2.\n", "-", "```", "I cannot help."],
)
def test_where_there_is_no_list_there_are_no_claims(response: str) -> None:
    assert read(response) == []


@pytest.mark.parametrize(
    ("response", "texts"),
    [
        ("1. one\n   - more\n   - other\n2. two", ["one", "more", "other", "two"]),
        (
            "1. **Parts:**\n   - one\n   - two\n2. Rest:\n   - three\n3. four",
            ["Parts: one", "Parts: two", "Rest: three", "four"],
        ),
        ("1. Announced:\n2. two", ["Announced:", "two"]),
        ("1. Announced:\n\n   - two", ["Announced: two"]),
        ("1. the word\n   changes: is gone", ["the word changes: is gone"]),
        ("1. one\n\n2. two\n3", ["one", "two"]),
        ("1. one\n2. two\n3.", ["one", "two"]),
        ("1. one\n2.without a blank", ["one 2.without a blank"]),
        ("1. version 2. of it", ["version 2. of it"]),
        ("1. one\n**bold** goes on", ["one bold goes on"]),
        ("1. one\n   ```diff\n   - a\n\n   + b\n   ```\n2. two", ["one - a + b", "two"]),
        ("1. one\n```x``` goes on\n2. two", ["one ```x``` goes on", "two"]),
        ("```\n- a\n```\n1. one", ["one"]),
        ("1. half \ud800 a pair", ["half \ufffd a pair"]),
        ("1. one\u2028two", ["one two"]),
        ("2024. is no number of an item", []),
    ],
)
def test_what_belongs_to_an_item(response: str, texts: list[str]) -> None:
    assert [text for _, text in read(response)] == texts


def test_a_title_above_a_heading_begins_nothing_below_it() -> None:
    assert read("1. Parts:\nImplications:\n   - one") == [
        ("claim", "Parts:"),
        ("implication", "one"),
    ]


@given(st.text(alphabet="1.-*#: \n`aI\ud800\t", max_size=200))
def test_any_answer_gives_claims_that_can_be_written(response: str) -> None:
    for kind, text in read(response + "\nImplications:\n1. end"):
        assert kind in {CLAIM, IMPLICATION}
        assert text.strip()
        assert text.encode()


@pytest.mark.parametrize(
    "line", [" " * 500_000, "1." + " " * 500_000, "- a" * 200_000, "*" * 500_000]
)
def test_long_lines_are_read(line: str) -> None:
    assert read(f"1. before\n\n{line}\n\n2. after")[-1] == ("claim", "after")


def test_many_lines_are_read() -> None:
    many = "".join(f"   - {number}\n" for number in range(50_000))
    assert len(read("1. Parts:\n" + many)) == MAX_CLAIMS_OF_RESPONSE
    assert read("1. Parts:\n" + "   - one\n" * 50_000) == [("claim", "Parts: one")]
    assert len(read("1. one\n" + "more\n" * 100_000)) == 1


@pytest.mark.parametrize(
    ("file", "key", "responses"),
    [
        ("code_change_summ_finetune_impl/gpt-4o.jsonl", "response", 188),
        ("GPT_code_change_summ_labels_with_impl/gpt-4-0613.jsonl", "change_summary", 500),
    ],
)
def test_every_answer_of_the_release_has_both_kinds(
    study_dir: Path, file: str, key: str, responses: int
) -> None:
    path = study_dir / "experiments" / file
    if not path.is_file():
        pytest.skip(f"{path} is not there")
    answers = [json.loads(line)[key] for line in path.read_text(encoding="utf-8").splitlines()]
    kinds = [{kind for kind, _ in read(answer)} for answer in answers]
    assert kinds == [{"claim", "implication"}] * responses
