"""Files with claims about many changes."""

import codecs
import json
from pathlib import Path

import pytest

from crscore_core.claims import Claim, ClaimKind, ClaimSet
from crscore_core.datasets.study.corpus import read_claims_of_changes, squeezed
from crscore_core.errors import ClaimsError, InputError

DIFF = "@@ -1 +1 @@\n-old\n+\tnew, it"
CLAIM, IMPLICATION = ClaimKind.CLAIM, ClaimKind.IMPLICATION


def read(folder: Path, content: bytes | str) -> dict[str, ClaimSet]:
    path = folder / "my.claims.jsonl"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return read_claims_of_changes(path)


def line(**fields: object) -> str:
    return json.dumps({"diff": DIFF, "claims": ["one"], **fields})


def claims(known: dict[str, ClaimSet], diff: str = DIFF) -> tuple[Claim, ...]:
    claim_set = known.get(squeezed(diff))
    return claim_set.claims if claim_set else ()


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        (
            {"patch": DIFF, "claims": ["one", {"text": "two ", "kind": "implication", "line": 3}]},
            (Claim("one", CLAIM, "given"), Claim("two", IMPLICATION, "given", None, 3)),
        ),
        *(
            (
                {"code_change": DIFF, key: "1. one\n\nImplications:\n1. two"},
                (Claim("one", CLAIM, "my.claims"), Claim("two", IMPLICATION, "my.claims")),
            )
            for key in ("response", "change_summary")
        ),
    ],
)
def test_claims_are_a_list_or_an_answer(
    tmp_path: Path, fields: dict[str, object], expected: tuple[Claim, ...]
) -> None:
    known = read(tmp_path, json.dumps(fields))
    assert claims(known) == expected
    for blanks in (DIFF.replace("\t", "    "), DIFF.replace("\n", "\r\n") + "\n"):
        assert claims(known, blanks) == expected
    assert claims(known, DIFF.replace("new", "other")) == claims(known, "") == ()


@pytest.mark.parametrize(
    ("content", "texts"),
    [
        (line() + "\n", ["one"]),
        (line() + "\r\n\r\n  \t\r\n", ["one"]),
        ("\n\n" + line(), ["one"]),
        (codecs.BOM_UTF8 + line().encode(), ["one"]),
        (codecs.BOM_UTF16_LE + (line() + "\n").encode("utf-16-le"), ["one"]),
        (line() + "\n" + line(diff=" " + DIFF, claims=["not the first"]), ["one"]),
        (line(claims=["one"], response="1. not this"), ["one"]),
        (line(id=5, claims=["one"], warnings=None, code_change=3, x=float("nan")), ["one"]),
        (line(claims=["a\u2028b"]).replace("\\u2028", "\u2028"), ["a\u2028b"]),
        (line(claims=["half \ud800 a pair"]), ["half \ufffd a pair"]),
        (line(claims=None, response="1. half \ud800 a pair"), ["half \ufffd a pair"]),
        *((empty, []) for empty in ("", "\n\n", codecs.BOM_UTF8, line(claims=[]))),
        *((line(claims=None, response=response), []) for response in ("no list", None)),
    ],
)
def test_lines_in_many_forms(tmp_path: Path, content: bytes | str, texts: list[str]) -> None:
    assert [claim.text for claim in claims(read(tmp_path, content))] == texts


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ("prose", "it is no valid JSON; a file"),
        ("[" * 200_000, "it is no valid JSON"),
        ('{"diff": ' + "9" * 5000 + "}", "it is no valid JSON"),
        (line()[:-1], "it is no valid JSON"),
        ("[]", "it is no JSON object"),
        ("null", "it is no JSON object"),
        ("{}", "it has no text under diff or code_change or patch"),
        (line(diff=5), "it has no text under diff"),
        (json.dumps({"diff": DIFF}), "no list under claims, and no text under response"),
        (line(claims="one"), "no list under claims"),
        (line(claims={"text": "one"}), "no list under claims"),
        (line(claims=None, response=["one"]), "no list under claims"),
        (line(claims=["one", 5]), "given claim 2 is neither"),
        (line(claims=[{"text": "x", "kind": "smell"}]), "given claim 1 has a kind"),
    ],
)
def test_a_bad_line_is_named_by_file_and_number(tmp_path: Path, bad: str, message: str) -> None:
    with pytest.raises(ClaimsError) as caught:
        read(tmp_path, f"{line()}\n\n{bad}\n{line()}")
    assert str(caught.value).startswith(
        f"claims file {str(tmp_path / 'my.claims.jsonl')!r}, line 3: {message}"
    )
    assert len(str(caught.value)) < 400


def test_a_file_that_cannot_be_read_is_one_error(tmp_path: Path) -> None:
    for content in (b"\xff\xfe\xff", b"{\x80}", line().encode("utf-16-le")[:-1]):
        with pytest.raises(InputError, match=r"my\.claims\.jsonl', line 1: "):
            read(tmp_path, content)
    for path in (tmp_path / "missing", tmp_path, tmp_path / ("x" * 300)):
        with pytest.raises(ClaimsError, match="cannot be read"):
            read_claims_of_changes(path)
