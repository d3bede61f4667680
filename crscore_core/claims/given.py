"""Claims given in a file or an argument."""

import hashlib
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from crscore_core.change import CodeChange
from crscore_core.claims.model import Claim, ClaimKind, ClaimSet
from crscore_core.errors import InputError
from crscore_core.text import decode, read_at_most, whole_text

_SOURCE = "given"
_MOST_WORDINGS = 8
_LAST_LINE = 1_000_000_000
_MOST_MARKS = 200_000
_JSON = re.compile(r"""\s*(?:\[\s*["{\[\]\d]|\{\s*["}])""")
"""Start of JSON, as opposed to prose such as `[perf] a loop is removed`."""


class GivenClaims:
    """A backend that returns the given claims for any change."""

    def __init__(self, claims: Sequence[Claim | str]) -> None:
        self._claims = tuple(
            claim if isinstance(claim, Claim) else Claim(claim, ClaimKind.CLAIM, _SOURCE)
            for claim in claims
        )
        if not self._claims:
            raise InputError("the given claims are empty; give at least one")
        texts = "\n".join("\t".join((claim.text, *claim.wordings)) for claim in self._claims)
        digest = hashlib.sha256(texts.encode("utf-8", "replace")).hexdigest()
        self.name = f"given-{digest[:12]}"

    def generate(self, change: CodeChange) -> ClaimSet:  # noqa: ARG002 - the claims are fixed
        """Return the given claims."""
        return ClaimSet(self._claims)


def read_claims(path: Path) -> GivenClaims:
    """Read claims from a file, in any format that `parse_claims` accepts.

    Raises:
        InputError: the file cannot be read, is larger than 10 MB, or contains no claims.
    """
    try:
        text = decode(read_at_most(path))
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise InputError(f"claims file {str(path)!r} cannot be read: {reason}") from error
    return parse_claims(text)


def parse_claims(text: str) -> GivenClaims:
    """Parse claims: one per line, or JSON.

    JSON is a list, or an object with the list under `claims`, as printed by `crscore claims
    --json`. Its items are strings, or objects with `text` and optionally `kind`, `path`, `line`
    and `wordings`.

    Raises:
        InputError: the text is empty, too long or invalid JSON, or an item is not a claim.
    """
    is_json = _JSON.match(text)
    lines = [] if is_json else text.splitlines()
    if max(len(lines), sum(map(text.count, ",[{")) if is_json else 0) > _MOST_MARKS:
        raise InputError("the given claims are too many; give those of one change")
    if not is_json:
        return GivenClaims([line.strip() for line in lines if line.strip()])
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"the given claims are not valid JSON: {error}") from error
    items = data.get("claims") if isinstance(data, dict) else data
    if not isinstance(items, list):
        raise InputError("the given claims must be a list, at the top level or under `claims`")
    return GivenClaims(claims_of_items(items))


def claims_of_items(items: Sequence[Any], where: str | None = None) -> tuple[Claim, ...]:
    """Return the claims of JSON values: strings, or objects with the fields of a claim.

    The fields are `text`, `kind`, `path`, `line` and `wordings`, a list of at most 8 strings; all
    except `text` are optional. Error messages start with `where`.

    Raises:
        InputError: an item is not a claim.
    """
    prefix = f"{where}: " if where else ""
    return tuple(_claim(item, f"{prefix}given claim {n}") for n, item in enumerate(items, start=1))


def _claim(item: Any, name: str) -> Claim:  # noqa: ANN401 - any JSON value
    fields = {"text": item} if isinstance(item, str) else item
    if not isinstance(fields, dict):
        raise InputError(f"{name} is neither a string nor an object with `text`")
    text, path, line = fields.get("text"), fields.get("path"), fields.get("line")
    kind, wordings = fields.get("kind", "claim"), fields.get("wordings")
    wordings = [] if wordings is None else wordings
    is_list = isinstance(wordings, list) and len(wordings) <= _MOST_WORDINGS
    faults = {
        "no text": not _is_text(text),
        "a path that is not a string": path is not None and not isinstance(path, str),
        f"a line that is not an integer from 1 to {_LAST_LINE:,}": line is not None
        and (type(line) is not int or not 0 < line <= _LAST_LINE),
        "a kind that is neither `claim` nor `implication`": kind not in list(ClaimKind),
        f"wordings that are not a list of at most {_MOST_WORDINGS} strings": not is_list,
        "an empty wording": is_list and not all(map(_is_text, wordings)),
    }
    for fault, is_found in faults.items():
        if is_found:
            raise InputError(f"{name} has {fault}")
    text, *wordings = (whole_text(wording).strip() for wording in (text, *wordings))
    return Claim(text, ClaimKind(kind), _SOURCE, path and whole_text(path), line, tuple(wordings))


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())
