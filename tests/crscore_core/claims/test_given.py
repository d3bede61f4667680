"""Claims given in a file or an argument."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from crscore_core.change import parse_change
from crscore_core.claims import (
    Claim,
    ClaimKind,
    ClaimSet,
    claim_generator,
    claims_of_items,
    parse_claims,
)
from crscore_core.errors import ClaimsError
from crscore_core.scoring.documents import claims_document
from tests.crscore_core.changes import PYTHON

CHANGE = parse_change(PYTHON)


def claims_of(text: str) -> tuple[Claim, ...]:
    return parse_claims(text).generate(CHANGE).claims


@pytest.mark.parametrize(
    ("text", "texts"),
    [
        ("one\ntwo\n\n  three  \n", ["one", "two", "three"]),
        ('["one", "two"]', ["one", "two"]),
        ('[{"text": "one"}, "two"]', ["one", "two"]),
        ('{"claims": ["one"], "warnings": []}', ["one"]),
        ("1. a [link] in a line", ["1. a [link] in a line"]),
        ("[perf] a loop is removed", ["[perf] a loop is removed"]),
        ('["half \\ud800 a pair"]', ["half \ufffd a pair"]),
    ],
)
def test_claims_are_lines_or_json(text: str, texts: list[str]) -> None:
    assert [claim.text for claim in claims_of(text)] == texts


def test_json_keeps_kind_place_and_wordings() -> None:
    expected = Claim(
        "it fails", ClaimKind.IMPLICATION, "given", "a.py", 3, ("it breaks", "oh \ufffd")
    )
    document = claims_document(ClaimSet((expected,)))
    assert claims_of(json.dumps(document)) == (expected,)
    document["claims"][0]["wordings"] = [" it breaks ", "oh \ud800"]
    assert claims_of(json.dumps(document)) == (expected,)
    document["claims"][0]["wordings"] = None
    assert claims_of(json.dumps(document)) == (replace(expected, wordings=()),)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "empty"),
        ("\n \n", "empty"),
        ("[]", "empty"),
        ("[1]", "claim 1 is neither"),
        ('["ok", ""]', "claim 2 has no text"),
        ('[{"text": 5}]', "claim 1 has no text"),
        ('[{"text": "x", "kind": "smell"}]', "claim 1 has a kind that is neither `claim` nor"),
        ('[{"text": "x", "line": "3"}]', "given claim 1 has a line"),
        ('[{"text": "x", "line": true}]', "given claim 1 has a line"),
        ('[{"text": "x", "line": 0}]', "given claim 1 has a line"),
        (f'[{{"text": "x", "line": {10**30}}}]', "given claim 1 has a line"),
        ('[{"text": "x", "path": 3}]', "given claim 1 has a path"),
        ('[{"text": "x", "wordings": "y"}]', "given claim 1 has wordings that are not a list"),
        (json.dumps([{"text": "x", "wordings": ["y"] * 9}]), "at most 8 strings"),
        ('[{"text": "x", "wordings": ["y", 3]}]', "given claim 1 has an empty wording"),
        ('[{"text": "x", "wordings": [" "]}]', "given claim 1 has an empty wording"),
        ('["broken', "not valid JSON"),
        ("[" * 200_000, "not valid JSON"),
        ('{"other": []}', "must be a list"),
        ('{"claims": "text"}', "must be a list"),
    ],
)
def test_invalid_claims_are_rejected(text: str, message: str) -> None:
    with pytest.raises(ClaimsError, match=message):
        parse_claims(text)


def test_a_backend_is_a_name_or_a_file(tmp_path: Path) -> None:
    file = tmp_path / "claims.json"
    file.write_text(json.dumps(["from a file"]), encoding="utf-8")
    assert claim_generator(str(file)).generate(CHANGE).claims[0].text == "from a file"
    assert claim_generator("symbolic").name == "symbolic"
    assert claim_generator().generate(CHANGE).claims
    with pytest.raises(ClaimsError, match="no claims backend or file"):
        claim_generator("nothing-of-the-kind")
    for content, message in ((b"\xff\xfe\xff", "cannot be read"), (b"x" * 10_000_001, "is larger")):
        file.write_bytes(content)
        with pytest.raises(ClaimsError, match=message):
            claim_generator(str(file))


def test_given_claims_have_distinct_names() -> None:
    assert parse_claims("one").name != parse_claims("two").name
    assert parse_claims("one").name == parse_claims('["one"]').name
    assert parse_claims('[{"text": "one", "wordings": ["two"]}]').name not in {
        parse_claims("one").name, parse_claims("one\ntwo").name,
    }  # fmt: skip


def test_errors_name_the_position_of_an_item() -> None:
    assert claims_of_items([]) == ()
    assert [claim.text for claim in claims_of_items(["one", {"text": " two "}])] == ["one", "two"]
    with pytest.raises(ClaimsError, match=r"^given claim 2 has no text$"):
        claims_of_items(["one", " "])
    with pytest.raises(ClaimsError, match=r"^a\.jsonl, line 3: given claim 1 is neither"):
        claims_of_items([None], "a.jsonl, line 3")
