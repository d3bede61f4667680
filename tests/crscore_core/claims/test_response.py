"""Answers of language models in various formats."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crscore_core.claims import PseudoReference, ReferenceKind, parse_response
from crscore_core.claims.response import MAX_CLAIMS_OF_A_KIND
from tests.cases import cases

CLAIM, IMPLICATION = ReferenceKind.CLAIM, ReferenceKind.IMPLICATION


def read(response: str) -> list[tuple[str, str]]:
    return [(claim.kind.value, claim.text) for claim in parse_response(response, "model").claims]


BOTH = [("claim", "A check is added."), ("implication", "Fewer crashes.")]


@pytest.mark.parametrize(
    ("name", "response", "claims"), cases(Path(__file__).with_name("responses.txt"))
)
def test_claims_of_a_response(name: str, response: str, claims: str) -> None:
    found = parse_response(response.removesuffix("\n"), "model", is_complete=name != "cut off")
    assert "\n".join(f"{claim.kind.value}: {claim.text}" for claim in found.claims) == claims
    assert bool(found.warnings) == name.endswith("warned")


@pytest.mark.parametrize(
    "heading",
    [
        "Implications", "Implications:", "**Implications:**", "**Implications**:", "# Implications",
        "2. Implications:", "2. **Implications**", "**2. Implications:**", "### 2. Implications",
        "#### **Implications of the Changes**", "Implications of these code changes:",
        "Potential impacts", "Possible Implications:", "Impact:", "High-Level Implications",
        "The implications of this change are as follows:", "Likely consequences and effects:",
        "IMPLICATIONS", "_Implications_", "- Implications:", "implications:", "Key impacts:",
    ],
)  # fmt: skip
def test_spellings_of_the_second_heading(heading: str) -> None:
    response = f"Summary of changes:\n1. A check is added.\n\n{heading}\n\n1. Fewer crashes."
    assert read(response) == BOTH


@pytest.mark.parametrize(
    "heading",
    [
        "Summary of changes", "1. Summary of changes:", "**1. Summary of Changes**", "## Overview",
        "Summary of the code changes:", "Changes made:", "What changed", "Low-level changes:",
        "Here is a summary of the changes:", "Summary of changes and implications",
        "# Overview of the Changes & Their Impact", "SUMMARY OF CHANGES:",
    ],
)  # fmt: skip
def test_spellings_of_the_first_heading(heading: str) -> None:
    response = f"1. A draft.\n{heading}\n1. A check is added.\nImplications:\n1. Fewer crashes."
    assert read(response) == BOTH


def test_the_first_claims_of_each_kind_are_kept() -> None:
    claims = "".join(f"1. claim {number}\n" for number in range(99))
    found = parse_response(f"{claims}Implications:\n1. effect", "model")
    texts = [claim.text for claim in found.claims]
    most = MAX_CLAIMS_OF_A_KIND
    assert texts == [*(f"claim {number}" for number in range(most)), "effect"]
    assert len(found.warnings) == 1
    assert str(99 - most) in found.warnings[0]


WORDS = st.text(alphabet="abcdeXYZ_`(),'0123456789", min_size=1, max_size=12).filter(
    lambda word: any(map(str.isalpha, word)) and "__" not in word
)
TEXTS = st.lists(
    st.lists(WORDS, min_size=3, max_size=12).map(lambda words: " ".join(words) + "."),
    max_size=12,
    unique_by=str.casefold,
)


@given(TEXTS, TEXTS, st.sampled_from(["{}.", "{})", "-", "*", "**{}.**", "  {}."]), st.booleans())
def test_formatted_lists_are_parsed_back(
    claims: list[str], implications: list[str], mark: str, is_spaced: bool
) -> None:
    def listed(texts: list[str]) -> str:
        lines = [f"{mark.format(number)} {text}" for number, text in enumerate(texts, start=1)]
        return "\n".join(lines)

    blank = "\n\n" if is_spaced else "\n"
    response = blank.join(["Summary of changes:", listed(claims), "Implications:",
                           listed(implications)])  # fmt: skip
    expected = [("claim", text) for text in claims] + [
        ("implication", text) for text in implications
    ]
    for is_complete in (True, False):
        found = parse_response(response, "model", is_complete=is_complete).claims
        assert [(claim.kind.value, claim.text) for claim in found] == expected


@given(st.text(alphabet="1.-*#: \n`aI_<>()S!", max_size=300), st.booleans())
def test_cutting_an_answer_adds_nothing(response: str, is_complete: bool) -> None:
    whole = {text for _, text in read(response)}
    for claim in parse_response(response, "model", is_complete=is_complete).claims:
        assert any(text.startswith(claim.text) for text in whole)


@given(st.text(alphabet="1.-*#: \n`aI\ud800\t", max_size=200))
def test_any_answer_yields_valid_claims(response: str) -> None:
    for kind, text in read(response + "\nImplications:\n1. end"):
        assert kind in {CLAIM, IMPLICATION}
        assert text.strip()
        assert text.encode()


@pytest.mark.parametrize(
    "line",
    [
        " " * 500_000, "1." + " " * 500_000, "- a" * 200_000, "*" * 500_000, "1. " * 300_000,
        "1. " + "**a " * 200_000, "1. " + "`a " * 200_000, "1. " + " __a" * 200_000,
        "1. " + " *a" * 200_000, "1. " + "a. " * 200_000, "1. a" + ".))" * 200_000,
        "Implications" + " " * 500_000 + "x:", "**" * 300_000 + "a", "#" * 500_000,
        "(" * 500_000, "1. **" + "a" * 500_000,
    ],
)  # fmt: skip
def test_long_lines_are_read(line: str) -> None:
    assert read(f"1. before\n\n{line}\n\n2. after")[-1] == ("claim", "after")


def test_many_lines_are_read() -> None:
    many = "".join(f"   - {number}\n" for number in range(10_000))
    assert len(read("1. Parts:\n" + many)) == MAX_CLAIMS_OF_A_KIND
    assert read("1. Parts:\n" + "   - one\n" * 10_000) == [("claim", "one")]
    assert len(read("1. one\n" + "more\n" * 20_000)) == 1
    assert read("Implications:\n" * 20_000 + "1. one") == [("implication", "one")]
    assert read("```\n" * 20_000 + "1. one") == [("claim", "one")]
    title = f"1. {'a' * 100_000}:\n"
    assert len(read(title + many)) == MAX_CLAIMS_OF_A_KIND


@pytest.mark.parametrize(
    ("text", "length", "end"),
    [("word " * 5000, 1000, " word …"), ("x" * 5000, 1000, "xx …"), ("x" * 1000, 1000, "xxx")],
)
def test_an_endless_claim_is_cut(text: str, length: int, end: str) -> None:
    (claim,) = parse_response(f"1. {text}", "scripted").claims
    assert claim == PseudoReference(claim.text, CLAIM, "scripted")
    assert length - 10 < len(claim.text) <= length
    assert claim.text.endswith(end)
