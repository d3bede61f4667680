"""Files with claims about many changes."""

import codecs
import json
from pathlib import Path

import pytest

from crscore_core.claims import Claim, ClaimKind
from crscore_core.datasets.study.claims_file import ClaimsOfChanges, read_claims_of_changes
from crscore_core.errors import ClaimsError

DIFF = "@@ -1 +1 @@\n-old\n+\tnew, it"
CLAIM, IMPLICATION = ClaimKind.CLAIM, ClaimKind.IMPLICATION


def read(folder: Path, content: bytes | str) -> ClaimsOfChanges:
    path = folder / "my.claims.jsonl"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return read_claims_of_changes(path)


def line(**fields: object) -> str:
    return json.dumps({"diff": DIFF, "claims": ["one"], **fields})


def texts(known: ClaimsOfChanges, diff: str = DIFF) -> list[str]:
    found = known.of(diff)
    return [claim.text for claim in found.claims] if found else []


def test_claims_are_strings_or_objects(tmp_path: Path) -> None:
    item = {"text": "two ", "kind": "implication", "path": "a.py", "line": 3}
    known = read(tmp_path, line(claims=["one", item]))
    assert known.name == str(tmp_path / "my.claims.jsonl")
    found = known.of(DIFF)
    assert found
    assert found.claims == (
        Claim("one", CLAIM, "given"),
        Claim("two", IMPLICATION, "given", "a.py", 3),
    )


@pytest.mark.parametrize("key", ["response", "change_summary"])
def test_claims_are_what_a_model_answered(tmp_path: Path, key: str) -> None:
    answer = "1. one\n\nImplications:\n1. two"
    known = read(tmp_path, json.dumps({"code_change": DIFF, key: answer}))
    found = known.of(DIFF)
    assert found
    assert found.claims == (
        Claim("one", CLAIM, "my.claims"),
        Claim("two", IMPLICATION, "my.claims"),
    )


@pytest.mark.parametrize("key", ["diff", "code_change", "patch"])
def test_the_diff_has_several_names(tmp_path: Path, key: str) -> None:
    assert texts(read(tmp_path, json.dumps({key: DIFF, "claims": ["one"]}))) == ["one"]


def test_diffs_are_the_same_whatever_their_blanks(tmp_path: Path) -> None:
    known = read(tmp_path, line())
    assert texts(known, DIFF.replace("\t", "    ").replace("\n", "\r\n") + "\n") == ["one"]
    assert texts(known, DIFF.replace("new", "other")) == []
    assert texts(known, "") == []


@pytest.mark.parametrize(
    "content",
    [
        line() + "\n",
        line() + "\r\n\r\n  \t\r\n",
        "\n\n" + line(),
        codecs.BOM_UTF8 + line().encode(),
        codecs.BOM_UTF16_LE + (line() + "\n").encode("utf-16-le"),
        line() + "\n" + line(claims=["not the first"]),
        line() + "\n" + line(diff=" " + DIFF, claims=["not the first"]),
        line(claims=["one"], response="1. not this"),
        line(id=5, claims=["one"], warnings=None, code_change=3),
        '{"diff": ' + json.dumps(DIFF) + ', "claims": ["one"], "x": NaN}',
    ],
)
def test_lines_in_many_forms(tmp_path: Path, content: bytes | str) -> None:
    assert texts(read(tmp_path, content)) == ["one"]


@pytest.mark.parametrize(
    "content",
    ["", "\n\n", codecs.BOM_UTF8, line(claims=[]), line(claims=None, response="no list")],
)
def test_where_nothing_is_said_nothing_is_known(tmp_path: Path, content: bytes | str) -> None:
    assert texts(read(tmp_path, content)) == []


def test_separators_inside_texts_end_no_line(tmp_path: Path) -> None:
    separators = json.dumps({"diff": DIFF, "claims": ["a\u2028b\u0085c"]}, ensure_ascii=False)
    assert texts(read(tmp_path, separators)) == ["a\u2028b\u0085c"]


def test_half_a_surrogate_pair_can_be_written_afterwards(tmp_path: Path) -> None:
    halves = line(claims=["half \ud800 a pair"], diff=DIFF + "\udfff")
    assert texts(read(tmp_path, halves), DIFF + "\udfff") == ["half \ufffd a pair"]
    answered = json.dumps({"diff": DIFF, "response": "1. half \ud800 a pair"})
    assert texts(read(tmp_path, answered)) == ["half \ufffd a pair"]


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ("prose", "it is no valid JSON; a file"),
        ("[" * 200_000, "it is no valid JSON"),
        ('{"diff": ' + "9" * 5000 + "}", "it is no valid JSON"),
        (line()[:-1], "it is no valid JSON"),
        ("{", "it is no valid JSON"),
        ("[]", "it is no JSON object"),
        ("5", "it is no JSON object"),
        ("null", "it is no JSON object"),
        ('"text"', "it is no JSON object"),
        ("{}", "it has no text under diff or code_change or patch"),
        (line(diff=5), "it has no text under diff"),
        (json.dumps({"diff": DIFF}), "no list under claims, and no text under response"),
        (line(claims="one"), "no list under claims"),
        (line(claims={"text": "one"}), "no list under claims"),
        (line(claims=None, response=["one"]), "no list under claims"),
        (line(claims=["one", 5]), "given claim 2 is neither"),
        (line(claims=[""]), "given claim 1 has no text"),
        (line(claims=[{"text": "x", "kind": "smell"}]), "given claim 1 has a kind"),
        (line(claims=[{"text": "x", "kind": []}]), "given claim 1 has a kind"),
        (line(claims=[{"text": "x", "line": 1.5}]), "given claim 1 has a line"),
    ],
)
def test_what_is_no_claims_is_named_by_file_and_line(
    tmp_path: Path, bad: str, message: str
) -> None:
    with pytest.raises(ClaimsError) as caught:
        read(tmp_path, f"{line()}\n\n{bad}\n{line()}")
    assert str(caught.value).startswith(
        f"claims file {str(tmp_path / 'my.claims.jsonl')!r}, line 3: {message}"
    )
    assert len(str(caught.value)) < 400


def test_one_json_document_over_many_lines_is_explained(tmp_path: Path) -> None:
    with pytest.raises(ClaimsError, match=r"line 1: it is no valid .* one JSON object a line"):
        read(tmp_path, json.dumps([{"diff": DIFF, "claims": ["one"]}], indent=1))


@pytest.mark.parametrize("content", [b"\xff\xfe\xff", b"{\x80}", line().encode("utf-16-le")[:-1]])
def test_what_is_no_text_is_one_error(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(ClaimsError, match=r"my\.claims\.jsonl"):
        read(tmp_path, content)


def test_what_is_no_file_is_one_error(tmp_path: Path) -> None:
    for path in (tmp_path / "missing", tmp_path, tmp_path / ("x" * 300)):
        with pytest.raises(ClaimsError, match="cannot be read"):
            read_claims_of_changes(path)
