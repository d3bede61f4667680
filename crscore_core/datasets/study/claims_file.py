"""A file with claims about many changes, which it names by their diffs."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from crscore_core.claims import ClaimSet, claims_of_items, claims_of_response
from crscore_core.errors import ClaimsError
from crscore_core.text import text_of_file

_DIFFS = ("diff", "code_change", "patch")
_RESPONSES = ("response", "change_summary")


def read_claims_of_changes(path: Path) -> dict[str, ClaimSet]:
    """Read JSON Lines with one object for each change: claims by the change's `squeezed` diff.

    The diff is under `diff`, `code_change` or `patch`. The claims are a list under `claims`, of
    strings or of objects as `crscore claims --json` prints them, or the answer of a language
    model, under `response` or `change_summary`. The first of several objects with one diff counts.

    Raises:
        InputError: the file cannot be read, or a line is no such object.
    """
    file = f"claims file {str(path)!r}"
    try:
        content = path.read_bytes()
    except OSError as error:
        raise ClaimsError(f"{file} cannot be read: {error.strerror}") from error
    by_diff: dict[str, ClaimSet] = {}
    for number, line in enumerate(text_of_file(content, file).split("\n"), start=1):
        if line.strip():
            diff, claims = _change(line, f"{file}, line {number}", path.stem)
            by_diff.setdefault(squeezed(diff), claims)
    return by_diff


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
        return diff, claims_of_response(response, source)
    if any(fields.get(name, ...) is None for name in _RESPONSES):
        return diff, ClaimSet(())  # nobody answered
    raise ClaimsError(f"{where}: no list under claims, and no text under {_RESPONSES[0]}")


def _text(fields: Mapping[str, Any], names: tuple[str, ...]) -> str | None:
    return next((fields[name] for name in names if isinstance(fields.get(name), str)), None)


def squeezed(text: str) -> str:
    """Take all white space out of a text."""
    return "".join(text.split())
