"""The rule sets of PMD that can be chosen, and the one file that tells a run of them."""

import hashlib
import os
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree as ET

QUICKSTART = "rulesets/java/quickstart.xml"
SHIPPED = (
    QUICKSTART,
    "category/java/bestpractices.xml",
    "category/java/codestyle.xml",
    "category/java/design.xml",
    "category/java/documentation.xml",
    "category/java/errorprone.xml",
    "category/java/multithreading.xml",
    "category/java/performance.xml",
    "category/java/security.xml",
)
"""The rule sets that PMD brings along."""

READ = "ReadByThisRun"
"""A rule that every file breaks, so that PMD has to name each one that it has read."""

# Rules that report only an error unless they are configured.
_UNUSABLE = {"category/java/design.xml": ("LoosePackageCoupling",)}
_RULE_SET = """\
<?xml version="1.0" encoding="UTF-8"?>
<ruleset name="chosen" xmlns="http://pmd.sourceforge.net/ruleset/2.0.0">
  <description>What was chosen, and a rule that every file breaks.</description>
{references}
  <rule name="{read}" language="java" message="Read."
        class="net.sourceforge.pmd.lang.rule.xpath.XPathRule">
    <description>Every file breaks it.</description>
    <priority>1</priority>
    <properties><property name="xpath"><value>/CompilationUnit</value></property></properties>
  </rule>
</ruleset>
"""


def check(names: Sequence[str]) -> None:
    """Check that each of `names` is a shipped rule set or the path of a file that holds one.

    Raises:
        ValueError: one is neither, or there is none.
    """
    if not names:
        raise ValueError("no rule set is chosen")
    for name in names:
        if name not in SHIPPED:
            _check_file(name)


def signature(names: Sequence[str]) -> str:
    """Describe `names` in a few words, which change with the contents of the files.

    Raises:
        OSError: a file cannot be read.
    """
    return ", ".join(
        name if name in SHIPPED else f"{Path(name).name} ({_digest(name)})" for name in names
    )


def write(names: Sequence[str], folder: Path) -> str:
    """Write a rule set with all of `names` into `folder` and return its file's name.

    Local rule sets are copied, so that nothing of a path has to be understood by PMD.

    Raises:
        OSError: a file cannot be read.
    """
    references: list[str] = []
    for index, name in enumerate(names):
        reference = name
        if name not in SHIPPED:
            reference = f"chosen{index}.xml"
            (folder / reference).write_bytes(Path(name).read_bytes())
        unusable = "".join(f'<exclude name="{rule}"/>' for rule in _UNUSABLE.get(name, ()))
        references.append(f'  <rule ref="{reference}">{unusable}</rule>')
    text = _RULE_SET.format(references="\n".join(references), read=READ)
    (folder / "rules.xml").write_text(text, encoding="utf-8")
    return "rules.xml"


def _check_file(name: str) -> None:
    if not os.path.isfile(name):
        known = ", ".join(SHIPPED)
        raise ValueError(f"no rule set {name!r}: give the path of a file, or one of {known}")
    try:
        root = ET.parse(name).getroot()  # noqa: S314 - the user's own file
    except (OSError, ValueError, LookupError, ET.ParseError) as error:
        raise ValueError(f"{name} is no rule set: {error}") from None
    if not any(element.tag.rpartition("}")[2] == "rule" for element in root):
        raise ValueError(f"{name} is no rule set: it names no rule")


def _digest(name: str) -> str:
    return hashlib.blake2b(Path(name).read_bytes(), digest_size=4).hexdigest()
