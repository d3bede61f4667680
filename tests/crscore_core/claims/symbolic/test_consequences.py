"""What follows from changed statements, a row for each family of them."""

import string

import pytest

from crscore_core.claims import ClaimKind
from crscore_core.claims.symbolic import consequences as module
from crscore_core.claims.symbolic.changed import changed_statements
from crscore_core.claims.symbolic.consequences import MAX_CONSEQUENCES, consequences
from crscore_core.claims.symbolic.files import is_test_path
from tests.crscore_core.claims.symbolic.blocks import blocks


def told(name: str, body: str, language: str) -> list[str]:
    found = [
        one
        for block in blocks(name, body)
        for one in consequences(changed_statements(block, language), is_test=is_test_path(name))
    ]
    assert all(one.kind is ClaimKind.IMPLICATION for one in found)
    return [one.text for one in found]


GUARDED = "Special cases such as wrong or missing values are now handled on their own"
BRANCHED = "The behaviour now depends on the condition, which is one more case to test"
RETURNED = "Callers of the function get a different return value"
IMPORTED = (
    "The import makes requests a dependency of this module, and is unnecessary where it is not used"
)
DOCUMENTED = "The comment matters for readability and documentation of the code"


@pytest.mark.parametrize(
    ("name", "body", "expected"),
    [
        ("a.py", "+if a is None:\n+    pass\n x = 1", [GUARDED]),
        ("A.java", "+if (!ready) {\n+}\n x();", [GUARDED]),
        ("a.py", "+if mode == fast:\n+    pass\n x = 1", [BRANCHED]),
        (
            "a.py",
            "-if a is None:\n-    pass\n x = 1",
            ["Special cases such as wrong or missing values are no longer checked here"],
        ),
        (
            "a.py",
            "-if a > b:\n+if a > c:\n     go()",
            ["The branch may be executed in other cases, as the condition is another one"],
        ),
        (
            "a.py",
            "+for a in items:\n+    pass\n x = 1",
            ["The loop takes time for each item, which matters for performance"],
        ),
        (
            "A.java",
            "+throw new IOException();\n x();",
            ["Callers have to handle the error, and its message should tell what is wrong"],
        ),
        (
            "a.py",
            "+import requests\n x = 1",
            [IMPORTED],
        ),
        (
            "a.py",
            "-import requests\n x = 1",
            ["The dependency on requests is gone, so the code must not use it any more"],
        ),
        (
            "a.py",
            "-import numpy\n+import pandas",
            ["The dependency is now on pandas, imported from another place"],
        ),
        ("a.py", "-import numpy\n+import numpy as np", []),
        ("a.js", "+const requests = require('requests');\n y();", [IMPORTED]),
        ("a.cs", "+using Rows = System.Data.DataTable;\n class A {}", []),
        ("a.py", "+# why it waits\n x = 1", [DOCUMENTED]),
        ("a.py", "+# wait(3)\n x = 1", [DOCUMENTED]),
        (
            "a.py",
            "+log.info('sent')\n x = 1",
            ["The log message helps debugging but makes the output longer"],
        ),
        (
            "a.py",
            "+maxRetries = 3\n x = 1",
            ["What uses the variable max retries depends on the value that is set here"],
        ),
        (
            "a.py",
            "+self.total += 1\n x = 1",
            ["What uses the variable total depends on the value that is set here"],
        ),
        (
            "A.java",
            "+private int maxRetries = 3;\n void f();",
            ["What uses the field max retries depends on the value that is set here"],
        ),
        (
            "a.py",
            "+MAX_RETRIES = 3\n x = 1",
            ["What uses the constant max retries depends on the value that is set here"],
        ),
        ("a.py", "-x = 1\n+x = 2", ["The variable x has a different value from here on"]),
        ("a.py", "-x = 1\n+x: int = 1", []),
        ("a.py", "-    m = match(s)\n-    if m:\n+    if (m := match(s)):\n         use(m)", None),
        ("a.py", "-return a + b\n+return a + b * c", [RETURNED]),
        ("a.py", "+yield data\n x = 1", []),
        (
            "a.py",
            "+self.items.append(x)\n y = 1",
            ["The additional call of append takes time and may have side effects"],
        ),
        (
            "a.js",
            "+builder.set('a', 1);\n y();",
            ["The additional call of set takes time and may have side effects"],
        ),
        ("src/svc.py", "+assert x is not None\n y = 1", []),
        (
            "tests/test_svc.py",
            "+assert total == 3\n y = 1",
            ["Test coverage improves, as the test verifies total"],
        ),
        (
            "A.java",
            "+@Deprecated\n void f();",
            ["The annotation deprecated changes how the code is treated"],
        ),
    ],
)
def test_consequences(name: str, body: str, expected: list[str] | None) -> None:
    language = {"py": "python", "js": "javascript", "cs": "csharp"}.get(
        name.rpartition(".")[2], "java"
    )
    found = told(name, body, language)
    if expected is None:
        assert [text for text in found if "no longer set" in text] == []
    else:
        assert found == expected


def test_the_same_is_said_once_and_little_of_a_long_block() -> None:
    lines = "\n".join(f"+log.info('step {n}')" for n in range(20))
    assert len(told("a.py", lines + "\n x = 1", "python")) == 1
    lines = "\n".join(f"+value{n} = {n}" for n in range(20))
    assert len(told("a.py", lines + "\n x = 1", "python")) == MAX_CONSEQUENCES


def test_code_in_a_name_is_no_template() -> None:
    (found,) = told("a.py", "+x['{noun.__class__}'] = 1\n y = 1", "python")
    assert found == "What uses the variable class depends on the value that is set here"


def test_templates_name_nothing_else() -> None:
    texts = [text for of_sort in module._CONSEQUENCES.values() for text in of_sort.values()]
    fields = {field for text in texts for _, field, *_ in string.Formatter().parse(text) if field}
    assert fields == {"it", "noun"}
