"""Claims given in a file or an argument."""

import json
import re
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, Literal

import pydantic
from pydantic import BaseModel, BeforeValidator, Field, StringConstraints, TypeAdapter

from crscore_core.change import CodeChange
from crscore_core.claims.claim import GIVEN, ClaimSet, PseudoReference, ReferenceKind
from crscore_core.errors import InputError, quoted
from crscore_core.text import decode_file, read_at_most

_MAX_CLAIMS = 10_000
_TABLES = {".csv", ".tsv", ".xls", ".xlsx", ".parquet", ".jsonl"}
# Start of JSON, as opposed to prose such as `[1] A loop is removed` or `{"a"} is added`.
_JSON = re.compile(r"""\s*(?:\[\s*(?:["{\[\]]|$)|\[[\d\s.,-]*\]\s*$|\{\s*(?:}|"[^"\n]*"\s*:))""")
_HEADING = re.compile(r"#{1,6} ")
_ITEM = re.compile(r"^(?:[-*+•]|\(?\d{1,3}[.)]|(?i:claim) \d{1,3}:)\s+(?=\S)")
_Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]


class _GivenClaim(BaseModel, strict=True):
    text: _Text
    kind: Literal["claim", "implication"] = "claim"
    source: _Text = GIVEN
    path: Annotated[str, StringConstraints(strip_whitespace=True)] | None = None
    line: Annotated[int, Field(ge=1, le=10**9)] | None = None
    wordings: Annotated[
        tuple[_Text, ...],
        Field(max_length=8, strict=False),
        BeforeValidator(lambda listed: () if listed is None else listed),
    ] = ()


def _fields(item: object) -> object:
    """Return the fields of a claim; only a `PseudoReference` has its own source."""
    if isinstance(item, PseudoReference):
        return asdict(item)
    item = {"text": item} if isinstance(item, str) else item
    return {**item, "source": GIVEN} if isinstance(item, dict) else item


_ITEMS = TypeAdapter(list[Annotated[_GivenClaim, BeforeValidator(_fields)]])


class GivenClaims:
    """A backend that returns the given claims for any change; its default name is `given`."""

    def __init__(
        self, claims: Sequence[PseudoReference], name: str = "", warnings: tuple[str, ...] = ()
    ) -> None:
        if not claims and not name:
            raise InputError("the list of claims is empty", "give at least one")
        self.name = name or GIVEN
        self._claims = ClaimSet(tuple(claims), warnings)

    def generate(self, change: CodeChange) -> ClaimSet:  # noqa: ARG002 - the claims are fixed
        """Return the given claims."""
        return self._claims


def read_given_claims(path: Path) -> GivenClaims:
    """Read claims from a text or JSON file; see `parse_given_claims`.

    Raises:
        InputError: the file cannot be read, is a table, exceeds 10 MB, or contains no claims.
    """
    name = f"claims file {str(path)!r}"
    if path.suffix.lower() in _TABLES:
        raise InputError(f"{name} is a table", "give text with one claim per line, or JSON")
    try:
        text = decode_file(read_at_most(path), "the text")
        return GivenClaims(parse_given_claims(text, is_json=path.suffix.lower() == ".json"))
    except OSError as error:
        raise InputError(f"{name} cannot be read: {error.strerror}") from error
    except InputError as error:
        raise error.within(name) from error


def parse_given_claims(text: str, *, is_json: bool = False) -> tuple[PseudoReference, ...]:
    """Parse claims, one per line or as JSON; `is_json` requires JSON.

    JSON is a list, or an object with the list under `claims`, as printed by `crscore claims
    --json`. Its items are strings, or objects with `text` and optionally `kind`, `path`, `line`
    and `wordings`, a list of at most 8 strings.

    Raises:
        InputError: the text is too long or invalid JSON, or an item is not a claim.
    """
    if not (is_json or _JSON.match(text)):
        lines = [line.strip() for line in text.split("\n") if line.strip()]
        if heading := next(filter(_HEADING.match, lines), ""):
            raise InputError(f"the heading {quoted(heading)} is not a claim", "give only claims")
        if all(map(_ITEM.match, lines)):
            lines = [_ITEM.sub("", line) for line in lines]
        return claims_from_items(lines)
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"the given claims are not valid JSON: {error}") from error
    items = data.get("claims") if isinstance(data, dict) else data
    if not isinstance(items, list):
        raise InputError("the given claims must be a list, at the top level or under `claims`")
    return claims_from_items(items)


def claims_from_items(items: Sequence[Any], where: str = "") -> tuple[PseudoReference, ...]:
    """Make claims from strings, `PseudoReference`s, or objects as in `parse_given_claims`.

    `where` is the place that error messages name.

    Raises:
        InputError: an item is not a claim, or there are more than 10,000.
    """
    if len(items) > _MAX_CLAIMS:
        problem = f"more than {_MAX_CLAIMS:,} claims"
        raise InputError(problem, "give the claims of one change", where)
    try:
        claims = _ITEMS.validate_python(list(items))
    except pydantic.ValidationError as error:
        first = error.errors()[0]
        index, *fields = first["loc"]
        problem = first["msg"].lower() if fields else "it must be a string or have `text`"
        problem = ": ".join(map(str, (int(index) + 1, *fields, problem)))
        raise InputError(f"given claim {problem}", place=where) from error
    given = ({**dict(claim), "kind": ReferenceKind(claim.kind)} for claim in claims)
    return tuple(PseudoReference(**fields) for fields in given)
