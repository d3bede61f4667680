"""A file with claims about many changes, which it names by their diffs."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from crscore_core.claims import ClaimSet, claims_of_items, claims_of_response
from crscore_core.errors import ClaimsError
from crscore_core.text import decode

_DIFFS = ("diff", "code_change", "patch")
_RESPONSES = ("response", "change_summary")


@dataclass(frozen=True, slots=True)
class ClaimsOfChanges:
    """Claims by the diff of their change without white space; `name` is the file's."""

    name: str
    by_diff: Mapping[str, ClaimSet]

    def of(self, diff: str) -> ClaimSet | None:
        """Return the claims about a change; None if the file does not know the change."""
        return self.by_diff.get(_squeezed(diff))


def read_claims_of_changes(path: Path) -> ClaimsOfChanges:
    """Read JSON Lines with one object for each change.

    The diff is under `diff`, `code_change` or `patch`. The claims are a list under `claims`, of
    strings or of objects as `crscore claims --json` prints them, or the answer of a language
    model, under `response` or `change_summary`. The first of several objects with one diff counts.

    Raises:
        ClaimsError: the file cannot be read, or a line is no such object.
    """
    try:
        lines = decode(path.read_bytes()).split("\n")
    except OSError as error:
        raise ClaimsError(f"claims file {str(path)!r} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        before = error.object.count(b"\n", 0, error.start)
        raise ClaimsError(
            f"claims file {str(path)!r}, line {before + 1}: it is not UTF-8"
        ) from error
    by_diff: dict[str, ClaimSet] = {}
    for number, line in enumerate(lines, start=1):
        if line.strip():
            diff, claims = _change(line, f"claims file {str(path)!r}, line {number}", path.stem)
            by_diff.setdefault(_squeezed(diff), claims)
    return ClaimsOfChanges(str(path), by_diff)


def _change(line: str, where: str, source: str) -> tuple[str, ClaimSet]:
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise ClaimsError(
            f"{where}: it is no valid JSON; a file with claims about the changes of a study has "
            f"one JSON object a line: {error}"
        ) from error
    if not isinstance(fields, dict):
        raise ClaimsError(f"{where}: it is no JSON object")
    diff = _text(fields, _DIFFS)
    if diff is None:
        raise ClaimsError(f"{where}: it has no text under {' or '.join(_DIFFS)}")
    if isinstance(fields.get("claims"), list):
        return diff, ClaimSet(claims_of_items(fields["claims"], where))
    response = _text(fields, _RESPONSES)
    if response is not None:
        return diff, ClaimSet(claims_of_response(response, source))
    if any(fields.get(name, ...) is None for name in _RESPONSES):
        return diff, ClaimSet(())  # nobody answered
    raise ClaimsError(f"{where}: no list under claims, and no text under {_RESPONSES[0]}")


def _text(fields: Mapping[str, Any], names: tuple[str, ...]) -> str | None:
    return next((fields[name] for name in names if isinstance(fields.get(name), str)), None)


def _squeezed(text: str) -> str:
    return "".join(text.split())
