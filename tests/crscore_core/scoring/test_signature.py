"""The signature of a score, as one line."""

from dataclasses import replace

import pytest

from crscore_core.analyzers import AnalyzerResult, AnalyzerUse, Status, analyzer_uses, sum_uses
from crscore_core.change import parse_change
from crscore_core.scoring.signature import Signature, claims_version
from crscore_core.scoring.source_files import source_files
from crscore_core.version import CLAIMS_VERSION

SIGNATURE = Signature("words", "given", (), 0.25, 3, version="1.0")
RUFF, PMD = AnalyzerUse("ruff", "0.17", 2, files=3), AnalyzerUse("pmd", "7", 1, files=1)


@pytest.mark.parametrize(("changes", "line"), [
    ({}, "crscore:1.0|scoring:3|encoder:words|claims:given|analyzers:none|tau:0.25"),
    ({"analyzers": (replace(PMD, not_analysed=2),)}, "|analyzers:pmd=7[1/3]|code:hunks|"),
    ({"analyzers": (AnalyzerUse("pmd", "7", not_analysed=2),)}, "|analyzers:none|tau:"),
    ({"analyzers": (replace(PMD, version=None),)}, "|analyzers:pmd|code:hunks|"),
    ({"analyzers": (replace(RUFF, complete=3),)}, "|code:files|"),
    ({"analyzers": (replace(RUFF, complete=1),)}, "|code:files[1/3]|"),
    ({"references_digest": "0a1b"}, "|claims:given#0a1b|"),
    ({"claims": "symbolic", "claims_version": 4}, "|claims:symbolic|rules:4|"),
    ({"tau": 1}, "|tau:1.0"),
])  # fmt: skip
def test_a_signature_is_one_line_of_what_was_used(changes: dict[str, object], line: str) -> None:
    assert line in str(replace(SIGNATURE, **changes))  # type: ignore[arg-type]


def test_only_symbolic_claims_have_a_version_of_rules() -> None:
    versions = [claims_version(claims) for claims in ("symbolic", "symbolic+given", "given")]
    assert versions == [CLAIMS_VERSION, CLAIMS_VERSION, None]


def test_an_analyzer_ran_if_it_analysed_a_file() -> None:
    """A new file that its diff shows whole is not a complete file given by the user."""
    added = "--- /dev/null\n+++ b/new.py\n@@ -0,0 +1 @@\n+x = 1\n"
    known = "--- a/old.py\n+++ b/old.py\n@@ -1 +1 @@\n-x = 1\n+x = 2\n"
    results = [
        AnalyzerResult("ruff", "0.17", "new.py", Status.ANALYSED),
        AnalyzerResult("ruff", "0.17", "old.py", Status.ANALYSED),
        AnalyzerResult("pmd", "7", "A.java", Status.NOT_ANALYSED, "no Java"),
        AnalyzerResult("jshint", None, "a.js", Status.FRAGMENT),
        AnalyzerResult("none", None, "a.kt", Status.NOT_ANALYSED, "no analyzer"),
    ]
    change = parse_change(added + known)
    files, _ = source_files(change, {"new.py": "x = 1", "old.py": "x = 2"})
    uses = analyzer_uses(files, results)
    assert uses == (
        AnalyzerUse("jshint", None, 1, files=1),
        AnalyzerUse("pmd", "7", not_analysed=1),
        AnalyzerUse("ruff", "0.17", 1, files=2, complete=1),
    )
    assert sum_uses([*uses, *uses])[2] == AnalyzerUse("ruff", "0.17", 2, files=4, complete=2)
