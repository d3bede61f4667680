from pathlib import Path

import pytest
from analyzers.syntax.reading import READERS

from analyzers import AnalyzerResult, Status
from analyzers.java import pmd as pmd_module
from analyzers.java.pmd import PMD
from analyzers.linter import Linter
from tests.analyzers.kits import at
from tests.analyzers.sources import whole

SMELLY = "class Cache {\n    private int size;\n}\n"
LONG = {
    "a comment": f"/* {'x' * 900_000} */ {SMELLY}",
    "a text": SMELLY.replace(";", f'; String a = "{"x" * 900_000}";'),
}
DEEP = {
    "parentheses": f"class A {{ int a = {'(' * 6_000}1{')' * 6_000}; }}\n",
    "braces": f"class A {{ void f() {'{' * 100_000}{'}' * 100_000} }}\n",
}


@pytest.fixture(scope="module")
def results() -> dict[str, AnalyzerResult]:
    """Results by the name of a text, all from one run."""
    texts = {**LONG, **DEEP}
    files = [whole(text, path=name, language="java") for name, text in texts.items()]
    return dict(zip(texts, Linter(PMD(), READERS["java"]).analyze(files), strict=True))


@pytest.mark.parametrize("name", [*LONG, *DEEP])
def test_long_java_is_read_and_deep_java_reported_alone(
    name: str, results: dict[str, AnalyzerResult]
) -> None:
    result = results[name]
    if name in LONG:
        assert at(result) == [("NoPackage", 1), ("UnusedPrivateField", 2)]
    else:
        assert (result.status, result.smells) == (Status.NOT_ANALYSED, ())
        assert str(result.reason).startswith("PMD could not process it (")


def test_java_home_takes_precedence_over_the_search_path(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    own, other = tmp_path / "bin" / "java", tmp_path / "path" / "java"
    for path in (own, other):
        path.parent.mkdir()
        path.write_text("")
        path.chmod(0o755)
    monkeypatch.setenv("PATH", str(other.parent))
    for home, java in ((tmp_path, own), (own.parent, other)):
        monkeypatch.setenv("JAVA_HOME", str(home))
        assert pmd_module._installed_java() == str(java)
