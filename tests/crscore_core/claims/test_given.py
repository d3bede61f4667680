"""Backends by name, and claims given in a file or an argument."""

import json
import re
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from crscore_core.change import parse_change
from crscore_core.claims import (
    GivenClaims,
    ModelOptions,
    PseudoReference,
    ReferenceKind,
    claim_backend,
    claims_from_items,
    language_model,
    parse_given_claims,
)
from crscore_core.errors import InputError
from tests.cases import cases
from tests.crscore_core.changes import PYTHON

CHANGE = parse_change(PYTHON)


@pytest.mark.parametrize(("name", "text", "expected"), cases(Path(__file__).with_name("given.txt")))
def test_claims_are_lines_or_json(name: str, text: str, expected: str) -> None:
    if name == "claims":
        assert [claim.text for claim in parse_given_claims(text)] == expected.splitlines()
    else:
        with pytest.raises(InputError, match=re.escape(expected)):
            GivenClaims(parse_given_claims(text))


def test_json_keeps_kind_place_and_wordings() -> None:
    expected = PseudoReference(
        "it fails", ReferenceKind.IMPLICATION, "given", "a.py", 3, ("it breaks", "oh")
    )
    document = {"claims": [asdict(expected)]}
    assert parse_given_claims(json.dumps(document)) == (expected,)
    document["claims"][0]["wordings"] = [" it breaks ", "oh "]
    assert parse_given_claims(json.dumps(document)) == (expected,)
    document["claims"][0]["wordings"] = None
    assert parse_given_claims(json.dumps(document)) == (replace(expected, wordings=()),)


@pytest.mark.parametrize("text", ["[" * 200_000, f"[{'[],' * 200_000}[]]", "a claim\n" * 200_001])
def test_deep_json_and_too_many_claims_are_rejected(text: str) -> None:
    with pytest.raises(InputError):
        parse_given_claims(text)


def test_a_backend_is_a_name_or_a_file(tmp_path: Path) -> None:
    file = tmp_path / "claims.json"
    file.write_text(json.dumps(["from a file"]), encoding="utf-8")
    assert claim_backend(str(file)).generate(CHANGE).claims[0].text == "from a file"
    assert claim_backend().name == claim_backend("symbolic").name == "symbolic"
    with pytest.raises(InputError, match="nothing-of-the-kind"):
        claim_backend("nothing-of-the-kind")
    damaged = {b"\xff\xfe\xff": "claims.json", b"{damaged": "not valid JSON"}
    for content, message in (damaged | {b"x" * 10_000_001: "is larger"}).items():
        file.write_bytes(content)
        with pytest.raises(InputError, match=message):
            claim_backend(str(file))


def test_a_file_is_text_json_or_json_lines(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("one\ntwo", encoding="utf-8")
    claims = claim_backend(str(tmp_path / "a.txt")).generate(CHANGE).claims
    assert [claim.text for claim in claims] == ["one", "two"]
    for name in ("a.csv", "a.jsonl"):
        (tmp_path / name).write_text("text,kind\none,claim\n", encoding="utf-8")
        with pytest.raises(InputError, match=f"{name}' is a table; give text .*, or JSON"):
            claim_backend(str(tmp_path / name))


def test_only_a_pseudo_reference_has_a_source_of_its_own() -> None:
    own = PseudoReference("it fails", ReferenceKind.CLAIM, "Ann")
    items = [own, replace(own, source="given"), {"text": "it fails", "source": "symbolic"}, "x"]
    assert claims_from_items(items)[:2] == (own, PseudoReference("it fails", ReferenceKind.CLAIM))
    assert [claim.source for claim in claims_from_items(items)] == ["Ann", *["given"] * 3]


def test_errors_name_the_position_of_an_item() -> None:
    assert [claim.text for claim in claims_from_items(["one", {"text": " two "}])] == ["one", "two"]
    with pytest.raises(InputError, match=r"^a\.jsonl, line 3: given claim 1"):
        claims_from_items([None], "a.jsonl, line 3")


@pytest.mark.parametrize(("name", "options", "label"), [
    ("symbolic", ModelOptions(model="m"), "model"),
    ("symbolic", ModelOptions(base_url="http://h"), "base-url"),
    ("magicoder", ModelOptions(api_key="a-key"), "api-key"),
    ("endpoint", ModelOptions(device="cuda"), "device"),
])  # fmt: skip
def test_an_unsupported_option_is_rejected(name: str, options: ModelOptions, label: str) -> None:
    with pytest.raises(InputError, match=f"^{label} does not apply to claims '{name}'$"):
        claim_backend(name, options)


def test_only_some_backends_have_a_language_model() -> None:
    assert "m" in language_model("endpoint", ModelOptions(base_url="http://h", model="m")).name
    for name in ("symbolic", "nothing"):
        with pytest.raises(InputError, match="magicoder or endpoint"):
            language_model(name)
