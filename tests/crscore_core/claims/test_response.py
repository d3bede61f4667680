"""Answers of language models in various formats."""

from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from crscore_core.claims import PseudoReference, ReferenceKind, parse_response
from crscore_core.claims.response import MAX_CLAIMS_OF_A_KIND
from tests.cases import cases

WORDS = st.text(alphabet="abcdeXYZ_`(),'0123456789", min_size=1, max_size=12).filter(
    lambda word: any(map(str.isalpha, word)) and "__" not in word
)
SENTENCES = st.lists(WORDS, min_size=3, max_size=12).map(lambda words: " ".join(words) + ".")
TEXTS = st.lists(SENTENCES, max_size=12, unique_by=str.casefold)


def read(response: str) -> list[tuple[str, str]]:
    return [(claim.kind.value, claim.text) for claim in parse_response(response, "model").claims]


@pytest.mark.parametrize(
    ("name", "response", "claims"), cases(Path(__file__).with_name("responses.txt"))
)
def test_claims_of_a_response(name: str, response: str, claims: str) -> None:
    found = parse_response(response.removesuffix("\n"), "model", is_complete=name != "cut off")
    assert "\n".join(f"{claim.kind.value}: {claim.text}" for claim in found.claims) == claims
    assert bool(found.warnings) == name.endswith("warned")


@pytest.mark.parametrize(("first", "second"), [
    ("Summary of changes", "Implications"), ("What changed", "**Implications:**"),
    ("1. Summary of changes:", "2. **Implications**"), ("## Overview", "### 2. Implications"),
    ("**1. Summary of Changes**", "**Implications**:"), ("Changes made:", "_Implications_"),
    ("Here is a summary of the changes:", "#### **Implications of the Changes**"),
    ("Summary of changes and implications", "The implications of this change are as follows:"),
    ("# Overview of the Changes & Their Impact", "High-Level Implications"),
    ("SUMMARY OF CHANGES:", "IMPLICATIONS"), ("Low-level changes:", "- Implications:"),
    ("Summary", "implications:"), ("Changes:", "Likely consequences and effects:"),
])  # fmt: skip
def test_spellings_of_headings(first: str, second: str) -> None:
    response = f"1. A draft.\n{first}\n1. A check is added.\n\n{second}\n\n1. Fewer crashes."
    assert read(response) == [("claim", "A check is added."), ("implication", "Fewer crashes.")]


def test_the_first_claims_of_each_kind_are_kept() -> None:
    claims = "".join(f"1. claim {number}\n" for number in range(99))
    found = parse_response(f"{claims}Implications:\n1. effect", "model")
    texts = [claim.text for claim in found.claims]
    most = MAX_CLAIMS_OF_A_KIND
    assert texts == [*(f"claim {number}" for number in range(most)), "effect"]
    assert len(found.warnings) == 1
    assert str(99 - most) in found.warnings[0]


@given(TEXTS, TEXTS, st.sampled_from(["{}.", "{})", "-", "*", "**{}.**", "[{}]"]), st.booleans())
def test_formatted_lists_are_parsed_back(
    claims: list[str], implications: list[str], mark: str, is_spaced: bool
) -> None:
    parts = []
    for heading, texts in (("Summary of changes:", claims), ("Implications:", implications)):
        lines = [f"{mark.format(number)} {text}" for number, text in enumerate(texts, start=1)]
        parts += [heading, "\n".join(lines)]
    response = ("\n\n" if is_spaced else "\n").join(parts)
    expected = [*(("claim", text) for text in claims), *(("implication", x) for x in implications)]
    for is_complete in (True, False):
        found = parse_response(response, "model", is_complete=is_complete).claims
        assert [(claim.kind.value, claim.text) for claim in found] == expected


@given(st.text(alphabet="1.-*#: \n`aI_<>()S!\ud800\t", max_size=300))
@example("- 1\n:")
def test_any_answer_has_valid_claims_and_cutting_it_adds_none(response: str) -> None:
    whole = {text for _, text in read(response)}
    assert all(text.strip() and text.encode() for text in whole)
    for claim in parse_response(response, "model", is_complete=False).claims:
        assert any(text.startswith(claim.text) for text in whole)


@pytest.mark.parametrize("line", [
    " " * 500_000, "- a" * 200_000, "*" * 500_000, "1. " * 300_000, "1. " + "**a " * 200_000,
    "1. " + "`a " * 200_000, "1. " + " __a" * 200_000, "1. " + "a. " * 200_000,
    "1. a" + ".))" * 200_000, "Implications" + " " * 500_000 + "x:", "**" * 300_000 + "a",
])  # fmt: skip
def test_long_lines_are_read(line: str) -> None:
    assert read(f"1. before\n\n{line}\n\n2. after")[-1] == ("claim", "after")


def test_many_lines_are_read() -> None:
    many = "".join(f"   - {number}\n" for number in range(10_000))
    assert len(read("1. Parts:\n" + many)) == MAX_CLAIMS_OF_A_KIND
    assert read("Implications:\n" * 20_000 + "1. one") == [("implication", "one")]
    assert read("```\n" * 20_000 + "1. one") == [("claim", "one")]


@pytest.mark.parametrize(("text", "end"), [
    ("word " * 5000, " word …"), ("x" * 5000, "xx …"), ("x" * 1000, "xxx"),
])  # fmt: skip
def test_an_endless_claim_is_cut(text: str, end: str) -> None:
    (claim,) = parse_response(f"1. {text}", "scripted").claims
    assert claim == PseudoReference(claim.text, ReferenceKind.CLAIM, "scripted")
    assert 990 < len(claim.text) <= 1000
    assert claim.text.endswith(end)
