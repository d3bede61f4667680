"""PMD's rule sets, and the file that combines the chosen ones for a run."""

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
"""Rule sets that come with PMD, the default first."""

READ = "ReadByThisRun"
"""A rule that every file violates, so that PMD has to report each file it has read."""

# Rules that only report an error unless configured.
_UNUSABLE = {"category/java/design.xml": ("LoosePackageCoupling",)}
_RULE_SET = """\
<?xml version="1.0" encoding="UTF-8"?>
<ruleset name="chosen" xmlns="http://pmd.sourceforge.net/ruleset/2.0.0">
  <description>The chosen rules, and one that every file violates.</description>
{references}
  <rule name="{read}" language="java" message="Read."
        class="net.sourceforge.pmd.lang.rule.xpath.XPathRule">
    <description>Every file violates it.</description>
    <priority>1</priority>
    <properties><property name="xpath"><value>/CompilationUnit</value></property></properties>
  </rule>
</ruleset>
"""


def check(names: Sequence[str]) -> None:
    """Check that each of `names` is one of PMD's rule sets or the path of a rule file.

    Raises:
        ValueError: one is neither, or `names` is empty.
    """
    if not names:
        raise ValueError("no rule set given")
    for name in names:
        if name not in SHIPPED:
            _check_file(name)


def signature(names: Sequence[str]) -> str:
    """Return a short description of `names` that changes with the contents of the files.

    Raises:
        OSError: a file cannot be read.
    """
    return ", ".join(
        name if name in SHIPPED else f"{Path(name).name} ({_digest(name)})" for name in names
    )


def write(names: Sequence[str], folder: Path) -> str:
    """Write a rule set that combines `names` to `folder`; return its file name.

    Local rule sets are copied, so that PMD never has to resolve a user's path.

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
        raise ValueError(f"{name} is not a rule set: {error}") from None
    if not any(element.tag.rpartition("}")[2] == "rule" for element in root):
        raise ValueError(f"{name} is not a rule set: it contains no rules")


def _digest(name: str) -> str:
    return hashlib.blake2b(Path(name).read_bytes(), digest_size=4).hexdigest()
