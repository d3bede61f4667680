"""JSHint's configuration, and the findings that a reviewer of the code would agree with."""

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from analyzers.rejected import Surroundings, is_rejected, read_rejections
from analyzers.tool import Finding, NotAnalysedError, Outcome, one_line

CONFIGURATION: dict[str, Any] = json.loads(
    Path(__file__).with_name("configuration.json").read_text(encoding="utf-8")
)
"""JSHint's options, and the environments and names that need no declaration.

ECMAScript 2020 is the newest version that JSHint 2.13 supports. Rules of style are switched off.
"""
_IMPORTS_OR_EXPORTS = re.compile(r"^[ \t]*(import|export)\b", re.MULTILINE)
_REQUIRES = re.compile(r"(?<![\w.$])require\s*\(|\bmodule\.exports\b")
_LET_OR_CONST = re.compile(r"^[ \t]*(export[ \t]+)?(let|const)\b", re.MULTILINE)


def jshint_options(text: str) -> dict[str, bool | int]:
    """Return JSHint's options for `text`: the fixed options, and those for its kind of script."""
    return {
        **CONFIGURATION["options"],
        "module": _IMPORTS_OR_EXPORTS.search(text) is not None,
        "varstmt": _LET_OR_CONST.search(text) is not None,
        # A warning about undefined names is switched off by its code, whatever the value.
        **({"-W117": True} if _shares_globals(text) else {}),
    }


def _shares_globals(text: str) -> bool:
    """Return True if `text` is a script that shares globals with other scripts on a page."""
    return not (_IMPORTS_OR_EXPORTS.search(text) or _REQUIRES.search(text))


# Rules that show that JSHint did not understand the code, and so did not read all of it.
_UNREADABLE = frozenset(
    """
    E003 E006 E015 E017 E018 E019 E020 E021 E023 E024 E025 E026 E027 E028 E030 E033 E034 E035
    E041 E043 E045 E046 E050 E052 E053 E054 E057 E058 E061 E062 E066 E067 E070
    W024 W025 W094 W095 W017 W112 W118 W130 W131 W133 W140
    """.split()
)
_EXPECTED_BY_STYLE = frozenset({"===", "!==", "{"})
_OTHER_ROW = re.compile(r" from line \d+")
_REJECTED = read_rejections(Path(__file__).with_name("rejected.txt"))


def keep_credible(text: str, findings: Sequence[Finding]) -> Outcome:
    """Return the findings that a reviewer would agree with, if JSHint could read all of `text`.

    A finding that repeats another on the same line is dropped.
    """
    for finding in findings:
        if _is_unreadable(finding):
            message = one_line(_OTHER_ROW.sub("", finding.message).rstrip("."))
            reason = f"JSHint, which supports JavaScript up to ES2020, cannot read this: {message}"
            return NotAnalysedError(reason, finding.first_row)
    code = Surroundings(text)
    shares_globals = _shares_globals(text)
    unique = {
        (finding.rule, finding.first_row, finding.names): finding
        for finding in findings
        if not is_rejected(finding, code, _REJECTED)
        # Other scripts may use a global name.
        and not (shares_globals and finding.rule == "W098" and finding.scope == (0, 0))
    }
    return [*unique.values()]


def _is_unreadable(finding: Finding) -> bool:
    """Return True if JSHint did not understand the code here."""
    if finding.rule == "W116":
        return _EXPECTED_BY_STYLE.isdisjoint(finding.names[:1])
    return finding.rule in _UNREADABLE
